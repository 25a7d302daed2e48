"""`agentcli audit`: the record, and what it answers: which rule, who, and is this tool ready for more?"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import Exit, WrongUsage
from agentcli.cli.looking import exit_after, store_there
from agentcli.cli.options import AsJson, path_option, text_argument, text_option, with_records
from agentcli.cli.record.call_story import call_story, stored_story
from agentcli.cli.record.decided import decided_line
from agentcli.cli.record.fared import Fared, advice_lines, config_lines, current_level, where_they_go
from agentcli.cli.record.selecting import SelectionOptions, decisions_selected, sessions_selected
from agentcli.cli.record.verified import read_heads, report_lines, reported
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output, paging
from agentcli.config import Config
from agentcli.config.errors import did_you_mean
from agentcli.session.advice import Advice, advise
from agentcli.session.decisions import DecisionFilter
from agentcli.session.evidence import gather
from agentcli.session.export import export_line, exported
from agentcli.store.damaged import Damaged
from agentcli.store.register import resolve_call, resolve_session
from agentcli.store.sqlite import SqliteStore
from agentcli.store.verification import verify_record
from agentcli.terminal.faces.printed import terminal_size

TOGETHER: Final = 200
"""Lines that are written at once."""

app = App()


@app.callback()
def audit() -> None:
    """Show the record of what was decided, see that nobody tampered with it, and learn from it."""


@app.command(
    epilog="""\b
Examples:
  agentcli audit show --tool add_expense --since 7d
  agentcli audit show call_3f"""
)
@with_records
def show(
    ctx: typer.Context,
    call: Annotated[
        str | None, text_argument("CALL", "a call's id, or the beginning of it: its whole story")
    ] = None,
    *,
    selection: SelectionOptions,
    as_json: AsJson = False,
) -> Exit:
    """List what was decided, the newest last, or tell one call's story.

    A story shows each question as it was asked, all rules that spoke, who answered, how fast, and what came of it.
    """
    if call is not None and selection.wanted != DecisionFilter():
        raise WrongUsage("--tool, --decision and --since choose what is listed; a call's story is told whole")
    with _store(ctx) as store:
        if call is None:
            return _show_decisions(store, selection, as_json=as_json)
        _show_call(store, call, selection.session, as_json=as_json)
        return Exit.DONE


@app.command(
    epilog="""\b
Examples:
  agentcli audit export --decision deny --since 2026-11-01"""
)
@with_records
def export(ctx: typer.Context, selection: SelectionOptions, as_json: AsJson = False) -> Exit:
    """Write one line of JSON per decision, in printable ASCII.

    With or without --json. Answers and outcomes stand with their decisions, as far as there are any by now.
    """
    damaged = Damaged()
    with _store(ctx) as store:
        lines = map(export_line, decisions_selected(store, selection, damaged))
        while together := b"".join(islice(lines, TOGETHER)):
            output.write(together.decode("ascii"))
    return exit_after(damaged)


@app.command(
    epilog="""\b
Examples:
  agentcli audit verify --json > /elsewhere/heads.json
  agentcli audit verify --against /elsewhere/heads.json"""
)
def verify(
    ctx: typer.Context,
    session: Annotated[str | None, text_option("--session", metavar="ID", help="only this session")] = None,
    against: Annotated[str | None, path_option("--against", help="heads that --json has written before")] = None,
    as_json: AsJson = False,
) -> int:
    """Recompute every chain, and look for sessions that are gone.

    The exit code is 1 where something is wrong. What was cut off at an end, and who puts back yesterday's file, is
    found only against heads kept elsewhere.
    """
    kept = () if against is None else read_heads(against)
    if against is not None and not kept:
        output.note(f"{against} holds no heads, so there is nothing to compare with")
    path = Path(set_up(flags_of(ctx)).store.path)
    if not path.exists():
        output.note(f"there is no store {path}")
    with _store(ctx) as store:
        report = verify_record(store, kept, only=None if session is None else resolve_session(store, session))
    if as_json:
        output.json_line(reported(report))
    else:
        output.lines(report_lines(report))
    return Exit.DONE if report.whole else Exit.FAILED


@app.command(
    epilog="""\b
Examples:
  agentcli audit stats --since 30d
  agentcli audit stats --write"""
)
@with_records
def stats(
    ctx: typer.Context,
    selection: SelectionOptions,
    *,
    write: Annotated[bool, typer.Option("--write", help="print the lines for the config file instead")] = False,
    as_json: AsJson = False,
) -> Exit:
    """Tell how each tool's calls fared, and what follows from it.

    That is more room for it, less, or neither yet. Nothing is changed: --write prints the lines that a person puts
    into the config. --since leaves out what is long ago.
    """
    if write and as_json:
        raise WrongUsage("--write prints lines for the config file, which are no JSON: leave one of the two out")
    config, damaged = set_up(flags_of(ctx)), Damaged()
    with _store(ctx) as store:
        everything = SelectionOptions(session=selection.session)
        evidence = gather(decisions_selected(store, everything, damaged), selection.wanted)
    # What can't be read may be what speaks against more room.
    advice = () if damaged.why else tuple(advise(evidence, current_level(config)))
    if as_json:
        output.json_line(Fared(evidence.tallies, advice))
    elif write:
        _write_lines(config, advice)
    elif evidence.tallies:
        paging.show(list(advice_lines(evidence, advice)))
    else:
        with _store(ctx) as store:
            output.note(_nothing(store, selection))
    return exit_after(damaged)


@app.command(
    epilog="""\b
Examples:
  agentcli audit replay --autonomy 3
  agentcli audit replay --with new.toml --since 30d"""
)
@with_records
def replay(
    ctx: typer.Context,
    selection: SelectionOptions,
    *,
    other: Annotated[str | None, path_option("--with", help="another config file")] = None,
    autonomy: Annotated[
        str | None, text_option("--autonomy", "-l", metavar="0-4", help="another level of the session")
    ] = None,
    as_json: AsJson = False,
) -> Exit:
    """Tell which past calls another config or level would change.

    Each call is judged by itself, with its facts and the hooks' words as they stood then. Nothing is run.
    """
    from agentcli.cli.record.rejudged import Differences  # noqa: PLC0415  # it loads the agents

    damaged = Damaged()
    with _store(ctx) as store:
        found = Differences(flags_of(ctx), other, autonomy)
        found.look(store, sessions_selected(store, selection), selection.wanted, damaged)
    for note in found.notes:
        output.note(note)
    if as_json:
        output.json_line(found.as_json())
    else:
        paging.show(list(found.lines()))
    return exit_after(damaged)


@contextmanager
def _store(ctx: typer.Context) -> Iterator[SqliteStore]:
    """Open the store; where there is none yet, one that is empty, since looking makes no file."""
    with store_there(set_up(flags_of(ctx))) as store:
        if store is not None:
            yield store
            return
        with SqliteStore.in_memory() as empty:
            yield empty


def _write_lines(config: Config, advice: Sequence[Advice]) -> None:
    from agentcli.wiring.agents import tool_names  # noqa: PLC0415  # it loads the agents

    changes = [one for one in advice if one.level is not None]
    known = tool_names(config) if changes else frozenset()
    for one in changes:
        if one.tool not in known:
            output.note(f"{one.tool!r} is left out: no agent of the config has it")
    lines = config_lines(config, [one for one in changes if one.tool in known])
    output.write("".join(f"{line}\n" for line in lines))
    output.note(where_they_go(config) if lines else "nothing follows that the config could say")


def _show_decisions(store: SqliteStore, selection: SelectionOptions, *, as_json: bool) -> Exit:
    damaged = Damaged()
    decisions = decisions_selected(store, selection, damaged)
    records = sorted(decisions, key=lambda record: (record.at, record.session, record.seq))
    if as_json:
        output.json_line([exported(record) for record in records])
    elif records:
        paging.show([decided_line(record) for record in records], newest_last=True)
    else:
        output.note(_nothing(store, selection))
    return exit_after(damaged)


def _nothing(store: SqliteStore, selection: SelectionOptions) -> str:
    """Return why there is nothing to show, with the nearest tool where none is called as the one wanted."""
    if selection == SelectionOptions():
        return "no decisions yet"
    said = "none of the decisions fits"
    if selection.tool is None:
        return said
    of_any_tool = decisions_selected(store, SelectionOptions(session=selection.session), Damaged())
    tools = {record.tool for record in of_any_tool}
    return said if selection.tool in tools else said + did_you_mean(selection.tool, tools)


def _show_call(store: SqliteStore, call: str, session: str | None, *, as_json: bool) -> None:
    where = None if session is None else resolve_session(store, session)
    found, call_id = resolve_call(store, call, where)
    if as_json:
        output.json_line(stored_story(found, call_id, list(store.records(found))))
        return
    width = terminal_size().columns
    paging.show(list(call_story(found, call_id, store.records(found), width=width)))

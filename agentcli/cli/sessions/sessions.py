"""`agentcli sessions`: what was said and done."""

from typing import Annotated

import msgspec
import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import Exit
from agentcli.cli.looking import exit_after, store_there
from agentcli.cli.options import AsJson, text_argument
from agentcli.cli.sessions.exporting import export
from agentcli.cli.sessions.registering import delete, rename
from agentcli.cli.sessions.summaries import summaries, summary_of, table_of
from agentcli.cli.setup import command_line, flags_of, set_up
from agentcli.cli.writing import output
from agentcli.cli.writing.columns import aligned
from agentcli.session.announcing import events_in
from agentcli.session.events import Event
from agentcli.session.state import State
from agentcli.store.damaged import Damaged
from agentcli.store.register import NoSuch, find_session
from agentcli.terminal.drawing.styled import Line
from agentcli.terminal.faces.printed import terminal_size

app = App()


@app.callback()
def sessions() -> None:
    """List the sessions there are, show or export what was said and done in one, name it, or delete it."""


@app.command(
    "list",
    epilog="""\b
Examples:
  agentcli sessions list
  agentcli sessions list --json | jq -r '.[0].id'""",
)
def list_(ctx: typer.Context, as_json: AsJson = False) -> Exit:
    """List all sessions, the one with the newest entry first."""
    flags, damaged = flags_of(ctx), Damaged()
    with store_there(set_up(flags)) as store:
        found = [] if store is None else summaries(store, damaged)
    if as_json:
        output.json_line(found)
    elif found:
        output.write("\n".join(aligned(table_of(found, terminal_size().columns))) + "\n")
    else:
        output.note(f"no sessions yet; `{command_line(flags, 'chat')}` begins one")
    return exit_after(damaged)


@app.command(
    epilog="""\b
Examples:
  agentcli sessions show 08j3bqvy"""
)
def show(
    ctx: typer.Context,
    session: Annotated[str, text_argument("SESSION", "its id, or the beginning of it")],
    as_json: AsJson = False,
) -> None:
    """Show what was said, decided, answered and done in a session."""
    # The list has no use for what draws.
    from agentcli.cli.sessions.lines import transcript_lines  # noqa: PLC0415

    with store_there(set_up(flags_of(ctx))) as store:
        if store is None:
            raise NoSuch("session", session)
        listing = find_session(store, session)
        events: list[Event] = []
        lines: list[Line] = []
        state = State(listing.session)
        for event in events_in(state, store.records(listing.session)):
            events.append(event)
            lines += transcript_lines(event, state)
        summary = summary_of(store, listing, state)
    if as_json:
        output.json_line({**msgspec.structs.asdict(summary), "events": events})
        return
    row = table_of([summary], terminal_size().columns)[1:]
    output.lines([*aligned(row), *lines])


app.command(
    epilog="""\b
Examples:
  agentcli sessions export 08j3bqvy
  agentcli sessions export 08j3bqvy --output tea.html"""
)(export)
app.command(
    epilog="""\b
Examples:
  agentcli sessions rename 08j3bqvy 'Tea in November'"""
)(rename)
app.command(
    epilog="""\b
Examples:
  agentcli sessions delete 08j3bqvy
  agentcli sessions delete 08j3bqvy --yes"""
)(delete)

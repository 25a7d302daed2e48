"""`agentcli compare`: the same message at several levels, side by side."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import Exit, WrongUsage
from agentcli.cli.look.pictures import write_picture
from agentcli.cli.options import AgentOptions, AsJson, path_option, text_argument, text_option, with_records
from agentcli.cli.replacing import Writes, require_writable
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.signals import EXITS
from agentcli.cli.talk.asking import Asking
from agentcli.cli.talk.progress import Progress, can_redraw
from agentcli.cli.writing import output
from agentcli.config import Config
from agentcli.config.records import Terminal
from agentcli.engine.clock import SystemClock
from agentcli.engine.parts import NO_HOOKS
from agentcli.gate.autonomy import Level
from agentcli.lab.compare import Answerer, Compared, Trial, answering, compare
from agentcli.lab.drawing import drawn
from agentcli.session.allowance import Usage
from agentcli.session.steps import AwaitPerson
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.conversation.one_question import Left
from agentcli.terminal.drawing.first_line import unusual
from agentcli.terminal.drawing.render import answer_line, decision_line
from agentcli.terminal.drawing.styled import Line, Span, draw, draw_all
from agentcli.terminal.faces.plain import is_one_terminal
from agentcli.terminal.faces.printed import beneath, terminal_size
from agentcli.terminal.faces.this_terminal import this_terminal
from agentcli.visible import visible_line
from agentcli.wiring.agents import load_agent
from agentcli.wiring.models import Choice, configured
from agentcli.wiring.opening import Circumstances, host_of
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms, terms_of

PICTURE_COLUMNS: Final = 120
"""Cells in a line of the picture."""

_EVERY_LEVEL: Final = "0-4"
_LEVELS: Final = re.compile(r"([0-4])-([0-4])|[0-4](,[0-4])*", re.ASCII)

app = App()


class _LeftEarly(Exception):
    """Whoever was asked has left without an answer."""

    def __init__(self, exit: Exit) -> None:
        super().__init__(exit)
        self.exit = exit


@app.command(
    epilog="""\b
Examples:
  agentcli compare "Add 300 for groceries, then delete expense 1."
  agentcli compare --levels 2,3 --answer no "clean up the old entries"
  agentcli compare --tool-level add_expense=3 --levels 2 "add 5 for tea\""""
)
@with_records
def compare_(  # noqa: PLR0913  # an option each
    ctx: typer.Context,
    message: Annotated[str, text_argument("MESSAGE", "what to say; after -- if it begins with -")],
    *,
    agent: AgentOptions,
    levels: Annotated[
        str | None, text_option("--levels", metavar="0-4", help="a range, or a list such as 2,3; else all")
    ] = None,
    answer: Annotated[
        str,
        text_option("--answer", metavar="yes|no|ask", help="what to say to each question; ask: at the terminal"),
    ] = "yes",
    require_approval: Annotated[
        bool, typer.Option("--require-approval", help="ask before every call, reads too")
    ] = False,
    svg: Annotated[str | None, path_option("--svg", help="draw it as a picture too")] = None,
    as_json: AsJson = False,
) -> int:
    """Show what becomes of a message at several levels.

    Every level works on its own copy of the books. A call that would change the world outside is not made and
    shown as "would run"; reads are made, and hooks are asked at each level.
    """
    chosen = _chosen(levels, agent.autonomy)
    if not message.strip():
        raise WrongUsage("the message is empty")
    config = set_up(flags_of(ctx, agent))
    answerer = _answerer(answer, config.terminal)
    if svg is not None:
        require_writable(svg, Writes.PICTURE)
    with _books(config) as store:
        named, choice = load_agent(config, config.agent), configured(config, os.environ)
        terms = terms_of(config, named, choice.name)
        if require_approval:
            terms = terms.asking_for_everything()
        _say_what_is_unusual(choice, terms)
        trial = Trial(agent=named, store=store, terms=terms, clock=SystemClock())
        try:
            stderr = beneath(sys.stderr)
            progress = Progress(stderr, is_live=can_redraw(stderr, is_plain=config.terminal.plain))
            compared = asyncio.run(_compared(trial, message, chosen, answerer, progress))
        except _LeftEarly as left:
            output.note("left; nothing was compared, and nothing has changed")
            return left.exit
    _show(compared, as_json=as_json)
    if svg is not None:
        write_picture(svg, drawn(compared, PICTURE_COLUMNS), title=f"agentcli compare: {message}")
    return _exit_of(compared)


async def _compared(
    trial: Trial, message: str, levels: tuple[Level, ...], answerer: Answerer, progress: Progress
) -> Compared:
    latest: dict[Level, str] = {}

    def show(level: Level, what: str) -> None:
        latest[level] = what
        progress.show(" · ".join(f"level {int(one)}: {latest[one]}" for one in sorted(latest)))

    asking_one_at_a_time = asyncio.Lock()

    has_left: list[_LeftEarly] = []

    async def answer(level: Level, session: Session, step: AwaitPerson) -> bool:
        async with asking_one_at_a_time:
            # The next level's question was already waiting for its turn.
            if has_left:
                raise has_left[0]
            try:
                with progress.held():
                    return await answerer(level, session, step)
            except _LeftEarly as left:
                has_left.append(left)
                raise

    try:
        return await compare(trial, message, levels, answer, progress=show)
    finally:
        progress.show("")


def _say_what_is_unusual(choice: Choice, terms: Terms) -> None:
    """Say before anything is sent which model it is, where the conversation goes, and what no copy holds in."""
    here = Circumstances(
        agent="",
        model=choice.name,
        level=Level.TALK,
        model_note=choice.note,
        tool_levels={},
        limits=terms.limits,
        knows_price=terms.price(choice.name, Usage()) is not None,
        foreign_host=host_of(choice.name),
    )
    hooks = ["hooks run at each level, outside of the copies"] if terms.hooks != NO_HOOKS else []
    said = " · ".join([*unusual(here), *hooks])
    if said:
        output.note(said)


def _show(compared: Compared, *, as_json: bool) -> None:
    if not as_json:
        width = max(20, min(200, terminal_size().columns))
        output.write(draw_all(drawn(compared, width), colour=output.has_colour(sys.stdout)))
        return
    output.json_line(compared.comparison)
    for level, ending in compared.endings.items():
        if ending.is_failure:
            output.note(f"level {int(level)}: {ending.words}")


def _exit_of(compared: Compared) -> Exit:
    failures = [ending for ending in compared.endings.values() if ending.is_failure]
    if not failures:
        return Exit.DONE
    return Exit.LATER if all(ending.is_passing for ending in failures) else Exit.FAILED


def _chosen(levels: str | None, autonomy: str | None) -> tuple[Level, ...]:
    """Return the levels to compare; `--autonomy` alone names the only one."""
    if levels is not None and autonomy is not None:
        raise WrongUsage("--levels says which levels are compared, so --autonomy has nothing to say")
    if autonomy is not None:
        return _levels("--autonomy", autonomy)
    return _levels("--levels", _EVERY_LEVEL if levels is None else levels)


def _levels(named: str, text: str) -> tuple[Level, ...]:
    if not _LEVELS.fullmatch(text):
        raise WrongUsage(f"{named}: {text!r} is neither a range such as 0-4 nor a list such as 2,3")
    first, dash, last = text.partition("-")
    if not dash:
        return tuple(Level(number) for number in sorted({int(one) for one in text.split(",")}))
    if first > last:
        raise WrongUsage(f"{named}: {text!r} runs backwards")
    return tuple(Level(number) for number in range(int(first), int(last) + 1))


def _answerer(word: str, terminal: Terminal) -> Answerer:
    match word:
        case "yes" | "no":
            return answering(word)
        case "ask":
            if not is_one_terminal(sys.stdin, sys.stdout):
                raise WrongUsage("--answer ask needs a terminal; without one say yes or no")
            return partial(_ask, msgspec.structs.replace(terminal, bell=False))
        case _:
            raise WrongUsage(f"--answer: {word!r} is none of yes, no and ask")


async def _ask(terminal: Terminal, level: Level, session: Session, step: AwaitPerson) -> bool:
    """Ask a person at the terminal.

    Raises:
        _LeftEarly: They left without an answer.
    """
    call = session.state.calls[step.call_id]
    async with this_terminal(terminal) as face:
        say = partial(_say, level, colour=face.colour)
        if call.decided is None:
            face.write(say((Span(f"{visible_line(call.tool)} asks for something"),)))
        else:
            decided = call.decided
            face.write(say(decision_line(decided.decision, call.tool, call.as_sent, decided.verdicts)))
        came = await Asking(session, step, face).ask()
        if isinstance(came, Left):
            raise _LeftEarly(_exit_on(came))
        answered = call.answered or call.edited
        if answered is not None:
            face.write(say(answer_line(call.tool, answered)))
    return True


def _say(level: Level, line: Line, *, colour: bool) -> str:
    return f"level {int(level)}: {draw(line, colour=colour)}"


def _exit_on(left: Left) -> Exit:
    return EXITS[signal.Signals(left.signal)] if left.signal else Exit.INTERRUPTED


@contextmanager
def _books(config: Config) -> Iterator[SqliteStore]:
    """Lend a copy of the books there are, or new ones; the store itself is only read."""
    path = Path(config.store.path)
    if not path.exists():
        with SqliteStore.in_memory() as store:
            yield store
        return
    with SqliteStore.open(path) as original, original.sandbox() as copy:
        yield copy

"""`agentcli compare`: the same message at several levels, side by side."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from agentcli.cli import output
from agentcli.cli.apps import App
from agentcli.cli.called import colour
from agentcli.cli.exits import Exit, WrongUsage
from agentcli.cli.options import AgentOptions, AsJson, path_option, text_argument, text_option, with_records
from agentcli.cli.pictures import write_picture
from agentcli.cli.progress import Progress, can_redraw
from agentcli.cli.setup import flags_of, set_up
from agentcli.config import Config
from agentcli.engine.clock import SystemClock
from agentcli.gate.autonomy import Level
from agentcli.lab.compare import Answerer, Compared, Trial, answering, compare
from agentcli.lab.drawing import drawn
from agentcli.session.call import Call
from agentcli.session.persons import Given
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.answer import Approve, ApproveAndRaise, Decline
from agentcli.terminal.asked import view_of
from agentcli.terminal.one_question import ask_one, this_terminal
from agentcli.terminal.plain import is_one_terminal
from agentcli.terminal.styled import draw_all
from agentcli.wiring.agents import load_agent
from agentcli.wiring.models import choose
from agentcli.wiring.terms import terms_of

PICTURE_COLUMNS: Final = 120
"""Cells in a line of the picture."""

_LEVELS: Final = re.compile(r"([0-4])-([0-4])|[0-4](,[0-4])*", re.ASCII)

app = App()


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
    levels: Annotated[str, text_option("--levels", metavar="0-4", help="a range, or a list such as 2,3")] = "0-4",
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

    Every level works on its own copy of the books, and nothing reaches the world outside: a call that would is
    shown as "would run".
    """
    chosen, answerer = _levels(levels), _answerer(answer)
    if not message.strip():
        raise WrongUsage("the message is empty")
    config = set_up(flags_of(ctx, agent))
    with _books(config) as store:
        named = load_agent(config, config.agent)
        terms = terms_of(config, named, choose(config.model, os.environ).name)
        if require_approval:
            terms = terms.asking_for_everything()
        trial = Trial(agent=named, store=store, terms=terms, clock=SystemClock())
        compared = asyncio.run(_compared(trial, message, chosen, answerer))
    if svg is not None:
        write_picture(svg, drawn(compared, PICTURE_COLUMNS), title=f"agentcli compare: {message}")
    _show(compared, as_json=as_json)
    return Exit.DONE


async def _compared(trial: Trial, message: str, levels: tuple[Level, ...], answerer: Answerer) -> Compared:
    progress = Progress(sys.stderr, is_live=can_redraw(sys.stderr, is_plain=False))
    latest: dict[Level, str] = {}

    def show(level: Level, what: str) -> None:
        latest[level] = what
        progress.show(" · ".join(f"level {int(one)}: {latest[one]}" for one in sorted(latest)))

    asking_one_at_a_time = asyncio.Lock()

    async def answer(level: Level, call: Call) -> Given:
        async with asking_one_at_a_time:
            with progress.held():
                return await answerer(level, call)

    try:
        return await compare(trial, message, levels, answer, progress=show)
    finally:
        progress.show("")


def _show(compared: Compared, *, as_json: bool) -> None:
    if as_json:
        output.json_line(compared.comparison)
        return
    width = max(20, min(200, shutil.get_terminal_size().columns))
    output.write(draw_all(drawn(compared, width), colour=colour()))


def _levels(text: str) -> tuple[Level, ...]:
    if not _LEVELS.fullmatch(text):
        raise WrongUsage(f"--levels: {text!r} is neither a range such as 0-4 nor a list such as 2,3")
    first, dash, last = text.partition("-")
    if not dash:
        return tuple(Level(number) for number in sorted({int(one) for one in text.split(",")}))
    if first > last:
        raise WrongUsage(f"--levels: {text!r} runs backwards")
    return tuple(Level(number) for number in range(int(first), int(last) + 1))


def _answerer(word: str) -> Answerer:
    match word:
        case "yes" | "no":
            return answering(word)
        case "ask":
            if not is_one_terminal(sys.stdin, sys.stdout):
                raise WrongUsage("--answer ask needs a terminal; without one say yes or no")
            return _ask
        case _:
            raise WrongUsage(f"--answer: {word!r} is none of yes, no and ask")


async def _ask(level: Level, call: Call) -> Given:
    """Ask a person at the terminal; leaving without an answer is a no."""
    async with this_terminal(bell=False) as face:
        face.write(f"at level {int(level)}:")
        came = await ask_one(face, view_of(call), is_open=lambda: True, say=lambda text: "here it is y or n")
    match came:
        case h.AnswerGiven(said=Approve() | ApproveAndRaise(), code=code):
            return Given("approved", code)
        case h.AnswerGiven(said=Decline(reason), code=code):
            return Given("declined", code, reason)
        case _:
            return Given("declined", call.question_code, "nobody said yes")


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

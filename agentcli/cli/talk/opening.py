"""Opens what `chat`, `run` and `resume` work on: the store, and in it a new session or one to go on with."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agentcli.cli.exits import Exit, Explained, Problem, WrongUsage, explain
from agentcli.cli.options import SessionOptions
from agentcli.cli.replacing import Writes, require_writable
from agentcli.cli.writing import output
from agentcli.config import Config, Flags
from agentcli.session.announcing import run_finished
from agentcli.session.events import RunFinished
from agentcli.session.fold import fold
from agentcli.session.ports import StoreFailure
from agentcli.session.state import State
from agentcli.store.register import newest_session, resolve_session
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.drawing.first_line import first_line
from agentcli.terminal.drawing.styled import Span
from agentcli.visible import visible_line
from agentcli.wiring.models import BuildModel, build_here, build_recorded
from agentcli.wiring.opening import Opening, begin, go_on_with

HANG_UP_S: Final = 1.0


class NoSessionYet(WrongUsage):
    """The newest session is to be gone on with, and there is none."""

    def __init__(self) -> None:
        super().__init__("there is no session to go on with; `agentcli chat` begins one")


@contextmanager
def opened(
    config: Config,
    flags: Flags,
    wanted: SessionOptions,
    record: str | None = None,
    *,
    as_events: bool = False,
) -> Iterator[Opening]:
    """Hold the session that the command line asks for while the block lasts.

    Args:
        as_events: Whether standard output holds events: then the last one is there also where none could begin.

    Raises:
        WrongUsage: It asks for two, or for a recording that can't be written.
        NoSessionYet: It asks for the newest, and there is none.
    """
    if wanted.session is not None and wanted.go_on:
        raise WrongUsage("--session and --continue name two sessions; leave one of them out")
    with ExitStack() as stack:
        store, session = None, wanted.session
        try:
            store = stack.enter_context(SqliteStore.open(Path(config.store.path)))
            session = _session_of(store, wanted)
            opening = _open(store, session, config, flags, _build(record))
            stack.callback(opening.session.close)
        except Exception as error:  # whatever it is, a program is told in the last event
            if not as_events or (problem := explain(error)).code is Exit.USAGE:
                raise
            output.json_line(_not_begun(problem, session or "", store))
            raise Explained(problem) from error
        yield opening


def saved_state(config: Config, wanted: SessionOptions) -> State:
    """Return the state of the session that the command line asks for, without holding it; empty for a new one."""
    with SqliteStore.open(Path(config.store.path)) as store:
        session = _session_of(store, wanted) or ""
        return fold(session, store.records(session))


def _open(store: SqliteStore, session: str | None, config: Config, flags: Flags, build: BuildModel) -> Opening:
    if session is None:
        return begin(config, store, build)
    return go_on_with(config, store, session, flags, build)


def _not_begun(problem: Problem, session: str, store: SqliteStore | None) -> RunFinished:
    """Return the event of a run which was asked for rightly and could not begin: it used nothing."""
    state = State(session)
    if store is not None:
        with suppress(StoreFailure):
            state.unheard = fold(session, store.records(session)).unheard
    return run_finished(state, datetime.now(UTC), "failed", problem.message)


def _build(record: str | None) -> BuildModel:
    if record is None:
        return build_here
    require_writable(record, Writes.RECORDING)
    return build_recorded(Path(record).absolute())


def greet(opening: Opening) -> None:
    """Write the first line to stderr, and what is no longer as it was saved."""
    for line in (first_line(opening.circumstances), *map(visible_line, opening.session.notes)):
        output.note_line((Span(line),))


async def hang_up(opening: Opening) -> None:
    """Close the connections that the model keeps; what takes longer than a second is left behind."""
    with suppress(TimeoutError):
        await asyncio.wait_for(opening.session.hang_up(), HANG_UP_S)


def _session_of(store: SqliteStore, wanted: SessionOptions) -> str | None:
    if wanted.session is not None:
        return resolve_session(store, wanted.session)
    if not wanted.go_on:
        return None
    newest = newest_session(store)
    if newest is None:
        raise NoSessionYet
    return newest

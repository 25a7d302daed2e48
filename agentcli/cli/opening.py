"""Opens what `chat`, `run` and `resume` work on: the store, and in it a new session or one to go on with."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agentcli.cli import output
from agentcli.cli.exits import WrongUsage
from agentcli.cli.options import SessionOptions
from agentcli.config import Config, Flags
from agentcli.store.register import newest_session, resolve_session
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.first_line import first_line
from agentcli.wiring.models import BuildModel, build_here, build_recorded
from agentcli.wiring.opening import Opening, begin, go_on_with


class NoSessionYet(WrongUsage):
    """The newest session is to be gone on with, and there is none."""

    def __init__(self) -> None:
        super().__init__("there is no session to go on with; `agentcli chat` begins one")


@contextmanager
def opened(config: Config, flags: Flags, wanted: SessionOptions, record: str | None = None) -> Iterator[Opening]:
    """Hold the session that the command line asks for while the block lasts.

    Raises:
        WrongUsage: It asks for two, or for a recording that can't be written.
        NoSessionYet: It asks for the newest, and there is none.
    """
    if wanted.session is not None and wanted.go_on:
        raise WrongUsage("--session and --continue name two sessions; leave one of them out")
    with SqliteStore.open(Path(config.store.path)) as store:
        session = _session_of(store, wanted)
        build = _build(record)
        opening = (
            begin(config, store, build) if session is None else go_on_with(config, store, session, flags, build)
        )
        try:
            yield opening
        finally:
            opening.session.close()


def _build(record: str | None) -> BuildModel:
    if record is None:
        return build_here
    try:
        return build_recorded(Path(record).absolute())
    except OSError as error:
        raise WrongUsage(f"{record}: can't be written: {error.strerror}") from error


def greet(opening: Opening) -> None:
    """Write the first line to stderr, and what is no longer as it was saved."""
    output.note_drawn(first_line(opening.circumstances))
    for change in opening.session.notes:
        output.note(change)


def _session_of(store: SqliteStore, wanted: SessionOptions) -> str | None:
    if wanted.session is not None:
        return resolve_session(store, wanted.session)
    if not wanted.go_on:
        return None
    newest = newest_session(store)
    if newest is None:
        raise NoSessionYet
    return newest

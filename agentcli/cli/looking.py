"""The store for commands that look, or add to what is there: looking makes no file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agentcli.cli.exits import Exit
from agentcli.cli.writing import output
from agentcli.config import Config
from agentcli.store.damaged import Damaged
from agentcli.store.sqlite import SqliteStore


@contextmanager
def store_there(config: Config) -> Iterator[SqliteStore | None]:
    """Open the store while the block lasts; None where there is none.

    Raises:
        StoreFailure: It can't be used.
    """
    path = Path(config.store.path)
    if not path.exists():
        yield None
        return
    with SqliteStore.open(path) as store:
        yield store


def exit_after(damaged: Damaged) -> Exit:
    """Say which sessions could not be read, and return the exit code that tells it to a program."""
    for session, failure in damaged.why.items():
        output.note(f"session {session} is damaged, and left out from there on: {failure.detail}")
    return Exit.STORE if damaged.why else Exit.DONE

"""Opens a store, and waits for one that another process is writing to."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agentcli.session.ports import BUSY_TRIES, BUSY_WAIT_S, StoreFailure, StoreFault, stayed_busy
from agentcli.store.sqlite import SqliteStore, SqliteTransaction
from agentcli.tools.tool import Place, Tables

if TYPE_CHECKING:
    from agentcli.agents.agent import Agent

T = TypeVar("T")


@asynccontextmanager
async def open_store(path: str | Path) -> AsyncIterator[SqliteStore]:
    """Open the store in a file, made where it is missing.

    Raises:
        StoreFailure: It can't be used; `fault` says why.
    """
    with SqliteStore.open(Path(path)) as store:
        yield store


def when_free(work: Callable[[], T]) -> T:
    """Do `work`, again after a moment while another process writes, for 5 seconds at most.

    It blocks: for commands that have no keyboard to serve, and for the time before one is served.

    Raises:
        StoreFailure: The store stayed busy, or can't be used.
    """
    for _ in range(BUSY_TRIES):
        try:
            return work()
        except StoreFailure as failure:
            if failure.fault is not StoreFault.BUSY:
                raise
        time.sleep(BUSY_WAIT_S)
    raise stayed_busy()


def write(store: SqliteStore, work: Callable[[SqliteTransaction], T]) -> T:
    """Do `work` in one transaction, waiting for others as `when_free` does."""

    def once() -> T:
        with store.transaction() as transaction:
            return work(transaction)

    return when_free(once)


def prepare_books(
    store: SqliteStore, agent: "Agent", options: dict[str, Any], *, sample: bool, today: date
) -> None:
    """Make an agent's tables where they are missing, with its sample data if that is wanted."""
    put_sample = agent.put_sample if sample else None

    def put(tables: Tables) -> None:
        assert put_sample is not None
        put_sample(Place(today, options, tables))

    when_free(lambda: store.prepare(agent.name, agent.migrations, None if put_sample is None else put))

"""Tables on loan: what a tool or a migration may do to the database inside somebody else's transaction."""

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, Protocol

from msgspec import Struct

from agentcli.session.ports import StoreFailure

OWN_TABLES: Final = frozenset({"journal", "migrated"})
"""The store's tables, which no lease reaches."""

_READING: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_CHANGING: Final = _READING | {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_SHAPING: Final = _CHANGING | {
    *(sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_DROP_TABLE, sqlite3.SQLITE_ALTER_TABLE),
    *(sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_DROP_INDEX, sqlite3.SQLITE_REINDEX),
    *(sqlite3.SQLITE_CREATE_VIEW, sqlite3.SQLITE_DROP_VIEW),
    *(sqlite3.SQLITE_CREATE_TRIGGER, sqlite3.SQLITE_DROP_TRIGGER),
}


class Lease(Struct, frozen=True):
    """What may be done; transactions, savepoints, pragmas and other files never.

    SQLite asks once, when it prepares a statement, and Python keeps the prepared one under its text. The mark in
    front gives each lease texts of its own, so that none runs what was prepared for another, or for the store.
    """

    mark: str
    actions: frozenset[int]


LOOK: Final = Lease("/* look */ ", _READING)
CHANGE: Final = Lease("/* change */ ", _CHANGING)
SHAPE: Final = Lease("/* shape */ ", _SHAPING)

# Where SQLite names the table second: after the index, the trigger, or the file.
_TABLE_SECOND: Final = frozenset(
    {
        *(sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_DROP_INDEX, sqlite3.SQLITE_ALTER_TABLE),
        *(sqlite3.SQLITE_CREATE_TRIGGER, sqlite3.SQLITE_DROP_TRIGGER),
    }
)


class Guard:
    """Answers SQLite whether a statement may be prepared; without a lease, everything may."""

    def __init__(self) -> None:
        self.lease: Lease | None = None

    def permits(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """Return `SQLITE_OK` or `SQLITE_DENY` for one part of a statement, as SQLite asks it."""
        if self.lease is None:
            return sqlite3.SQLITE_OK
        table = second if action in _TABLE_SECOND else first
        lent = action in self.lease.actions and (table or "").lower() not in OWN_TABLES
        return sqlite3.SQLITE_OK if lent else sqlite3.SQLITE_DENY


class Lender(Protocol):
    """Runs a statement of a borrower."""

    def lent(self, lease: Lease, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run one statement as far as the lease allows it."""
        ...


class LentTables:
    """An agent's tables, usable until they are given back.

    Attributes:
        failure: Why the store failed under a statement, which a tool may have swallowed.
    """

    def __init__(self, lender: Lender, lease: Lease) -> None:
        self.failure: StoreFailure | None = None
        self._lender: Lender | None = lender
        self._lease = lease

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows.

        Raises:
            StoreFailure: The store can't be used; the transaction around it is lost.
            sqlite3.Error: The statement is wrong, or more than the lease allows.
        """
        if self._lender is None:
            raise RuntimeError("these tables were given back when the call ended")
        if self.failure is not None:
            # The transaction may be gone: what came now would stand by itself.
            raise self.failure
        try:
            return self._lender.lent(self._lease, sql, parameters)
        except StoreFailure as failure:
            self.failure = failure
            raise

    def give_back(self) -> None:
        """End the loan."""
        self._lender = None

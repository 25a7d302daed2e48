"""One connection to a store, and the seam where SQLite's errors become a `StoreFailure`."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.faults import is_mistake, store_failure
from agentcli.store.lending import Guard, Lease


class Database:
    """An open database; `where` is what a failure calls it."""

    def __init__(self, connection: sqlite3.Connection, where: str) -> None:
        self.where = where
        self._connection = connection
        self._guard = Guard()
        connection.set_authorizer(self._guard.permits)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; SQLite itself ends one after some failures."""
        return self._connection.in_transaction

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run one of the store's own statements and return its rows.

        Raises:
            StoreFailure: It can't be done.
        """
        try:
            # All rows at once: a statement left half-read would pin what the next transaction may see.
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            raise store_failure(error, self.where) from error
        except UnicodeDecodeError as error:
            # SQLite's message quotes a damaged schema.
            raise StoreFailure(StoreFault.CORRUPT, f"{self.where}: the tables are damaged") from error

    def rows_as_stored(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Do as `rows` does, whatever is there: text comes as a bytearray, since it need not be UTF-8."""
        self._connection.text_factory = bytearray
        try:
            return self.rows(sql, parameters)
        finally:
            self._connection.text_factory = str

    def lent(self, lease: Lease, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run a borrower's statement as far as the lease allows it.

        Raises:
            StoreFailure: The store can't be used; the transaction around it is lost.
            sqlite3.Error: The statement is wrong, or more than the lease allows.
        """
        self._guard.lease = lease
        try:
            return self._connection.execute(lease.mark + sql, parameters).fetchall()
        except sqlite3.Error as error:
            if not is_mistake(error):
                raise store_failure(error, self.where) from error
            if not self.in_transaction:
                detail = f"{self.where}: a statement rolled the whole transaction back: {error}"
                raise StoreFailure(StoreFault.UNREADABLE, detail) from error
            raise
        finally:
            self._guard.lease = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock; what was written is durable once the block is left without an exception.

        Raises:
            StoreFailure: With `BUSY` at once where another connection writes; nothing of the block stands.
        """
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See the database as it stands at one moment, whatever others write meanwhile."""
        with self._transaction("BEGIN"):
            yield

    def close(self) -> None:
        """Close the connection; a second time does nothing."""
        self._connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if self.in_transaction:
            raise RuntimeError("a transaction of this store is open already")
        try:
            self.rows(begin)
            yield
            self.rows("COMMIT")
        except BaseException:
            # The first error is what counts; closing the connection rolls back as well.
            with suppress(sqlite3.Error):
                self._connection.rollback()
            raise

"""The store in SQLite: journals of all sessions and the agents' books, written together or not at all."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self

from agentcli.session.codec import encode_entry
from agentcli.session.entries import Entry
from agentcli.session.ports import StoreFailure
from agentcli.session.record import Record
from agentcli.store import journals
from agentcli.store.books import book_rows, copy_books
from agentcli.store.chain import GENESIS, Head, Row, link
from agentcli.store.database import Database
from agentcli.store.holder import (
    FOLDER_SUFFIX,
    Hold,
    hold_in_folder,
    hold_in_memory,
    holders_in_folder,
    is_held_in_folder,
)
from agentcli.store.lending import CHANGE, LOOK, LentTables
from agentcli.store.migrations import prepare_tables
from agentcli.store.opening import memory_database, open_database
from agentcli.tools.tool import Migration, Tables

_APPEND: Final = "INSERT INTO journal (session, seq, at, kind, body, hash) VALUES (?, ?, ?, ?, ?, ?)"
_EMPTY: Final = Head(0, "", GENESIS)


class SqliteTransaction:
    """One atomic write; once the store has failed in it, nothing more can be done with it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heads: dict[str, Head] = {}
        self._failure: StoreFailure | None = None
        self._over = False

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        """The records of a session behind the entry `after`, this transaction's own among them."""
        self.require_whole()
        return journals.read_records(self._database, session, after)

    def newest(self, session: str, kind: str | None = None) -> Record | None:
        """The newest record of a session, or the newest of one kind."""
        self.require_whole()
        return journals.newest(self._database, session, kind)

    def append(self, session: str, entry: Entry, at: datetime) -> Record:
        """Add an entry to a session's journal, chained to the one before it."""
        self.require_whole()
        before = self._head(session)
        seq, kind, when, body = before.seq + 1, entry.kind, journals.time_text(at), encode_entry(entry)
        entry_hash = link(before.hash, session, seq, kind, when, body)
        self._run(_APPEND, (session, seq, when, kind, body, entry_hash))
        self._heads[session] = Head(seq, when, entry_hash)
        return Record(session, seq, at, entry, entry_hash)

    def remove(self, session: str) -> None:
        """Remove a session's journal, which the register's newest entry has to say."""
        self.require_whole()
        self._run("DELETE FROM journal WHERE session = ?", (session,))
        self._heads.clear()

    @contextmanager
    def attempt(self) -> Iterator[Tables]:
        """Lend the agents' tables; what was done with them is rolled back if an exception leaves the block."""
        self.require_whole()
        self._run("SAVEPOINT attempt")
        tables = LentTables(self._database, CHANGE)
        try:
            yield tables
        except BaseException:
            self._take_back(tables)
            self._heads.clear()
            self._run("ROLLBACK TO attempt")
            self._run("RELEASE attempt")
            raise
        self._take_back(tables)
        self._run("RELEASE attempt")

    def require_whole(self) -> None:
        """Raise unless this transaction is open and all that was done in it stands."""
        if self._failure is not None:
            raise self._failure
        if self._over:
            raise RuntimeError("the transaction is over")

    def end(self) -> None:
        """Let nothing more be done."""
        self._over = True

    def _take_back(self, tables: LentTables) -> None:
        tables.give_back()
        # A tool may have swallowed the store's own failure.
        self._failure = self._failure or tables.failure
        self.require_whole()

    def _head(self, session: str) -> Head:
        return self._heads.get(session) or journals.head(self._database, session) or _EMPTY

    def _run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        try:
            self._database.rows(sql, parameters)
        except StoreFailure as failure:
            self._failure = failure
            raise


class SqliteStore:
    """A store over one connection; it belongs to the thread that opened it.

    Args:
        database: An open database with the store's tables.
        holds: The folder of the files by which sessions are held; None where only this process can reach them.
    """

    def __init__(self, database: Database, holds: Path | None = None) -> None:
        self._database = database
        self._holds = holds
        self._held: set[str] = set()
        self._taken: list[Hold] = []
        self._version = self._version_of_others()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the store at `path`; made, readable to its owner alone, where it is missing.

        Raises:
            StoreFailure: It can't be opened, is not a store, or is of a newer version.
        """
        return cls(open_database(path), path.with_name(path.name + FOLDER_SUFFIX))

    @classmethod
    def in_memory(cls) -> Self:
        """Open an empty store that is gone when it is closed."""
        return cls(memory_database())

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:
        """Begin a write; never held across an `await`.

        Raises:
            StoreFailure: With `BUSY` at once where another process writes; the caller waits and tries again.
        """
        with self._database.writing():
            transaction = SqliteTransaction(self._database)
            try:
                yield transaction
                transaction.require_whole()
            finally:
                transaction.end()

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        """The records of a session behind the entry `after`, in order."""
        return journals.read_records(self._database, session, after)

    def changed(self) -> bool:
        """Whether another connection has written since this was last asked; costs next to nothing."""
        version, self._version = self._version, self._version_of_others()
        return version != self._version

    def newest(self, session: str, kind: str | None = None) -> Record | None:
        """The newest record of a session, or the newest of one kind."""
        return journals.newest(self._database, session, kind)

    def head(self, session: str) -> Head | None:
        """The head of a session's chain: what to keep elsewhere."""
        return journals.head(self._database, session)

    def sessions(self) -> list[str]:
        """Every session that has entries, registered or not; the register is among them."""
        return journals.sessions(self._database)

    def names_as_stored(self) -> tuple[list[str], list[str]]:
        """The sessions that have entries, and what stands in a damaged file where there should be a name."""
        return journals.names_as_stored(self._database)

    def rows(self, session: str) -> Iterator[Row]:
        """A session's rows as they are stored, for `chain.verify`."""
        return journals.read_rows(self._database, session)

    def calls(self, prefix: str) -> list[tuple[str, str]]:
        """`(session, call_id)` of every call whose id begins with `prefix`."""
        return journals.calls(self._database, prefix)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """See everything as it stands now while the block lasts, whatever others write; nothing can be written."""
        with self._database.reading():
            yield

    @contextmanager
    def look(self) -> Iterator[Tables]:
        """Lend the agents' tables for reading, as they stand at one moment; never held across an `await`."""
        tables = LentTables(self._database, LOOK)
        with self._database.reading():
            try:
                yield tables
            finally:
                tables.give_back()

    def book(self, table: str) -> list[dict[str, Any]]:
        """The rows of one of the agents' tables, in the order of its key."""
        return book_rows(self._database, table)

    def prepare(self, owner: str, migrations: Sequence[Migration], sample: Migration | None = None) -> None:
        """Make an agent's tables, or bring them up to date; each migration runs once a store.

        Args:
            sample: What to put in when the tables are first made; None leaves them empty for good.

        Raises:
            StoreFailure: With `NEWER` where a newer version of the agent was here.
        """
        prepare_tables(self._database, owner, migrations, sample)

    def sandbox(self) -> Self:
        """Return a store in memory with a copy of the agents' tables and no journals."""
        copy = memory_database()
        copy_books(self._database, copy)
        return type(self)(copy)

    def hold(self, session: str) -> Hold:
        """Hold a session until the hold is released, the store is closed, or this process is gone.

        Raises:
            SessionBusy: It is held already.
        """
        hold = hold_in_memory(self._held, session) if self._holds is None else hold_in_folder(self._holds, session)
        self._taken.append(hold)
        return hold

    def is_held(self, session: str) -> bool:
        """Whether a process holds a session at this moment; inside a transaction nobody can begin to use it."""
        return session in self._held if self._holds is None else is_held_in_folder(self._holds, session)

    def holders(self) -> Mapping[int, str]:
        """Which other processes hold sessions of this store, by their ids."""
        return {} if self._holds is None else holders_in_folder(self._holds)

    def close(self) -> None:
        """Close the store and let go of its sessions; a second time does nothing."""
        for hold in self._taken:
            hold.release()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _version_of_others(self) -> int:
        ((version,),) = self._database.rows("PRAGMA data_version")
        return int(version)

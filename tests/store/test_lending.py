"""Tables on loan: a tool works on its book, and on nothing else."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import pytest

from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.sqlite import SqliteStore
from tests.store.samples import NOTES, NOW, note, notes, said, words, write

ENTRY: Final = "INSERT INTO journal VALUES ('s', 2, 'a', 'k', x'00', x'00')"
"""An entry that a tool would like to write itself."""

REFUSED_TO_A_TOOL: Final = {
    "commit": "COMMIT",
    "end": "END TRANSACTION",
    "rollback": "ROLLBACK",
    "begin": "BEGIN",
    "savepoint": "SAVEPOINT mine",
    "release": "RELEASE attempt",
    "rollback to": "ROLLBACK TO attempt",
    "behind a comment": "/* */ COMMIT",
    "behind a line": "-- \nCOMMIT",
    "pragma": "PRAGMA synchronous = OFF",
    "pragma that reads": "PRAGMA user_version",
    "pragma as a table": "SELECT * FROM pragma_table_info('journal')",
    "another file": "ATTACH ':memory:' AS other",
    "detach": "DETACH main",
    "read the journal": "SELECT body FROM journal",
    "count the journal": "SELECT count(*) FROM journal",
    "read it in capitals": "SELECT body FROM JOURNAL",
    "read it quoted": 'SELECT body FROM "journal"',
    "read it by its schema": "SELECT body FROM main.[journal]",
    "read it in a subquery": "SELECT text FROM notes WHERE id IN (SELECT seq FROM journal)",
    "read it in a common table": "WITH a AS (SELECT body FROM journal) SELECT * FROM a",
    "explain it": "EXPLAIN SELECT body FROM journal",
    "copy it": "INSERT INTO notes (text) SELECT kind FROM journal",
    "append to it": ENTRY,
    "change it": "UPDATE journal SET body = x'00'",
    "delete from it": "DELETE FROM journal",
    "forget migrations": "DELETE FROM migrated",
    "new table": "CREATE TABLE mine (a)",
    "table in its place": "CREATE TEMP TABLE journal (a)",
    "new view": "CREATE VIEW mine AS SELECT * FROM journal",
    "new trigger": f"CREATE TRIGGER mine AFTER INSERT ON notes BEGIN {ENTRY}; END",
    "drop a table": "DROP TABLE notes",
    "drop a trigger": "DROP TRIGGER journal_never_changes",
    "index": "CREATE INDEX mine ON journal (kind)",
    "rename": "ALTER TABLE journal RENAME TO mine",
    "virtual table": "CREATE VIRTUAL TABLE mine USING fts5(a)",
}
"""What a tool tries, and what it would run."""

ALLOWED_TO_A_TOOL: Final = {
    "read": "SELECT id, upper(text) FROM notes WHERE text LIKE ? ORDER BY id LIMIT 1",
    "add": "INSERT INTO notes (text) VALUES (?)",
    "change": "UPDATE notes SET text = ?",
    "add or change": "INSERT INTO notes (id, text) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET text = 'b'",
    "delete": "DELETE FROM notes WHERE text = ?",
    "count up": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT x, ? FROM n",
    "a word that is a table's name": "SELECT 'journal', ? AS journal",
}


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    """A store with a book of notes and one entry."""
    with SqliteStore.in_memory() as store:
        store.prepare("notes", [NOTES], "INSERT INTO notes (text) VALUES ('tea')")
        write(store, "s", 1)
        yield store


@pytest.mark.parametrize("sql", REFUSED_TO_A_TOOL.values(), ids=REFUSED_TO_A_TOOL)
def test_tool_reaches_neither_transaction_nor_journal(store: SqliteStore, sql: str) -> None:
    """A tool can't end the transaction it runs in, nor touch the journal, however it spells it."""
    with store.transaction() as transaction:
        with transaction.attempt() as tables:
            note(tables, "kept")
            with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
                tables.execute(sql)
        transaction.append("s", said(2), NOW)
    assert notes(store) == ["tea", "kept"]
    assert words(store, "s") == ["message 1", "message 2"]


@pytest.mark.parametrize("sql", ALLOWED_TO_A_TOOL.values(), ids=ALLOWED_TO_A_TOOL)
def test_tool_works_on_its_book(store: SqliteStore, sql: str) -> None:
    """Reading and changing rows of its own tables is what a tool is lent them for."""
    with store.transaction() as transaction, transaction.attempt() as tables:
        assert isinstance(tables.execute(sql, ("a",)), list)


def test_statement_of_the_store_is_refused_to_a_tool(store: SqliteStore) -> None:
    """A statement that the store itself has just run is not run for a tool."""
    sql = "SELECT body FROM journal WHERE session = ?"
    with store.transaction() as transaction:
        for _ in range(2):
            assert len(store._database.rows(sql, ("s",))) == 1
            with transaction.attempt() as tables, pytest.raises(sqlite3.DatabaseError, match="prohibited"):
                tables.execute(sql, ("s",))


@pytest.mark.parametrize(
    "sql", [ALLOWED_TO_A_TOOL["add"], ALLOWED_TO_A_TOOL["delete"], *REFUSED_TO_A_TOOL.values()]
)
def test_looking_changes_nothing(store: SqliteStore, sql: str) -> None:
    """Tables lent for looking can be read and that is all, also after a tool ran the same statement."""
    with store.transaction() as transaction, transaction.attempt() as tables:
        note(tables, "a")
    with store.look() as tables, pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
        tables.execute(sql, ("b",) if "?" in sql else ())
    assert notes(store) == ["tea", "a"]


def test_looking_ends_with_its_block(store: SqliteStore) -> None:
    """Tables lent for looking are given back, and a write can follow."""
    with store.look() as tables:
        assert tables.execute("SELECT text FROM notes") == [("tea",)]
    with pytest.raises(RuntimeError, match="given back"):
        tables.execute("SELECT text FROM notes")
    write(store, "s", 2)


def test_wrong_statement_is_the_tools_own_failure(store: SqliteStore) -> None:
    """A statement that SQLite refuses is no failure of the store: the tool may go on or give up."""
    with store.transaction() as transaction:
        with transaction.attempt() as tables:
            with pytest.raises(sqlite3.IntegrityError):
                note(tables, "tea")
            with pytest.raises(sqlite3.OperationalError):
                tables.execute("SELECT nonsense")
            note(tables, "cake")
        transaction.append("s", said(2), NOW)
    assert notes(store) == ["tea", "cake"]


def test_one_statement_at_a_time(store: SqliteStore) -> None:
    """A second statement does not ride along with the first."""
    with store.transaction() as transaction, transaction.attempt() as tables:
        with pytest.raises((sqlite3.Warning, sqlite3.ProgrammingError), match="one statement"):
            tables.execute("DELETE FROM notes; COMMIT")
        assert tables.execute("SELECT count(*) FROM notes") == [(1,)]


def test_statement_that_rolls_everything_back_fails_the_transaction(store: SqliteStore) -> None:
    """SQLite lets a statement undo the whole transaction; then nothing is written as if it had not."""
    with pytest.raises(StoreFailure, match="rolled the whole transaction back") as caught:
        write_around(store, "INSERT OR ROLLBACK INTO notes (text) VALUES ('tea')")
    assert caught.value.fault is StoreFault.UNREADABLE
    assert notes(store) == ["tea"]
    assert words(store, "s") == ["message 1"]


def test_failure_that_a_tool_swallows_is_still_one(store: SqliteStore) -> None:
    """A tool can't hide that the store is full: nothing of the transaction stands."""
    ((pages,),) = store._database.rows("PRAGMA page_count")
    store._database.rows(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFailure) as caught:
        write_around(store, "INSERT INTO notes (text) VALUES (hex(zeroblob(100000)))")
    assert caught.value.fault is StoreFault.FULL
    assert notes(store) == ["tea"]
    assert words(store, "s") == ["message 1"]


def write_around(store: SqliteStore, sql: str) -> None:
    """Write an entry before and after a tool that goes on whatever comes of its statement."""
    with store.transaction() as transaction:
        transaction.append("s", said(2), NOW)
        with transaction.attempt() as tables:
            for statement in (sql, "DELETE FROM notes"):
                with suppress(Exception):
                    tables.execute(statement)
        transaction.append("s", said(3), NOW)

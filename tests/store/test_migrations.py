"""Agents' tables: each migration runs once a store, and the sample is put in with the first."""

import sqlite3
from pathlib import Path
from typing import Final

import pytest

from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.tool import Migration, Tables
from tests.store.processes import another_writer
from tests.store.samples import NOTES, NOW, note, notes, said


def add_day(tables: Tables) -> None:
    """Give notes a day, and those there are the first of the year."""
    tables.execute("ALTER TABLE notes ADD COLUMN day TEXT NOT NULL DEFAULT '2026-01-01'")
    tables.execute("CREATE INDEX notes_by_day ON notes (day)")


def delete_journals(tables: Tables) -> None:
    """What no agent may do."""
    tables.execute("DELETE FROM journal")


def put_tea(tables: Tables) -> None:
    """Put the sample in."""
    note(tables, "tea")


def test_sample_is_put_in_once(tmp_path: Path) -> None:
    """However often an agent starts, its sample is there once, also after it was deleted."""
    path = tmp_path / "store.db"
    for _ in range(3):
        with SqliteStore.open(path) as store:
            store.prepare("notes", [NOTES], put_tea)
            store.prepare("notes", [NOTES], put_tea)
    with SqliteStore.open(path) as store:
        assert notes(store) == ["tea"]
        with store.transaction() as transaction, transaction.attempt() as tables:
            tables.execute("DELETE FROM notes")
        store.prepare("notes", [NOTES], put_tea)
        assert notes(store) == []


def test_book_that_began_empty_gets_no_sample_later() -> None:
    """A sample must not turn up among a person's own rows."""
    with SqliteStore.in_memory() as store:
        store.prepare("notes", [NOTES])
        store.prepare("notes", [NOTES], put_tea)
        store.prepare("notes", [NOTES, add_day], put_tea)
        assert notes(store) == []


def test_new_migrations_run_on_what_is_there() -> None:
    """A newer agent brings its tables up to date without losing a row."""
    with SqliteStore.in_memory() as store:
        store.prepare("notes", [NOTES], put_tea)
        store.prepare("notes", [NOTES, add_day], put_tea)
        with store.look() as tables:
            assert tables.execute("SELECT text, day FROM notes") == [("tea", "2026-01-01")]


def test_agents_are_counted_apart() -> None:
    """One agent's migrations say nothing about another's."""
    with SqliteStore.in_memory() as store:
        store.prepare("notes", [NOTES], put_tea)
        store.prepare("lists", ["CREATE TABLE lists (item TEXT)"], "INSERT INTO lists VALUES ('milk')")
        with store.look() as tables:
            assert tables.execute("SELECT item FROM lists") == [("milk",)]


def test_agent_without_tables_needs_nothing() -> None:
    """Preparing an agent that keeps no book writes nothing."""
    with SqliteStore.in_memory() as store:
        store.prepare("talker", [])
        assert store._database.rows("SELECT * FROM migrated") == []


def test_failed_migration_leaves_nothing_behind() -> None:
    """All of an agent's migrations and its sample stand together or not at all, and run again next time."""
    with SqliteStore.in_memory() as store:
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            store.prepare("notes", [NOTES, "DROP TABLE nonsense"], put_tea)
        store.prepare("notes", [NOTES], put_tea)
        assert notes(store) == ["tea"]


def test_tables_of_a_newer_agent_are_refused() -> None:
    """An older agentcli does not work on tables that it does not know."""
    with SqliteStore.in_memory() as store:
        store.prepare("notes", [NOTES, add_day])
        with pytest.raises(StoreFailure, match="'notes' has tables of version 2") as caught:
            store.prepare("notes", [NOTES])
        assert caught.value.fault is StoreFault.NEWER


REFUSED: Final[dict[str, Migration]] = {
    "read the journal": "CREATE TABLE mine AS SELECT * FROM journal",
    "drop it": "DROP TABLE journal",
    "rename it": "ALTER TABLE journal RENAME TO mine",
    "drop its trigger": "DROP TRIGGER journal_never_changes",
    "trigger on it": "CREATE TRIGGER mine AFTER INSERT ON journal BEGIN SELECT 1; END",
    "index on it": "CREATE INDEX mine ON journal (kind)",
    "its index": "DROP INDEX mine_too",
    "forge migrations": "INSERT INTO migrated VALUES ('mine', 7)",
    "commit": "COMMIT",
    "pragma": "PRAGMA user_version = 9",
    "through a function": delete_journals,
}


@pytest.mark.parametrize("migration", REFUSED.values(), ids=REFUSED)
def test_migration_reaches_no_table_of_the_store(migration: Migration) -> None:
    """What an agent brings along can't touch the journal."""
    with SqliteStore.in_memory() as store:
        store._database.rows("CREATE INDEX mine_too ON journal (kind)")
        with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
            store.prepare("mine", [migration])


@pytest.mark.parametrize(
    "hidden",
    [
        "CREATE VIEW mine AS SELECT body AS text FROM journal",
        "CREATE TRIGGER mine AFTER INSERT ON notes BEGIN DELETE FROM journal; END",
    ],
)
def test_view_or_trigger_is_no_way_to_the_journal(hidden: str) -> None:
    """What a migration hides in a view or a trigger is refused when it is used."""
    with SqliteStore.in_memory() as store:
        store.prepare("notes", [NOTES, hidden])
        with store.transaction() as transaction:
            transaction.append("s", said(1), NOW)
            with (
                transaction.attempt() as tables,
                pytest.raises(sqlite3.DatabaseError, match=r"authorized|prohibited"),
            ):
                tables.execute(
                    "SELECT text FROM mine" if "VIEW" in hidden else "INSERT INTO notes (text) VALUES ('a')"
                )
        assert store.head("s") is not None


def test_migrations_wait_for_nobody(tmp_path: Path) -> None:
    """Where another process writes, new tables fail at once; tables that are there need no lock."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store:
        store.prepare("notes", [NOTES])
        with another_writer(path):
            store.prepare("notes", [NOTES])
            with pytest.raises(StoreFailure) as caught:
                store.prepare("notes", [NOTES, add_day])
            assert caught.value.fault is StoreFault.BUSY


def test_tables_made_by_another_connection_are_found(tmp_path: Path) -> None:
    """What one has made, the other leaves alone."""
    with SqliteStore.open(tmp_path / "store.db") as one, SqliteStore.open(tmp_path / "store.db") as other:
        one.prepare("notes", [NOTES], put_tea)
        other.prepare("notes", [NOTES], put_tea)
        assert notes(one) == notes(other) == ["tea"]


def test_swallowed_failure_of_the_store_ends_the_preparation() -> None:
    """A migration can't go on where the store could not."""

    def swallow(tables: Tables) -> None:
        with pytest.raises(StoreFailure):
            tables.execute("INSERT INTO notes (text) VALUES (hex(zeroblob(1000000)))")

    with SqliteStore.in_memory() as store:
        store._database.rows("PRAGMA max_page_count = 30")
        with pytest.raises(StoreFailure) as caught:
            store.prepare("notes", [NOTES, swallow])
        assert caught.value.fault is StoreFault.FULL
        assert store._database.rows("SELECT * FROM migrated") == []

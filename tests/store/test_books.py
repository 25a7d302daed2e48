"""A sandbox: the same books, no journals, and nothing done there comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agentcli.store.migrations import REGISTER
from agentcli.store.register import list_sessions
from agentcli.store.sqlite import SqliteStore
from tests.store.processes import another_writer
from tests.store.samples import NOTES, note, notes, write

TABLES = (
    NOTES,
    'CREATE TABLE "odd ""name" (a TEXT, b INTEGER, doubled INTEGER GENERATED ALWAYS AS (b * 2), PRIMARY KEY (a))',
    """CREATE TABLE sqlites (a BLOB)""",
    "CREATE INDEX notes_by_text ON notes (text)",
    "CREATE VIEW short AS SELECT text FROM notes WHERE length(text) < 5",
    "CREATE TABLE counts (added INTEGER)",
    "CREATE TRIGGER counted AFTER INSERT ON notes BEGIN INSERT INTO counts VALUES (NEW.id); END",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with books and a session."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store:
        store.prepare("notes", TABLES)
        with store.transaction() as transaction, transaction.attempt() as tables:
            for text in ("tea", "coffee", "milk"):
                note(tables, text)
            tables.execute("DELETE FROM notes WHERE text = 'milk'")
            tables.execute('INSERT INTO "odd ""name" (a, b) VALUES (?, ?)', ("süß", 21))
            tables.execute("INSERT INTO sqlites VALUES (?)", (b"\x00\xff",))
        write(store, "s", 1)
    return path


@pytest.fixture
def sandbox(path: Path) -> Iterator[SqliteStore]:
    """A copy of the books, after the store itself was closed."""
    with SqliteStore.open(path) as store:
        copy = store.sandbox()
    with copy:
        yield copy


def test_sandbox_has_the_books(sandbox: SqliteStore) -> None:
    """Every row is there as it was: odd names, bytes, generated columns, views."""
    assert notes(sandbox) == ["tea", "coffee"]
    with sandbox.look() as tables:
        assert tables.execute('SELECT a, b, doubled FROM "odd ""name"') == [("süß", 21, 42)]
        assert tables.execute("SELECT a FROM sqlites") == [(b"\x00\xff",)]
        assert tables.execute("SELECT text FROM short") == [("tea",)]
        assert tables.execute("SELECT added FROM counts") == [(1,), (2,), (3,)]
        assert tables.execute("SELECT count(*) FROM sqlite_master WHERE name = 'notes_by_text'") == [(1,)]


def test_numbers_in_a_sandbox_go_on_where_the_books_are(sandbox: SqliteStore) -> None:
    """A number once used is not used again there either, and triggers are at work."""
    with sandbox.transaction() as transaction, transaction.attempt() as tables:
        note(tables, "cake")
        assert tables.execute("SELECT id FROM notes WHERE text = 'cake'") == [(4,)]
        assert tables.execute("SELECT max(added) FROM counts") == [(4,)]


def test_sandbox_has_no_journals(sandbox: SqliteStore) -> None:
    """What was said stays where it was said."""
    assert list(sandbox.records("s")) == list(sandbox.records(REGISTER)) == []
    assert list_sessions(sandbox) == []


def test_sandbox_is_prepared_as_the_store_was(sandbox: SqliteStore) -> None:
    """No migration and no sample runs again on copied books."""
    sandbox.prepare("notes", TABLES, "INSERT INTO notes (text) VALUES ('sample')")
    assert notes(sandbox) == ["tea", "coffee"]


def test_nothing_done_in_a_sandbox_comes_back(path: Path) -> None:
    """Each sandbox is on its own."""
    with SqliteStore.open(path) as store, store.sandbox() as one, store.sandbox() as other:
        with one.transaction() as transaction, transaction.attempt() as tables:
            note(tables, "cake")
        assert (notes(store), notes(one), notes(other)) == (
            ["tea", "coffee"], ["tea", "coffee", "cake"], ["tea", "coffee"],
        )  # fmt: skip


def test_sandbox_of_a_sandbox_has_the_same_books(sandbox: SqliteStore) -> None:
    """A copy can be copied."""
    with sandbox.sandbox() as copy:
        assert notes(copy) == ["tea", "coffee"]


def test_books_are_copied_while_another_process_writes(path: Path) -> None:
    """A copy needs no lock and shows what is committed."""
    with SqliteStore.open(path) as store, another_writer(path), store.sandbox() as copy:
        assert notes(copy) == ["tea", "coffee"]

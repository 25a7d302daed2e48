"""The database itself refuses what a journal must not suffer, whatever program tries it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentcli.store.register import create_session, delete_session
from agentcli.store.sqlite import SqliteStore
from tests.store.samples import NOW, OPENED, words, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with three entries in the session `s`."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store:
        write(store, "s", 1, 2, 3)
    return path


@pytest.fixture
def editor(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program with the file open."""
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("statement", "refusal"),
    [
        ("UPDATE journal SET body = x'00' WHERE seq = 2", "never changed"),
        ("UPDATE journal SET seq = 9 WHERE seq = 3", "never changed"),
        ("UPDATE OR REPLACE journal SET seq = 1 WHERE seq = 3", "never changed"),
        ("DELETE FROM journal WHERE seq = 3", "as a whole"),
        ("DELETE FROM journal", "as a whole"),
        ("INSERT INTO journal VALUES ('s', 2, 'a', 'k', x'00', x'00')", "only grows at its end"),
        ("INSERT OR REPLACE INTO journal VALUES ('s', 2, 'a', 'k', x'00', x'00')", "only grows at its end"),
        ("INSERT INTO journal VALUES ('s', 5, 'a', 'k', x'00', x'00')", "only grows at its end"),
        ("INSERT INTO journal VALUES ('s', 0, 'a', 'k', x'00', x'00')", "only grows at its end"),
        ("INSERT INTO journal VALUES ('new', 2, 'a', 'k', x'00', x'00')", "only grows at its end"),
        ("INSERT INTO journal VALUES ('s', 'x', 'a', 'k', x'00', x'00')", "only grows at its end"),
        ("INSERT INTO journal VALUES ('s', NULL, 'a', 'k', x'00', x'00')", "only grows at its end"),
    ],
)
def test_another_program_cannot_rewrite_a_journal(
    path: Path, editor: sqlite3.Connection, statement: str, refusal: str
) -> None:
    """Entries are added at the end, and that is all that SQL can do to them by accident."""
    with pytest.raises(sqlite3.IntegrityError, match=refusal):
        editor.execute(statement)
    with SqliteStore.open(path) as store:
        assert words(store, "s") == ["message 1", "message 2", "message 3"]


def test_deleting_one_session_opens_no_other(tmp_path: Path) -> None:
    """What the register says is deleted may go, and nothing else."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store:
        with store.transaction() as transaction:
            gone, kept = (create_session(transaction, OPENED, NOW) for _ in range(2))
        with store.transaction() as transaction:
            delete_session(transaction, gone, "ana", NOW)
        connection = sqlite3.connect(path, isolation_level=None)
        with pytest.raises(sqlite3.IntegrityError, match="as a whole"):
            connection.execute("DELETE FROM journal WHERE session = ?", (kept,))
        with pytest.raises(sqlite3.IntegrityError, match="as a whole"):
            connection.execute("DELETE FROM journal WHERE session = 'register'")
        connection.close()
        assert [store.head(session) is None for session in (gone, kept)] == [True, False]


def test_a_deletion_that_is_no_longer_the_newest_opens_nothing(tmp_path: Path) -> None:
    """A session's id that came back somehow is not protected less because it was deleted once."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store:
        with store.transaction() as transaction:
            session = create_session(transaction, OPENED, NOW)
            delete_session(transaction, session, "ana", NOW)
            create_session(transaction, OPENED, NOW)
        write(store, session, 1)
        connection = sqlite3.connect(path, isolation_level=None)
        with pytest.raises(sqlite3.IntegrityError, match="as a whole"):
            connection.execute("DELETE FROM journal WHERE session = ?", (session,))
        connection.close()

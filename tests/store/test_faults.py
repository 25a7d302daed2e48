"""What is wrong with the store is told by SQLite's code, and nothing of a failed write stands."""

import errno
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from agentcli.session.entries import Said
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.chain import Break, Damage, verify
from agentcli.store.faults import file_failure, is_mistake, store_failure
from agentcli.store.sqlite import SqliteStore
from tests.store.processes import another_writer, output_of
from tests.store.samples import NOW, said, store_over, words, write

CODES: Final = {
    # code                              fault                     a mistake of the statement
    "SQLITE_BUSY":                     (StoreFault.BUSY,         False),
    "SQLITE_BUSY_RECOVERY":            (StoreFault.BUSY,         False),
    "SQLITE_BUSY_SNAPSHOT":            (StoreFault.BUSY,         False),
    "SQLITE_LOCKED":                   (StoreFault.BUSY,         False),
    "SQLITE_PROTOCOL":                 (StoreFault.BUSY,         False),
    "SQLITE_READONLY":                 (StoreFault.READ_ONLY,    False),
    "SQLITE_READONLY_DBMOVED":         (StoreFault.READ_ONLY,    False),
    "SQLITE_PERM":                     (StoreFault.READ_ONLY,    False),
    "SQLITE_FULL":                     (StoreFault.FULL,         False),
    "SQLITE_IOERR_SHMSIZE":            (StoreFault.FULL,         False),
    "SQLITE_CORRUPT":                  (StoreFault.CORRUPT,      False),
    "SQLITE_CORRUPT_INDEX":            (StoreFault.CORRUPT,      False),
    "SQLITE_NOTADB":                   (StoreFault.CORRUPT,      False),
    "SQLITE_ERROR":                    (StoreFault.CORRUPT,      True),
    "SQLITE_CONSTRAINT_TRIGGER":       (StoreFault.CORRUPT,      True),
    "SQLITE_CANTOPEN":                 (StoreFault.UNREADABLE,   False),
    "SQLITE_IOERR_FSYNC":              (StoreFault.UNREADABLE,   False),
    "SQLITE_IOERR_WRITE":              (StoreFault.UNREADABLE,   False),
    "SQLITE_NOMEM":                    (StoreFault.UNREADABLE,   False),
    "SQLITE_INTERRUPT":                (StoreFault.UNREADABLE,   False),
    "SQLITE_AUTH":                     (StoreFault.UNREADABLE,   True),
    "SQLITE_TOOBIG":                   (StoreFault.UNREADABLE,   True),
    "SQLITE_MISMATCH":                 (StoreFault.UNREADABLE,   True),
    "SQLITE_RANGE":                    (StoreFault.UNREADABLE,   True),
}  # fmt: skip


@pytest.mark.parametrize(("name", "fault", "mistake"), [(name, *rest) for name, rest in CODES.items()], ids=CODES)
def test_code_tells_the_fault(name: str, fault: StoreFault, mistake: bool) -> None:
    """The code decides, extended or not; the message is for the reader only."""
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = getattr(sqlite3, name)
    failure = store_failure(error, "/data/store.db")
    assert failure.fault is fault
    assert failure.detail == "/data/store.db: database is locked"
    assert is_mistake(error) is mistake


def test_error_without_a_code_is_text_that_is_none() -> None:
    """Python's own errors about a column say that the file is damaged."""
    error = sqlite3.OperationalError("Could not decode to UTF-8 column 'at'")
    assert store_failure(error, "x").fault is StoreFault.CORRUPT
    assert is_mistake(error)


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (errno.EACCES, StoreFault.READ_ONLY),
        (errno.EROFS, StoreFault.READ_ONLY),
        (errno.ENOSPC, StoreFault.FULL),
        (errno.EDQUOT, StoreFault.FULL),
        (errno.ENOTDIR, StoreFault.UNREADABLE),
        (errno.EIO, StoreFault.UNREADABLE),
    ],
)
def test_error_of_the_file_system_tells_the_fault(number: int, fault: StoreFault) -> None:
    """A folder that can't be made is told in the same words as a file that can't be written."""
    failure = file_failure(OSError(number, "not so"), "/data")
    assert (failure.fault, failure.detail) == (fault, "/data: not so")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with an entry."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store:
        store.prepare("notes", ["CREATE TABLE notes (text TEXT)"])
        write(store, "s", 1)
    return path


def write_much(store: SqliteStore) -> None:
    """Write a small entry, and one of a million characters."""
    with store.transaction() as transaction:
        transaction.append("s", said(2), NOW)
        transaction.append("s", Said(3, "x" * 1_000_000, "ana", "terminal"), NOW)


def test_read_only_store_can_be_read(path: Path) -> None:
    """A store that can't be written is still read; a write says that it is read-only."""
    with store_over(path, uri_options="?mode=ro") as store:
        assert words(store, "s") == ["message 1"]
        with pytest.raises(StoreFailure) as caught:
            write(store, "s", 2)
        assert caught.value.fault is StoreFault.READ_ONLY
        assert words(store, "s") == ["message 1"]


def test_full_store_keeps_nothing_of_the_write(path: Path) -> None:
    """Where there is no room for all of a transaction, none of it stands, and smaller ones go on."""
    with store_over(path, "max_page_count = 40") as store:
        with pytest.raises(StoreFailure) as caught:
            write_much(store)
        assert caught.value.fault is StoreFault.FULL
        write(store, "s", 4)
        assert words(store, "s") == ["message 1", "message 4"]
        assert verify(store.rows("s")).whole


def test_swallowed_failure_of_an_append_fails_the_transaction(path: Path) -> None:
    """Who goes on after a failed write gets the failure again, and nothing stands."""
    with store_over(path, "max_page_count = 40") as store:
        with pytest.raises(StoreFailure) as caught:
            write_on_after_a_failure(store)
        assert caught.value.fault is StoreFault.FULL
        assert words(store, "s") == ["message 1"]


def write_on_after_a_failure(store: SqliteStore) -> None:
    """Swallow the failure of one write and try to leave the transaction as if nothing was."""
    with store.transaction() as transaction, suppress(StoreFailure):
        transaction.append("s", Said(2, "x" * 1_000_000, "ana", "terminal"), NOW)


def test_file_that_may_not_grow_keeps_nothing_of_the_write(path: Path) -> None:
    """A write that the operating system cuts short is undone, in the file as well."""
    script = """
        import resource, sys
        from tests.store.test_faults import write_much
        with SqliteStore.open(Path(sys.argv[1])) as store:
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
            try:
                write_much(store)
            except StoreFailure as failure:
                print(failure.fault.name)
            write(store, "s", 4)
        """
    assert output_of(script, path) == "UNREADABLE"
    with SqliteStore.open(path) as store:
        assert words(store, "s") == ["message 1", "message 4"]
        assert verify(store.rows("s")).whole


def test_write_finds_the_store_locked_at_once(path: Path) -> None:
    """Another writer is no reason to wait here: the caller is told at once, and reading goes on."""
    with SqliteStore.open(path) as store, another_writer(path):
        with pytest.raises(StoreFailure) as caught:
            write(store, "s", 2)
        assert caught.value.fault is StoreFault.BUSY
        assert words(store, "s") == ["message 1"]
        with store.look() as tables:
            assert tables.execute("SELECT count(*) FROM notes") == [(0,)]


@pytest.mark.parametrize("damage", ["table", "column", "trigger"])
def test_store_whose_tables_were_altered_is_corrupt(path: Path, damage: str) -> None:
    """Where our own statements no longer work, the file is not what it was."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(
        {
            "table": "DROP TABLE journal",
            "column": "ALTER TABLE journal RENAME COLUMN body TO text",
            "trigger": "CREATE TRIGGER t BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'no'); END",
        }[damage]
    )
    connection.close()
    with SqliteStore.open(path) as store:
        with pytest.raises(StoreFailure) as caught:
            write(store, "s", 2)
        assert caught.value.fault is StoreFault.CORRUPT


@pytest.mark.parametrize("page", range(1, 8))
def test_damaged_page_is_told_or_harmless(path: Path, page: int) -> None:
    """Garbage anywhere in the file ends in a failure with its name, never in wrong entries."""
    with SqliteStore.open(path) as store:
        write(store, "s", *range(2, 60))
    content = bytearray(path.read_bytes())
    assert len(content) > 4096 * 7
    content[4096 * page : 4096 * page + 2048] = b"\xa5" * 2048
    path.write_bytes(content)
    assert words_or_fault(path) in (
        [f"message {no}" for no in range(1, 60)],
        StoreFault.CORRUPT,
        StoreFault.UNREADABLE,
    )


def words_or_fault(path: Path) -> list[str] | StoreFault:
    """What was said in a damaged store, or what is wrong with it."""
    try:
        with SqliteStore.open(path) as store:
            return words(store, "s")
    except StoreFailure as failure:
        return failure.fault


def test_text_that_is_not_utf_8_is_corrupt(path: Path) -> None:
    """Bytes that are no text fail when read, and verification can still name the entry."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DROP TRIGGER journal_never_changes")
    connection.execute("UPDATE journal SET at = CAST(x'ff' AS TEXT)")
    connection.close()
    with SqliteStore.open(path) as store:
        for _ in range(2):
            with pytest.raises(StoreFailure) as caught:
                list(store.records("s"))
            assert caught.value.fault is StoreFault.CORRUPT
            assert verify(store.rows("s")).breaks == (Break(Damage.CHANGED, 1, 1),)


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'invented'",
        "body = CAST('{\"no\": 1}' AS BLOB)",
        "body = CAST('{\"new\": 1}' AS BLOB)",
        "body = x'ff'",
        "body = NULL",
        "at = 'yesterday'",
        "at = 5",
    ],
)
def test_entry_that_cannot_be_read_is_named(path: Path, change: str) -> None:
    """An entry of an unknown kind, with an unknown field or without a time stops the reading."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TABLE other AS SELECT * FROM journal")
    connection.execute("DROP TABLE journal")
    connection.execute("ALTER TABLE other RENAME TO journal")
    connection.execute(f"UPDATE journal SET {change}")
    connection.close()
    with SqliteStore.open(path) as store:
        with pytest.raises(StoreFailure, match="entry 1 of 's'") as caught:
            list(store.records("s"))
        assert caught.value.fault is StoreFault.UNREADABLE
        assert not verify(store.rows("s")).whole


def test_store_that_was_closed_is_a_mistake(path: Path) -> None:
    """Using a closed store is a mistake of the program, not a fault of the store."""
    store = SqliteStore.open(path)
    store.close()
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.changed()

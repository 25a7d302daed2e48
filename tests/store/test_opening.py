"""Opening: the file is made for its owner alone, and what is no store of ours is refused."""

import os
import sqlite3
import stat
import time
from pathlib import Path

import pytest

from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.migrations import STORE_VERSION
from agentcli.store.opening import open_database
from agentcli.store.sqlite import SqliteStore
from tests.store.processes import line_of, python
from tests.store.samples import words, write


def fault_of_opening(path: Path) -> StoreFault:
    """Why the store can't be opened."""
    with pytest.raises(StoreFailure, match=path.name) as caught:
        SqliteStore.open(path)
    return caught.value.fault


def modes(folder: Path) -> dict[str, int]:
    """The permissions of the files in a folder."""
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_missing_folder_and_file_are_made_for_the_owner_alone(tmp_path: Path) -> None:
    """Nobody else can read what a store holds, in none of its files."""
    folder = tmp_path / "data" / "agentcli"
    with SqliteStore.open(folder / "store.db") as store:
        write(store, "s", 1)
        with store.hold("s"):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert modes(folder) == {
                "store.db": 0o600, "store.db-wal": 0o600, "store.db-shm": 0o600, "store.db-held": 0o700,
            }  # fmt: skip
            assert modes(folder / "store.db-held") == {"s": 0o600}


def test_modes_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    """A permissive umask opens nothing."""
    before = os.umask(0)
    try:
        with SqliteStore.open(tmp_path / "new" / "store.db"):
            assert set(modes(tmp_path / "new").values()) == {0o600}
            assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_permissions_that_a_person_gave_are_kept(tmp_path: Path) -> None:
    """A store that exists is opened as it is."""
    path = tmp_path / "store.db"
    SqliteStore.open(path).close()
    path.chmod(0o640)
    with SqliteStore.open(path):
        assert modes(tmp_path)["store.db"] == 0o640


def test_link_to_a_file_that_is_not_there_yet_is_followed(tmp_path: Path) -> None:
    """The file is made where the link leads, for its owner alone."""
    (tmp_path / "link.db").symlink_to(tmp_path / "target.db")
    with SqliteStore.open(tmp_path / "link.db"):
        assert modes(tmp_path)["target.db"] == 0o600


def test_what_was_written_is_there_after_opening_again(tmp_path: Path) -> None:
    """A store outlives the process's use of it."""
    path = tmp_path / "store.db"
    for no in range(1, 4):
        with SqliteStore.open(path) as store:
            write(store, "s", no)
    with SqliteStore.open(path) as store:
        assert words(store, "s") == ["message 1", "message 2", "message 3"]


def test_every_commit_is_synced(tmp_path: Path) -> None:
    """The write-ahead log is synced with each commit, and nobody waits for a lock here."""
    with SqliteStore.open(tmp_path / "store.db") as store:
        settings = [
            store._database.rows(f"PRAGMA {name}")[0][0]
            for name in ("journal_mode", "synchronous", "busy_timeout")
        ]
    assert settings == ["wal", 2, 0]


@pytest.mark.parametrize("content", [b"not a database, but long enough to be one" * 30, b"xy", bytes(4096)])
def test_file_that_is_no_database_is_corrupt(tmp_path: Path, content: bytes) -> None:
    """A file of another kind is refused, and stays as it is."""
    path = tmp_path / "store.db"
    path.write_bytes(content)
    assert fault_of_opening(path) is StoreFault.CORRUPT
    assert path.read_bytes() == content


def test_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """What a crash between making the file and its tables leaves behind is no obstacle."""
    path = tmp_path / "store.db"
    path.touch()
    with SqliteStore.open(path) as store:
        write(store, "s", 1)


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE places (url TEXT)", "PRAGMA user_version = 1", "PRAGMA application_id = 7"]
)
def test_database_of_another_program_is_refused(tmp_path: Path, statement: str) -> None:
    """A database that is not ours gets no tables of ours."""
    path = tmp_path / "places.db"
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    content = path.read_bytes()
    assert fault_of_opening(path) is StoreFault.UNREADABLE
    assert path.read_bytes() == content


def test_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """What a newer agentcli wrote is not touched by an older one."""
    path = tmp_path / "store.db"
    SqliteStore.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {STORE_VERSION + 1}")
    connection.close()
    assert fault_of_opening(path) is StoreFault.NEWER


def test_folder_in_place_of_the_file_is_called_one(tmp_path: Path) -> None:
    """What is wrong is told, not that SQLite can't open it."""
    with pytest.raises(StoreFailure, match="Is a directory"):
        open_database(tmp_path)


def test_folder_in_place_of_the_file_is_unreadable(tmp_path: Path) -> None:
    """A folder is no store."""
    (tmp_path / "store.db").mkdir()
    assert fault_of_opening(tmp_path / "store.db") is StoreFault.UNREADABLE


def test_file_in_place_of_the_folder_is_unreadable(tmp_path: Path) -> None:
    """A store can't be made inside a file."""
    (tmp_path / "data").touch()
    assert fault_of_opening(tmp_path / "data" / "store.db") is StoreFault.UNREADABLE


@pytest.mark.parametrize("wait_s", [0, 0.03])
def test_file_that_stays_locked_is_busy(tmp_path: Path, wait_s: float) -> None:
    """Opening waits for others, and not for ever."""
    path = tmp_path / "store.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    with pytest.raises(StoreFailure) as caught:
        open_database(path, wait_s=wait_s)
    assert caught.value.fault is StoreFault.BUSY
    assert time.monotonic() - began >= wait_s
    connection.execute("COMMIT")
    open_database(path, wait_s=wait_s).close()
    connection.close()


def test_many_processes_can_open_a_new_store_at_once(tmp_path: Path) -> None:
    """Whoever comes first makes the tables, the others wait for it, and every word is kept."""
    script = """
        import sys
        print("ready", flush=True)
        sys.stdin.readline()
        for no in range(20):
            with SqliteStore.open(Path(sys.argv[1])) as store:
                try:
                    write(store, sys.argv[2], no)
                    print(no)
                except StoreFailure as failure:
                    assert failure.fault.name == "BUSY"
        """
    path = tmp_path / "data" / "store.db"
    with (
        python(script, path, "a") as first,
        python(script, path, "b") as second,
        python(script, path, "c") as third,
    ):
        processes = {"a": first, "b": second, "c": third}
        assert [line_of(process) for process in processes.values()] == ["ready"] * 3
        printed = {}
        for process in processes.values():
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        for session, process in processes.items():
            printed[session] = [f"message {no}" for no in process.communicate(timeout=60)[0].split()]
            assert process.returncode == 0
    with SqliteStore.open(path) as store:
        assert {session: words(store, session) for session in processes} == printed

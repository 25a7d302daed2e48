"""Opens the file of a store: makes it where it is missing, and refuses what is not one of ours."""

import errno
import os
import sqlite3
import time
from pathlib import Path
from typing import Final

from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.database import Database
from agentcli.store.faults import file_failure, store_failure
from agentcli.store.migrations import STORE_VERSION, migrate_store

APPLICATION_ID: Final = 0x61676E74
"""The mark in the file's header: "agnt"."""

OPENING_WAIT_S: Final = 5.0
"""The most to wait while another process makes the tables, recovers after a crash, or closes the file."""

RETRY_S: Final = 0.01


def open_database(path: Path, *, wait_s: float = OPENING_WAIT_S) -> Database:
    """Open the store at `path`; only its owner can read what is made.

    Args:
        wait_s: The most to wait for other processes.

    Raises:
        StoreFailure: It can't be opened, is not a store, is of a newer version, or stayed busy.
    """
    _make_file(path)
    where = str(path)
    try:
        connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise store_failure(error, where) from error
    return _made_ready(Database(connection, where), wait_s)


def memory_database() -> Database:
    """Open a store that is gone when it is closed."""
    return _made_ready(
        Database(sqlite3.connect(":memory:", isolation_level=None), "the store in memory"), wait_s=0
    )


def _make_file(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite gives the files beside it the same mode. One that exists is not opened here: closing it would
        # drop the locks of every other connection of this process.
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    except OSError as error:
        raise file_failure(error, str(path)) from error


def _made_ready(database: Database, wait_s: float) -> Database:
    deadline = time.monotonic() + wait_s
    try:
        while not _is_ready(database, last_try=time.monotonic() >= deadline):
            time.sleep(RETRY_S)
    except BaseException:
        database.close()
        raise
    return database


def _is_ready(database: Database, *, last_try: bool) -> bool:
    """Set the connection up and make the tables; tell whether no other process was in the way."""
    try:
        with database.reading():
            version = _version(database)
        # Fails at once where two do it to a new file, so SQLite's own waiting is of no use here.
        database.rows("PRAGMA journal_mode = WAL")
        database.rows("PRAGMA synchronous = FULL")
        if version < STORE_VERSION:
            with database.writing():
                migrate_store(database, _version(database))
                database.rows(f"PRAGMA application_id = {APPLICATION_ID}")
    except StoreFailure as failure:
        if failure.fault is not StoreFault.BUSY or last_try:
            raise
        return False
    return True


def _version(database: Database) -> int:
    ((mark,),) = database.rows("PRAGMA application_id")
    ((version,),) = database.rows("PRAGMA user_version")
    ((objects,),) = database.rows("SELECT count(*) FROM sqlite_master")
    if mark != APPLICATION_ID and (mark, version, objects) != (0, 0, 0):
        raise StoreFailure(StoreFault.UNREADABLE, f"{database.where}: a database, but not one of agentcli")
    if version > STORE_VERSION:
        detail = f"{database.where}: of version {version}, this agentcli knows {STORE_VERSION}"
        raise StoreFailure(StoreFault.NEWER, detail)
    return int(version)

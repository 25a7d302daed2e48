"""Errors of SQLite and of the file system, told as what is wrong with the store."""

import errno
import sqlite3
from typing import Final

from agentcli.session.ports import StoreFailure, StoreFault

FAULTS: Final = {
    # code                           fault                      when
    sqlite3.SQLITE_BUSY:             StoreFault.BUSY,           # another connection writes
    sqlite3.SQLITE_LOCKED:           StoreFault.BUSY,           # another statement of this one does
    sqlite3.SQLITE_PROTOCOL:         StoreFault.BUSY,           # others kept the lock too long
    sqlite3.SQLITE_READONLY:         StoreFault.READ_ONLY,
    sqlite3.SQLITE_PERM:             StoreFault.READ_ONLY,
    sqlite3.SQLITE_FULL:             StoreFault.FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE:    StoreFault.FULL,           # no room for the index of the write-ahead log
    sqlite3.SQLITE_CORRUPT:          StoreFault.CORRUPT,
    sqlite3.SQLITE_NOTADB:           StoreFault.CORRUPT,
    sqlite3.SQLITE_ERROR:            StoreFault.CORRUPT,        # our statements are right, so its tables are not
    sqlite3.SQLITE_CONSTRAINT:       StoreFault.CORRUPT,        # likewise
    sqlite3.SQLITE_CANTOPEN:         StoreFault.UNREADABLE,
    sqlite3.SQLITE_IOERR:            StoreFault.UNREADABLE,
}  # fmt: skip
"""By extended code, else by primary code; a code that is not here is `UNREADABLE`."""

MISTAKES: Final = frozenset(
    {
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_RANGE,
        sqlite3.SQLITE_TOOBIG,
    }
)
"""Primary codes that blame a statement, not the store."""

FILE_FAULTS: Final = {
    errno.EACCES: StoreFault.READ_ONLY,
    errno.EPERM: StoreFault.READ_ONLY,
    errno.EROFS: StoreFault.READ_ONLY,
    errno.ENOSPC: StoreFault.FULL,
    errno.EDQUOT: StoreFault.FULL,
}
"""By error number of the file system; one that is not here is `UNREADABLE`."""


def store_failure(error: sqlite3.Error, where: str) -> StoreFailure:
    """Return what an error of one of our own statements says about the store at `where`."""
    code = _code(error)
    if code is None:
        # Python's own: text in the file that is not UTF-8.
        return StoreFailure(StoreFault.CORRUPT, f"{where}: {error}")
    fault = FAULTS.get(code) or FAULTS.get(code & 0xFF, StoreFault.UNREADABLE)
    return StoreFailure(fault, f"{where}: {error}")


def file_failure(error: OSError, where: str) -> StoreFailure:
    """Return what an error of the file system says about the store at `where`."""
    fault = FILE_FAULTS.get(error.errno or 0, StoreFault.UNREADABLE)
    return StoreFailure(fault, f"{where}: {error.strerror or error}")


def is_mistake(error: sqlite3.Error) -> bool:
    """Tell whether an error blames the statement of a tool or a migration, not the store."""
    code = _code(error)
    return code is None or code & 0xFF in MISTAKES


def _code(error: sqlite3.Error) -> int | None:
    return getattr(error, "sqlite_errorcode", None)

"""Who holds a session: a lock of the operating system, free the moment its process is gone."""

import os
import sys
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from agentcli.session.ports import SessionBusy
from agentcli.store.faults import file_failure

FOLDER_SUFFIX: Final = "-held"
"""How the folder of a store's locks ends; it stands beside the store. By an open file in it a holder is known."""

# Windows keeps others from reading what is locked: the byte locked there lies far behind the process id.
LOCKED_BYTE: Final = 1 << 30

TRIES: Final = 20
TRY_AGAIN_S: Final = 0.01
"""Whoever only looks has the lock for a moment as well, which keeps nobody from taking it."""


class Hold:
    """A session held by this process until it is released or forgotten, or the process is gone."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = weakref.finalize(self, release)
        # The system does it at once for a process that ends.
        self._release.atexit = False

    @property
    def is_released(self) -> bool:
        """Whether others may hold the session."""
        return not self._release.alive

    def release(self) -> None:
        """Let others hold the session; a second time does nothing."""
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def hold_in_folder(folder: Path, session: str) -> Hold:
    """Hold a session by a lock on a file of its own.

    Raises:
        SessionBusy: Another process holds it, or this one already does.
        StoreFailure: The file can't be made or locked.
    """
    path = folder / session
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = _locked(path, session)
    except OSError as error:
        raise file_failure(error, str(path)) from error
    return Hold(lambda: _unlock(descriptor, path))


def is_held_in_folder(folder: Path, session: str) -> bool:
    """Tell whether a process holds a session at this moment."""
    return _look(folder / session).is_held


def holders_in_folder(folder: Path) -> Mapping[int, str]:
    """Return which processes hold sessions, by their ids."""
    try:
        sessions = sorted(os.listdir(folder))
    except OSError:
        return {}
    seen = {session: _look(folder / session) for session in sessions}
    return {one.pid: session for session, one in seen.items() if one.is_held and one.pid is not None}


def hold_in_memory(held: set[str], session: str) -> Hold:
    """Hold a session that no other process can reach.

    Raises:
        SessionBusy: It is held already.
    """
    if session in held:
        raise SessionBusy(session, os.getpid())
    held.add(session)
    descriptor = _file_to_be_seen_by(session)

    def let_go() -> None:
        held.discard(session)
        if descriptor is not None:
            os.close(descriptor)

    return Hold(let_go)


def _file_to_be_seen_by(session: str) -> int | None:
    """Open a file of no folder, so that what is started meanwhile finds a holder above it, as with a lock."""
    # Linux alone has such files, and a sandbox may forbid them.
    with suppress(AttributeError, OSError):
        return os.memfd_create(f"{FOLDER_SUFFIX}/{session}")
    return None


class _Seen(Struct, frozen=True):
    is_held: bool
    pid: int | None = None


def _look(path: Path) -> _Seen:
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return _Seen(False)
    except OSError as error:
        raise file_failure(error, str(path)) from error
    try:
        return _Seen(not _lock(descriptor, shared=True), _pid(descriptor))
    finally:
        os.close(descriptor)


def _locked(path: Path, session: str) -> int:
    tries = TRIES
    while True:
        # Python opens files so that no child inherits them, so the lock ends with this process.
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            if not _lock(descriptor):
                tries -= 1
                if not tries:
                    raise SessionBusy(session, _pid(descriptor))
                time.sleep(TRY_AGAIN_S)
            # Whoever held it may have removed the file between our opening and our locking it.
            elif _is_at(descriptor, path):
                os.ftruncate(descriptor, 0)
                os.write(descriptor, b"%d\n" % os.getpid())
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _lock(descriptor: int, *, shared: bool = False) -> bool:
    """Take the lock unless it is taken; a shared one stands in the way of an exclusive one alone."""
    if sys.platform == "win32":  # pragma: no cover  # runs there only
        import msvcrt  # noqa: PLC0415  # Windows only

        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True
    import fcntl  # noqa: PLC0415  # POSIX only

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _pid(descriptor: int) -> int | None:
    text = os.read(descriptor, 20).strip()
    return int(text) if text.isdigit() else None


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _unlock(descriptor: int, path: Path) -> None:
    # Removed while it is still locked, so that nobody else's is. Windows removes no open file: there it stays.
    with suppress(OSError):
        path.unlink()
    os.close(descriptor)

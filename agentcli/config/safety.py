"""Files that decide what may run are read only if nobody but the user and root can change them."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import grp

MAX_BYTES: Final = 1_000_000


class UnsafeFileError(Exception):
    """A file that is not read; the message says why, in words for the person who can put it right."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


def read_guarded(path: Path) -> bytes:
    """Return what is in a file that nobody but the user and root can change; check and read are of one open file.

    Raises:
        UnsafeFileError: Others can change the file, it is no regular file, or it is larger than 1 MB.
        OSError: The file can't be opened or read.
    """
    with open(path, "rb", opener=_open_at_once) as file:
        problem = distrust(os.fstat(file.fileno()), _uid(), _is_own_group)
        if problem is not None:
            raise UnsafeFileError(path, problem)
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise UnsafeFileError(path, f"is larger than {MAX_BYTES:,} bytes")
    return content


def distrust_of(path: Path) -> str | None:
    """Return why a file that is run, not read, by us is not trusted, or nothing where it is.

    Raises:
        OSError: There is no such file, or it can't be looked at.
    """
    return distrust(os.stat(path), _uid(), _is_own_group)


def distrust(status: os.stat_result, uid: int | None, is_own_group: Callable[[int], bool]) -> str | None:
    """Return why a file is not trusted, or nothing where it is.

    Args:
        status: What the system says about the open file.
        uid: The user; none where the system knows no owners, then only the file's type counts.
        is_own_group: Whether the group of this number is the user's alone; asked only where it matters.
    """
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file"
    if uid is None:
        return None
    if status.st_uid not in (uid, 0):
        return f"belongs to user {status.st_uid}, neither to you (user {uid}) nor to root"
    if status.st_mode & stat.S_IWOTH:
        return "can be written by everybody; `chmod go-w` takes that right away"
    if status.st_mode & stat.S_IWGRP and not is_own_group(status.st_gid):
        return f"can be written by group {status.st_gid}; `chmod g-w` takes that right away"
    return None


def is_private_group(group: "grp.struct_group", user_name: str, primary_gid: int) -> bool:
    """Say whether a group is its user's alone: the primary one, of the same name, without other members."""
    return group.gr_gid == primary_gid and group.gr_name == user_name and set(group.gr_mem) <= {user_name}


def _uid() -> int | None:
    # Windows has no owners of this kind: there the folder of the user is what guards the file.
    return os.getuid() if hasattr(os, "getuid") else None


def _is_own_group(gid: int) -> bool:
    import grp  # noqa: PLC0415  # POSIX only
    import pwd  # noqa: PLC0415  # POSIX only

    try:
        user = pwd.getpwuid(os.getuid())
        return is_private_group(grp.getgrgid(gid), user.pw_name, user.pw_gid)
    except KeyError:
        return False


def _open_at_once(path: str, flags: int) -> int:
    # Without it, opening a named pipe would wait for a writer before the pipe can be refused.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))

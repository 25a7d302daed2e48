"""Writes files that a person names: new ones, for their eyes alone, and never over one that is there."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_NEW: int = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class NotSaved(Exception):
    """Nothing was written; the message says why, with the file."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} {why}")
        self.path = path


def path_from(typed: str) -> Path:
    """Return the path that a person typed where no shell has read it: `~` is their home, quotes around it go."""
    is_quoted = len(typed) > 1 and typed[0] == typed[-1] and typed[0] in "\"'"
    path = Path(typed[1:-1] if is_quoted else typed)
    with suppress(RuntimeError):  # nobody knows where home is: then it is a name like any other
        path = path.expanduser()
    return path.absolute()


def save_new(files: Sequence[tuple[Path, bytes]]) -> None:
    """Write all of the files or none.

    Raises:
        NotSaved: One is there already, or can't be written.
    """
    saved: list[Path] = []
    try:
        for path, content in files:
            _save(path, content, saved)
    except NotSaved:
        for path in saved:
            with suppress(OSError):
                path.unlink()
        raise


def _save(path: Path, content: bytes, saved: list[Path]) -> None:
    try:
        descriptor = os.open(path, _NEW, 0o600)
        saved.append(path)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except FileExistsError as error:
        raise NotSaved(path, _there_already(path)) from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise NotSaved(path, f"can't be written: {why}") from error


def _there_already(path: Path) -> str:
    """Return what is in the way; only a file is advised to be removed."""
    if path.is_dir() and not path.is_symlink():
        return "is a folder; name a file in it"
    if path.is_file() or path.is_symlink():
        return "is there already; name another file, or remove that one first"
    return "is there already, and is no file; name another one"

"""The one folder from which files are read, and nothing outside of it."""

import os
import stat
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from agentcli.agents.failures import refused
from agentcli.tools.outcome import ToolFailure

MOST_BYTES: Final = 1_000_000

_CONFIGURED: Final = "`import_folder` under [agents.expenses] in the config"
"""What a person who reads of it has to look for."""


def name_problem(name: str) -> str | None:
    """Return why a name can't be that of a file inside a folder, whatever is there, or None."""
    for path in (PurePosixPath(name), PureWindowsPath(name)):
        if path.is_absolute() or path.anchor or ".." in path.parts:
            return "file: name a file inside the import folder, without .. and not as an absolute path"
    return None


def read_file(folder: str, name: str) -> bytes | ToolFailure:
    """Return what is in a file of the folder, or why that can't be had.

    Args:
        folder: An absolute path; empty where none is configured.
        name: The file's path inside the folder; a link is followed as long as it stays in there.
    """
    if not folder:
        return refused("file_not_found", f"There is no import folder: {_CONFIGURED} names one.")
    if not os.path.isdir(folder):
        return refused("file_not_found", f"The import folder is not there: {_CONFIGURED} names it.")
    try:
        data = _read(Path(folder), name)
    except (OSError, ValueError):
        return refused("file_not_found", f"There is no file {name!r} in the import folder. Check the name.")
    if len(data) > MOST_BYTES:
        return refused("malformed", f"The file is larger than {MOST_BYTES:,} bytes. Split it.")
    return data


def _read(folder: Path, name: str) -> bytes:
    """Return what is in the file, one byte more than may be at most.

    Raises:
        OSError, ValueError: It is not there, not inside the folder, or not a plain file.
    """
    # Not blocking: nobody may ever write into what turns out to be a pipe.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(_resolved(folder, name), flags)
    try:
        opened = os.fstat(descriptor)
        # A link may have been put in its place between the look and the opening.
        is_the_one = os.path.samestat(_resolved(folder, name).stat(), opened)
        if not is_the_one or not stat.S_ISREG(opened.st_mode):
            raise ValueError(name)
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(MOST_BYTES + 1)
    finally:
        os.close(descriptor)


def _resolved(folder: Path, name: str) -> Path:
    """Return where the file really is.

    Raises:
        OSError, ValueError: It is not there, or not inside the folder.
    """
    # Not `Path.resolve`: to that, links in a circle are no OSError in every version.
    path = Path(os.path.realpath(folder / name, strict=True))
    path.relative_to(os.path.realpath(folder, strict=True))
    return path

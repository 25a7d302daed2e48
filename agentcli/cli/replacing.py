"""Files that the command line names to be written: anew, and never over one that holds something else."""

import os
import stat
from enum import Enum
from pathlib import Path

from agentcli.cli.exits import WrongUsage


class Writes(Enum):
    """What is written, by how such a file begins."""

    PICTURE = b"<svg "
    CAST = b'{"version":2,'
    RECORDING = b'{"agentcli_recording":'


def require_writable(path: str, what: Writes) -> None:
    """See to it before any work is done that a file can be written; one that is there has to be of its kind.

    Raises:
        WrongUsage: It can't be written there, or would destroy what is no such file.
    """
    try:
        begins = _beginning(path, len(what.value))
    except OSError as error:
        raise _unwritable(path, error) from error
    if begins not in (b"", what.value):
        raise WrongUsage(f"{path}: holds something else, and is not written over; name another file")


def _beginning(path: str, most: int) -> bytes:
    """Return how a file begins that can be written to; nothing where there is none, and none is left there."""
    if not os.path.exists(path):
        with open(path, "ab"):
            os.unlink(os.path.realpath(path))
        return b""
    mode = os.stat(path).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        # Nothing can be lost there, and a pipe would wait for its reader.
        return b""
    with open(path, "rb+") as file:
        return file.read(most)


def write_file(path: str, what: Writes, text: str) -> None:
    """Write a file anew.

    Raises:
        WrongUsage: As `require_writable` does.
    """
    require_writable(path, what)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: str, error: OSError) -> WrongUsage:
    return WrongUsage(f"{path or repr(path)}: can't be written: {error.strerror}")

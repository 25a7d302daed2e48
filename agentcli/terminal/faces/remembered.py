"""The lines that were entered, over all sessions: a file of the person's own, a JSON text a line."""

import json
import logging
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from prompt_toolkit.history import History

from agentcli.visible import valid_unicode

MOST_BYTES: Final = 1_000_000
"""A file that has grown beyond this is put aside, and is read for as long as no other takes its place."""

MOST_OF_ONE: Final = 50_000
"""Characters; a longer line is kept in its session, but not here."""

log = logging.getLogger(__name__)
_PRIVATE: Final = 0o600
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


class Remembered(History):
    """Lines of this conversation and of those before; several conversations may add to the file at once.

    Without a path nothing is kept beyond this conversation. What can't be read or written is logged and missed.
    """

    def __init__(self, path: Path | None = None, whole: Callable[[str], str] = str) -> None:
        """`whole` returns a line as it is to be kept, with what is folded in it."""
        super().__init__()
        self._path = path
        self._whole = whole
        self._has_failed = False

    @property
    def newest_first(self) -> list[str]:
        """Every line once, as it was entered last."""
        return list(dict.fromkeys(line.rstrip() for line in reversed(self.get_strings())))

    def load_history_strings(self) -> Iterable[str]:
        """Return the lines in the file, the newest first."""
        if self._path is None:
            return []
        lines = [line for path in (_aside(self._path), self._path) for line in _read(path)]
        return reversed(lines)

    def keeps(self, line: str) -> bool:
        """Tell whether a line that was entered is found by conversations to come."""
        return self._path is not None and not self._has_failed and len(self._whole(line).rstrip()) <= MOST_OF_ONE

    def store_string(self, string: str) -> None:
        """Add a line to the file."""
        line = self._whole(string).rstrip()
        if self._path is None or len(line) > MOST_OF_ONE:
            return
        try:
            _append(self._path, json.dumps(line).encode() + b"\n")
            self._has_failed = False
        except OSError as error:
            self._has_failed = True
            log.warning("the history can't be kept: %s", error)


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}.1")


def _read(path: Path) -> Iterable[str]:
    try:
        written = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        log.warning("the history can't be read: %s", error)
        return
    for line in written.splitlines():
        # What is torn or foreign is passed over.
        with suppress(ValueError):
            text = json.loads(line)
            if isinstance(text, str):
                yield valid_unicode(text)


def _append(path: Path, line: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        if path.stat().st_size > MOST_BYTES:
            os.replace(path, _aside(path))
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK, _PRIVATE)
    try:
        if os.name == "posix" and stat.S_IMODE(os.fstat(file).st_mode) != _PRIVATE:
            os.fchmod(file, _PRIVATE)
        # One write, so that lines of several conversations never mix.
        os.write(file, line)
    finally:
        os.close(file)

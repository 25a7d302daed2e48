"""The log: JSON lines in a file that only its owner can read; it holds the detail that no screen shows."""

import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

MAX_BYTES: Final = 1_000_000
FILES: Final = 3


def log_to(path: str) -> None:
    """Send everything agentcli logs to the file at `path`; it is made when there is something to write."""
    logger = logging.getLogger("agentcli")
    logger.handlers = [LogFile(Path(path))]
    logger.propagate = False
    logger.setLevel(logging.INFO)


def new_reference() -> str:
    """Return a short name by which a person finds an entry of the log again."""
    return os.urandom(4).hex()


class LogFile(logging.Handler):
    """Appends a line to the newest of three files of 1 MB each; a log that can't be written stops nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        line = self._line(record)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(len(line))
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError:
            return

    def _line(self, record: logging.LogRecord) -> bytes:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        detail = logging.Formatter().formatException(record.exc_info) if record.exc_info else None
        entry = {"at": at, "level": record.levelname, "from": record.name, "message": record.getMessage()}
        text = msgspec.json.encode(entry | ({"detail": detail} if detail else {})).decode()
        return text.encode("ascii", "backslashreplace") + b"\n"

    def _make_room(self, size: int) -> None:
        if not self._path.exists() or self._path.stat().st_size + size <= MAX_BYTES:
            return
        for number in range(FILES - 1, 0, -1):
            older = self._path.with_name(f"{self._path.name}.{number}")
            newer = self._path if number == 1 else self._path.with_name(f"{self._path.name}.{number - 1}")
            if newer.exists():
                newer.replace(older)

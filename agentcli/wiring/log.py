"""The log: JSON lines in a file that only its owner can read; it holds the detail that no screen shows."""

import json
import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agentcli.visible import valid_unicode

MAX_BYTES: Final = 1_000_000
FILES: Final = 3


def log_to(path: str) -> None:
    """Send everything that is logged to the file at `path`; it is made when there is something to write.

    Also what libraries log: left alone, their warnings and tracebacks would go to the screen.
    """
    logging.getLogger().handlers = [LogFile(Path(path))]
    logging.getLogger("agentcli").setLevel(logging.INFO)


def new_reference() -> str:
    """Return a short name by which a person finds an entry of the log again."""
    return os.urandom(4).hex()


def without_secrets(text: str) -> str:
    """Return the text fit to be kept or shown: what an exception says may hold the key it was made with."""
    from agentcli.models.connection import connection_from  # noqa: PLC0415  # only a line that is written needs it

    return connection_from(os.environ).redact(valid_unicode(text))


class LogFile(logging.Handler):
    """Appends a line to the newest of three files of 1 MB each; a log that can't be written stops nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        line = self._line(record)
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(len(line))
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError:
            return

    def _line(self, record: logging.LogRecord) -> bytes:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        detail = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        message, detail = without_secrets(record.getMessage()), without_secrets(detail)
        entry = {"at": at, "level": record.levelname, "from": record.name, "message": message}
        return json.dumps(entry | ({"detail": detail} if detail else {})).encode("ascii") + b"\n"

    def _make_room(self, size: int) -> None:
        if not self.path.exists() or self.path.stat().st_size + size <= MAX_BYTES:
            return
        for number in range(FILES - 1, 0, -1):
            older = self.path.with_name(f"{self.path.name}.{number}")
            newer = self.path if number == 1 else self.path.with_name(f"{self.path.name}.{number - 1}")
            if newer.exists():
                newer.replace(older)

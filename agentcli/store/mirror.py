"""The mirror of the record: a file of the user's choice to which each decision is appended before it counts.

A line is written and synced before the transaction that holds the decision is committed; if it can't be, nothing
of the transaction stands and nothing runs. After a crash between the two there is a line too many rather than one
too few: of several lines with the same session and number the last one counts.
"""

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from agentcli.session.decisions import DecisionRecord, Decisions
from agentcli.session.entries import Decided, Entry, Finished, Started
from agentcli.session.export import export_line
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.session.record import Record
from agentcli.store.faults import file_failure

DATABASE: Final = b"SQLite format 3\0"
"""How a store begins, which a person may have named by mistake."""


class MirrorFailure(StoreFailure):
    """The mirror can't be written; nothing was run."""

    def __init__(self, fault: StoreFault, detail: str) -> None:
        super().__init__(fault, detail)
        self.args = (f"the mirror of the record (audit.file) can't be written, so nothing runs: {detail}",)


class MirrorFile:
    """The file itself; several processes may append to it."""

    def __init__(self, path: Path, sync: Callable[[int], None] = os.fsync) -> None:
        self._path = path
        self._sync = sync

    def require_writable(self) -> None:
        """Make the file where it is missing.

        Raises:
            MirrorFailure: It can't be made or written.
        """
        self.append(b"")

    def append(self, lines: bytes) -> None:
        """Append whole lines, and return once they are durable.

        Raises:
            MirrorFailure: They may be there in part; a later line is not glued to such a part.
        """
        try:
            descriptor, is_new = self._open()
            try:
                if is_new:
                    self._sync_folder()
                self._write(descriptor, lines)
            finally:
                os.close(descriptor)
        except OSError as error:
            failure = file_failure(error, str(self._path))
            raise MirrorFailure(failure.fault, failure.detail) from error

    def _open(self) -> tuple[int, bool]:
        # A pipe without a reader would wait for one.
        flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        try:
            return os.open(self._path, flags), False
        except FileNotFoundError:
            # Its folder is not made: where that is a disk that is not there, the mirror would be another file.
            return os.open(self._path, flags | os.O_CREAT, 0o600), True

    def _sync_folder(self) -> None:
        """Make the name of a new file durable as well; Windows does that by itself."""
        if hasattr(os, "O_DIRECTORY"):  # pragma: no branch  # tests run where it has
            descriptor = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                self._sync(descriptor)
            finally:
                os.close(descriptor)

    def _write(self, descriptor: int, lines: bytes) -> None:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise MirrorFailure(StoreFault.UNREADABLE, f"{self._path}: is not a regular file")
        if os.read(descriptor, len(DATABASE)) == DATABASE:
            raise MirrorFailure(StoreFault.UNREADABLE, f"{self._path}: is a database, and no place for lines")
        if lines and status.st_size and not _ends_a_line(descriptor, status.st_size):
            lines = b"\n" + lines
        while lines:
            lines = lines[os.write(descriptor, lines) :]
        self._sync(descriptor)


class MirroredDecisions:
    """Copies a session's decisions: each when it is made, and a question once more when its answer is acted on."""

    def __init__(self, append: Callable[[bytes], None]) -> None:
        self._append = append
        self._decisions = Decisions()

    def see(self, record: Record) -> None:
        """Take in an entry that is stored."""
        self._decisions.take(record)
        self._release()

    def attest(self, records: Sequence[Record]) -> None:
        """Take in entries that are about to be stored, and append the decisions among them, as they stand.

        Raises:
            MirrorFailure: They can't be appended.
        """
        due: dict[int, None] = {}
        for record in records:
            number = self._decisions.take(record)
            if number is not None and _is_due(record.entry, self._decisions.standing(number)):
                due[number] = None
        if due:
            self._append(b"".join(export_line(self._decisions.standing(number)) for number in due))
        self._release()

    def _release(self) -> None:
        for _ in self._decisions.release():
            pass


def mirrored(path: Path) -> Callable[[], MirroredDecisions]:
    """Return what makes a witness that copies a session's decisions to the file at `path`."""
    file = MirrorFile(path)
    return lambda: MirroredDecisions(file.append)


def _is_due(entry: Entry, decision: DecisionRecord) -> bool:
    """Tell whether a decision is copied because of an entry: it was made, or something is done about it.

    What a call gave that acts elsewhere is left to the journal: to refuse it would make what has happened an
    unknown outcome.
    """
    match entry:
        case Decided() | Started():
            return True
        case Finished(origin=origin):
            return origin == "core" or not decision.acts_elsewhere
        case _:
            return False


def _ends_a_line(descriptor: int, size: int) -> bool:
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"

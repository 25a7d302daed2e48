"""What tools and hooks of a person's own print: caught before it reaches the terminal, and told as what it is.

Printed straight to a terminal it could repaint an open question, and among events it would be no event. What is
printed by programs that they start is caught too, unless one opens the terminal for itself.
"""

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.faces.diverted import Diversion, Sink
from agentcli.terminal.faces.unread import Unread
from agentcli.visible import visible_line

MOST: Final = 2_000
"""Characters of one printed line that are told."""

NO_SIZE: Final = os.terminal_size((80, 24))
"""The size of a terminal that does not tell."""


class Caught:
    """Stands in for a standard stream: what is printed to it goes, line by line, to whoever listens."""

    def __init__(self, beneath: TextIO, listening: list[Sink], diversion: Diversion | None) -> None:
        self.beneath = beneath if diversion is None else diversion.past(beneath)
        self.listening = listening
        self._diversion = diversion
        self._begun: dict[int, str] = {}
        self._lock = threading.Lock()

    def write(self, text: str) -> int:
        """Take text; each thread has lines of its own."""
        thread = threading.get_ident()
        with self._lock:
            *lines, self._begun[thread] = (self._begun.get(thread, "") + text).split("\n")
        for line in lines:
            self.listening[-1](line)
        return len(text)

    def writelines(self, texts: Any) -> None:
        """Take several texts."""
        for text in texts:
            self.write(text)

    def flush(self) -> None:
        """A line is taken when it ends."""

    def close(self) -> None:
        """It is not theirs to close."""

    def end(self) -> None:
        """Take lines that were begun and did not end; descriptors lead where they led before."""
        if self._diversion is not None:
            self._diversion.end()
        with self._lock:
            lines, self._begun = [line for line in self._begun.values() if line], {}
        for line in lines:
            self.listening[-1](line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def beneath(stream: Any) -> Any:
    """Return the stream itself, also where own code has another in its place."""
    return stream.beneath if isinstance(stream, Caught | Unread) else stream


def terminal_size() -> os.terminal_size:
    """Return the size of the terminal that stdout is, also where what is printed to it is caught.

    `COLUMNS` and `LINES` come first, as they do in `shutil`.
    """
    try:
        columns, lines = os.get_terminal_size(beneath(sys.stdout).fileno())
    except (AttributeError, ValueError, OSError):
        columns, lines = NO_SIZE
    # Serial lines, and what records a terminal without being one, say 0.
    return shutil.get_terminal_size((columns or NO_SIZE.columns, lines or NO_SIZE.lines))


def keep_input() -> None:
    """Let own code find nothing to read from here on."""
    if _is_of(sys.stdin, 0):
        sys.stdin = Unread(sys.stdin)
        sys.__stdin__ = sys.stdin.beneath  # type: ignore[misc]  # which terminal a person sits at is asked of it


def catch_prints(sink: Sink) -> None:
    """Catch what is printed from here on, unless it is caught already; until others listen it goes to the sink."""
    # Caught once more, the descriptors would lead into the first diversion for good.
    if isinstance(sys.stdout, Caught) or isinstance(sys.stderr, Caught):
        return
    listening = [sink]
    streams = [beneath(stream) for stream in (sys.stdout, sys.stderr)]
    real = [stream for number, stream in enumerate(streams, 1) if _is_of(stream, number)]
    for stream in real:
        stream.flush()

    def tell(line: str) -> None:
        listening[-1](line)

    diversion = Diversion([stream.fileno() for stream in real], tell) if real else None
    # A process may have been started without one, and then nothing can be printed to it.
    sys.stdout, sys.stderr = (
        None if stream is None else Caught(stream, listening, diversion if stream in real else None)
        for stream in streams
    )


def _is_of(stream: Any, number: int) -> bool:
    """Tell whether a stream is that of a standard descriptor, which programs that are started get."""
    try:
        return stream is not None and stream.fileno() == number
    except (AttributeError, ValueError, OSError):
        return False


@contextmanager
def streams_given_back() -> Iterator[None]:
    """Have the standard streams as they were before, once the block is over."""
    former = sys.stdin, sys.__stdin__, sys.stdout, sys.stderr
    try:
        yield
    finally:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if isinstance(stream, Caught | Unread):
                stream.end()
        sys.stdin, sys.__stdin__, sys.stdout, sys.stderr = former  # type: ignore[misc]  # it is given back as well


@contextmanager
def listening(sink: Sink) -> Iterator[None]:
    """Have what is printed meanwhile, if it is caught at all, told to somebody else."""
    sinks = sys.stdout.listening if isinstance(sys.stdout, Caught) else []
    sinks.append(sink)
    try:
        yield
    finally:
        sinks.remove(sink)


def printed_line(line: str) -> Line:
    """Return how a printed line is told: set in, so that it can't pass for a line of ours."""
    more = len(line) - MOST
    told = visible_line(line[:MOST]) + (f"… +{more} more" if more > 0 else "")
    return (Span(f"  printed: {told}", Style.FAINT),)

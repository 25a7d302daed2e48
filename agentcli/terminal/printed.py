"""What tools and hooks of a person's own print: caught before it reaches the terminal, and told as what it is.

Printed straight to a terminal it could repaint an open question, and among events it would be no event. Only what
goes through Python's `sys.stdout` and `sys.stderr` is caught.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

from agentcli.terminal.styled import Line, Span, Style
from agentcli.visible import visible_line

MOST: Final = 2_000
"""Characters of one printed line that are told."""

Sink = Callable[[str], None]
"""Takes a printed line, in whichever thread it was printed."""


class Caught:
    """Stands in for a standard stream: what is printed to it goes, line by line, to whoever listens."""

    def __init__(self, beneath: TextIO, listening: list[Sink]) -> None:
        self.beneath = beneath
        self.listening = listening
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

    def end(self) -> None:
        """Take lines that were begun and did not end."""
        with self._lock:
            lines, self._begun = [line for line in self._begun.values() if line], {}
        for line in lines:
            self.listening[-1](line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def beneath(stream: Any) -> Any:
    """Return the stream itself, also where what is printed to it is caught."""
    return stream.beneath if isinstance(stream, Caught) else stream


def catch_prints(sink: Sink) -> None:
    """Catch what is printed from here on; until somebody else listens it goes to the sink."""
    listening = [sink]
    # A process may have been started without one, and then nothing can be printed to it.
    sys.stdout, sys.stderr = (
        None if stream is None else Caught(beneath(stream), listening) for stream in (sys.stdout, sys.stderr)
    )


@contextmanager
def streams_given_back() -> Iterator[None]:
    """Have the standard streams as they were before, once the block is over."""
    former = sys.stdout, sys.stderr
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, Caught):
                stream.end()
        sys.stdout, sys.stderr = former


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

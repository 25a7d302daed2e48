"""Descriptors 1 and 2, led away from the terminal: what is written past `sys.stdout` is read, line by line.

Programs that a tool starts write so, and libraries in C. Ours goes to duplicates that nobody inherits.
"""

import os
from collections.abc import Callable, Iterable
from functools import partial
from threading import Thread
from typing import Final, TextIO

Sink = Callable[[str], None]
"""Takes a printed line, in whichever thread it was printed."""

LONGEST: Final = 100_000
"""Characters after which a line counts as ended."""

LATE_S: Final = 0.2
"""How long the end waits for programs that were left behind and might still write."""


class Diversion:
    """Descriptors that lead to a sink until `end`."""

    def __init__(self, numbers: Iterable[int], sink: Sink) -> None:
        # They stay open: who was left behind may print when all else has ended.
        self._kept = {number: os.dup(number) for number in numbers}
        reading, writing = os.pipe()
        for number in self._kept:
            os.dup2(writing, number)
        os.close(writing)
        self._reader = Thread(target=_read, args=(reading, sink), daemon=True)
        self._reader.start()

    def past(self, stream: TextIO) -> TextIO:
        """Return a stream that leads where this one, of a descriptor that is diverted, has led before."""
        kept = self._kept[stream.fileno()]
        return open(kept, "w", buffering=1, encoding=stream.encoding, errors=stream.errors, closefd=False)

    def end(self) -> None:
        """Have the descriptors lead where they led before; what was written meanwhile has been read."""
        kept, self._kept = self._kept, {}
        for number, before in kept.items():
            os.dup2(before, number)
        if kept:
            self._reader.join(LATE_S)


def _read(reading: int, sink: Sink) -> None:
    with open(reading, encoding="utf-8", errors="backslashreplace", newline="\n") as written:
        for line in iter(partial(written.readline, LONGEST), ""):
            sink(line.removesuffix("\n"))

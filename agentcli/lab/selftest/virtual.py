"""A terminal that nobody sees: what is drawn stands on a virtual screen, and what it would do besides is kept."""

import re
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import pyte
from msgspec import Struct

from agentcli.terminal.faces.output import ERASE_DOWN

_MOST_GONE: Final = 20_000
# What drawing takes: cursor and erasing, colours, and the modes that the frame needs.
_SEQUENCE: Final = r"\x1b\[(?:[0-9;]*[ABCDGHJKm]|\?(?:1|7|12|25|2004)[hl])"
_NEEDED: Final = re.compile(f"{re.escape(ERASE_DOWN)}|{_SEQUENCE}|[\r\n\b]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]{0,8}")


class Picture(Struct, frozen=True):
    """What can be read at one moment: rows without the blanks at their ends, and the row of the cursor."""

    rows: tuple[str, ...]
    cursor: int


class _Screen(pyte.Screen):
    """Keeps what scrolls away, and what programs make of a terminal besides letters."""

    def __init__(self, columns: int, rows: int) -> None:
        self.done: list[str] = []
        self.gone: deque[str] = deque(maxlen=_MOST_GONE)
        super().__init__(columns, rows)

    def write_process_input(self, data: str) -> None:
        self.done.append(f"the terminal was made to type {data!r}")

    def set_title(self, param: str) -> None:
        self.done.append(f"the window's title became {param!r}")

    def set_icon_name(self, param: str) -> None:
        self.done.append(f"the icon's name became {param!r}")

    def bell(self, *_: Any) -> None:
        self.done.append("it rang")

    def index(self) -> None:
        """Go down by one row; at the last one all scroll up."""
        if self.cursor.y == self.lines - 1:
            self.gone.append(self.display[0].rstrip())
        super().index()

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Keep the cursor's row in the window, as terminals do that cut rows instead of folding them."""
        rows = self.lines if lines is None else lines
        for _ in range(max(self.cursor.y - rows + 1, 0)):
            self.gone.append(self.display[0].rstrip())
            for row in range(self.lines - 1):
                self.buffer[row] = self.buffer[row + 1]
            self.buffer.pop(self.lines - 1, None)
            self.cursor.y -= 1
        for row in [row for row in self.buffer if row >= rows]:
            del self.buffer[row]
        self.lines, self.columns = rows, self.columns if columns is None else columns
        self.cursor.x = min(self.cursor.x, self.columns - 1)
        self.dirty.update(range(rows))
        self.set_margins()


class VirtualTerminal:
    """A terminal of a size, to write to like a file."""

    encoding = "utf-8"

    def __init__(self, columns: int, rows: int) -> None:
        self._screen = _Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._written: list[str] = []

    def write(self, text: str) -> int:
        """Draw."""
        self._written.append(text)
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return int(self._screen.columns)

    @property
    def rows(self) -> int:
        """Rows of the window."""
        return int(self._screen.lines)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self._screen.resize(rows, columns)

    def picture(self) -> Picture:
        """What can be read now."""
        return Picture(tuple(row.rstrip() for row in self._screen.display), int(self._screen.cursor.y))

    def scrolled(self) -> tuple[str, ...]:
        """The rows that have left the window at its top."""
        return tuple(self._screen.gone)

    def misdeeds(self) -> Sequence[str]:
        """What came to the terminal besides what drawing takes, and what it did because of that."""
        rest = _NEEDED.sub("", "".join(self._written))
        return [*self._screen.done, *(f"a control came through: {found!r}" for found in _CONTROL.findall(rest))]

"""Pages at a terminal: a screenful at a time, a line read after each; elsewhere all of it at once."""

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from agentcli.cli.writing import output
from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.folded import fold_line
from agentcli.terminal.drawing.styled import Line, draw_all
from agentcli.terminal.faces.printed import beneath, terminal_size

BACK: Final = frozenset({"b", "back", "p"})
QUIT: Final = frozenset({"q", "quit"})


class Place(Struct, frozen=True):
    """Which page is shown, and in which direction Enter turns: 1 for what begins at the top, else -1."""

    page: int
    of: int
    direction: int

    def prompt(self, width: int) -> str:
        """Return what can be typed here, in one row of the screen where it is not too narrow for that."""
        on, back = ("more", "back") if self.direction > 0 else ("earlier", "later")
        page = f"{self.page + 1}/{self.of} "
        told = f"page {self.page + 1} of {self.of} · Enter {on} · b {back} · q quit "
        forms = (told, f"{page}· Enter · b · q ", page)
        return next((form for form in forms if cell_width(form) < width), page)

    def turn(self, typed: str) -> "Place | None":
        """Return the place after a line was typed; None where there is nothing more to show."""
        word = typed.strip().lower()
        if word in QUIT:
            return None
        page = self.page - self.direction if word in BACK else self.page + self.direction
        if word in BACK:
            page = min(max(page, 0), self.of - 1)
        return Place(page, self.of, self.direction) if 0 <= page < self.of else None


def show(lines: Sequence[Line], *, newest_last: bool = False) -> None:
    """Write lines to stdout: page by page where both ends are one terminal, else all at once.

    Args:
        newest_last: Whether to begin with the last page.
    """
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = output.has_colour(sys.stdout)
    width, height = terminal_size()
    # Broken between words, and set in so that no row can pass for a line; elsewhere a line stays a line.
    rows = [row for line in lines for row in fold_line(line, width)] if is_terminal else lines
    pages = in_pages(rows, height, from_end=newest_last)
    if len(pages) < 2 or not is_terminal or not _can_ask():
        output.write(draw_all(rows, colour=colour))
        return
    place: Place | None = Place(len(pages) - 1 if newest_last else 0, len(pages), -1 if newest_last else 1)
    while place is not None:
        typed = _ask(draw_all(pages[place.page], colour=colour) + place.prompt(width))
        place = place.turn(typed) if typed else None


def in_pages(rows: Sequence[Line], height: int, *, from_end: bool) -> list[Sequence[Line]]:
    """Return pages that fit the screen with a row to spare for the prompt.

    Args:
        from_end: Whether the last page is to be full, and not the first.
    """
    room = max(height - 1, 1)
    first = len(rows) % room if from_end else 0
    starts = [*([0] if first else []), *range(first, len(rows), room)]
    return [rows[start:end] for start, end in pairwise((*starts, len(rows)))]


def _ask(page: str) -> str:
    """Write a page and return what was typed; empty at the end of input.

    What is written next begins in a row of its own, also where Ctrl-C comes before a line is read.
    """
    typed = ""
    try:
        output.write(page)
        typed = str(beneath(sys.stdin).readline())
    finally:
        if not typed:
            output.write("\n")
    return typed


def _can_ask() -> bool:
    """Tell whether whoever reads the pages can say to turn them."""
    from agentcli.terminal.faces.plain import is_one_terminal  # noqa: PLC0415  # slow to load, and for people alone

    return is_one_terminal(sys.stdin, sys.stdout)

"""Pages at a terminal: a screenful at a time, a line read after each; elsewhere all of it at once."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Final

from agentcli.cli import output
from agentcli.terminal.fold import cell_width
from agentcli.terminal.styled import Line, draw_all, has_colour, plain

BACK: Final = frozenset({"b", "back", "p"})
QUIT: Final = frozenset({"q", "quit"})


@dataclass(frozen=True, slots=True)
class Place:
    """Which page is shown, and in which direction Enter turns: 1 for what begins at the top, else -1."""

    page: int
    of: int
    direction: int

    @property
    def prompt(self) -> str:
        """What can be typed here."""
        on, back = ("more", "back") if self.direction > 0 else ("earlier", "later")
        return f"page {self.page + 1} of {self.of} · Enter {on} · b {back} · q quit "

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
    colour = has_colour(os.environ, is_terminal=sys.stdout is not None and sys.stdout.isatty())
    width, height = get_terminal_size()
    pages = in_pages(lines, width, height, from_end=newest_last)
    if len(pages) < 2 or not _can_ask():
        output.write(draw_all(lines, colour=colour))
        return
    place: Place | None = Place(len(pages) - 1 if newest_last else 0, len(pages), -1 if newest_last else 1)
    while place is not None:
        output.write(draw_all(pages[place.page], colour=colour) + place.prompt)
        typed = sys.stdin.readline()
        place = place.turn(typed) if typed else None


def in_pages(lines: Sequence[Line], width: int, height: int, *, from_end: bool) -> list[Sequence[Line]]:
    """Return pages that fit the screen with a line to spare for the prompt.

    Args:
        from_end: Whether the last page is to be full, and not the first.
    """
    room = max(height - 1, 1)
    pages: list[list[Line]] = []
    used = 0
    for line in reversed(lines) if from_end else lines:
        rows = max(1, -(-cell_width(plain(line)) // width))
        if not pages or used + rows > room:
            pages.append([])
            used = 0
        pages[-1].append(line)
        used += rows
    return [page[::-1] for page in reversed(pages)] if from_end else list(pages)


def _can_ask() -> bool:
    """Tell whether whoever reads the pages can say to turn them."""
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    from agentcli.terminal.plain import is_one_terminal  # noqa: PLC0415  # slow to load, and for people alone

    return is_one_terminal(sys.stdin, sys.stdout)

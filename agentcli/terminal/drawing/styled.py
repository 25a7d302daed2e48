"""Lines made of styled pieces, as plain text or with the terminal's colours."""

import os
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct


class Style(StrEnum):
    """What a piece of a line is, not how it looks."""

    PLAIN = "plain"
    FAINT = "faint"
    STRONG = "strong"
    GOOD = "good"
    CARE = "care"
    BAD = "bad"


class Span(Struct, frozen=True):
    """A piece of a line; its text is safe to draw."""

    text: str
    style: Style = Style.PLAIN


Line = tuple[Span, ...]

_SGR: Final[Mapping[Style, str]] = {
    Style.FAINT: "2",
    Style.STRONG: "1",
    Style.GOOD: "32",
    Style.CARE: "33",
    Style.BAD: "31",
}


def is_dumb(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal understands no sequences: it says so, or nothing where every terminal does."""
    return environment.get("TERM", "dumb" if os.name == "posix" else "") in ("dumb", "unknown")


def has_colour(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether colours may be used: a terminal that has them, and no NO_COLOR that says otherwise."""
    return is_terminal and not environment.get("NO_COLOR") and not is_dumb(environment)


def plain(line: Line) -> str:
    """Return the line's text alone."""
    return "".join(span.text for span in line)


def draw(line: Line, *, colour: bool) -> str:
    """Return the line as it is written to the terminal."""
    return "".join(_drawn(span) for span in line) if colour else plain(line)


def draw_all(lines: Iterable[Line], *, colour: bool) -> str:
    """Return the lines as they are written, each with its line end."""
    return "".join(draw(line, colour=colour) + "\n" for line in lines)


def _drawn(span: Span) -> str:
    sgr = _SGR.get(span.style)
    return span.text if sgr is None or not span.text else f"\x1b[{sgr}m{span.text}\x1b[0m"

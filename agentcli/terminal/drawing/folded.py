"""A line of styled pieces, folded to a width. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.styled import Line, Span, draw, plain

INDENT: Final = "  "
"""What stands before each piece of a line but the first, so that none of them can pass for a line of ours."""


def fold_line(line: Line, width: int) -> Iterator[Line]:
    """Yield the line as lines of at most `width` cells, all but the first set in."""
    rest = list(line)
    for number, part in enumerate(fold(plain(line), width, INDENT)):
        lead = INDENT if number else ""
        taken, rest = _split(rest, len(part) - len(lead))
        yield (*((Span(lead),) if lead else ()), *taken)


def fold_text(text: str, width: int) -> str:
    """Return a line that is safe to draw as rows of at most `width` cells, all but the first set in."""
    return "\n".join(piece.rstrip() for piece in fold(text, width, INDENT))


def draw_folded(line: Line, width: int, *, colour: bool) -> str:
    """Return the line as text of rows of at most `width` cells."""
    return "\n".join(draw(row, colour=colour) for row in fold_line(line, width))


def _split(spans: Sequence[Span], length: int) -> tuple[list[Span], list[Span]]:
    """Return the pieces of the first so many characters, and the others."""
    before: list[Span] = []
    for number, span in enumerate(spans):
        if length < len(span.text):
            ends = [Span(span.text[:length], span.style)] if length else []
            return before + ends, [Span(span.text[length:], span.style), *spans[number + 1 :]]
        before.append(span)
        length -= len(span.text)
    return before, []

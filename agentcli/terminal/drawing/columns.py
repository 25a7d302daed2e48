"""Rows of text in columns. Pure."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from agentcli.terminal.drawing.fold import cell_width, fit, fold
from agentcli.visible import visible_line

GAP: Final = "  "
LEAST_LAST: Final = 12
"""Cells below which the last column is of no use and is left out."""


def aligned(rows: Sequence[Sequence[str]], *, width: int | None) -> list[str]:
    """Return the rows as lines that are safe to draw, each column as wide as its widest cell.

    Args:
        width: Cells to fit the last column into; None leaves it as it is.
    """
    shown = [[visible_line(cell) for cell in row] for row in rows]
    widths = [max(map(cell_width, column)) for column in zip(*(row[:-1] for row in shown), strict=True)]
    room = 0 if width is None else width - sum(cells + len(GAP) for cells in widths)
    lines = []
    for *cells, last in shown:
        padded = [cell + " " * (most - cell_width(cell)) for cell, most in zip(cells, widths, strict=True)]
        rest = [last] if width is None else [fit(last, room)] if room >= LEAST_LAST else []
        lines.append(GAP.join([*padded, *rest]).rstrip())
    return lines


def whole(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    width: int,
    narrow: Callable[[Sequence[str]], Sequence[str]] = lambda cells: [GAP.join(cells)],
) -> Iterator[str]:
    """Yield the rows as lines that are safe to draw, of at most `width` cells, with nothing cut.

    The last cell of each stands beside the others where every one has room there, else below them. A screen
    without room for the others gets neither columns nor header.

    Args:
        narrow: How the other cells are told without columns: a line, and what stands below it.
    """
    beside = aligned([header, *rows], width=None)
    heads = aligned([(*cells, "") for *cells, _ in (header, *rows)], width=None)
    if max(map(cell_width, beside)) <= width:
        yield from beside
    elif max(map(cell_width, heads)) <= width:
        yield heads[0]
        for head, (*_, last) in zip(heads[1:], rows, strict=True):
            yield head
            yield from _below(last, width)
    else:
        for *cells, last in rows:
            first, *others = narrow(cells)
            yield from _folded(first, width)
            for text in (*others, last):
                yield from _below(text, width)


def _below(text: str, width: int) -> Iterator[str]:
    """Yield a text, set in below what it is about; nothing where there is none."""
    if text:
        yield from (GAP + line for line in _folded(text, width - len(GAP)))


def _folded(text: str, width: int) -> Iterator[str]:
    return (line.rstrip() for line in fold(visible_line(text), width))

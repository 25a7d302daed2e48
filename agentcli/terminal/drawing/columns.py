"""Rows of text in columns. Pure."""

from collections.abc import Sequence
from typing import Final

from agentcli.terminal.drawing.fold import cell_width, fit
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

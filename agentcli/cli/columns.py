"""Rows of text in columns."""

import shutil
from collections.abc import Sequence
from typing import Final

from agentcli.terminal.fold import cell_width, fit
from agentcli.visible import visible_line

GAP: Final = "  "
LEAST_LAST: Final = 12
"""Cells below which the last column is of no use and is left out."""


def aligned(rows: Sequence[Sequence[str]], *, cut: bool = True) -> list[str]:
    """Return the rows as lines that are safe to draw, each column as wide as its widest cell.

    Args:
        cut: Whether to fit the last column into what is left of the terminal's width, 80 without one.
    """
    shown = [[visible_line(cell) for cell in row] for row in rows]
    widths = [max(map(cell_width, column)) for column in zip(*(row[:-1] for row in shown), strict=True)]
    room = shutil.get_terminal_size().columns - sum(width + len(GAP) for width in widths)
    lines = []
    for *cells, last in shown:
        padded = [cell + " " * (width - cell_width(cell)) for cell, width in zip(cells, widths, strict=True)]
        rest = [last] if not cut else [fit(last, room)] if room >= LEAST_LAST else []
        lines.append(GAP.join([*padded, *rest]).rstrip())
    return lines

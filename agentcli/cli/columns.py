"""Rows of text in columns."""

import shutil
from collections.abc import Sequence
from typing import Final

from agentcli.terminal.fold import cell_width, fit
from agentcli.visible import visible_line

GAP: Final = "  "
LEAST_LAST: Final = 20
"""Cells that the last column gets however narrow the terminal is."""


def aligned(rows: Sequence[Sequence[str]], *, cut: bool = True) -> list[str]:
    """Return the rows as lines that are safe to draw, each column as wide as its widest cell.

    Args:
        cut: Whether to cut off the last column what does not fit into the terminal's width, 80 without one.
    """
    shown = [[visible_line(cell) for cell in row] for row in rows]
    widths = [max(map(cell_width, column)) for column in zip(*shown, strict=True)]
    if cut:
        room = shutil.get_terminal_size().columns - sum(width + len(GAP) for width in widths[:-1])
        shown = [[*row[:-1], fit(row[-1], max(room, LEAST_LAST))] for row in shown]
    return [GAP.join(map(_padded, row, widths)).rstrip() for row in shown]


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - cell_width(cell))

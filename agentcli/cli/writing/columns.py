"""Rows of text in columns, as wide as the terminal."""

from collections.abc import Sequence

from agentcli.terminal.drawing import columns
from agentcli.terminal.faces.printed import terminal_size


def aligned(rows: Sequence[Sequence[str]], *, cut: bool = True) -> list[str]:
    """Return the rows as lines that are safe to draw, each column as wide as its widest cell.

    Args:
        cut: Whether to fit the last column into what is left of the terminal's width, 80 without one.
    """
    return columns.aligned(rows, width=terminal_size().columns if cut else None)

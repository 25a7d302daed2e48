"""How many rows the frame takes once the window became narrower: many terminals fold what no longer fits. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_FOLDS: Final = (
    # variable              how its value begins
    ("TERM",                ("tmux", "xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm")),
    ("TERM_PROGRAM",        ("tmux", "iTerm.app", "Apple_Terminal", "vscode", "WezTerm", "ghostty")),
    ("VTE_VERSION",         ("",)),
    ("KITTY_WINDOW_ID",     ("",)),
    ("ALACRITTY_WINDOW_ID", ("",)),
    ("KONSOLE_VERSION",     ("",)),
    ("WT_SESSION",          ("",)),
)  # fmt: skip


def folds_on_resize(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is known to fold rows that a narrower window has no room for.

    Where it is not known, the rows are taken to be cut: then what folds leaves a piece of an old frame behind,
    and nothing that was printed is erased.
    """
    # A multiplexer stands between the terminal, whose variables it may have inherited, and us.
    if environment.get("TMUX"):
        return True
    if environment.get("STY"):
        return False
    return any(name in environment and environment[name].startswith(beginning) for name, beginning in _FOLDS)


def folded_rows(cells: Iterable[int], columns: int) -> int:
    """Return how many rows of so many columns a row takes, given the width of each of its characters in turn."""
    rows, used = 1, 0
    for width in cells:
        if used + width > columns:
            rows, used = rows + 1, 0
        used += width
    return rows


def rows_above_cursor(frame: Sequence[Sequence[int]], row: int, column: int, columns: int) -> int:
    """Return how many rows of the folded frame stand above the cursor, which was at that row and column of it."""
    above = sum(folded_rows(cells, columns) for cells in frame[:row])
    return above + column // max(columns, 1)

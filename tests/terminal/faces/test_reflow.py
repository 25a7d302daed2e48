"""Where a frame begins once the window has become narrower."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.faces.reflow import folded_rows, folds_on_resize, rows_above_cursor


@pytest.mark.parametrize(
    ("environment", "folds"),
    [
        pytest.param({}, False, id="unknown"),
        pytest.param({"TERM": "xterm-256color"}, False, id="xterm"),
        pytest.param({"TERM": "xterm-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, True, id="tmux"),
        pytest.param({"TERM": "tmux-256color"}, True, id="tmux-at-the-other-end"),
        pytest.param({"TERM": "screen", "STY": "1.pts-0", "VTE_VERSION": "7800"}, False, id="screen-in-another"),
        pytest.param({"TERM": "screen", "TMUX": "x", "STY": "1.pts-0"}, True, id="tmux-in-screen"),
        pytest.param({"TERM": "xterm-256color", "VTE_VERSION": "7800"}, True, id="gnome-terminal"),
        pytest.param({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, True, id="iterm"),
        pytest.param({"TERM": "xterm-kitty"}, True, id="kitty"),
    ],
)
def test_terminals_that_fold_are_known_by_their_environment(environment: dict[str, str], folds: bool) -> None:
    """Of an unknown one it is taken that it cuts, so that no printed line is ever erased."""
    assert folds_on_resize(environment) is folds


@pytest.mark.parametrize(
    ("cells", "columns", "rows"),
    [
        ([], 10, 1),
        ([1] * 10, 10, 1),
        ([1] * 11, 10, 2),
        ([1] * 21, 10, 3),
        ([2] * 5, 10, 1),
        ([2] * 5, 9, 2),
        ([1, 2, 2], 2, 3),
    ],
)
def test_a_row_folds_where_the_next_character_does_not_fit(cells: list[int], columns: int, rows: int) -> None:
    """A wide character is never split."""
    assert folded_rows(cells, columns) == rows


def test_the_rows_above_the_cursor_are_those_of_folded_rows() -> None:
    """And those of its own row before it."""
    frame = [[1] * 80, [1] * 20, []]
    assert rows_above_cursor(frame, 3, 2, columns=80) == 3
    assert rows_above_cursor(frame, 3, 2, columns=30) == 3 + 1 + 1
    assert rows_above_cursor(frame, 3, 32, columns=30) == 3 + 1 + 1 + 1
    assert rows_above_cursor(frame, 0, 2, columns=30) == 0


@given(st.lists(st.lists(st.just(1), max_size=40), max_size=5), st.integers(40, 200))
def test_where_everything_fits_nothing_moves(frame: list[list[int]], columns: int) -> None:
    """A window that did not become narrower finds the frame where it was drawn."""
    assert rows_above_cursor(frame, len(frame), 5, columns) == len(frame)

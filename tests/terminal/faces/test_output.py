"""What is written to a terminal to take the frame away."""

import io

import pyte
import pytest
from prompt_toolkit.data_structures import Size

from agentcli.terminal.faces.output import SteadyOutput


@pytest.mark.parametrize("row", [0, 1, 3])
def test_erasing_takes_away_the_row_and_all_below(row: int) -> None:
    """What stands above stays, and so does the cursor."""
    screen = pyte.Screen(10, 4)
    stream = pyte.Stream(screen)
    stream.feed("\r\n".join(["one", "two", "three", "four"]))
    screen.cursor_position(row + 1, 1)
    stream.feed(erasing())
    assert [line.strip() for line in screen.display] == ["one", "two", "three", "four"][:row] + [""] * (4 - row)
    assert (screen.cursor.y, screen.cursor.x) == (row, 0)


def test_the_screen_is_never_erased_from_its_top_at_once() -> None:
    """tmux takes that for a clear and keeps a copy of the frame in its history."""
    assert not erasing().startswith(("\x1b[J", "\x1b[0J"))


def erasing() -> str:
    """What is written."""
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=4, columns=10), term="xterm")
    output.erase_down()
    output.flush()
    return written.getvalue()

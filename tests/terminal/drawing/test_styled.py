"""Lines with and without colour."""

import pytest

from agentcli.terminal.drawing.styled import Span, Style, draw, draw_all, has_colour, is_dumb, plain

LINE = (Span("[ask]", Style.CARE), Span(" add_expense"), Span("", Style.BAD))


def test_without_colour_a_line_is_its_text() -> None:
    """No control code is left."""
    assert draw(LINE, colour=False) == plain(LINE) == "[ask] add_expense"


def test_with_colour_each_piece_ends_its_own() -> None:
    """Nothing runs on into what follows."""
    assert draw(LINE, colour=True) == "\x1b[33m[ask]\x1b[0m add_expense"


def test_every_line_has_its_end() -> None:
    """Lines don't run into each other."""
    assert draw_all([LINE, LINE], colour=False) == "[ask] add_expense\n" * 2


@pytest.mark.parametrize(
    ("environment", "is_terminal", "colour"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
        ({"TERM": "xterm"}, False, False),
    ],
)
def test_colour_comes_only_where_the_terminal_has_it(
    environment: dict[str, str], is_terminal: bool, colour: bool
) -> None:
    """NO_COLOR is kept; empty it says nothing."""
    assert has_colour(environment, is_terminal=is_terminal) is colour


@pytest.mark.parametrize(
    ("environment", "dumb"),
    [({"TERM": "dumb"}, True), ({"TERM": "unknown"}, True), ({"TERM": "xterm"}, False), ({}, True)],
)
def test_a_terminal_that_says_nothing_of_itself_is_dumb(environment: dict[str, str], dumb: bool) -> None:
    """On systems where every terminal says what it is."""
    assert is_dumb(environment) is dumb

"""Rows in columns."""

import pytest

from agentcli.terminal.drawing.columns import aligned, whole

ROWS = [("a", "long", "the last one"), ("bcd", "x", "short")]


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (80, ["a    long  the last one", "bcd  x     short"]),
        (23, ["a    long  the last one", "bcd  x     short"]),
        (22, ["a    long", "bcd  x"]),
        (None, ["a    long  the last one", "bcd  x     short"]),
    ],
)
def test_columns_are_as_wide_as_their_widest_cell(width: int | None, lines: list[str]) -> None:
    """The last one gets what room is left, and is left out where that is of no use."""
    assert aligned(ROWS, width=width) == lines


def test_the_last_column_is_cut_to_its_room() -> None:
    """With a sign that it was."""
    assert aligned([("a", "the last one of all")], width=16) == ["a  the last one…"]


def test_what_hides_is_marked() -> None:
    """A cell may come from outside."""
    assert aligned([("a\x1b", "b")], width=None) == ["a⟨U+001B⟩  b"]


HEADER = ("id", "how", "what")


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (23, ["id   how   what", "a    long  the last one", "bcd  x     short"]),
        (22, ["id   how", "a    long", "  the last one", "bcd  x", "  short"]),
        (9, ["id   how", "a    long", "  the", "  last", "  one", "bcd  x", "  short"]),
        (8, ["a  long", "  the", "  last", "  one", "bcd  x", "  short"]),
    ],
)
def test_nothing_is_cut_of_what_is_needed_whole(width: int, lines: list[str]) -> None:
    """The last cells stand beside the others where every one has room, else below; without columns if need be."""
    assert list(whole(HEADER, ROWS, width=width)) == lines


def test_other_cells_can_be_told_in_another_way_without_columns() -> None:
    """What is left of them stands below the first line too, and an empty last cell takes no row."""
    rows = [("a", "long", "the last"), ("b", "long", "")]
    told = list(whole(HEADER, rows, width=7, narrow=lambda cells: [f"{cells[0]}:", cells[1]]))
    assert told == ["a:", "  long", "  the", "  last", "b:", "  long"]

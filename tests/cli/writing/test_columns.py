"""Rows of text in columns."""

from hypothesis import given
from hypothesis import strategies as st

from agentcli.cli.writing.columns import aligned
from agentcli.terminal.drawing.fold import cell_width


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    """Wide characters count as two cells."""
    assert aligned([("a", "b", "c"), ("長い", "x", "y")], cut=False) == ["a     b  c", "長い  x  y"]


def test_text_from_outside_is_marked() -> None:
    """A cell can't break its row."""
    assert aligned([("a\nb", "c\x1b")], cut=False) == ["a⟨U+000A⟩b  c⟨U+001B⟩"]


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=300)), min_size=1, max_size=5))
def test_every_line_fits_into_80_cells(rows: list[tuple[str, str]]) -> None:
    """Without a terminal the width is 80, unless the first columns alone need more."""
    lines = aligned(rows)
    first = max(cell_width(line) for line in aligned([(row[0], "") for row in rows], cut=False))
    assert len(lines) == len(rows)
    assert all(cell_width(line) <= max(80, first) for line in lines)

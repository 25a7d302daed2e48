"""Text in cells, folded so that nothing is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.fold import cell_width, fit, fold
from agentcli.visible import visible_line

shown = st.text(st.characters(codec="utf-8")).map(visible_line)
widths = st.integers(2, 50)


@given(shown, widths)
def test_folding_loses_nothing(text: str, width: int) -> None:
    """The lines joined are the text again."""
    assert "".join(fold(text, width)) == text


@given(shown, widths, st.integers(0, 3))
def test_no_line_is_wider_than_the_width(text: str, width: int, indent: int) -> None:
    """Indent and wide characters included."""
    room = max(width, indent + 2)
    assert all(cell_width(line) <= room for line in fold(text, room, " " * indent))


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, [""]),
        ("12345", 5, ["12345"]),
        ("123456", 5, ["12345", "6"]),
        ("to be or not", 8, ["to be ", "or not"]),
        ("to bee or not", 8, ["to bee ", "or not"]),
        ("a bcdefghijk", 8, ["a bcdefg", "hijk"]),
        ("日本語", 4, ["日本", "語"]),
        ("日本語", 5, ["日本", "語"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
    ],
)
def test_lines_break_after_a_blank_where_one_is_near(text: str, width: int, lines: list[str]) -> None:
    """Otherwise they break where the room ends."""
    assert fold(text, width) == lines


def test_later_lines_are_indented() -> None:
    """The first one is not."""
    assert fold("1234567", 5, "  ") == ["12345", "  67"]


def test_folding_takes_time_in_step_with_the_text() -> None:
    """A megabyte is folded, not copied for each line."""
    assert len(fold("x" * 1_000_000, 80)) == 12_500


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [("12345", 5, "12345"), ("123456", 5, "1234…"), ("日本語", 4, "日…"), ("ab cd", 4, "ab…"), ("abc", 1, "a…")],
)
def test_what_need_not_be_read_in_full_is_cut_with_a_sign(text: str, width: int, shown: str) -> None:
    """One can see that there is more."""
    assert fit(text, width) == shown

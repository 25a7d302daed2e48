"""Spaces and blank lines can't push anything out of view."""

import pytest

from agentcli.visible import visible, visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a b  c   d", "a b  c   d", id="up-to-three"),
        pytest.param("a    b", "a⟨4 spaces⟩b", id="four"),
        pytest.param("a" + " " * 37 + "b", "a⟨37 spaces⟩b", id="many"),
        pytest.param("pay ", "pay⟨1 space⟩", id="one-at-the-end"),
        pytest.param("  pay", "⟨2 spaces⟩pay", id="two-at-the-start"),
        pytest.param(" ", "⟨1 space⟩", id="nothing-else"),
        pytest.param("x" + " " * 5_000 + "y" + " " * 5_000, "x⟨5000 spaces⟩y⟨5000 spaces⟩", id="flood"),
    ],
)
def test_spaces_that_hide_are_counted(text: str, shown: str) -> None:
    """More than three spaces, and any at an end, are drawn as their count."""
    assert visible_line(text) == shown
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\n" + " " * 16 + "b", "a\n" + " " * 16 + "b", id="sixteen"),
        pytest.param("a\n" + " " * 17 + "b", "a\n⟨17 spaces⟩b", id="seventeen"),
        pytest.param('{\n    "a": [\n        1\n    ]\n}', '{\n    "a": [\n        1\n    ]\n}', id="pretty-json"),
        pytest.param("a\n    b    c", "a\n    b⟨4 spaces⟩c", id="within-an-indented-line"),
        pytest.param("    a\n    a", "⟨4 spaces⟩a\n    a", id="not-on-the-first-line"),
        pytest.param("a\n    ", "a\n⟨4 spaces⟩", id="not-before-nothing"),
        pytest.param("a  \nb", "a⟨2 spaces⟩\nb", id="not-behind"),
        pytest.param("a\n\tb", "a\n⟨U+0009⟩b", id="not-a-tab"),
    ],
)
def test_an_indent_stays_as_it_is(text: str, shown: str) -> None:
    """Up to sixteen spaces before something on a later line are drawn as spaces, so code can be read."""
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\nb\n\nc\n", "a\nb\n\nc\n", id="ordinary"),
        pytest.param("a\n\n\n\nb", "a\n\n\n\nb", id="three"),
        pytest.param("a\n\n\n\n\nb", "a\n⟨4 blank lines⟩\nb", id="four"),
        pytest.param("\n\n\na", "\n\n\na", id="three-first"),
        pytest.param("\n\n\n\na", "⟨4 blank lines⟩\na", id="four-first"),
        pytest.param("a\n\n\n", "a\n\n\n", id="three-last"),
        pytest.param("a\n\n\n\n", "a\n⟨4 blank lines⟩", id="four-last"),
        pytest.param("\n\n", "\n\n", id="three-and-nothing-else"),
        pytest.param("\n\n\n", "⟨4 blank lines⟩", id="four-and-nothing-else"),
        pytest.param(
            "groceries" + "\n" * 5_000 + "TRANSFER", "groceries\n⟨4999 blank lines⟩\nTRANSFER", id="flood"
        ),
        pytest.param("a\n \n \n \n \nb", "a\n⟨1 space⟩⟨4 such lines⟩\nb", id="of-spaces"),
        pytest.param("a" + "\n\t" * 9, "a\n⟨U+0009⟩⟨9 such lines⟩", id="of-tabs"),
        pytest.param("x\n" * 5 + "\t", "x\n" * 5 + "⟨U+0009⟩", id="equal-but-not-blank"),
        pytest.param("a\r\nb", "a⟨U+000D⟩\nb", id="carriage-return-before-the-break"),
    ],
)
def test_blank_lines_are_counted(text: str, shown: str) -> None:
    """Up to three blank lines are drawn, more as their count, also those that only look blank."""
    assert visible(text) == shown


def test_a_line_stays_one_line() -> None:
    """Where one line is promised, a line break is a mark like any other."""
    assert visible_line("a\nb\r\nc\u2028d\x85e") == "a⟨U+000A⟩b⟨U+000D⟩⟨U+000A⟩c⟨U+2028⟩d⟨U+0085⟩e"
    assert visible_line("a" + "\n" * 9 + "b") == "a⟨9 × U+000A⟩b"

"""A character that hides is drawn as a mark with its code, or is counted where it comes in a run."""

from collections.abc import Callable

import pytest

from agentcli.visible import count_hidden, visible, visible_line
from tests.visible.examples import HIDDEN


@pytest.mark.parametrize("draw", [visible, visible_line])
@pytest.mark.parametrize("char", HIDDEN.values(), ids=HIDDEN.keys())
def test_a_hidden_character_is_drawn_as_its_code(char: str, draw: Callable[[str], str]) -> None:
    """Each hidden character changes the screen, alone and between letters."""
    mark = f"⟨U+{ord(char):04X}⟩"
    assert draw(f"a{char}b") == f"a{mark}b"
    assert draw(char) == mark


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[2K\x1b[1Aok", "⟨U+001B⟩[2K⟨U+001B⟩[1Aok", id="cursor-and-erase"),
        pytest.param("\x1b]52;c;eA==\x07", "⟨U+001B⟩]52;c;eA==⟨U+0007⟩", id="clipboard"),
        pytest.param("\x9b2J", "⟨U+009B⟩2J", id="eight-bit-control"),
        pytest.param("hello\x1b[/../../etc/hosts", "hello⟨U+001B⟩[/../../etc/hosts", id="strip-then-grant"),
        pytest.param("safe\rrm", "safe⟨U+000D⟩rm", id="carriage-return"),
        pytest.param("ab\b\bxy", "ab⟨U+0008⟩⟨U+0008⟩xy", id="backspaces"),
        pytest.param("a\tb", "a⟨U+0009⟩b", id="tab"),
        pytest.param("⟨U+202E⟩", "⟨U+27E8⟩U+202E⟩", id="forged-mark"),
        pytest.param("\u2329U+202E\u232a", "⟨U+2329⟩U+202E\u232a", id="forged-mark-look-alike"),
        pytest.param("👨\u200d👩", "👨⟨U+200D⟩👩", id="joined-emoji"),
        pytest.param("❤\ufe0f", "❤⟨U+FE0F⟩", id="emoji-variation"),
        pytest.param("[red]x[/red] :warning:", "[red]x[/red] :warning:", id="markup-is-text"),
        pytest.param("Grüße, цена 340 · 価格 — “ok” ✓ 😀", "Grüße, цена 340 · 価格 — “ok” ✓ 😀", id="ordinary"),
        pytest.param("नमस्ते שָׁלוֹם ภาษาไทย", "नमस्ते שָׁלוֹם ภาษาไทย", id="scripts-that-combine"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_text_of_one_line_is_drawn_alike_in_both_forms(text: str, shown: str) -> None:
    """What hides is marked, what is seen stays, in a line as in a text."""
    assert visible_line(text) == shown
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [(1, "⟨U+200B⟩"), (3, "⟨U+200B⟩⟨U+200B⟩⟨U+200B⟩"), (4, "⟨4 × U+200B⟩"), (5_000, "⟨5000 × U+200B⟩")],
)
def test_a_long_run_of_one_hidden_character_is_drawn_as_its_count(count: int, shown: str) -> None:
    """Up to three equal marks are drawn one by one; a flood of them takes one mark."""
    assert visible_line("a" + "\u200b" * count + "b") == f"a{shown}b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("e\u0301", "e\u0301", id="one"),
        pytest.param("я\u0301", "я\u0301", id="one-outside-ascii"),
        pytest.param("e" + "\u0301\u0302" * 2, "e" + "\u0301\u0302" * 2, id="four"),
        pytest.param("e" + "\u0301\u0302" * 2 + "\u0303", "e" + "\u0301\u0302" * 2 + "⟨U+0303⟩", id="five"),
        pytest.param("e" + "\u0301" * 30 + "x\u0301", "e" + "\u0301" * 4 + "⟨26 × U+0301⟩x\u0301", id="thirty"),
        pytest.param("\u0301a", "⟨U+0301⟩a", id="at-the-start"),
        pytest.param("a \u0301", "a ⟨U+0301⟩", id="on-a-space"),
        pytest.param("a\u200b\u0301\u0302", "a⟨U+200B⟩⟨U+0301⟩⟨U+0302⟩", id="on-a-mark"),
        pytest.param("9\u0338", "9⟨U+0338⟩", id="stroke-through-a-digit"),
        pytest.param("9\u20dd\u0301", "9⟨U+20DD⟩⟨U+0301⟩", id="circle-around-a-digit"),
        pytest.param("\u1112\u1161\u11ab", "\u1112\u1161\u11ab", id="hangul-taken-apart"),
        pytest.param(" \u1161\ud7b0", "⟨1 space⟩⟨U+1161⟩⟨U+D7B0⟩", id="hangul-vowel-alone"),
    ],
)
def test_what_combines_needs_a_base_and_does_not_pile_up(text: str, shown: str) -> None:
    """Four combining characters may sit on a letter; more, those without a letter, and those that cover it are marked."""
    assert visible_line(text) == shown


def test_what_combines_at_the_start_of_a_line_is_marked() -> None:
    """No character reaches back over a line break."""
    assert visible("a\n\u0301b\n  \u0301c") == "a\n⟨U+0301⟩b\n  ⟨U+0301⟩c"


@pytest.mark.parametrize("char", HIDDEN.values(), ids=HIDDEN.keys())
def test_each_hidden_character_is_counted(char: str) -> None:
    """The warning counts every character that is out of sight."""
    assert count_hidden(f"a{char}b{char}{char}") == 3


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("plain text, 40 €", 0, id="none"),
        pytest.param("two\nlines\n\tand a tab" + " " * 40, 0, id="layout"),
        pytest.param("⟨U+202E⟩", 0, id="a-bracket-is-seen"),
        pytest.param("e\u0301", 0, id="an-accent-is-seen"),
        pytest.param("e" + "\u0301" * 10, 6, id="accents-piled-up"),
        pytest.param("\u0301\n\u0301", 2, id="accents-on-nothing"),
        pytest.param("\u200b" * 5_000, 5_000, id="a-flood"),
        pytest.param("a\r\nb", 1, id="carriage-return"),
    ],
)
def test_what_is_seen_or_is_layout_is_not_counted(text: str, count: int) -> None:
    """Line breaks, tabs, spaces and characters that are drawn are no reason to warn."""
    assert count_hidden(text) == count

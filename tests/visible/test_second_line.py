"""A text that may not be what it looks like is spelled out."""

import re

import pytest
from hypothesis import given

from agentcli.visible import spelled_out
from tests.visible.examples import hostile_text, read_back


@pytest.mark.parametrize(
    ("text", "second"),
    [
        pytest.param("p\u0430ypal", "p⟨U+0430⟩ypal", id="cyrillic-in-latin"),
        pytest.param("pay \u0441\u043e", "pay ⟨U+0441 043E⟩", id="cyrillic-beside-latin"),
        pytest.param("\u03a9mega", "⟨U+03A9⟩mega", id="greek-in-latin"),
        pytest.param("abc \u05d0", "abc ⟨U+05D0⟩", id="hebrew-beside-latin"),
        pytest.param("\u13a1\u13d2o", "⟨U+13A1 13D2⟩o", id="cherokee-in-latin"),
        pytest.param("\u0440\u6f22", "⟨U+0440 6F22⟩", id="cyrillic-beside-han"),
        pytest.param("\u0440\u3021", "⟨U+0440 3021⟩", id="cyrillic-beside-a-numeral"),
        pytest.param("\u30ab\u310b", "⟨U+30AB 310B⟩", id="kana-beside-bopomofo"),
        pytest.param("total \u0661\u0660", "total ⟨U+0661 0660⟩", id="arabic-digits-beside-latin"),
        pytest.param("\ufb01le", "⟨U+FB01⟩le", id="ligature"),
        pytest.param("\uff50ay", "⟨U+FF50⟩ay", id="full-width"),
        pytest.param("x\u00b2", "x⟨U+00B2⟩", id="superscript"),
        pytest.param("cafe\u0301", "cafe⟨U+0301⟩", id="decomposed"),
        pytest.param("a\u00a0b", "a⟨U+00A0⟩b", id="no-break-space"),
        pytest.param("\u0440a 🇩🇪🇫🇷", "⟨U+0440⟩a ⟨flag DE FR⟩", id="flags-by-their-letters"),
        pytest.param("\u0440a 🇩🇪🇫", "⟨U+0440⟩a ⟨flag DE F⟩", id="half-a-flag"),
        pytest.param("\u0440a " + "🇩🇪" * 4, "⟨U+0440⟩a ⟨4 × flag DE⟩", id="many-of-a-flag"),
        pytest.param("\u0440a " + "🇩🇪" * 3, "⟨U+0440⟩a ⟨flag DE DE DE⟩", id="few-of-a-flag"),
        pytest.param("\u0440\u0441\u0441\u0441\u0441\u0440a", "⟨U+0440⟩⟨4 × U+0441⟩⟨U+0440⟩a", id="many-of-one"),
        pytest.param(
            "\ufb01    ⟨\u200b\n", "⟨U+FB01⟩⟨4 spaces⟩⟨U+27E8 200B 000A⟩", id="everything-else-marked-too"
        ),
    ],
)
def test_a_text_that_may_deceive_is_spelled_out(text: str, second: str) -> None:
    """Mixed scripts, and characters that stand for others, are shown once more in ASCII and marks."""
    assert spelled_out(text) == second


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("add 300 for groceries\t\x1b", id="ascii"),
        pytest.param("Grüße, ˇ, Hawai\u02bbi, 40 €", id="latin"),
        pytest.param("оплата за 2026", id="cyrillic-and-digits"),
        pytest.param("Ελληνικά", id="greek"),
        pytest.param("日本語のカード Amazon", id="japanese-and-latin"),
        pytest.param("\u4eba\u3005\u3021\u3042\U0001b002", id="han-by-other-names"),
        pytest.param("한국어 漢字 KB", id="korean-and-latin"),
        pytest.param("\u3105\u4eba abc", id="bopomofo-and-latin"),
        pytest.param("\u0633\u06f1\u0661", id="persian-digits"),
        pytest.param("hidden\u200b", id="hidden-but-of-one-script"),
        pytest.param("ok ✓ — · 😀", id="signs"),
    ],
)
def test_an_ordinary_text_needs_no_second_line(text: str) -> None:
    """One script, or Chinese, Japanese or Korean beside Latin, is not spelled out."""
    assert spelled_out(text) is None


def test_the_second_line_is_short() -> None:
    """A run of letters takes five cells for each of them, a flag three."""
    assert len(spelled_out("a " + "\u0440\u0441" * 50) or "") == len("a ⟨U+⟩") + 100 * len("0440 ") - 1
    assert len(spelled_out("a\u0440 " + "🇩🇪🇫🇷" * 50) or "") == len("a⟨U+0440⟩ ⟨flag ⟩") + 100 * len("DE ") - 1


@given(hostile_text)
def test_the_second_line_is_ascii_and_marks(text: str) -> None:
    """The second line can't deceive in its turn, and loses nothing."""
    second = spelled_out(text)
    if second is not None:
        assert set(re.sub(r"[⟨×⟩]", "", second)) <= set(map(chr, range(0x20, 0x7F)))
        assert read_back(second) == text

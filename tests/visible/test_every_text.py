"""Whatever the text: it is drawn whole, can be seen, and can't be taken for another."""

import re
import unicodedata

from hypothesis import example, given

from agentcli.visible import LONGEST_INDENT, visible, visible_line
from tests.visible.examples import hostile_text, read_back


@given(hostile_text)
@example("a" + " " * 4)
@example("\n" * 3)
@example("⟨4 blank lines⟩\n\n\n\n\n")
def test_two_texts_never_look_the_same(text: str) -> None:
    """From what is drawn the text can be read back, so nothing is stripped and no mark can be forged."""
    assert read_back(visible(text)) == text
    assert read_back(visible_line(text)) == text


# Planes 2 to 13 hold ideographs and nothing yet, planes 15 and 16 private use.
EVERY_KIND = [*map(chr, range(0x20000)), *map(chr, range(0xE0000, 0xE1000)), "\U0010ffff"]


def is_drawable(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and (
        char == " " or unicodedata.category(char) != "Zs"
    )


@given(hostile_text)
def test_what_is_drawn_can_be_seen(text: str) -> None:
    """Controls, formats, surrogates, private and unassigned characters and odd blanks never reach the screen."""
    assert all(map(is_drawable, visible_line(text)))
    assert all(map(is_drawable, visible(text).replace("\n", "")))


@given(hostile_text)
def test_no_run_of_blanks_pushes_the_rest_out_of_view(text: str) -> None:
    """More than three spaces in a row occur only as an indent, and four blank lines in a row never."""
    assert "    " not in visible_line(text)
    lines = visible(text).split("\n")
    assert all(
        "    " not in line.lstrip(" ") and len(line) - len(line.lstrip(" ")) <= LONGEST_INDENT for line in lines
    )
    assert "\n\n\n\n\n" not in visible(text)


@given(hostile_text)
def test_no_end_of_a_line_is_out_of_sight(text: str) -> None:
    """Spaces at the end of a line, or at the start of the text, are always marked."""
    assert not visible(text).startswith(" ")
    assert not visible_line(text).startswith(" ")
    assert not any(line.endswith(" ") for line in visible(text).split("\n"))


def test_of_all_characters_just_those_that_can_be_seen_are_drawn() -> None:
    """Code point by code point, on a letter: only visible characters and what combines with the letter stay."""
    everything = "".join(f"a{char}" for char in EVERY_KIND)
    shown = visible_line(everything)
    marked = {chr(int(code, 16)) for code in re.findall(r"⟨U\+([0-9A-F]{4,6})⟩", shown)}
    undrawable = {char for char in EVERY_KIND if not is_drawable(char)}
    assert undrawable <= marked
    by_hand = {char for char in marked - undrawable if unicodedata.category(char)[0] != "M"}
    brackets = set("\u27e8\u2329\u3008\u276c\u29fc")
    fillers = set("\u115f\u1160\u2800\u303f\u3164\uffa0\ufffc\U0001d159\U00013441\U00013442")
    assert by_hand == {char for char in brackets | fillers if is_drawable(char)}

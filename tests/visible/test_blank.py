"""A text that shows nothing is blank, whatever it is made of."""

import pytest
from hypothesis import given

from agentcli.visible import is_blank
from tests.visible.examples import HIDDEN, hostile_text

MAY_BE_DRAWN = {"private use", "private use plane 16", "unassigned", "noncharacter"}
BLANKS = {name: char for name, char in HIDDEN.items() if name not in MAY_BE_DRAWN}


@pytest.mark.parametrize("text", ["", " ", "\t\n ", *BLANKS.values()], ids=["none", "space", "layout", *BLANKS])
def test_what_shows_nothing_is_blank(text: str) -> None:
    """Nothing, spaces, and each character that is drawn as nothing or as a blank."""
    assert is_blank(text)
    assert is_blank(f" {text}\u200b\n{text}")


@pytest.mark.parametrize("text", ["a", "0", ".", "⟨", "\u0301", "日", "😀", "\ue000", "\u0378", "\u200b\u200b-"])
def test_what_shows_anything_is_not(text: str) -> None:
    """Also a character that this Python may be too old to know."""
    assert not is_blank(text)


@given(hostile_text, hostile_text)
def test_two_texts_are_blank_together_if_each_is(one: str, other: str) -> None:
    """There is no blank that takes two pieces to make."""
    assert is_blank(one + other) == (is_blank(one) and is_blank(other))

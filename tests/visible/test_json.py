"""JSON that is printed reads the same, and nothing in it hides or steers a terminal."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentcli.visible import json_escape, valid_unicode, visible_json, visible_line
from tests.visible.examples import HIDDEN, hostile_text

ANY_JSON = st.recursive(
    hostile_text.map(valid_unicode) | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(hostile_text.map(valid_unicode), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(ANY_JSON)
def test_it_reads_the_same(value: object) -> None:
    """A program gets every character, spelled out or not."""
    assert json.loads(visible_json(json.dumps(value, ensure_ascii=False))) == value


@given(ANY_JSON)
@example("\u0301")
@example('"\u0301')
def test_nothing_in_it_hides(value: object) -> None:
    """What would be a mark in the terminal view stands there as an escape; runs of spaces stay what they are."""
    shown = visible_json(json.dumps(value, ensure_ascii=False))
    assert visible_line(shown.replace(" ", "")) == shown.replace(" ", "")


SPELLED = {name: char for name, char in HIDDEN.items() if char >= " "}
"""Those of the first 32 that are within a string are spelled out by every JSON writer."""


@pytest.mark.parametrize("char", SPELLED.values(), ids=SPELLED.keys())
def test_a_hidden_character_is_spelled_out(char: str) -> None:
    """As JSON does it in ASCII."""
    assert visible_json(f'"a{char}b"') == f'"a{json_escape(char)}b"'


@pytest.mark.parametrize(
    "text", ['"Grüße, цена 340 · 価格 — “ok” ✓ 😀"', '{"a":[1,2.50,null,"x"]}', '"नमस्ते שָׁלוֹם ภาษาไทย"']
)
def test_what_can_be_read_stays_as_it_is(text: str) -> None:
    """People read JSON too."""
    assert visible_json(text) == text


def test_it_is_one_line() -> None:
    """Also where a part of it was written over several lines by somebody else."""
    text = '{\n\t"a": [1,\r\n 2], "b": "\\n"}'
    shown = visible_json(text)
    assert (shown.isprintable(), json.loads(shown)) == (True, json.loads(text))

"""The second line of what may deceive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.drawing.spelling import spelled_json, spelled_texts, spelled_value, with_spelling
from agentcli.tools.json_text import Json, Number
from agentcli.visible import in_ascii
from tests.visible.examples import hostile_text


@pytest.mark.parametrize(
    ("value", "second"),
    [
        pytest.param("p\u0430y", "p⟨U+0430⟩y", id="a-text"),
        pytest.param({"to": ["p\u0430y"]}, '{"to":["p⟨U+0430⟩y"]}', id="deep-inside"),
        pytest.param({"t\u043e": "a"}, '{"t⟨U+043E⟩":"a"}', id="a-name"),
        pytest.param([Number("1"), "\ufb01"], '[1,"⟨U+FB01⟩"]', id="a-ligature"),
        pytest.param({"item": "оплата"}, None, id="one-script-beside-our-names"),
        pytest.param(["оплата", "Amazon"], None, id="texts-of-one-script-each"),
        pytest.param({"amount": Number("300"), "is": True, "not": None}, None, id="no-texts"),
    ],
)
def test_a_value_is_spelled_out_if_one_of_its_texts_deceives(value: Json, second: str | None) -> None:
    """Names and texts are looked at one by one."""
    assert spelled_value(value) == second


@pytest.mark.parametrize(
    ("text", "second"),
    [
        pytest.param('{"to": "p\u0430y"}', '{"to":"p⟨U+0430⟩y"}', id="short"),
        pytest.param('{"to": "p\u0430y and more"}', '{"to":"p⟨U+0430⟩y a… +9 more', id="cut"),
        pytest.param('{"to": "well beyond p\u0430y"}', '{"to":"well⟨1 space⟩… +12 more', id="beyond-the-cut"),
        pytest.param("{p\u0430y", "{p⟨U+0430⟩y", id="no-json"),
        pytest.param('{"to": "pay"}', None, id="plain"),
    ],
)
def test_json_text_is_cut_like_the_line_above_it(text: str, second: str | None) -> None:
    """And says how much more there is."""
    assert spelled_json(text, 12) == second


def test_only_lines_that_need_it_get_a_second_one() -> None:
    """The others stand for themselves."""
    assert list(with_spelling(["pay", "p\u0430y"])) == ["that is: p⟨U+0430⟩y"]


LONG = "p\u0430y " + "\u043e\u0442" * 10 + "!"


@pytest.mark.parametrize(
    ("line", "second"),
    [
        pytest.param(f"will note: {LONG}", "that is: will note: ⟨text as above⟩", id="as-it-is"),
        pytest.param(f"{LONG}, {LONG}", "that is: ⟨text as above⟩, ⟨text as above⟩", id="twice"),
        pytest.param(f"{LONG[:-2]}\u0430", f"that is: {in_ascii(LONG[:-2] + chr(0x430))}", id="another"),
        pytest.param(f"{LONG}\u0430", "that is: ⟨text as above⟩⟨U+0430⟩", id="with-more-of-it"),
        pytest.param(f"\u0430{LONG}", "that is: ⟨U+0430⟩⟨text as above⟩", id="behind-more"),
    ],
)
def test_what_was_spelled_out_above_is_referred_to(line: str, second: str) -> None:
    """A long text need not be read twice."""
    assert list(with_spelling([line], {"text": LONG})) == [second]


def test_a_short_text_is_spelled_out_again() -> None:
    """Where to refer to it would take more room."""
    assert list(with_spelling(["p\u0430y"], {"text": "p\u0430y"})) == ["that is: p⟨U+0430⟩y"]


def test_only_texts_with_a_second_line_and_a_plain_name_are_referred_to() -> None:
    """A name could pass for the end of a mark."""
    members = [("text", LONG), ("x⟩", LONG), ("a b", LONG), ("plain", "pay"), ("amount", Number("3"))]
    assert spelled_texts(members) == {"text": LONG}


@given(st.lists(hostile_text, max_size=3).map("".join), hostile_text)
def test_the_reference_loses_nothing(line: str, text: str) -> None:
    """With the text in the place of the reference the line reads as without it."""
    for with_reference, without in zip(
        with_spelling([line, text + line, line + text], {"text": text}),
        with_spelling([line, text + line, line + text]),
        strict=True,
    ):
        assert with_reference.replace("⟨text as above⟩", in_ascii(text)) == without


@given(hostile_text)
def test_the_second_line_is_made_of_ascii_and_marks(text: str) -> None:
    """It can't deceive in its turn."""
    for second in (spelled_value([text]), spelled_value(text, 5)):
        assert second is None or set(second) <= {*map(chr, range(0x20, 0x7F)), *"⟨×⟩…"}

"""The second line of what may deceive."""

import pytest
from hypothesis import given

from agentcli.terminal.drawing.spelling import spelled_json, spelled_value, with_spelling
from agentcli.tools.json_text import Json, Number
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


@given(hostile_text)
def test_the_second_line_is_made_of_ascii_and_marks(text: str) -> None:
    """It can't deceive in its turn."""
    for second in (spelled_value([text]), spelled_value(text, 5)):
        assert second is None or set(second) <= {*map(chr, range(0x20, 0x7F)), *"⟨×⟩…"}

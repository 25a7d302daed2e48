"""A call's input goes back to the service as the model wrote it, also where it is no JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.tools.block_input import input_json, written_input


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"id":1}', id="compact"),
        pytest.param('{ "id" : 1.50, "b": "Käse" }', id="as-written"),
        pytest.param('{"id":1,"id":2}', id="a-member-twice"),
        pytest.param("{}", id="empty"),
        pytest.param('{"a":[[],{"b":[1]}]}', id="lists-within"),
        pytest.param('{"a":' + "[" * 63 + "]" * 63 + "}", id="64-levels"),
    ],
)
def test_an_object_is_sent_as_it_was_written(text: str) -> None:
    """Byte for byte: our own schema refuses what is odd about it, not the service."""
    assert input_json(text) == text.encode()
    assert written_input(text.encode()) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"id":', id="cut-short"),
        pytest.param("delete it", id="words"),
        pytest.param("", id="nothing"),
        pytest.param("[1]", id="a-list"),
        pytest.param("null", id="null"),
        pytest.param('{"a":NaN}', id="not-a-number"),
        pytest.param('{"a":"\\ud800"}', id="half-a-surrogate"),
        pytest.param('{"a":' * 65 + "1" + "}" * 65, id="65-levels"),
        pytest.param('{"a":' + "[" * 64 + "]" * 64 + "}", id="65-levels-of-lists"),
        pytest.param('{"a":' * 50_000, id="far-too-deep"),
    ],
)
def test_what_is_no_object_is_kept_as_text_within_one(text: str) -> None:
    """The call has to be answered, and the service takes only objects."""
    assert json.loads(input_json(text)) == {"INVALID_JSON": text}
    assert written_input(input_json(text)) == text


@given(st.text(st.characters(codec="utf-8")))
def test_whatever_was_written_comes_back(text: str) -> None:
    """Any text makes an object that a service takes, and can be read off it again."""
    block = input_json(text)
    assert isinstance(json.loads(block), dict)
    assert written_input(block) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"INVALID_JSON":"{}"}', id="holds-an-object"),
        pytest.param('{"INVALID_JSON":"x","more":"y"}', id="holds-more"),
        pytest.param('{"INVALID_JSON":5}', id="holds-a-number"),
    ],
)
def test_an_object_that_only_looks_like_one_of_ours_is_the_model_s(text: str) -> None:
    """It is taken as the model wrote it."""
    assert written_input(text.encode()) == text


def test_half_a_surrogate_is_marked() -> None:
    """A text that is no Unicode can't be sent; what can is kept."""
    assert written_input(input_json("a\ud800b")) == "a\ufffdb"

"""The body of a request, and inputs inside content blocks."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.models.wire import request_body, tool_use_block
from agentcli.tools.block_input import input_json, written_input
from agentcli.tools.json_text import MAX_LEVELS
from tests.models.making import assistant, request, user


def nested(levels: int) -> str:
    return '{"a":' * (levels - 1) + "{}" + "}" * (levels - 1)


def test_the_body_is_what_the_messages_api_wants() -> None:
    """Model, limit, tools, system and messages; the whole as one JSON object."""
    body = json.loads(request_body(request(user("hello"), tools=["get_total"])))
    assert body == {
        "model": "claude-sonnet-5",
        "max_tokens": 4096,
        "stream": True,
        "tools": [
            {
                "name": "get_total",
                "description": "Does get_total.",
                "input_schema": {"type": "object", "properties": {}},
            }
        ],
        "system": [{"type": "text", "text": "You keep expenses.", "cache_control": {"type": "ephemeral"}}],
        "cache_control": {"type": "ephemeral"},
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hello"}]}],
    }


def test_messages_stand_in_the_body_as_they_are() -> None:
    """Not a byte of the history changes between two requests, so the service's cache finds it again."""
    messages = [user("hello"), assistant("hi"), user("again")]
    first = request_body(request(*messages))
    second = request_body(request(*messages, assistant("yes"), user("more")))
    assert second.startswith(first.removesuffix(b"]}"))


def test_tools_that_may_not_be_called_are_sent_with_tool_choice_none() -> None:
    """A conversation that holds calls needs its tools, even where none may be called."""
    assert json.loads(request_body(request(may_call=False)))["tool_choice"] == {"type": "none"}
    assert "tool_choice" not in json.loads(request_body(request()))


def test_without_tools_there_is_neither_tools_nor_tool_choice() -> None:
    """The service refuses a choice among no tools."""
    body = json.loads(request_body(request(tools=[], may_call=False)))
    assert not {"tools", "tool_choice"} & body.keys()


def test_without_a_system_text_there_is_no_system() -> None:
    """An empty text block would be refused."""
    assert "system" not in json.loads(request_body(request(system="")))


@pytest.mark.parametrize(
    "written",
    ["{}", '{"amount": 1.50}', '{"a":1,"a":2}', '{"bell":"\\u0007"}', ' {"é":"\\u00e9 🧾"}\n', nested(MAX_LEVELS)],
)
def test_an_object_stands_in_its_block_as_written(written: str) -> None:
    """What is a JSON object is not touched: no digit, no blank, no member."""
    assert input_json(written) == written.encode()
    assert written_input(input_json(written)) == written


NO_OBJECTS = ["", "x", "[]", "1", "null", '"text"', '{"a":', '{"a":NaN}', '{"a":1} {}']
REFUSED_OBJECTS = ['{"a":"\\ud800"}', '{"a":1e999}', nested(MAX_LEVELS + 1), nested(5000)]


@pytest.mark.parametrize("written", [*NO_OBJECTS, *REFUSED_OBJECTS], ids=lambda written: written[:20])
def test_what_the_service_would_refuse_is_kept_as_text(written: str) -> None:
    """The block holds an object all the same, and what the model wrote can be had back from it."""
    stored = input_json(written)
    assert json.loads(stored) == {"INVALID_JSON": written}
    assert written_input(stored) == written


def test_an_object_that_only_looks_like_kept_text_is_not_unwrapped() -> None:
    """A model that writes the wrapper itself gets no further than with any other input."""
    for written in ('{"INVALID_JSON":"{}"}', '{"INVALID_JSON":"x","more":"y"}', '{"INVALID_JSON":1}'):
        assert written_input(input_json(written)) == written


def test_half_a_surrogate_pair_that_was_never_escaped_is_replaced() -> None:
    """Text that can't be encoded can't be sent: the block holds valid Unicode whatever was typed."""
    assert json.loads(input_json("\ud800")) == {"INVALID_JSON": "\ufffd"}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_input_has_a_block_that_can_be_sent(written: str) -> None:
    """Whatever a model writes, its call is a block whose input is an object, and nothing of it is lost."""
    block = msgspec.json.decode(tool_use_block("t1", "add_expense", written), type=dict[str, msgspec.Raw])
    assert list(block) == ["type", "id", "name", "input"]
    assert isinstance(json.loads(bytes(block["input"])), dict)
    assert written_input(bytes(block["input"])) == written

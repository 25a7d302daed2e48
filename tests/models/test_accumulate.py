"""Events of a streamed reply become the blocks that are stored and sent back."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from agentcli.models.accumulate import ErrorEvent, MalformedStream
from agentcli.session.allowance import Usage
from agentcli.session.ports import BlockClosed, InputDelta, InputReady, TextDelta
from tests.models.events import START, STOP, Event, begun, closed, delta, take, whole
from tests.models.making import blocks_of, parsed


def test_text_is_joined_from_its_deltas() -> None:
    """A text block holds what its deltas said, and each of them is passed on as it comes."""
    events = whole(
        begun({"type": "text", "text": ""}),
        delta("text_delta", text="340 "),
        delta("text_delta", text="€"),
        closed(),
    )
    assert events == [TextDelta("340 "), TextDelta("€"), BlockClosed('{"type":"text","text":"340 €"}'.encode())]


def test_a_block_may_begin_without_its_text() -> None:
    """A service that leaves the empty text out means an empty text."""
    assert blocks_of(whole(begun({"type": "text"}), delta("text_delta", text="x"), closed())) == [
        b'{"type":"text","text":"x"}'
    ]


def test_thinking_keeps_its_signature_and_is_not_shown() -> None:
    """A thought goes back with its signature, byte for byte, and is no text of the reply."""
    events = whole(
        begun({"type": "thinking", "thinking": "", "signature": ""}),
        delta("thinking_delta", thinking="Tea "),
        delta("thinking_delta", thinking="first."),
        delta("signature_delta", signature="c2ln"),
        closed(),
    )
    assert events == [BlockClosed(b'{"type":"thinking","thinking":"Tea first.","signature":"c2ln"}')]


def test_citations_are_gathered() -> None:
    """Citations stand in their text block in the order they came."""
    events = whole(
        begun({"type": "text", "text": "", "citations": None}),
        delta("citations_delta", citation={"cited_text": "a", "start": 1.50}),
        delta("citations_delta", citation={"cited_text": "b"}),
        closed(),
    )
    assert parsed(blocks_of(events)[0])["citations"] == [{"cited_text": "a", "start": 1.5}, {"cited_text": "b"}]


@pytest.mark.parametrize(
    "block",
    [
        '{"type":"redacted_thinking","data":"abc"}',
        '{"type":"brand_new","depth":{"n":1.50,"big":12345678901234567890123},"none":null}',
        '{"type":"text","text":"","later":[1.0]}',
    ],
)
def test_what_is_unknown_is_kept_as_it_came(block: str) -> None:
    """Blocks and members that this version has never heard of go back byte for byte."""
    start: Event = ("content_block_start", f'{{"type":"content_block_start","index":0,"content_block":{block}}}')
    assert blocks_of(whole(start, closed())) == [block.encode()]


@pytest.mark.parametrize(
    ("pieces", "written", "stored"),
    [
        ([""], "{}", {}),
        ([], "{}", {}),
        (['{"amount": ', "1.50}"], '{"amount": 1.50}', {"amount": 1.5}),
        (['{"id": 1'], '{"id": 1', {"INVALID_JSON": '{"id": 1'}),
        (["nonsense"], "nonsense", {"INVALID_JSON": "nonsense"}),
        (["[1]"], "[1]", {"INVALID_JSON": "[1]"}),
    ],
)
def test_input_is_what_the_model_wrote(pieces: Sequence[str], written: str, stored: Any) -> None:
    """The gate gets the input as written; the block holds it as an object that the service takes back."""
    call = {"type": "tool_use", "id": "t1", "name": "add", "input": {}}
    events = whole(begun(call), *(delta("input_json_delta", partial_json=piece) for piece in pieces), closed())
    assert [event for event in events if isinstance(event, InputDelta)] == [
        InputDelta("t1", one) for one in pieces
    ]
    assert InputReady("t1", "add", written) in events
    assert parsed(blocks_of(events)[0]) == call | {"input": stored}


def test_numbers_stand_in_the_block_as_written() -> None:
    """Storing a call does not change a digit of its input."""
    written = '{"amount": 1.50, "big": 12345678901234567890.10, "e": 1E+2}'
    call = {"type": "tool_use", "id": "t1", "name": "add", "input": {}}
    events = whole(begun(call), delta("input_json_delta", partial_json=written), closed())
    assert written.encode() in blocks_of(events)[0]


def test_an_input_that_comes_whole_at_the_start_is_taken() -> None:
    """A service that sends no deltas has the input in the block's first event."""
    events = whole(begun({"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}}), closed())
    assert InputReady("t1", "add", '{"a": 1}') in events


def test_a_tool_of_the_service_is_no_call() -> None:
    """What the service ran itself is kept, and never proposed."""
    call = {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}
    events = whole(begun(call), delta("input_json_delta", partial_json='{"q":1.0}'), closed())
    assert events == [BlockClosed(b'{"type":"server_tool_use","id":"srv","name":"web_search","input":{"q":1.0}}')]


def test_blocks_left_open_until_the_end_come_out_in_order() -> None:
    """Some services close all blocks at the end, in any order; the blocks keep theirs."""
    events = whole(
        begun({"type": "text", "text": "a"}, 0),
        begun({"type": "text", "text": "b"}, 1),
        closed(1),
        closed(0),
    )
    assert [parsed(block)["text"] for block in blocks_of(events)] == ["a", "b"]


def test_usage_is_the_latest_total() -> None:
    """The counts of the last event are totals; what it leaves out keeps the count of the first."""
    counts = {
        "input_tokens": 7,
        "output_tokens": 1,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 9,
    }
    accumulator, _ = take(
        [
            ("message_start", json.dumps({"message": {"usage": counts}})),
            ("message_delta", json.dumps({"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 42}})),
            STOP,
        ]
    )
    assert accumulator.usage == Usage(7, 42, 100, 9)
    assert accumulator.stop_reason == "end_turn"
    assert accumulator.complete


@pytest.mark.parametrize("stop_reason", [None, "tool_use", "something_new"])
def test_the_stop_reason_is_passed_on(stop_reason: str | None) -> None:
    """Known or not, or missing: what it means is not decided here."""
    events = [START, ("message_delta", json.dumps({"delta": {"stop_reason": stop_reason}})), STOP]
    assert take(events)[0].stop_reason == stop_reason


def test_events_that_nobody_knows_are_passed_over() -> None:
    """A ping, or an event that the service may add one day, changes nothing, whatever its data."""
    assert whole(("ping", "{}"), ("brand_new", "not even JSON")) == []


def test_half_a_surrogate_pair_in_a_text_is_made_valid() -> None:
    """Text that can't be stored is marked where it is broken; whole pairs stay."""
    broken = '{"index":0,"delta":{"type":"text_delta","text":"a\\ud83db \\ud83e\\uddfe"}}'
    events = whole(begun({"type": "text", "text": ""}), ("content_block_delta", broken), closed())
    assert events[0] == TextDelta("a\ufffdb 🧾")


TEXT = {"type": "text", "text": ""}

MALFORMED = {
    "not JSON": [START, ("content_block_start", "{")],
    "not an object": [START, ("content_block_start", "[]")],
    "JSON too deep to read": [START, ("content_block_start", '{"index":' + "[" * 5000 + "]" * 5000 + "}")],
    "a block before the message": [begun(TEXT)],
    "the message twice": [START, START],
    "a delta of no block": [START, delta("text_delta", text="x")],
    "a delta of a closed block": [START, begun(TEXT), closed(), delta("text_delta", text="x")],
    "a block closed twice": [START, begun(TEXT, 0), begun(TEXT, 1), closed(1), closed(1)],
    "a block begun twice": [START, begun(TEXT), begun(TEXT)],
    "a block begun again": [START, begun(TEXT), closed(), begun(TEXT)],
    "a block never closed": [START, begun(TEXT), STOP],
    "a block without a type": [START, begun({"text": "x"})],
    "a call without an id": [START, begun({"type": "tool_use", "name": "add"})],
    "a call without a name": [START, begun({"type": "tool_use", "id": "t1"})],
    "a text that is a number": [
        START,
        begun({"type": "text", "text": 1}),
        delta("text_delta", text="x"),
        closed(),
    ],
    "citations that are a text": [
        *(START, begun({"type": "text", "citations": "x"})),
        *(delta("citations_delta", citation={}), closed()),
    ],
    "fewer than no tokens": [("message_start", '{"message":{"usage":{"input_tokens":-1}}}')],
}


@pytest.mark.parametrize("events", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_no_reply_is_refused(events: Sequence[Event]) -> None:
    """Events that make no reply are refused, not guessed at."""
    with pytest.raises(MalformedStream):
        take(events)


def test_an_error_event_says_its_type() -> None:
    """The service may break off with an error of its own, even before the message."""
    for before in ([], [START]):
        with pytest.raises(ErrorEvent) as raised:
            take([*before, ("error", '{"error":{"type":"overloaded_error","message":"Overloaded"}}')])
        assert (raised.value.type, raised.value.message) == ("overloaded_error", "Overloaded")


def test_a_delta_of_an_unknown_type_is_left_out() -> None:
    """What a new kind of delta adds has no place that we know of."""
    events = whole(begun(TEXT), delta("brand_new_delta", words="x"), closed())
    assert blocks_of(events) == [b'{"type":"text","text":""}']

"""The loopback service is as strict as the real one, at a cost that does not grow with the conversation."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.loopback.protocol import Checker, Violation

TOOLS = [{"name": "get_total", "input_schema": {"type": "object"}}]

HELLO = {"role": "user", "content": "hello"}
HI = {"role": "assistant", "content": [{"type": "text", "text": "hi"}]}


def call(*ids: str) -> Any:
    return {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": one, "name": "get_total", "input": {}} for one in ids],
    }


def answers(*ids: str, words: str = "") -> Any:
    results = [{"type": "tool_result", "tool_use_id": one, "content": "{}"} for one in ids]
    return {"role": "user", "content": [*results, *([{"type": "text", "text": words}] if words else [])]}


def words_first(call_id: str) -> Any:
    message = answers(call_id, words="and this")
    return {**message, "content": message["content"][::-1]}


def body(*messages: Any, **head: Any) -> bytes:
    whole = {"model": "claude", "max_tokens": 10, "tools": TOOLS} | head
    kept = {name: value for name, value in whole.items() if value is not None}
    return json.dumps({**kept, "messages": list(messages)}, separators=(",", ":")).encode()


VALID: dict[str, Sequence[Any]] = {
    "words": [HELLO],
    "a turn": [HELLO, HI, HELLO],
    "a call and its result": [HELLO, call("t1"), answers("t1")],
    "two calls, their results and words": [HELLO, call("t1", "t2"), answers("t1", "t2", words="go on")],
}


@pytest.mark.parametrize("messages", VALID.values(), ids=VALID.keys())
def test_a_conversation_that_keeps_the_rules_passes(messages: Sequence[Any]) -> None:
    """What the real service takes is taken."""
    assert Checker().check(body(*messages)).history.count == len(messages)


INVALID: dict[str, bytes] = {
    "not JSON": b"{",
    "not an object": b"[]",
    "half a surrogate pair": body({"role": "user", "content": "\ud800"}),
    "no messages": b'{"model":"m","max_tokens":1}',
    "nothing said": body(),
    "no model": body(HELLO, model=None),
    "no limit": body(HELLO, max_tokens=0),
    "a tool twice": body(HELLO, tools=TOOLS * 2),
    "a tool without an object as its input": body(HELLO, tools=[{"name": "x", "input_schema": {"$ref": "#"}}]),
    "a choice among no tools": body(HELLO, tools=None, tool_choice={"type": "none"}),
    "calls without tools": body(HELLO, call("t1"), answers("t1"), tools=None),
    "an unknown role": body({"role": "system", "content": "x"}),
    "the assistant first": body(HI, HELLO),
    "the assistant last": body(HELLO, HI),
    "a role twice": body(HELLO, HELLO),
    "an empty message": body({"role": "user", "content": []}),
    "a blank text": body({"role": "user", "content": [{"type": "text", "text": " "}]}),
    "a call without a result": body(HELLO, call("t1"), HELLO),
    "one of two results": body(HELLO, call("t1", "t2"), answers("t1")),
    "a result of no call": body(HELLO, HI, answers("t1")),
    "a result too many": body(HELLO, call("t1"), answers("t1", "t2")),
    "words before results": body(HELLO, call("t1"), words_first("t1")),
    "an id twice": body(HELLO, call("t1", "t1"), answers("t1", "t1")),
    "an id used before": body(HELLO, call("t1"), answers("t1"), call("t1"), answers("t1")),
    "an id with a blank": body(HELLO, call("t 1"), answers("t 1")),
    "an input that is no object": body(
        HELLO,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "x", "input": "{"}]},
        answers("t1"),
    ),
}


@pytest.mark.parametrize("request_body", INVALID.values(), ids=INVALID.keys())
def test_a_request_that_breaks_a_rule_is_refused(request_body: bytes) -> None:
    """What the real service answers with 400 is refused here too."""
    with pytest.raises(Violation):
        Checker().check(request_body)


def test_a_paused_reply_may_be_sent_back_last() -> None:
    """After `pause_turn`, and only then, the assistant's message may be the last one."""
    assert Checker().check(body(HELLO, HI), paused=True).history.last_role == "assistant"


def test_a_conversation_that_has_grown_is_read_from_where_it_stood() -> None:
    """What was checked before is not read again, and still counts."""
    checker = Checker()
    checker.check(body(HELLO, call("t1"), answers("t1")))
    grown = body(HELLO, call("t1"), answers("t1"), call("t1"), answers("t1"))
    with pytest.raises(Violation, match="must be unique"):
        checker.check(grown)


def test_two_conversations_do_not_mix() -> None:
    """A message that only begins like another one is another one."""
    checker = Checker()
    checker.check(body(HELLO, HI, HELLO))
    other = {"role": "user", "content": "hello again"}
    assert checker.check(body(other)).history.last_words == ("hello again",)
    assert checker.check(body(HELLO, HI, HELLO)).history.count == 3


def test_only_the_latest_conversations_are_remembered() -> None:
    """A long test does not fill the memory."""
    checker = Checker()
    for number in range(40):
        checker.check(body({"role": "user", "content": f"hello {number}"}))
    assert checker.check(body({"role": "user", "content": "hello 0"})).history.count == 1

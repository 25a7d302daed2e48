"""What makes a whole reply unusable."""

import json

import msgspec
import pytest

from agentcli.session import entries as e
from agentcli.session.reply import UNANSWERED, failure_text, fault_in, is_readable, refusal_text, unusable_text
from agentcli.session.steps import MAX_ATTEMPTS
from tests.session.telling import BEGUN, replied, requested, state_of, text


def use(call_id: str) -> bytes:
    """A call in a reply."""
    return json.dumps({"type": "tool_use", "id": call_id, "name": "look", "input": {}}).encode()


@pytest.mark.parametrize(
    "call_id",
    [
        pytest.param("a", id="one character"),
        pytest.param("toolu_01-Ab", id="letters, digits, underscore and hyphen"),
        pytest.param("a" * 64, id="64 characters"),
    ],
)
def test_a_call_id_of_the_allowed_form_is_no_fault(call_id: str) -> None:
    """Call ids have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -."""
    assert fault_in([use(call_id)], used_ids=set()) is None


@pytest.mark.parametrize(
    "call_id",
    [
        pytest.param("", id="empty"),
        pytest.param("a" * 65, id="65 characters"),
        pytest.param("a b", id="a blank"),
        pytest.param("a\n", id="a line end behind it"),
        pytest.param("ä", id="a letter outside ASCII"),
        pytest.param("٣", id="a digit outside ASCII"),
        pytest.param("../a", id="a path"),
    ],
)
def test_a_call_id_of_another_form_is_a_fault(call_id: str) -> None:
    """A reply with a call id outside the allowed form runs nothing."""
    assert fault_in([use("fine"), use(call_id)], used_ids=set()) == "a call id is malformed"


def test_an_id_used_before_in_the_session_is_a_fault() -> None:
    """A result must belong to one call, so no call may take another one's id."""
    assert fault_in([use("new"), use("old")], used_ids={"old"}) == "a call id was used before"


def test_two_equal_ids_in_one_reply_are_a_fault() -> None:
    """Two calls of one reply can't share an id either."""
    assert fault_in([use("same"), use("same")], used_ids=set()) == "a call id was used before"


def test_only_calls_have_ids_that_count() -> None:
    """Other blocks may carry ids of the service's own, in any form."""
    block = b'{"type":"server_tool_use","id":"srv 1","name":"search","input":{}}'
    assert fault_in([block, block, b'{"type":"text","text":"a"}'], used_ids=set()) is None


@pytest.mark.parametrize(
    ("block", "readable"),
    [
        pytest.param(b'{"type":"text","text":"a"}', True, id="text"),
        pytest.param(b'{"type":"something_new","more":[1]}', True, id="of a type that we don't know"),
        pytest.param(b'{"text":"a"}', False, id="without a type"),
        pytest.param(b'{"type":"text","text":null}', False, id="a text that is none"),
        pytest.param(b'{"type":"tool_use","id":7,"name":"a","input":{}}', False, id="an id that is no text"),
        pytest.param(b'["text"]', False, id="no object"),
        pytest.param(b"<html>", False, id="no JSON"),
        pytest.param(b'{"type":"text","text":"\xff"}', False, id="no UTF-8"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_a_block_is_stored_only_if_it_can_be_read(block: bytes, readable: bool) -> None:
    """What could not be read again must not get into the journal."""
    assert is_readable(block) is readable


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(
            replied({"type": "tool_use", "id": "c1", "name": "look", "input": {}}, stop_reason="end_turn"),
            "it holds calls, but its stop reason is 'end_turn'",
            id="ended",
        ),
        pytest.param(replied(stop_reason="new"), "its stop reason 'new' is not known", id="unknown"),
        pytest.param(replied(stop_reason=None), "it has no stop reason", id="missing"),
        pytest.param(replied(fault="a call id was used before"), "a call id was used before", id="malformed"),
    ],
)
def test_a_person_is_told_why_a_reply_can_t_be_used(reply: e.Replied, why: str) -> None:
    """A run that fails at a reply says what was wrong with that one."""
    assert why in unusable_text(reply)


@pytest.mark.parametrize(
    ("texts", "explanation", "shown"),
    [
        pytest.param([], "", "the model refused", id="without a word"),
        pytest.param(["I can't.", " "], "", "I can't.\n\nthe model refused", id="with words"),
        pytest.param(["I can't."], "cyber", "I can't.\n\nrefused: cyber", id="with the service's explanation"),
    ],
)
def test_a_refusal_is_shown(texts: list[str], explanation: str, shown: str) -> None:
    """A person sees what a refused reply says and why it was refused, in the service's words if it has any."""
    reply = replied(*map(text, texts), stop_reason="refusal")
    assert refusal_text(msgspec.structs.replace(reply, explanation=explanation)) == shown


def test_a_reply_that_never_came_is_told_as_that() -> None:
    """A run that its process did not outlive again and again says so, and nothing of the reply before."""
    begun = (
        *BEGUN,
        replied({"type": "tool_use", "id": "c1", "name": "look", "input": {}}, stop_reason="tool_use"),
    )
    tries = [requested(2, attempt) for attempt in range(1, MAX_ATTEMPTS + 1)]
    assert failure_text(state_of(*begun, *tries)) == UNANSWERED
    assert failure_text(state_of(*begun, *tries[:-1])) != UNANSWERED
    gave_up = e.RequestFailed(2, MAX_ATTEMPTS, "unreachable", "it can't be reached")
    assert failure_text(state_of(*begun, *tries, gave_up)) == "it can't be reached"

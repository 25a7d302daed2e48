"""What the model is sent: every message serialised once, and only appended to."""

import hashlib
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.session import entries as e
from agentcli.session.allowance import Usage
from agentcli.session.conversation import MAX_RESULT_CHARACTERS, Conversation, kept_blocks, read_block
from agentcli.session.state import State
from tests.session.telling import (
    BEGUN,
    Told,
    decided,
    finished,
    going_on,
    replied,
    requested,
    said,
    started_run,
    state_of,
    text,
    use,
)

CUT = ["max_tokens", "model_context_window_exceeded", "interrupted", "something_new", None]
THINKING = {"type": "thinking", "thinking": "hm", "signature": "abc"}
CALLED = (*BEGUN, replied(text("let me see"), use("c1", "look"), use("c2", "look")))


def spoken(state: State) -> list[tuple[str, list[dict[str, Any]]]]:
    """The messages of the next request, as role and blocks."""
    messages = [json.loads(message) for message in state.conversation.messages()]
    return [(message["role"], message["content"]) for message in messages]


def result(call_id: str, *, is_error: bool = False) -> dict[str, Any]:
    """The block that the result of a call is."""
    content = json.dumps({"status": "ok", "of": call_id})
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return block | ({"is_error": True} if is_error else {})


def test_words_are_sent_as_they_were_typed() -> None:
    """Each message is a text block of its own; nothing is added, trimmed or joined."""
    state = state_of(said(1, " one\n"), said(2, "zwei ✓"), started_run(), e.Heard((1, 2), 1))
    assert spoken(state) == [("user", [text(" one\n"), text("zwei ✓")])]


def test_a_reply_is_sent_back_byte_for_byte() -> None:
    """Blocks go back as they came: unknown ones, thinking and its signature, blanks and numbers as written."""
    raw = (b'{ "type":"thinking", "thinking":"\\u00e4", "signature":"x=" }', b'{"type":"new","of":1.50,"a":null}')
    reply = e.Replied(1, tuple(map(msgspec.Raw, raw)), "end_turn", Usage())
    message = state_of(*BEGUN, reply).conversation.messages()[-1]
    assert message == b'{"role":"assistant","content":[' + raw[0] + b"," + raw[1] + b"]}"


@pytest.mark.parametrize("order", [("c1", "c2"), ("c2", "c1")])
def test_results_stand_in_the_order_of_the_calls(order: tuple[str, str]) -> None:
    """Whichever call was done first, the results come in one message, in the model's order."""
    state = state_of(*CALLED, decided("c1"), decided("c2"), *(finished(call_id) for call_id in order))
    assert spoken(state)[-1] == ("user", [result("c1"), result("c2")])


def test_results_wait_for_one_another() -> None:
    """As long as one call of a reply has no result, none of them enters the conversation."""
    state = state_of(*CALLED, decided(), finished())
    assert spoken(state)[-1][0] == "assistant"


def test_words_come_behind_results() -> None:
    """What was said while calls were settled stands after all results, in the same message."""
    told = (*CALLED, decided(), finished(), said(2, "stop"), decided("c2"), finished("c2"), e.Heard((2,), 2))
    assert spoken(state_of(*told))[-1] == ("user", [result("c1"), result("c2"), text("stop")])


def test_a_failure_is_marked_as_one() -> None:
    """A result that is an error says so; others don't mention it."""
    state = state_of(*BEGUN, replied(use()), decided(), finished(is_error=True))
    assert spoken(state)[-1][1] == [result("c1", is_error=True)]


@pytest.mark.parametrize("blank", ["", " ", "\n\t ", "\u2003"])
def test_blank_text_is_left_out(blank: str) -> None:
    """A text block without anything to read would be refused by the service."""
    state = state_of(*BEGUN, replied(text(blank), text("a"), use()))
    assert spoken(state)[-1] == ("assistant", [text("a"), use()])


@pytest.mark.parametrize("stop_reason", CUT)
def test_of_a_cut_reply_only_finished_text_stays(stop_reason: str | None) -> None:
    """Calls and thinking of a reply that was cut or interrupted go, its finished text stays."""
    state = state_of(*BEGUN, replied(THINKING, text("a"), use(), text("b"), stop_reason=stop_reason))
    assert spoken(state)[-1] == ("assistant", [text("a"), text("b")])


def test_the_piece_that_was_cut_does_not_stay() -> None:
    """Text of a block that was not finished is kept in the journal and not sent back."""
    reply = e.Replied(1, (), "interrupted", Usage(), partial="I was abou")
    assert spoken(state_of(*BEGUN, reply)) == [("user", [text("hello")])]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(replied(), id="empty"),
        pytest.param(replied(text(" ")), id="blank"),
        pytest.param(replied(text("I can't"), stop_reason="refusal"), id="refused"),
        pytest.param(replied(THINKING, use(), stop_reason="max_tokens"), id="cut before any text"),
        pytest.param(replied(text("a"), fault="a call id was used before"), id="malformed"),
    ],
)
def test_an_unusable_reply_stays_out(reply: e.Replied) -> None:
    """An empty, refused or malformed reply leaves no message; the words that follow join those before."""
    told = (*BEGUN, reply, e.RunEnded("completed"), said(2, "and?"), started_run(2), e.Heard((2,), 1))
    assert spoken(state_of(*told)) == [("user", [text("hello"), text("and?")])]


def test_words_wait_for_the_end_of_a_paused_reply() -> None:
    """A paused reply is sent back unchanged; its other half is a message of its own, and words follow it."""
    paused = (*BEGUN, replied(text("one"), stop_reason="pause_turn"))
    assert spoken(state_of(*paused))[-1] == ("assistant", [text("one")])
    whole = (*paused, said(2, "and?"), requested(2), replied(text("two")), e.Heard((2,), 3))
    assert spoken(state_of(*whole))[1:] == [
        ("assistant", [text("one")]),
        ("assistant", [text("two")]),
        ("user", [text("and?")]),
    ]


@pytest.mark.parametrize(
    ("length", "cut"),
    [
        pytest.param(MAX_RESULT_CHARACTERS, "", id="as long as allowed"),
        pytest.param(MAX_RESULT_CHARACTERS + 1, "\n[cut here: 1 more characters]", id="one character longer"),
        pytest.param(MAX_RESULT_CHARACTERS * 3, "\n[cut here: 200000 more characters]", id="much longer"),
    ],
)
def test_a_long_result_is_cut_and_says_so(length: int, cut: str) -> None:
    """A result over 100,000 characters is cut for the model, which is told how much is missing."""
    conversation = Conversation()
    conversation.add_result("c1", ("ä" * length).encode(), is_error=False)
    content = json.loads(conversation.pending[0])["content"]
    assert content == "ä" * MAX_RESULT_CHARACTERS + cut


def test_messages_are_serialised_once_and_only_appended() -> None:
    """A finished message is the very same bytes in every later request."""
    state = state_of(*CALLED)
    before = state.conversation.messages()
    going_on(
        state, decided("c1"), finished("c1"), decided("c2"), finished("c2"), requested(2), replied(text("done"))
    )
    after = state.conversation.messages()
    assert all(earlier is later for earlier, later in zip(before, after, strict=False))
    assert len(after) == len(before) + 2


def test_a_request_can_be_made_twice() -> None:
    """Asking for the messages changes nothing: a failed request is sent again as it was."""
    state = state_of(*BEGUN)
    assert state.conversation.messages() == state.conversation.messages()
    assert state.conversation.digest() == state.conversation.digest()


def test_that_calls_were_made_is_remembered() -> None:
    """A conversation that holds calls can't be sent without tools, so it has to know."""
    assert not state_of(*BEGUN, replied(text("a"))).conversation.holds_calls
    assert not state_of(*BEGUN, replied(use(), stop_reason="max_tokens")).conversation.holds_calls
    assert state_of(*BEGUN, replied(use())).conversation.holds_calls
    assert state_of(
        *CALLED, decided(), finished(), decided("c2"), finished("c2"), replied()
    ).conversation.holds_calls


steps: st.SearchStrategy[Told] = st.sampled_from(
    [replied(text("a")), replied(), replied(text("b"), stop_reason="max_tokens"), e.Heard((), 1), requested()]
)


@given(st.lists(steps, max_size=8))
def test_the_digest_is_that_of_the_messages(told: list[Told]) -> None:
    """What is recorded of a request names exactly the messages that were sent."""
    conversation = state_of(*BEGUN, *told).conversation
    whole = hashlib.sha256(b"".join(conversation.messages())).hexdigest()
    assert conversation.digest() == whole


def test_the_digest_costs_the_same_however_long_the_conversation_is() -> None:
    """Only the message that is still open is hashed anew."""
    conversation = Conversation()
    conversation.hear("a" * 1_000_000)
    conversation.add_reply([b'{"type":"text","text":"b"}'], holds_calls=False)
    conversation.finished.clear()
    assert conversation.digest() != hashlib.sha256().hexdigest()


def test_a_block_is_known_by_its_type_alone() -> None:
    """Whatever else a block holds, only what we know of is read."""
    block = read_block(b'{"type":"web_search","id":"w","query":[1],"text":"t"}')
    assert (block.type, block.id, block.text, bytes(block.input)) == ("web_search", "w", "t", b"{}")
    assert kept_blocks([b'{"type":"web_search"}'], only_text=True) == []
    kept = kept_blocks([msgspec.Raw(b'{"type":"web_search"}')], only_text=False)
    assert [raw for raw, _ in kept] == [b'{"type":"web_search"}']

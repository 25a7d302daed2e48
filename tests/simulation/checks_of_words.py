"""What must hold for the conversation in every world: what the model is sent, and what it is not."""

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.conversation import NOTE
from tests.simulation.ledger import Ledger, blocks_of
from tests.simulation.tools import RISKS


def words_are_heard_once_and_in_order(ledger: Ledger) -> Iterator[str]:
    """Every word is heard exactly once, in the order in which it was said, unless it was taken back before."""
    heard = [no for _, entry in ledger.of(e.Heard) for no in entry.nos]
    dropped = {entry.no for _, entry in ledger.of(e.Unsaid) if entry.text is None}
    said = [entry.no for _, entry in ledger.of(e.Said)]
    if said != list(range(1, len(said) + 1)):
        yield f"the words are numbered {said}"
    if heard != sorted(set(heard)) or dropped & set(heard):
        yield f"heard were {heard}, taken back {dropped}"
    if ledger.story.rested and set(heard) | dropped != set(said):
        yield f"said were {said}, heard only {heard}"


def words_are_heard_at_the_next_request(ledger: Ledger) -> Iterator[str]:
    """What was said before a request is in it, except that words wait for the end of a paused reply."""
    unheard: set[int] = set()
    for record in ledger.records:
        match record.entry:
            case e.Said(no=no):
                unheard.add(no)
            case e.Unsaid(no=no, text=None):
                unheard.discard(no)
            case e.Heard(nos=nos):
                unheard -= set(nos)
                if ledger.paused_before(record.seq):
                    yield f"words were heard in the middle of a paused reply at {record.seq}"
            case e.Requested() if unheard and not ledger.paused_before(record.seq):
                yield f"the request {record.seq} leaves out {unheard}"
            case _:
                pass


def a_request_is_sent_only_once_it_is_durable(ledger: Ledger) -> Iterator[str]:
    """A model hears only what is in the journal: each request has an entry of its own before it."""
    requested = [record.seq for record, _ in ledger.of(e.Requested)]
    for sent in ledger.story.sent:
        before = [seq for seq in requested if seq <= sent.seq]
        if not before:
            yield f"the request at {sent.seq} was not durable"
        else:
            requested.remove(before[-1])


def a_request_is_well_formed(ledger: Ledger) -> Iterator[str]:
    """Every call has its result in the next user message, in order and before words; the user speaks last."""
    for sent in ledger.story.sent:
        messages = [_parsed(one) for one in sent.request.messages]
        if not messages or messages[0]["role"] != "user":
            yield f"the request at {sent.seq} does not begin with the user"
            continue
        for before, after in pairwise(messages):
            asked = [one["id"] for one in before["content"] if one["type"] == "tool_use"]
            given = [one["tool_use_id"] for one in after["content"] if one["type"] == "tool_result"]
            kinds = [one["type"] for one in after["content"]]
            user = after["role"] == "user"
            if user and (asked != given or kinds[: len(given)] != ["tool_result"] * len(given)):
                yield f"the request at {sent.seq} pairs {asked} with {given}"
            if not user and (
                asked or given or (before["role"] == "assistant" and not _was_paused(ledger, before))
            ):
                yield f"the request at {sent.seq} has two replies in a row"
        ends = messages[-1]["role"]
        if ends != "user" and not ledger.paused_before(sent.seq):
            yield f"the request at {sent.seq} ends with the {ends}"
        if any(one.get("text", "x").strip() == "" for message in messages for one in message["content"]):
            yield f"the request at {sent.seq} holds a blank text"


def _was_paused(ledger: Ledger, message: dict[str, Any]) -> bool:
    return any(
        reply.stop_reason == "pause_turn" and blocks_of(reply) == message["content"]
        for _, reply in ledger.of(e.Replied)
    )


def a_request_says_what_was_said(ledger: Ledger) -> Iterator[str]:
    """The model sees persons' words as typed, its own usable replies as they came, and each call's result."""
    for sent in ledger.story.sent:
        messages = [_parsed(one) for one in sent.request.messages]
        spoken = [one["text"] for one in _blocks(messages, "user") if one["type"] == "text"]
        words = [text for text in spoken if not text.startswith(NOTE)]
        if words != _heard_before(ledger, sent.seq + 1):
            yield f"the request at {sent.seq} says {words}"
        replied = [entry for record, entry in ledger.of(e.Replied) if record.seq <= sent.seq]
        if list(_blocks(messages, "assistant")) != [block for reply in replied for block in blocks_of(reply)]:
            yield f"the request at {sent.seq} does not hold the replies as they came"
        for block in _blocks(messages, "user"):
            if block["type"] == "tool_result" and not _is_result(ledger, block):
                yield f"the request at {sent.seq} gives {block['tool_use_id']} another result"


def _heard_before(ledger: Ledger, seq: int) -> list[str]:
    texts: dict[int, str] = {}
    heard: list[str] = []
    for record in ledger.records[: seq - 1]:
        match record.entry:
            case e.Said(no=no, text=text) | e.Unsaid(no=no, text=str() as text):
                texts[no] = text
            case e.Heard(nos=nos):
                heard += [texts[no] for no in nos]
            case _:
                pass
    return heard


def _is_result(ledger: Ledger, block: dict[str, Any]) -> bool:
    """Whether a result is what the call ended with, or what a hook made of it, after the word of a person's edit."""
    call = ledger.calls[block["tool_use_id"]]
    released = [one.entry for one in call.records if isinstance(one.entry, e.Filtered)]
    finished = [one.entry for one in call.records if isinstance(one.entry, e.Finished)]
    shown, is_error = bytes(finished[0].result), finished[0].is_error
    if finished[0].held:
        shown, is_error = bytes(released[0].output), released[0].is_error
    is_edited = any(isinstance(one.entry, e.Answered) and one.entry.answer == "edited" for one in call.records)
    expected: dict[str, Any] = json.loads(shown)
    given: dict[str, Any] = json.loads(block["content"])
    if is_edited:
        is_edited = next(iter(given)) == "edited" and given.pop("edited")["by"] == "ana"
        return is_edited and (given, block.get("is_error", False)) == (expected, is_error)
    return (block["content"], block.get("is_error", False)) == (shown.decode(), is_error)


def the_conversation_only_grows(ledger: Ledger) -> Iterator[str]:
    """A message once sent is sent again byte for byte; only the user message at the end may get longer."""
    for earlier, later in pairwise(ledger.story.sent):
        before, after = earlier.request.messages, later.request.messages
        last = _parsed(before[-1])["content"]
        kept = _parsed(after[len(before) - 1])["content"] if len(after) >= len(before) else []
        if list(before[:-1]) != list(after[: len(before) - 1]) or kept[: len(last)] != last:
            yield f"the request at {later.seq} rewrites the one at {earlier.seq}"


def only_permitted_tools_are_offered(ledger: Ledger) -> Iterator[str]:
    """At level 0 no tool is offered; a conversation with calls is sent with tools that may not be called."""
    for sent in ledger.story.sent:
        here = ledger.context(sent.seq + 1)
        offered = {
            tool
            for tool in RISKS
            if here.level is not Level.TALK and here.tool_levels.get(tool, here.level) is not Level.TALK
        }
        holds_calls = any(
            one["type"] == "tool_use" for message in sent.request.messages for one in _parsed(message)["content"]
        )
        expected = offered or (set(RISKS) if holds_calls else set())
        if {one.name for one in sent.request.tools} != expected or sent.request.may_call != bool(offered):
            yield f"the request at {sent.seq} offers other tools than level {here.level} allows"


def _blocks(messages: list[dict[str, Any]], role: str) -> Iterator[dict[str, Any]]:
    for message in messages:
        if message["role"] == role:
            yield from message["content"]


@lru_cache(maxsize=1_000)
def _parsed(message: bytes) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(message)
    return parsed


CHECKS: Final = (
    words_are_heard_once_and_in_order,
    words_are_heard_at_the_next_request,
    a_request_is_sent_only_once_it_is_durable,
    a_request_is_well_formed,
    a_request_says_what_was_said,
    the_conversation_only_grows,
    only_permitted_tools_are_offered,
)

"""A reply is shown while it comes, and kept as it came; without its end it does not count."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from agentcli.engine.journal import Journal
from agentcli.engine.listening import Listening
from agentcli.session import entries as e
from agentcli.session import events
from agentcli.session.allowance import Usage
from agentcli.session.ports import (
    BlockClosed,
    FailureKind,
    InputDelta,
    ReplyFailed,
    ReplyFinished,
    Request,
    TextDelta,
)
from tests.fakes import (
    NOON,
    FakeClock,
    FakeStore,
    Line,
    ScriptedModel,
    call_block,
    calls,
    fails,
    reply,
    says,
    text_block,
)

REQUEST = Request(
    session="s1", model="m", max_tokens=9, system="", tools=(), may_call=True, messages=(), today="2026-11-30"
)


def listening(*, price: Decimal | None = None) -> tuple[Listening, Journal, list[events.Event]]:
    journal = Journal(FakeStore(), "s1", {}, FakeClock())
    shown: list[events.Event] = []
    journal.observers.append(shown.append)
    return Listening(journal, FakeClock(), lambda model, usage: price), journal, shown


async def entry_of(
    lines: list[Line], *, attempt: int = 1, price: Decimal | None = None
) -> e.Replied | e.RequestFailed:
    """The entry that a reply becomes."""
    ear, _, _ = listening(price=price)
    await ear.listen(ScriptedModel(lines), REQUEST)
    return ear.entry(step=3, attempt=attempt, first_at=NOON, model="m")


def blocks_of(entry: object) -> list[Any]:
    assert isinstance(entry, e.Replied), entry
    return [msgspec.json.decode(block) for block in entry.blocks]


async def test_a_whole_reply_is_kept_as_it_came() -> None:
    """Its blocks byte for byte, why it stopped, and what it used."""
    odd = b'{ "type":"thinking", "thinking":"hm", "signature":"c2ln" }'
    usage = Usage(input_tokens=7, output_tokens=3)
    lines: list[Line] = [
        *says("hello"),
        BlockClosed(odd),
        *calls("t1", "look", '{"a": 1.50}'),
        ReplyFinished("tool_use", usage, "req_1"),
    ]
    entry = await entry_of(lines)
    assert isinstance(entry, e.Replied)
    assert [bytes(block) for block in entry.blocks] == [
        text_block("hello"),
        odd,
        call_block("t1", "look", '{"a": 1.50}'),
    ]
    assert (entry.step, entry.stop_reason, entry.usage, entry.request_id) == (3, "tool_use", usage, "req_1")
    assert (entry.partial, entry.fault) == ("", None)


@pytest.mark.parametrize(
    ("price", "cost"),
    [
        pytest.param(Decimal("0.0123"), "0.0123", id="known"),
        pytest.param(Decimal("1E+2"), "100", id="without-an-exponent"),
        pytest.param(Decimal(0), "0", id="free"),
        pytest.param(None, None, id="unknown"),
    ],
)
async def test_the_cost_is_exact_or_unknown(price: Decimal | None, cost: str | None) -> None:
    """Decimal text; an unknown price is never 0."""
    entry = await entry_of(reply(says("hello")), price=price)
    assert isinstance(entry, e.Replied)
    assert entry.cost_usd == cost


async def test_what_comes_in_is_shown_at_once() -> None:
    """Text, and a call's input as it forms; the input is shown as the JSON that it is."""
    ear, _, shown = listening()
    await ear.listen(ScriptedModel(reply(says("hello"), calls("t1", "look", '{"a": 1.50}'))), REQUEST)
    assert [msgspec.json.decode(msgspec.json.encode(event)) for event in shown] == [
        {"session": "s1", "at": "2026-11-30T12:00:00Z", **more}
        for more in (
            {"type": "text_delta", "text": "hello"},
            {"type": "tool_input_started", "call_id": "t1", "tool": "look"},
            {"type": "tool_input_delta", "call_id": "t1", "tool": "look", "delta": '{"a": 1.50}'},
            {"type": "tool_input_ready", "call_id": "t1", "tool": "look", "input": {"a": 1.5}},
        )
    ]


async def test_an_input_that_is_no_json_is_shown_as_text() -> None:
    """A model may send anything."""
    ear, _, shown = listening()
    await ear.listen(ScriptedModel([*calls("t1", "look", "{}")[:2], *fails()]), REQUEST)
    assert [type(event) for event in shown] == [events.ToolInputStarted, events.ToolInputDelta]


async def test_input_of_a_call_that_never_began_is_shown_without_a_tool() -> None:
    """Odd streams are shown, not stumbled over."""
    ear, _, shown = listening()
    await ear.listen(ScriptedModel([InputDelta("t9", "{"), *fails()]), REQUEST)
    assert [event.tool for event in shown if isinstance(event, events.ToolInputDelta)] == [""]


async def test_a_failure_is_kept_with_the_time_of_the_next_try() -> None:
    """What went wrong, in words for a person, and when to ask again."""
    failed = ReplyFailed(FailureKind.OVERLOADED, "the service is busy", status=529, request_id="req_1")
    entry = await entry_of([*says("half a rep"), failed], attempt=2)
    assert entry == e.RequestFailed(
        step=3,
        attempt=2,
        failure="overloaded",
        text="the service is busy",
        status=529,
        request_id="req_1",
        retry_at=NOON + timedelta(seconds=3),
    )


@pytest.mark.parametrize("failure", [FailureKind.UNAUTHORIZED, FailureKind.REJECTED], ids=str)
async def test_a_failure_for_good_has_no_next_try(failure: FailureKind) -> None:
    """A refused key is not tried again."""
    entry = await entry_of(fails(failure))
    assert isinstance(entry, e.RequestFailed)
    assert entry.retry_at is None


@pytest.mark.parametrize("lines", [[], says("hello"), calls("t1", "look")], ids=["nothing", "text", "a-call"])
async def test_a_reply_that_does_not_say_that_it_has_ended_does_not_count(lines: list[Line]) -> None:
    """A closed connection looks like this: nothing of it runs, and it is asked for again."""
    entry = await entry_of(lines)
    assert isinstance(entry, e.RequestFailed)
    assert (entry.failure, entry.text) == ("malformed", "the reply ended without saying so")
    assert entry.retry_at is not None


# fmt: off
FAULTS = [
    # what is special          blocks of the reply                                                 kept  fault
    ("two-equal-ids",          [call_block("t1", "look"), call_block("t1", "erase")],              2,    "used before"),
    ("an-id-used-before",      [call_block("old", "look")],                                        1,    "used before"),
    ("an-empty-id",            [call_block("", "look")],                                           1,    "malformed"),
    ("an-id-with-a-blank",     [call_block("t 1", "look")],                                        1,    "malformed"),
    ("an-id-with-a-newline",   [call_block("t1\n", "look")],                                       1,    "malformed"),
    ("an-id-of-65",            [call_block("t" * 65, "look")],                                     1,    "malformed"),
    ("an-id-of-other-letters", [call_block("ｔ1", "look")],                                        1,    "malformed"),
    ("no-json",                [text_block("hello"), b"not json"],                                 1,    "not one"),
    ("no-object",              [b"[1]", text_block("hello")],                                      1,    "not one"),
    ("no-type",                [b'{"text":"hello"}'],                                              0,    "not one"),
    ("an-id-of-another-type",  [b'{"type":"tool_use","id":5,"name":"look","input":{}}'],           0,    "not one"),
    ("no-utf-8",               [b'{"type":"text","text":"\xff"}'],                                 0,    "not one"),
    ("no-utf-8-in-the-input",  [b'{"type":"tool_use","id":"t1","name":"look","input":{"a":"\xff"}}'], 0, "not one"),
    ("no-utf-8-elsewhere",     [b'{"type":"text","text":"a","more":"\xff"}'],                      0,    "not one"),
    ("half-a-surrogate",       [b'{"type":"text","text":"\\ud800"}'],                              0,    "not one"),
    ("json-and-more",          [text_block("hello") + b" {}"],                                     0,    "not one"),
]
# fmt: on


@pytest.mark.parametrize(("blocks", "kept", "fault"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
async def test_a_malformed_reply_is_kept_with_its_fault(blocks: list[bytes], kept: int, fault: str) -> None:
    """Nothing of it may run; what can't be read is not stored, so that the journal can."""
    ear, journal, _ = listening()
    used = e.Replied(1, (msgspec.Raw(call_block("old", "look")),), "tool_use", Usage())
    await journal.write(lambda writer: writer.append(used))
    await ear.listen(ScriptedModel([*map(BlockClosed, blocks), ReplyFinished("tool_use", Usage())]), REQUEST)
    entry = ear.entry(step=2, attempt=1, first_at=NOON, model="m")
    assert isinstance(entry, e.Replied)
    assert entry.fault is not None
    assert fault in entry.fault
    assert len(entry.blocks) == kept
    record = await journal.write(lambda writer: writer.append(entry))
    assert record.entry == entry
    assert "t1" not in journal.state.calls


@pytest.mark.parametrize("call_id", ["t", "t" * 64, "toolu_01-A"])
async def test_a_proper_id_is_no_fault(call_id: str) -> None:
    """Letters, digits, `_` and `-`, at most 64 of them."""
    entry = await entry_of(reply(calls(call_id, "look")))
    assert isinstance(entry, e.Replied)
    assert entry.fault is None


async def test_an_interrupted_reply_keeps_what_was_finished() -> None:
    """Whole blocks stay, of the open one its text; what it used nobody knows."""
    ear, _, _ = listening()
    hold = asyncio.Event()
    model = ScriptedModel([*says("first."), *calls("t1", "erase"), TextDelta("sec"), TextDelta("ond"), hold])
    work = asyncio.ensure_future(ear.listen(model, REQUEST))
    await asyncio.sleep(0.01)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    entry = ear.interrupted(step=3)
    assert [block["type"] for block in blocks_of(entry)] == ["text", "tool_use"]
    assert (entry.stop_reason, entry.partial, entry.usage) == ("interrupted", "second", Usage())
    assert model.cut == 1


async def test_text_of_a_finished_block_is_not_partial() -> None:
    """What was closed is not said twice."""
    ear, _, _ = listening()
    await ear.listen(ScriptedModel(reply(says("all of it"))), REQUEST)
    assert ear.interrupted(step=3).partial == ""


async def test_an_interrupted_reply_keeps_no_block_that_can_not_be_read() -> None:
    """The journal stays readable."""
    ear, journal, _ = listening()
    await ear.listen(ScriptedModel([BlockClosed(b"not json"), *says("fine"), *fails()]), REQUEST)
    entry = ear.interrupted(step=1)
    await journal.write(lambda writer: writer.append(entry))
    assert [block["text"] for block in blocks_of(entry)] == ["fine"]


async def test_two_blocks_of_text_stand_apart_while_they_come() -> None:
    """What streams is the text that the reply has in the end."""
    ear, _, shown = listening()
    await ear.listen(
        ScriptedModel(
            [*says("one"), *calls("t1", "look", "{}"), *says("two"), ReplyFinished("end_turn", Usage())]
        ),
        REQUEST,
    )
    streamed = "".join(event.text for event in shown if isinstance(event, events.TextDelta))
    assert streamed == "one\n\ntwo"

"""A session as passages to read: what was said, decided, asked, answered and done, each whole. Pure."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec import Struct

from agentcli.counted import counted
from agentcli.gate.autonomy import IN_WORDS, Level
from agentcli.session import entries as e
from agentcli.session import events as ev
from agentcli.session.announcing import events_of
from agentcli.session.fold import apply
from agentcli.session.record import Record
from agentcli.session.state import State
from agentcli.terminal.drawing.telling import numbered
from agentcli.tools.outcome import input_as_json


class Kind(StrEnum):
    """Whose words a passage holds."""

    SAID = "said"
    REPLY = "reply"
    DECISION = "decision"
    QUESTION = "question"
    ANSWER = "answer"
    RESULT = "result"
    NOTE = "note"


class Passage(Struct, frozen=True):
    """One thing that happened: a heading of one line, and the text below it. Nothing of it is safe to draw yet."""

    kind: Kind
    at: datetime
    heading: str
    text: str = ""


def passages(session: str, records: Iterator[Record]) -> Iterator[Passage]:
    """Yield the passages of a session, in order."""
    state = State(session)
    for record in records:
        apply(state, record)
        yield from _entered(record, state)
        for event in events_of(state, record):
            yield from _told(event, state)


def _entered(record: Record, state: State) -> Iterator[Passage]:
    """Yield what the entry says in full, and an event only in part."""
    match record.entry:
        case e.Said(no=no, text=text, by=by, channel=channel):
            yield Passage(Kind.SAID, record.at, f"#{no} {by} ({channel})", text)
        case e.Unsaid(no=no, text=None):
            yield Passage(Kind.NOTE, record.at, f"#{no} was dropped before it was heard")
        case e.Unsaid(no=no, text=str(text)):
            yield Passage(Kind.SAID, record.at, f"#{no} put otherwise", text)
        case e.LevelSet(level=level, by=by, tool=tool):
            whose = "" if tool is None else f" of {tool}"
            what = "is the session's again" if level is None else f"is {level} ({IN_WORDS[Level(level)]})"
            yield Passage(Kind.NOTE, record.at, f"level{whose} {what}, set by {by}")
        case e.RequestFailed(text=text, attempt=attempt):
            yield Passage(Kind.NOTE, record.at, f"request failed, try {attempt}", text)
        case e.Proposed(tool=tool, by=by, undoes=undoes):
            yield Passage(Kind.NOTE, record.at, f"{by} wants {tool} undone" if undoes else f"{by} calls {tool}")
        case e.Answered(answer=answer, by=by, channel=channel, seconds=seconds) as answered:
            who = "" if answer == "expired" else f" by {by} ({channel}) after {seconds:.1f} s"
            text = answered.reason if answered.input is None else _json(input_as_json(answered.input))
            yield Passage(Kind.ANSWER, record.at, f"[{answer}] {state.calls[answered.call_id].tool}{who}", text)
        case e.Supplied(call_id=call_id, data=data, by=by):
            yield Passage(Kind.ANSWER, record.at, f"[filled] {state.calls[call_id].tool} by {by}", _json(data))
        case e.Reconciled(call_id=call_id, outcome=outcome, by=by):
            tool = state.calls[call_id].tool
            yield Passage(Kind.ANSWER, record.at, f"whether {tool} took effect, by {by}: {outcome}")
        case _:
            pass


def _told(event: ev.Event, state: State) -> Iterator[Passage]:
    tell = _TELLERS.get(type(event))
    if tell is not None:
        kind, heading, text = tell(event, state)
        if text.strip() or kind is not Kind.REPLY:
            yield Passage(kind, event.at, heading, text)


Told = tuple[Kind, str, str]


def _run_started(event: ev.RunStarted, state: State) -> Told:
    return Kind.NOTE, f"run {state.runs} begins · {event.model} · level {int(event.level)}", ""


def _heard(event: ev.Heard, state: State) -> Told:
    return Kind.NOTE, f"heard {numbered([event.message])} at step {event.step}", ""


def _replied(event: ev.Replied, state: State) -> Told:
    return Kind.REPLY, f"step {event.step}", event.text


def _decided(event: ev.Decided, state: State) -> Told:
    rules = [f"{rule.decision} · {rule.rule}: {rule.reason}" for rule in event.rules]
    heading = f"[{event.decision}] {event.tool} · {event.risk} · level {int(event.level)}"
    return Kind.DECISION, heading, "\n".join([_json(event.input), *rules])


def _asked(event: ev.ApprovalRequested, state: State) -> Told:
    undone = "can be undone" if event.undoable else "cannot be undone"
    heading = f"asked about {event.tool} · call {event.position} of {event.of} · code {event.code} · {undone}"
    return Kind.QUESTION, heading, "\n".join(event.preview)


def _suspended(event: ev.Suspended, state: State) -> Told:
    return Kind.QUESTION, f"{state.calls[event.call_id].tool} asks", "\n".join([event.question, *event.shown])


def _finished(event: ev.ToolFinished, state: State) -> Told:
    return Kind.RESULT, f"{event.tool} {'failed' if event.is_error else 'gave'}", _json(event.result)


def _run_finished(event: ev.RunFinished, state: State) -> Told:
    usage = event.usage
    tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    used = f"{counted(event.steps, 'step')} · {counted(tokens, 'token')}"
    cost = "cost unknown" if usage.cost_usd is None else f"{usage.cost_usd} USD"
    heading = f"the run ended: {event.outcome} · {used} · {cost}"
    # What a completed run says, its last reply has said.
    return Kind.NOTE, heading, "" if event.outcome == "completed" else event.text


_TELLERS: Final[Mapping[type[ev.Event], Callable[[Any, State], Told]]] = {
    ev.RunStarted: _run_started,
    ev.Heard: _heard,
    ev.Replied: _replied,
    ev.Decided: _decided,
    ev.ApprovalRequested: _asked,
    ev.Suspended: _suspended,
    ev.ToolFinished: _finished,
    ev.RunFinished: _run_finished,
}


def _json(value: Any) -> str:
    """Return a value as JSON over several lines, numbers as they were written."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()

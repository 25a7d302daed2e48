"""What programs and terminals see of a run: events, most of them read off the entry that was just stored."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session.call import question_changed
from agentcli.session.conversation import read_block
from agentcli.session.run import Run
from agentcli.session.state import State
from agentcli.tools.outcome import attempted_input
from agentcli.tools.risk import Risk


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every event says: whose it is, and when."""

    session: str
    at: datetime


class RunStarted(Event, frozen=True, kw_only=True, tag="run_started"):
    """A run begins, or an open one goes on."""

    agent: str
    model: str
    level: Level


class TextDelta(Event, frozen=True, kw_only=True, tag="text_delta"):
    """More text of the reply that is streaming."""

    text: str


class ToolInputStarted(Event, frozen=True, kw_only=True, tag="tool_input_started"):
    """A call's input begins to form."""

    call_id: str
    tool: str


class ToolInputDelta(Event, frozen=True, kw_only=True, tag="tool_input_delta"):
    """More of a call's input, as unfinished JSON text."""

    call_id: str
    tool: str
    delta: str


class ToolInputReady(Event, frozen=True, kw_only=True, tag="tool_input_ready"):
    """A call's input, whole."""

    call_id: str
    tool: str
    input: Any


class Replied(Event, frozen=True, kw_only=True, tag="replied"):
    """A model reply is stored."""

    step: int
    text: str
    stop_reason: str | None


class RuleVerdict(msgspec.Struct, frozen=True):
    """What one rule said."""

    rule: str
    decision: Decision
    reason: str


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """Code decided about a call."""

    call_id: str
    tool: str
    input: Any
    risk: Risk
    level: Level
    decision: Decision
    rules: tuple[RuleVerdict, ...]


class ApprovalRequested(Event, frozen=True, kw_only=True, tag="approval_requested"):
    """A question is open."""

    call_id: str
    tool: str
    input: Any
    preview: tuple[str, ...]
    code: str
    undoable: bool
    position: int
    of: int


class Answered(Event, frozen=True, kw_only=True, tag="answered"):
    """A question or form was answered."""

    call_id: str
    answer: e.Answer
    by: str
    reason: str
    seconds: float


class Suspended(Event, frozen=True, kw_only=True, tag="suspended"):
    """A tool stopped to ask a person for something."""

    call_id: str
    question: str
    schema: Any
    shown: tuple[str, ...]


class ToolFinished(Event, frozen=True, kw_only=True, tag="tool_finished"):
    """A call has its one result, whether it ran or not."""

    call_id: str
    tool: str
    result: Any
    is_error: bool


class Queued(Event, frozen=True, kw_only=True, tag="queued"):
    """Words of a person are stored."""

    message: int
    text: str


class Heard(Event, frozen=True, kw_only=True, tag="heard"):
    """Words of a person are in the request of a step."""

    message: int
    text: str
    step: int


CHANGED_INPUT: Final = "changed the input"
"""The reason that stands beside a person's edit."""

RunOutcome = Literal["completed", "waiting", "limit", "stopped", "refused", "failed"]


class TokenUsage(msgspec.Struct, frozen=True, kw_only=True):
    """What a run used; `cost_usd` is decimal text, null where the price is unknown."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: str | None = None


class RunFinished(Event, frozen=True, kw_only=True, tag="run_finished"):
    """The run is over, or waits for a person; always the last event."""

    outcome: RunOutcome
    text: str
    steps: int
    usage: TokenUsage
    undelivered: tuple[int, ...]


def events_of(state: State, record: e.Record) -> tuple[Event, ...]:
    """Return the events that an entry makes, given the state with the entry folded in."""
    make = _MAKERS.get(type(record.entry))
    return () if make is None else make(state, record, record.entry)


def run_finished(state: State, at: datetime, outcome: RunOutcome, text: str) -> RunFinished:
    """Return the event that closes a run, or leaves it waiting for a person."""
    run = state.run or state.last_run
    return RunFinished(
        session=state.session,
        at=at,
        outcome=outcome,
        text=text,
        steps=0 if run is None else run.steps,
        usage=TokenUsage(cost_usd="0") if run is None else _usage(run),
        undelivered=tuple(state.unheard),
    )


def _usage(run: Run) -> TokenUsage:
    return TokenUsage(
        input_tokens=run.usage.input_tokens,
        output_tokens=run.usage.output_tokens,
        cache_read_tokens=run.usage.cache_read_tokens,
        cache_write_tokens=run.usage.cache_write_tokens,
        cost_usd=None if run.cost_usd is None else format(run.cost_usd, "f"),
    )


def _run_ended(state: State, record: e.Record, entry: e.RunEnded) -> tuple[Event, ...]:
    return (run_finished(state, record.at, entry.outcome, entry.text),)


def _run_started(state: State, record: e.Record, entry: e.RunStarted) -> tuple[Event, ...]:
    assert state.opened is not None
    agent = state.opened.agent
    return (RunStarted(session=record.session, at=record.at, agent=agent, model=state.model, level=state.level),)


def _replied(state: State, record: e.Record, entry: e.Replied) -> tuple[Event, ...]:
    texts = [block.text for block in map(read_block, entry.blocks) if block.type == "text"]
    text = "\n\n".join([*texts, *([entry.partial] if entry.partial else [])])
    return (
        Replied(session=record.session, at=record.at, step=entry.step, text=text, stop_reason=entry.stop_reason),
    )


def _decided(state: State, record: e.Record, entry: e.Decided) -> tuple[Event, ...]:
    asked = state.calls[entry.call_id].asked
    if asked is not None and entry.decision is Decision.ASK and not question_changed(entry, asked):
        # Looked at once more after an answer, with the same outcome: there is nothing new to tell.
        return ()
    return (
        Decided(
            session=record.session,
            at=record.at,
            call_id=entry.call_id,
            tool=entry.tool,
            input=attempted_input(entry.as_sent),
            risk=entry.risk,
            level=entry.level,
            decision=entry.decision,
            rules=tuple(_spoken(verdict) for verdict in entry.verdicts),
        ),
    )


def _spoken(verdict: Verdict) -> RuleVerdict:
    return RuleVerdict(verdict.rule, verdict.decision, verdict.reason)


def _asked(state: State, record: e.Record, entry: e.Asked) -> tuple[Event, ...]:
    call = state.calls[entry.call_id]
    assert call.decided is not None
    return (
        ApprovalRequested(
            session=record.session,
            at=record.at,
            call_id=call.call_id,
            tool=call.tool,
            input=attempted_input(call.decided.as_sent),
            preview=entry.preview,
            code=record.code,
            undoable=call.decided.risk is Risk.WRITE,
            position=call.position,
            of=call.of,
        ),
    )


def _answered(state: State, record: e.Record, entry: e.Answered) -> tuple[Event, ...]:
    # To change the input is to fill it in: as after a form, the call is decided anew.
    is_edit = entry.answer == "edited"
    return (
        Answered(
            session=record.session,
            at=record.at,
            call_id=entry.call_id,
            answer="filled" if is_edit else entry.answer,
            by=entry.by,
            reason=CHANGED_INPUT if is_edit else entry.reason,
            seconds=entry.seconds,
        ),
    )


def _supplied(state: State, record: e.Record, entry: e.Supplied) -> tuple[Event, ...]:
    return (
        Answered(
            session=record.session,
            at=record.at,
            call_id=entry.call_id,
            answer="filled",
            by=entry.by,
            reason="",
            seconds=entry.seconds,
        ),
    )


def _suspended(state: State, record: e.Record, entry: e.Suspended) -> tuple[Event, ...]:
    return (
        Suspended(
            session=record.session,
            at=record.at,
            call_id=entry.call_id,
            question=entry.question,
            schema=entry.schema,
            shown=entry.shown,
        ),
    )


def _finished(state: State, record: e.Record, entry: e.Finished | e.Filtered) -> tuple[Event, ...]:
    call = state.calls[entry.call_id]
    if call.output is None:
        return ()
    return (
        ToolFinished(
            session=record.session,
            at=record.at,
            call_id=call.call_id,
            tool=call.tool,
            result=msgspec.Raw(call.output),
            is_error=call.is_error,
        ),
    )


def _said(state: State, record: e.Record, entry: e.Said) -> tuple[Event, ...]:
    return (Queued(session=record.session, at=record.at, message=entry.no, text=entry.text),)


def _heard(state: State, record: e.Record, entry: e.Heard) -> tuple[Event, ...]:
    return tuple(
        Heard(session=record.session, at=record.at, message=no, text=state.messages[no].text, step=entry.step)
        for no in entry.nos
    )


_MAKERS: Final[dict[type[e.Entry], Callable[[State, e.Record, Any], tuple[Event, ...]]]] = {
    e.RunStarted: _run_started,
    e.RunEnded: _run_ended,
    e.Replied: _replied,
    e.Decided: _decided,
    e.Asked: _asked,
    e.Answered: _answered,
    e.Supplied: _supplied,
    e.Suspended: _suspended,
    e.Finished: _finished,
    e.Filtered: _finished,
    e.Said: _said,
    e.Heard: _heard,
}

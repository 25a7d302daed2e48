"""Reads events off entries: what happened, as programs and terminals are told. Pure."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Final

import msgspec

from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session import events as ev
from agentcli.session.call import Call, question_changed
from agentcli.session.conversation import read_block
from agentcli.session.fold import apply
from agentcli.session.record import Record
from agentcli.session.run import Run
from agentcli.session.state import State
from agentcli.tools.outcome import input_as_json
from agentcli.tools.risk import Risk


def events_of(state: State, record: Record) -> tuple[ev.Event, ...]:
    """Return the events that an entry makes, given the state with the entry folded in."""
    make = _MAKERS.get(type(record.entry))
    return () if make is None else make(state, record, record.entry)


def events_in(state: State, records: Iterable[Record]) -> Iterator[ev.Event]:
    """Fold records into the state, and yield the events that they make.

    Until the next event is asked for, the state is the one that the event tells of.
    """
    for record in records:
        apply(state, record)
        yield from events_of(state, record)


def run_finished(state: State, at: datetime, outcome: ev.RunOutcome, text: str) -> ev.RunFinished:
    """Return the event that closes a run, or leaves it waiting for a person."""
    run = state.run or state.last_run
    return ev.RunFinished(
        session=state.session,
        at=at,
        outcome=outcome,
        text=text,
        steps=0 if run is None else run.steps,
        usage=ev.TokenUsage(cost_usd="0") if run is None else _usage(run),
        undelivered=tuple(state.unheard),
    )


def still_asked(state: State) -> ev.ApprovalRequested | ev.Suspended | None:
    """Return the event of the question or form that is open, for those who were not there when it was asked."""
    call = state.current_call
    if call is not None and call.waits_for_answer:
        return _question(state, call)
    return _form(state, call) if call is not None and call.waits_for_form else None


def _usage(run: Run) -> ev.TokenUsage:
    return ev.TokenUsage(
        input_tokens=run.usage.input_tokens,
        output_tokens=run.usage.output_tokens,
        cache_read_tokens=run.usage.cache_read_tokens,
        cache_write_tokens=run.usage.cache_write_tokens,
        cost_usd=None if run.cost_usd is None else format(run.cost_usd, "f"),
    )


def _run_ended(state: State, record: Record, entry: e.RunEnded) -> tuple[ev.Event, ...]:
    return (run_finished(state, record.at, entry.outcome, entry.text),)


def _run_started(state: State, record: Record, entry: e.RunStarted) -> tuple[ev.Event, ...]:
    assert state.opened is not None
    agent = state.opened.agent
    return (
        ev.RunStarted(session=record.session, at=record.at, agent=agent, model=state.model, level=state.level),
    )


def _replied(state: State, record: Record, entry: e.Replied) -> tuple[ev.Event, ...]:
    texts = [block.text for block in map(read_block, entry.blocks) if block.type == "text"]
    text = ev.BETWEEN_TEXTS.join([*texts, *([entry.partial] if entry.partial else [])])
    return (
        ev.Replied(
            session=record.session, at=record.at, step=entry.step, text=text, stop_reason=entry.stop_reason
        ),
    )


def _decided(state: State, record: Record, entry: e.Decided) -> tuple[ev.Event, ...]:
    if _was_told_before(entry, state.calls[entry.call_id]):
        return ()
    return (
        ev.Decided(
            session=record.session,
            at=record.at,
            call_id=entry.call_id,
            tool=entry.tool,
            input=input_as_json(entry.as_sent),
            risk=entry.risk,
            level=entry.level,
            decision=entry.decision,
            rules=tuple(_spoken(verdict) for verdict in entry.verdicts),
        ),
    )


def _was_told_before(entry: e.Decided, call: Call) -> bool:
    """Tell whether a call was decided once more, after an answer or a form, with the same outcome."""
    if entry.decision is Decision.ASK:
        return call.asked is not None and not question_changed(entry, call.asked)
    before = call.decided_before
    return before is not None and (before.decision, before.digest) == (entry.decision, entry.digest)


def _spoken(verdict: Verdict) -> ev.RuleVerdict:
    return ev.RuleVerdict(verdict.rule, verdict.decision, verdict.reason)


def _asked(state: State, record: Record, entry: e.Asked) -> tuple[ev.Event, ...]:
    return (_question(state, state.calls[entry.call_id]),)


def _question(state: State, call: Call) -> ev.ApprovalRequested:
    assert call.decided is not None
    assert call.asked is not None
    assert call.asked_at is not None
    return ev.ApprovalRequested(
        session=state.session,
        at=call.asked_at,
        call_id=call.call_id,
        tool=call.tool,
        input=input_as_json(call.decided.as_sent),
        preview=call.asked.preview,
        code=call.question_code,
        undoable=call.decided.risk is Risk.WRITE and call.undoes is None,
        position=call.position,
        of=call.of,
    )


def _answered(state: State, record: Record, entry: e.Answered) -> tuple[ev.Event, ...]:
    # To change the input is to fill it in: as after a form, the call is decided anew.
    is_edit = entry.answer == "edited"
    return (
        ev.Answered(
            session=record.session,
            at=record.at,
            call_id=entry.call_id,
            answer="filled" if is_edit else entry.answer,
            by=entry.by,
            reason=ev.CHANGED_INPUT if is_edit else entry.reason,
            seconds=entry.seconds,
        ),
    )


def _supplied(state: State, record: Record, entry: e.Supplied) -> tuple[ev.Event, ...]:
    return (
        ev.Answered(
            session=record.session,
            at=record.at,
            call_id=entry.call_id,
            answer="filled",
            by=entry.by,
            reason="",
            seconds=entry.seconds,
        ),
    )


def _suspended(state: State, record: Record, entry: e.Suspended) -> tuple[ev.Event, ...]:
    return (_form(state, state.calls[entry.call_id]),)


def _form(state: State, call: Call) -> ev.Suspended:
    assert call.suspended is not None
    assert call.suspended_at is not None
    return ev.Suspended(
        session=state.session,
        at=call.suspended_at,
        call_id=call.call_id,
        question=call.suspended.question,
        schema=call.suspended.schema,
        shown=call.suspended.shown,
    )


def _finished(state: State, record: Record, entry: e.Finished | e.Filtered) -> tuple[ev.Event, ...]:
    call = state.calls[entry.call_id]
    if call.output is None:
        return ()
    return (
        ev.ToolFinished(
            session=record.session,
            at=record.at,
            call_id=call.call_id,
            tool=call.tool,
            result=msgspec.Raw(call.output),
            is_error=call.is_error,
        ),
    )


def _said(state: State, record: Record, entry: e.Said) -> tuple[ev.Event, ...]:
    return (ev.Queued(session=record.session, at=record.at, message=entry.no, text=entry.text),)


def _heard(state: State, record: Record, entry: e.Heard) -> tuple[ev.Event, ...]:
    return tuple(
        ev.Heard(session=record.session, at=record.at, message=no, text=state.messages[no].text, step=entry.step)
        for no in entry.nos
    )


_MAKERS: Final[dict[type[e.Entry], Callable[[State, Record, Any], tuple[ev.Event, ...]]]] = {
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

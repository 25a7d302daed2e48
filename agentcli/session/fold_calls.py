"""What the entries about calls change in the state."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import msgspec

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.session.record import Record
from agentcli.session.run import Run
from agentcli.session.state import State


def _proposed(state: State, record: Record, entry: e.Proposed) -> None:
    original = None if entry.undoes is None else state.calls[entry.undoes]
    call = Call(entry.call_id, entry.tool, entry.input, 1, 1, by=entry.by, undoes=original)
    state.batch = [*state.batch, call]
    state.calls[call.call_id] = call


def _decided(state: State, record: Record, entry: e.Decided) -> None:
    call = state.calls[entry.call_id]
    call.decided_before = call.decided if call.decided_epoch == state.epoch else None
    call.decided, call.decided_epoch, call.fresh = entry, state.epoch, True


def _asked(state: State, record: Record, entry: e.Asked) -> None:
    call = state.calls[entry.call_id]
    call.asked_before = call.asked
    call.asked, call.asked_seq, call.question_code = entry, record.seq, record.code
    call.asked_at, call.answered, call.reconciled = record.at, None, None
    if state.run is not None:
        state.run.asks += 1
        state.run.begin_waiting(record.at)


def _answered(state: State, record: Record, entry: e.Answered) -> None:
    call = state.calls[entry.call_id]
    call.answered = entry
    if state.run is not None:
        state.run.end_waiting(record.at)
        if entry.answer == "declined":
            state.run.remember_decline(call.tool, _asked_about(call))
    if entry.answer == "edited" and entry.input is not None:
        # Another call but for its id: what was decided, asked and filled in was about the input before.
        call.edited, call.input = entry, entry.input
        call.decided, call.asked, call.answered = None, None, None
        call.suspended, call.supplied, call.resumed = None, None, None
    state.make_stale()


def _asked_about(call: Call) -> str:
    """Return the input that a person was asked about; the form of a preview comes before a decision holds it."""
    if call.form_declined and call.suspended is not None and call.suspended.input is not None:
        return call.suspended.input
    return call.input if call.decided is None else call.decided.input


def _started(state: State, record: Record, entry: e.Started) -> None:
    call = state.calls[entry.call_id]
    if not call.started_seq:
        _tally_call(state.run, call, record.at)
    call.started, call.started_seq, call.started_at = entry, record.seq, record.at
    call.started_epoch = state.epoch
    call.overdue, call.reconciled = False, None


def _overdue(state: State, record: Record, entry: e.Overdue) -> None:
    state.calls[entry.call_id].overdue = True
    if state.run is not None:
        state.run.begin_waiting(record.at)


def _suspended(state: State, record: Record, entry: e.Suspended) -> None:
    call = state.calls[entry.call_id]
    call.suspended, call.suspended_seq, call.suspended_at = entry, record.seq, record.at
    call.form_code = record.code
    call.supplied, call.started, call.reconciled = None, None, None
    if state.run is not None:
        state.run.begin_waiting(record.at)


def _supplied(state: State, record: Record, entry: e.Supplied) -> None:
    call = state.calls[entry.call_id]
    call.supplied = entry
    call.resumed = (call.resumed or {}) | msgspec.json.decode(entry.data)
    if state.run is not None:
        state.run.end_waiting(record.at)
    state.make_stale()


def _reconciled(state: State, record: Record, entry: e.Reconciled) -> None:
    call = state.calls[entry.call_id]
    call.reconciled = entry
    if entry.outcome == "retry":
        call.started, call.overdue = None, False
    if state.run is not None:
        state.run.end_waiting(record.at)
    state.make_stale()


def _finished(state: State, record: Record, entry: e.Finished) -> None:
    call = state.calls[entry.call_id]
    call.finished = entry
    lost = False
    for fact in entry.facts:
        key = (fact.name, fact.subject)
        lost = lost or (not fact.holds and key in state.facts and state.facts[key].holds)
        state.facts[key] = fact
    if lost:
        state.make_stale()
    if call.undoes is not None and (not entry.is_error or call.happened):
        call.undoes.undone = True
        state.conversation.note(f"{call.by} has undone {call.tool} {call.as_sent}")
    if state.run is not None:
        state.run.end_waiting(record.at)
    if entry.origin == "tool" and not call.started_seq:
        _tally_call(state.run, call, record.at)
    if not entry.held:
        _settle(state, call, bytes(entry.result), is_error=entry.is_error)


def _tally_call(run: Run | None, call: Call, at: datetime) -> None:
    """Count a call that runs for the first time: elsewhere once it starts, in the store once it is done."""
    if run is not None and call.decided is not None:
        nobody_looked = call.asked is None and call.edited is None
        is_unasked = call.decided.decision is Decision.ALLOW and nobody_looked
        run.count_call(call.decided.risk, unasked=is_unasked, at=at)


def _filtered(state: State, record: Record, entry: e.Filtered) -> None:
    _settle(state, state.calls[entry.call_id], bytes(entry.output), is_error=entry.is_error)


def _settle(state: State, call: Call, output: bytes, *, is_error: bool) -> None:
    """Give the call its result; with the last one of a reply, all enter the conversation in the model's order."""
    call.output, call.is_error = output, is_error
    proposed = [one for one in state.batch if one.by is None]
    if call.by is not None or not all(one.settled for one in proposed):
        return
    for one in proposed:
        state.conversation.add_result(one.call_id, one.told, is_error=one.is_error)
    state.owed = state.owed or bool(proposed)


CALL_FOLDS: Final[dict[type[e.Entry], Callable[[State, Record, Any], None]]] = {
    e.Proposed: _proposed,
    e.Decided: _decided,
    e.Asked: _asked,
    e.Answered: _answered,
    e.Started: _started,
    e.Overdue: _overdue,
    e.Suspended: _suspended,
    e.Supplied: _supplied,
    e.Reconciled: _reconciled,
    e.Finished: _finished,
    e.Filtered: _filtered,
}

"""The journal folded into the state, one entry at a time and in place."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import msgspec

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.session.conversation import kept_blocks
from agentcli.session.reply import is_whole
from agentcli.session.run import Run
from agentcli.session.state import Message, State
from agentcli.tools.block_input import written_input
from agentcli.tools.risk import Risk

BY_ANYONE_AT_ANY_TIME: Final = frozenset({e.Said, e.Unsaid, e.StopAsked})
"""Entries that don't show whether a process was at work on the session when they were written."""


def apply(state: State, record: e.Record) -> None:
    """Take one more record in.

    Raises:
        ValueError: It does not follow the one before.
    """
    if record.seq != state.seq + 1:
        raise ValueError(f"entry {record.seq} of session {state.session!r} follows entry {state.seq}")
    state.seq = record.seq
    _FOLDS[type(record.entry)](state, record, record.entry)
    if type(record.entry) not in BY_ANYONE_AT_ANY_TIME:
        state.worked_at = record.at


def fold(session: str, records: Iterable[e.Record], risks: Mapping[str, Risk] | None = None) -> State:
    """Return where a session stands after the records."""
    state = State(session, risks or {})
    for record in records:
        apply(state, record)
    return state


def _opened(state: State, record: e.Record, entry: e.Opened) -> None:
    state.opened = entry
    state.model, state.level = entry.model, entry.level
    state.tool_levels, state.require_approval = dict(entry.tool_levels), entry.require_approval


def _attached(state: State, record: e.Record, entry: e.Attached) -> None:
    state.epoch = entry.epoch
    state.model, state.level = entry.model, entry.level
    state.tool_levels, state.require_approval = dict(entry.tool_levels), entry.require_approval
    # Tries stay counted, so that crashes can't add to them; the time in which to try begins anew.
    state.first_attempt_at = None
    if state.run is not None:
        state.run.skip(state.worked_at or record.at, record.at)
        call = state.current_call
        if call is not None and call.outcome_unknown(state.epoch):
            state.run.begin_waiting(record.at)
    _stale(state)


def _level_set(state: State, record: e.Record, entry: e.LevelSet) -> None:
    if entry.tool is None:
        state.level = entry.level if entry.level is not None else state.level
    elif entry.level is None:
        state.tool_levels.pop(entry.tool, None)
    else:
        state.tool_levels[entry.tool] = entry.level
    _stale(state)


def _said(state: State, record: e.Record, entry: e.Said) -> None:
    state.messages[entry.no] = Message(entry.no, entry.text, record.seq)
    state.unheard.append(entry.no)


def _unsaid(state: State, record: e.Record, entry: e.Unsaid) -> None:
    if entry.text is None:
        state.unheard.remove(entry.no)
    else:
        state.messages[entry.no].text = entry.text


def _stop_asked(state: State, record: e.Record, entry: e.StopAsked) -> None:
    state.stop_asked = state.run is not None


def _run_started(state: State, record: e.Record, entry: e.RunStarted) -> None:
    state.run = Run(entry.run, entry.limits, record.at, entry.cause)
    state.runs = entry.run
    state.attempts, state.first_attempt_at, state.failure = 0, None, None
    state.reply = None
    # What was decided in the run before, and not asked about any more, may rest on what has changed since.
    _stale(state)


def _run_ended(state: State, record: e.Record, entry: e.RunEnded) -> None:
    state.last_run, state.run = state.run, None
    state.ended, state.ended_seq = entry, record.seq
    state.stop_asked = False


def _heard(state: State, record: e.Record, entry: e.Heard) -> None:
    for no in entry.nos:
        state.unheard.remove(no)
        state.messages[no].heard_at_step = entry.step
        state.conversation.hear(state.messages[no].text)
    state.conversation.tell_notes()
    state.owed = True


def _requested(state: State, record: e.Record, entry: e.Requested) -> None:
    state.attempts = entry.attempt
    state.first_attempt_at = state.first_attempt_at or record.at
    state.failure = None


def _request_failed(state: State, record: e.Record, entry: e.RequestFailed) -> None:
    state.failure = entry


def _replied(state: State, record: e.Record, entry: e.Replied) -> None:
    state.reply = entry
    state.attempts, state.first_attempt_at, state.failure = 0, None, None
    run = state.run
    if run is not None:
        _tally(run, entry)
    state.cut = False
    if entry.fault is not None:
        return
    state.paused = False
    state.cut = not is_whole(entry)
    kept = [] if entry.stop_reason == "refusal" else kept_blocks(entry.blocks, only_text=state.cut)
    uses = [block for _, block in kept if block.type == "tool_use"]
    state.conversation.add_reply([raw for raw, _ in kept], holds_calls=bool(uses))
    state.batch = [
        Call(use.id, use.name, written_input(bytes(use.input)), position, len(uses))
        for position, use in enumerate(uses, start=1)
    ]
    state.calls.update((call.call_id, call) for call in state.batch)
    state.paused = entry.stop_reason == "pause_turn" and not uses
    # Where something of it stays, the conversation ends with the model, and only words can go on from there.
    is_open = state.cut and bool(state.conversation.pending)
    state.owed = state.paused or (is_open and entry.stop_reason != "refusal")
    if run is not None:
        run.text = "\n\n".join(block.text for _, block in kept if block.type == "text") or run.text
        run.pauses += state.paused


def _tally(run: Run, entry: e.Replied) -> None:
    run.steps += 1
    run.usage += entry.usage
    if run.cost_usd is None or entry.cost_usd is None:
        run.cost_usd = None
    else:
        run.cost_usd += Decimal(entry.cost_usd)
    run.malformed += entry.fault is not None


def _proposed(state: State, record: e.Record, entry: e.Proposed) -> None:
    original = None if entry.undoes is None else state.calls[entry.undoes]
    call = Call(entry.call_id, entry.tool, entry.input, 1, 1, by=entry.by, undoes=original)
    state.batch = [*state.batch, call]
    state.calls[call.call_id] = call


def _decided(state: State, record: e.Record, entry: e.Decided) -> None:
    call = state.calls[entry.call_id]
    call.decided_before = call.decided if call.decided_epoch == state.epoch else None
    call.decided, call.decided_epoch, call.fresh = entry, state.epoch, True


def _asked(state: State, record: e.Record, entry: e.Asked) -> None:
    call = state.calls[entry.call_id]
    call.asked_before = call.asked
    call.asked, call.asked_seq, call.question_code = entry, record.seq, record.code
    call.asked_at, call.answered = record.at, None
    if state.run is not None:
        state.run.asks += 1
        state.run.begin_waiting(record.at)


def _answered(state: State, record: e.Record, entry: e.Answered) -> None:
    call = state.calls[entry.call_id]
    call.answered = entry
    if state.run is not None:
        state.run.end_waiting(record.at)
        if entry.answer == "declined" and call.decided is not None:
            state.run.remember_decline(call.tool, call.decided.input)
    if entry.answer == "edited" and entry.input is not None:
        # Another call but for its id: what was decided, asked and filled in was about the input before.
        call.edited, call.input = entry, entry.input
        call.decided, call.asked, call.answered = None, None, None
        call.suspended, call.supplied, call.resumed = None, None, None
    _stale(state)


def _started(state: State, record: e.Record, entry: e.Started) -> None:
    call = state.calls[entry.call_id]
    if not call.started_seq:
        _tally_call(state.run, call, record.at)
    call.started, call.started_seq, call.started_at = entry, record.seq, record.at
    call.started_epoch = state.epoch
    call.overdue, call.reconciled = False, None


def _overdue(state: State, record: e.Record, entry: e.Overdue) -> None:
    state.calls[entry.call_id].overdue = True
    if state.run is not None:
        state.run.begin_waiting(record.at)


def _suspended(state: State, record: e.Record, entry: e.Suspended) -> None:
    call = state.calls[entry.call_id]
    call.suspended, call.suspended_seq, call.suspended_at = entry, record.seq, record.at
    call.supplied = None
    call.started = None
    if state.run is not None:
        state.run.begin_waiting(record.at)


def _supplied(state: State, record: e.Record, entry: e.Supplied) -> None:
    call = state.calls[entry.call_id]
    call.supplied = entry
    call.resumed = (call.resumed or {}) | msgspec.json.decode(entry.data)
    if state.run is not None:
        state.run.end_waiting(record.at)
    _stale(state)


def _reconciled(state: State, record: e.Record, entry: e.Reconciled) -> None:
    call = state.calls[entry.call_id]
    if entry.outcome == "retry":
        call.started, call.overdue = None, False
    else:
        call.reconciled = entry
    if state.run is not None:
        state.run.end_waiting(record.at)
    _stale(state)


def _finished(state: State, record: e.Record, entry: e.Finished) -> None:
    call = state.calls[entry.call_id]
    call.finished = entry
    lost = False
    for fact in entry.facts:
        key = (fact.name, fact.subject)
        lost = lost or (not fact.holds and key in state.facts and state.facts[key].holds)
        state.facts[key] = fact
    if lost:
        _stale(state)
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


def _filtered(state: State, record: e.Record, entry: e.Filtered) -> None:
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


def _stale(state: State) -> None:
    for call in state.batch:
        call.fresh = False


_FOLDS: Final[dict[type[e.Entry], Callable[[State, e.Record, Any], None]]] = {
    e.Opened: _opened,
    e.Attached: _attached,
    e.LevelSet: _level_set,
    e.Said: _said,
    e.Unsaid: _unsaid,
    e.StopAsked: _stop_asked,
    e.RunStarted: _run_started,
    e.RunEnded: _run_ended,
    e.Heard: _heard,
    e.Requested: _requested,
    e.RequestFailed: _request_failed,
    e.Replied: _replied,
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

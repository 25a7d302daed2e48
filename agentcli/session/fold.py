"""The journal folded into the state, one entry at a time and in place."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.session.conversation import kept_blocks
from agentcli.session.fold_calls import CALL_FOLDS
from agentcli.session.record import Record
from agentcli.session.reply import is_whole
from agentcli.session.run import Run
from agentcli.session.state import Message, State
from agentcli.tools.block_input import written_input
from agentcli.tools.risk import Risk

BY_ANYONE_AT_ANY_TIME: Final = frozenset({e.Said, e.Unsaid, e.StopAsked})
"""Entries that don't show whether a process was at work on the session when they were written."""


def apply(state: State, record: Record) -> None:
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


def fold(session: str, records: Iterable[Record], risks: Mapping[str, Risk] | None = None) -> State:
    """Return where a session stands after the records."""
    state = State(session, risks or {})
    for record in records:
        apply(state, record)
    return state


def _opened(state: State, record: Record, entry: e.Opened) -> None:
    state.opened = entry
    state.model, state.level = entry.model, entry.level
    state.tool_levels, state.require_approval = dict(entry.tool_levels), entry.require_approval


def _attached(state: State, record: Record, entry: e.Attached) -> None:
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
    state.make_stale()


def _level_set(state: State, record: Record, entry: e.LevelSet) -> None:
    if entry.tool is None:
        state.level = entry.level if entry.level is not None else state.level
    elif entry.level is None:
        state.tool_levels.pop(entry.tool, None)
    else:
        state.tool_levels[entry.tool] = entry.level
    state.make_stale()


def _said(state: State, record: Record, entry: e.Said) -> None:
    state.messages[entry.no] = Message(entry.no, entry.text, entry.channel, record.seq)
    state.unheard.append(entry.no)


def _unsaid(state: State, record: Record, entry: e.Unsaid) -> None:
    if entry.text is None:
        state.unheard.remove(entry.no)
    else:
        state.messages[entry.no].text = entry.text


def _stop_asked(state: State, record: Record, entry: e.StopAsked) -> None:
    state.stop_asked = state.run is not None


def _run_started(state: State, record: Record, entry: e.RunStarted) -> None:
    state.run = Run(entry.run, entry.limits, record.at, entry.cause)
    state.runs = entry.run
    state.attempts, state.first_attempt_at, state.failure = 0, None, None
    state.reply = None
    # What was decided in the run before, and not asked about any more, may rest on what has changed since.
    state.make_stale()


def _run_ended(state: State, record: Record, entry: e.RunEnded) -> None:
    state.last_run, state.run = state.run, None
    state.ended, state.ended_seq = entry, record.seq
    state.stop_asked = False


def _heard(state: State, record: Record, entry: e.Heard) -> None:
    for no in entry.nos:
        state.unheard.remove(no)
        state.messages[no].heard_at_step = entry.step
        state.conversation.hear(state.messages[no].text)
    state.conversation.tell_notes()
    state.owed = True


def _requested(state: State, record: Record, entry: e.Requested) -> None:
    state.attempts = entry.attempt
    state.first_attempt_at = state.first_attempt_at or record.at
    state.failure = None


def _request_failed(state: State, record: Record, entry: e.RequestFailed) -> None:
    state.failure = entry


def _replied(state: State, record: Record, entry: e.Replied) -> None:
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


_FOLDS: Final[dict[type[e.Entry], Callable[[State, Record, Any], None]]] = {
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
    **CALL_FOLDS,
}

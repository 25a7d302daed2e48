"""Folds with one mistake: something an entry says is forgotten, or something it ends goes on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from agentcli.engine.journal import Apply
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.session.entries import Entry
from agentcli.session.fold import apply
from agentcli.session.record import Record
from agentcli.session.run import Run
from agentcli.session.state import State


@dataclass(frozen=True, slots=True)
class Kept:
    """Fields that keep the value they had before an entry."""

    entry: type[Entry] | tuple[type[Entry], ...]
    of_state: tuple[str, ...] = ()
    of_run: tuple[str, ...] = ()
    of_call: tuple[str, ...] = ()

    def __call__(self, state: State, record: Record) -> None:
        if not isinstance(record.entry, self.entry):
            apply(state, record)
            return
        run, calls = state.run, list(state.batch)
        before: list[tuple[State | Run | Call, str, Any]] = []
        before += [(state, name, _copy(getattr(state, name))) for name in self.of_state]
        before += [(run, name, _copy(getattr(run, name))) for name in self.of_run if run is not None]
        before += [(call, name, getattr(call, name)) for call in calls for name in self.of_call]
        apply(state, record)
        for owner, name, value in before:
            setattr(owner, name, value)


def _copy(value: Any) -> Any:
    return type(value)(value) if isinstance(value, list | dict | set) else value


def read_as(entry: type[Entry], reading: Callable[[Any], Entry]) -> Apply:
    """Return a fold that takes entries of a kind for something else."""

    def mistaken(state: State, record: Record) -> None:
        apply(state, replace_entry(record, reading(record.entry)) if isinstance(record.entry, entry) else record)

    return mistaken


def replace_entry(record: Record, entry: Entry) -> Record:
    """The record with another entry."""
    return msgspec.structs.replace(record, entry=entry)


def _whole_if_cut(reply: e.Replied) -> e.Replied:
    is_cut = reply.stop_reason in ("max_tokens", "model_context_window_exceeded")
    return msgspec.structs.replace(reply, stop_reason="tool_use") if is_cut else reply


def _shown_if_refused(reply: e.Replied) -> e.Replied:
    return msgspec.structs.replace(reply, stop_reason="end_turn") if reply.stop_reason == "refusal" else reply


def _usable_if_malformed(reply: e.Replied) -> e.Replied:
    return msgspec.structs.replace(reply, fault=None)


def _ended_if_paused(reply: e.Replied) -> e.Replied:
    return msgspec.structs.replace(reply, stop_reason="end_turn") if reply.stop_reason == "pause_turn" else reply


def _released(finished: e.Finished) -> e.Finished:
    return msgspec.structs.replace(finished, held=False)


def _undone_is_forgotten(state: State, record: Record) -> None:
    apply(state, record)
    for call in state.calls.values():
        call.undone = False


def _results_in_reverse(state: State, record: Record) -> None:
    was = len(state.conversation.pending)
    apply(state, record)
    if isinstance(record.entry, e.Finished | e.Filtered):
        state.conversation.pending[was:] = reversed(state.conversation.pending[was:])


def _words_before_results(state: State, record: Record) -> None:
    was = len(state.conversation.pending)
    apply(state, record)
    if isinstance(record.entry, e.Heard) and state.conversation.pending:
        pending = state.conversation.pending
        pending[:] = pending[was:] + pending[:was]


def _late_words_first(state: State, record: Record) -> None:
    if isinstance(record.entry, e.Said):
        apply(state, record)
        state.unheard.insert(0, state.unheard.pop())
    else:
        apply(state, record)


def _lost_facts_stay(state: State, record: Record) -> None:
    facts = dict(state.facts)
    apply(state, record)
    if isinstance(record.entry, e.Finished):
        state.facts.update({key: fact for key, fact in facts.items() if fact.holds})


def _a_no_before_the_decision_is_forgotten(state: State, record: Record) -> None:
    undecided = isinstance(record.entry, e.Answered) and state.calls[record.entry.call_id].decided is None
    (Kept(e.Answered, of_run=("declined",)) if undecided else apply)(state, record)


def _a_form_stays_open(state: State, record: Record) -> None:
    entry = record.entry
    declines = isinstance(entry, e.Answered) and entry.asked == state.calls[entry.call_id].suspended_seq
    (Kept(e.Answered, of_call=("answered",)) if declines else apply)(state, record)


def _stops_without_a_run_count(state: State, record: Record) -> None:
    apply(state, record)
    if isinstance(record.entry, e.StopAsked):
        state.stop_asked = True


def _heard_owes_nothing(state: State, record: Record) -> None:
    owed = state.owed
    apply(state, record)
    if isinstance(record.entry, e.Heard):
        state.owed = owed


RUNNING: Final = ("steps", "usage", "cost_usd", "pauses", "malformed")

MISTAKES: Final[dict[str, Apply]] = {
    "Attached leaves decisions fresh": Kept(e.Attached, of_call=("fresh",)),
    "LevelSet leaves decisions fresh": Kept(e.LevelSet, of_call=("fresh",)),
    "Answered leaves decisions fresh": Kept(e.Answered, of_call=("fresh",)),
    "Supplied leaves decisions fresh": Kept(e.Supplied, of_call=("fresh",)),
    "Reconciled leaves decisions fresh": Kept(e.Reconciled, of_call=("fresh",)),
    "Attached keeps the epoch": Kept(e.Attached, of_state=("epoch",)),
    "Attached keeps the level": Kept(e.Attached, of_state=("level", "tool_levels")),
    "Attached keeps what is asked about": Kept(e.Attached, of_state=("require_approval",)),
    "Attached counts the time without a process": Kept(e.Attached, of_run=("away",)),
    "LevelSet changes nothing": Kept(e.LevelSet, of_state=("level", "tool_levels")),
    "Said comes first": _late_words_first,
    "Unsaid changes nothing": Kept(e.Unsaid, of_state=("unheard",)),
    "StopAsked counts without a run": _stops_without_a_run_count,
    "StopAsked is forgotten": Kept(e.StopAsked, of_state=("stop_asked",)),
    "RunStarted leaves decisions fresh": Kept(e.RunStarted, of_call=("fresh",)),
    "RunStarted keeps the last reply": Kept(e.RunStarted, of_state=("reply",)),
    "RunStarted keeps the last failure": Kept(e.RunStarted, of_state=("failure",)),
    "RunStarted keeps the attempts": Kept(e.RunStarted, of_state=("attempts",)),
    "RunEnded keeps the stop": Kept(e.RunEnded, of_state=("stop_asked",)),
    "RunEnded does not say when": Kept(e.RunEnded, of_state=("ended_seq",)),
    "Heard leaves words unheard": Kept(e.Heard, of_state=("unheard",)),
    "Heard comes before results": _words_before_results,
    "Heard owes nothing": _heard_owes_nothing,
    "Requested is not counted": Kept(e.Requested, of_state=("attempts",)),
    "Requested keeps the failure": Kept(e.Requested, of_state=("failure",)),
    "RequestFailed is forgotten": Kept(e.RequestFailed, of_state=("failure",)),
    "Replied keeps the attempts": Kept(e.Replied, of_state=("attempts",)),
    "Replied is not counted": Kept(e.Replied, of_run=RUNNING),
    "Replied runs the calls of a cut reply": read_as(e.Replied, _whole_if_cut),
    "Replied keeps a refusal": read_as(e.Replied, _shown_if_refused),
    "Replied uses a malformed reply": read_as(e.Replied, _usable_if_malformed),
    "Replied takes a pause for the end": read_as(e.Replied, _ended_if_paused),
    "Asked keeps the answer": Kept(e.Asked, of_call=("answered",)),
    "Asked is not counted": Kept(e.Asked, of_run=("asks",)),
    "Asked counts the time": Kept(e.Asked, of_run=("waiting_since",)),
    "Answered forgets a no": Kept(e.Answered, of_run=("declined",)),
    "Answered forgets a no to what was not decided yet": _a_no_before_the_decision_is_forgotten,
    "Answered leaves a declined form open": _a_form_stays_open,
    "Answered lets the time stand still": Kept(e.Answered, of_run=("away", "waiting_since")),
    "Started is not counted": Kept(e.Started, of_run=("irreversible", "unasked_at")),
    "Started keeps what was said of an earlier start": Kept(e.Started, of_call=("overdue", "reconciled")),
    "Overdue is forgotten": Kept(e.Overdue, of_call=("overdue",)),
    "Overdue counts the time": Kept(e.Overdue, of_run=("waiting_since",)),
    "Suspended stays at work": Kept(e.Suspended, of_call=("started",)),
    "Suspended keeps the first form's data": Kept(e.Suspended, of_call=("supplied",)),
    "Suspended counts the time": Kept(e.Suspended, of_run=("waiting_since",)),
    "Supplied is forgotten": Kept(e.Supplied, of_call=("supplied",)),
    "Supplied loses the data": Kept(e.Supplied, of_call=("resumed",)),
    "Reconciled does not try again": Kept(e.Reconciled, of_call=("started",)),
    "Reconciled is forgotten": Kept(e.Reconciled, of_call=("reconciled",)),
    "Finished is not counted": Kept(e.Finished, of_run=("irreversible", "unasked_at")),
    "Finished leaves decisions fresh": Kept(e.Finished, of_call=("fresh",)),
    "Finished lets an undo be repeated": _undone_is_forgotten,
    "Finished releases what is held": read_as(e.Finished, _released),
    "Finished gives results in reverse": _results_in_reverse,
    "Finished keeps facts that are lost": _lost_facts_stay,
    "Finished owes nothing": Kept(e.Finished, of_state=("owed",)),
    "Filtered is forgotten": Kept(e.Filtered, of_call=("output",)),
}

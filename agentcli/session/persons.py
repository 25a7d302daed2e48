"""What persons add to a journal, checked against the state it refers to; the same for every process."""

from datetime import datetime, timedelta
from typing import Literal, get_args

import msgspec
from msgspec import Struct, field

from agentcli.session.call import Call
from agentcli.session.entries import (
    Answered,
    Proposed,
    Reconciled,
    Reconciliation,
    Said,
    StopAsked,
    Supplied,
    Unsaid,
)
from agentcli.session.origin import Origin
from agentcli.session.state import State
from agentcli.tools.form import FormFault, form_of
from agentcli.tools.json_text import JsonFault, compact, read_json

YesOrNo = Literal["approved", "declined", "cancelled"]


class Person(Struct, frozen=True):
    """Who acts: the login name, through which channel, and where from."""

    by: str
    channel: str
    origin: Origin = field(default_factory=Origin)


class Refused(Struct, frozen=True):
    """An act that does not count, and why, in a sentence for the person."""

    reason: str


class Given(Struct, frozen=True):
    """An answer as a person gave it; `code` names the question that was seen, no other is answered by it."""

    answer: YesOrNo
    code: str
    reason: str = ""


def say(state: State, text: str, person: Person) -> Said:
    """Return the entry for a person's words.

    Raises:
        ValueError: They are nothing but blanks, which the service would refuse in this and every later request.
    """
    if not text.strip():
        raise ValueError("there is nothing to say")
    return Said(state.next_message_no, text, person.by, person.channel)


def stop(state: State, person: Person) -> StopAsked | Refused:
    """Return the entry that asks the open run to stop, or why there is nothing to stop."""
    if state.run is None:
        return Refused("no run is open, so there is nothing to stop")
    return StopAsked(person.by)


def unsay(state: State, no: int, text: str | None) -> Unsaid | Refused:
    """Return the entry that puts an unheard message otherwise, or drops it where `text` is None; else why not."""
    if no not in state.messages:
        return Refused(f"there is no message #{no}")
    message = state.messages[no]
    if message.heard_at_step is not None:
        return Refused(f"#{no} was heard at step {message.heard_at_step}; say what should be otherwise")
    if no not in state.unheard:
        return Refused(f"#{no} was dropped before")
    if text is not None and not text.strip():
        return Refused("there is nothing to say; drop it instead")
    return Unsaid(no, text)


def answer(state: State, call_id: str, given: Given, person: Person, now: datetime) -> Answered | Refused:
    """Return the entry for an answer to an open question, or why it does not count."""
    if given.answer not in get_args(YesOrNo):
        return Refused(f"{given.answer!r} is no answer")
    call = _open_question(state, call_id, given.code, now)
    if isinstance(call, Refused):
        return call
    return Answered(
        call_id=call_id,
        asked=call.asked_seq,
        answer=given.answer,
        by=person.by,
        channel=person.channel,
        seconds=_seconds_since(call.asked_at or now, now),
        reason=given.reason,
        origin=person.origin,
    )


def edit(
    state: State, call_id: str, input_text: str, code: str, person: Person, now: datetime
) -> Answered | Refused:
    """Return the entry by which a person changes the input of a call that they are asked about.

    It closes the question of this code; the changed call is then checked, decided and asked about anew.

    Args:
        input_text: The whole input as JSON text; whether it fits the tool is looked at when it is decided.
    """
    call = _open_question(state, call_id, code, now)
    if isinstance(call, Refused):
        return call
    if call.by is not None:
        return Refused("this is no call of the model: there is no input to change, only a yes or a no")
    if call.started is not None:
        return Refused("an earlier process may have run this call: there is only a yes to run it again, or a no")
    try:
        changed = read_json(input_text)
    except JsonFault as fault:
        return Refused(f"the input is no JSON: {fault}")
    if not isinstance(changed, dict):
        return Refused("the input is no JSON object")
    if call.decided is not None and compact(changed) == call.decided.input:
        return Refused("nothing about the input was changed")
    return Answered(
        call_id=call_id,
        asked=call.asked_seq,
        answer="edited",
        by=person.by,
        channel=person.channel,
        seconds=_seconds_since(call.asked_at or now, now),
        input=compact(changed),
        origin=person.origin,
    )


def undo(state: State, call_id: str, person: Person) -> Proposed | Refused:
    """Return the entry by which a person proposes to reverse the last write that is still standing.

    Args:
        call_id: The id of the new call.
    """
    if state.run is not None:
        return Refused("a run is open: let it end, or stop it, before something is undone")
    if state.current_call is not None:
        return Refused(_in_the_way(state.current_call))
    original = next((call for call in reversed(state.calls.values()) if call.can_be_undone), None)
    if original is None or original.decided is None:
        return Refused("there is nothing to undo")
    return Proposed(call_id, original.tool, original.decided.input, person.by, original.call_id)


def _in_the_way(call: Call) -> str:
    """Return why nothing can be undone beside a call, and what ends that."""
    if call.by is not None:
        return "another undo is open: answer it before something is undone"
    return f"{call.tool} was left over: go on with it, or say something else, before something is undone"


def supply(
    state: State, call_id: str, data: str, person: Person, now: datetime, *, code: str | None = None
) -> Supplied | Refused:
    """Return the entry for a form that a person filled in, as JSON text, or why it does not count.

    Args:
        code: That of the form which was seen, where that is known; no other is filled in by it.
    """
    call = _open_form(state, call_id, code)
    if isinstance(call, Refused):
        return call
    assert call.suspended is not None
    try:
        read = form_of(msgspec.json.decode(call.suspended.schema)).read(read_json(data))
    except (FormFault, JsonFault) as fault:
        return Refused(str(fault))
    return Supplied(
        call_id=call_id,
        suspended=call.suspended_seq,
        data=msgspec.Raw(compact(read).encode()),
        by=person.by,
        channel=person.channel,
        seconds=_seconds_since(call.suspended_at or now, now),
        origin=person.origin,
    )


def decline_form(
    state: State, call_id: str, reason: str, person: Person, now: datetime, *, code: str | None = None
) -> Answered | Refused:
    """Return the entry by which nobody will fill in what a call asks for, so that it never runs; else why not.

    Args:
        code: That of the form which was seen, where that is known; no other is declined by it.
    """
    call = _open_form(state, call_id, code)
    if isinstance(call, Refused):
        return call
    return Answered(
        call_id=call_id,
        asked=call.suspended_seq,
        answer="declined",
        by=person.by,
        channel=person.channel,
        seconds=_seconds_since(call.suspended_at or now, now),
        reason=reason,
        origin=person.origin,
    )


def reconcile(
    state: State,
    call_id: str,
    outcome: Reconciliation,
    person: Person,
    *,
    is_held: bool = True,
) -> Reconciled | Refused:
    """Return the entry that settles a call whose outcome is unknown, or why it does not count.

    Args:
        is_held: Whether a process holds the session; where none does, whatever was at work is gone.
    """
    if outcome not in get_args(Reconciliation):
        return Refused(f"{outcome!r} is no outcome")
    call = state.calls.get(call_id)
    if call is None or not call.outcome_unknown(epoch_seen(state, is_held=is_held)):
        return Refused(_no_outcome(call_id, call))
    return Reconciled(call_id, call.started_seq, outcome, person.by, person.channel, person.origin)


def was_first(given: Answered | Supplied | Reconciled) -> str:
    """Return what somebody is told who comes second: who was first, and with what."""
    match given:
        case Answered():
            what = f"{given.answer} after {given.seconds:.1f} s"
        case Supplied():
            what = f"filled in after {given.seconds:.1f} s"
        case Reconciled():
            what = given.outcome
    return f"{given.by} was first: {what}"


def epoch_seen(state: State, *, is_held: bool) -> int:
    """Return the epoch by which outcomes are unknown: without a holder that of the process still to come."""
    return state.epoch if is_held else state.epoch + 1


def _open_question(state: State, call_id: str, code: str, now: datetime) -> Call | Refused:
    """Return the call whose open question has this code, or why there is nothing to answer."""
    call = state.calls.get(call_id)
    if call is not None and call.edited is not None and call.asked is None and not call.settled:
        return Refused(f"{call.edited.by} was first and changed the input; the call is about to be asked anew")
    if call is None or call.asked is None:
        return Refused(f"no question was asked about the call {call_id!r}")
    if call.answered is not None or call.settled:
        return Refused(_too_late(call))
    if code != call.question_code:
        # The right one is told to nobody who has not looked.
        return Refused(f"the question has changed, or {code!r} was never its code; look at it again")
    if call.has_expired(now):
        return Refused("the question has expired")
    return call


def _open_form(state: State, call_id: str, code: str | None) -> Call | Refused:
    """Return the call that waits for the form of this code, or why there is nothing to fill in."""
    call = state.calls.get(call_id)
    if call is None or not call.waits_for_form:
        return Refused(_no_form(call_id, call))
    if code not in (None, call.form_code):
        return Refused(f"something else is asked for by now, or {code!r} was never its code; look at it again")
    return call


def _too_late(call: Call) -> str:
    return "the call was settled before" if call.answered is None else was_first(call.answered)


def _no_form(call_id: str, call: Call | None) -> str:
    if call is not None and call.form_declined:
        return _too_late(call)
    if call is None or call.supplied is None:
        return f"the call {call_id!r} asks for nothing to be filled in"
    return was_first(call.supplied)


def _no_outcome(call_id: str, call: Call | None) -> str:
    if call is None or call.reconciled is None:
        return f"the outcome of the call {call_id!r} is not open"
    return was_first(call.reconciled)


def _seconds_since(since: datetime, now: datetime) -> float:
    return round(max(timedelta(0), now - since).total_seconds(), 3)

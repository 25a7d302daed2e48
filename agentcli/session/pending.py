"""What waits for a person: calls to be allowed, forms to be filled in, unknown outcomes to be settled. Pure."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from agentcli.gate.autonomy import Level, effective_level
from agentcli.session.call import Call
from agentcli.session.persons import epoch_seen
from agentcli.session.state import State
from agentcli.tools.outcome import input_as_json
from agentcli.tools.risk import Risk

NEVER_REPORTED_BACK: Final = "it had started and never reported back"


class Kind(StrEnum):
    """What a person has to do: say yes or no, fill something in, or say what happened."""

    APPROVAL = "approval"
    INPUT = "input"
    OUTCOME = "outcome"


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """One call that waits for a person.

    `risk` is null where the call has not been decided yet. `code` names the question of an approval, or the form.
    `preview` of a form is what its tool shows; `reasons` say why a person is asked, and what.
    """

    kind: Kind
    session: str
    call_id: str
    tool: str
    input: Any
    risk: Risk | None
    level: Level
    preview: tuple[str, ...] = ()
    code: str | None = None
    asked_at: datetime | None = None
    reasons: tuple[str, ...] = ()


def pending(state: State, now: datetime, *, is_held: bool) -> Iterator[tuple[Pending, Call]]:
    """Yield what waits for a person in a session, in the order of the calls; an expired question waits no more.

    Args:
        is_held: Whether a process holds the session; where none does, whatever was at work is gone.
    """
    epoch = epoch_seen(state, is_held=is_held)
    for call in state.batch:
        if call.waits_for_answer and not call.has_expired(now):
            yield _question(state, call), call
        elif call.waits_for_form:
            yield _form(state, call), call
        elif call.outcome_unknown(epoch):
            yield _outcome(state, call), call


def _question(state: State, call: Call) -> Pending:
    assert call.asked is not None
    return replace(
        _of(state, Kind.APPROVAL, call),
        preview=call.asked.preview,
        code=call.question_code,
        asked_at=call.asked_at,
        reasons=tuple(verdict.reason for verdict in call.asked.verdicts),
    )


def _form(state: State, call: Call) -> Pending:
    assert call.suspended is not None
    return replace(
        _of(state, Kind.INPUT, call),
        preview=call.suspended.shown,
        code=call.form_code,
        asked_at=call.suspended_at,
        reasons=(call.suspended.question,),
    )


def _outcome(state: State, call: Call) -> Pending:
    assert call.decided is not None
    return replace(
        _of(state, Kind.OUTCOME, call),
        preview=call.decided.preview,
        asked_at=call.started_at,
        reasons=(NEVER_REPORTED_BACK,),
    )


def _of(state: State, kind: Kind, call: Call) -> Pending:
    decided = call.decided
    level = effective_level(state.level, state.tool_levels.get(call.tool))
    return Pending(
        kind=kind,
        session=state.session,
        call_id=call.call_id,
        tool=call.tool,
        input=input_as_json(call.as_sent),
        risk=None if decided is None else decided.risk,
        level=level if decided is None else decided.level,
    )

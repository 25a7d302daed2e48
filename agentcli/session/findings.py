"""What somebody finds who comes back to a session: what is done, what is not, and what waits for a person."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from agentcli.session.call import Call
from agentcli.session.state import Message, State
from agentcli.session.steps import AwaitAnswer, AwaitReconcile, AwaitSupply, Idle, next_step


class Standing(StrEnum):
    """Whether a session has something to go on with, and who has to act first."""

    IDLE = "idle"
    OPEN = "open"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Findings:
    """Where a session stands, told by the calls of its latest reply and the words nobody has heard.

    `unknown` are calls that had started outside the store and never reported back.
    """

    standing: Standing
    done: tuple[Call, ...] = ()
    not_started: tuple[Call, ...] = ()
    questions: tuple[Call, ...] = ()
    forms: tuple[Call, ...] = ()
    unknown: tuple[Call, ...] = ()
    undelivered: tuple[Message, ...] = ()


def standing_of(state: State, now: datetime) -> Standing:
    """Return whether a session has something to go on with."""
    match next_step(state, now):
        case Idle():
            return Standing.IDLE
        case AwaitAnswer() | AwaitSupply() | AwaitReconcile():
            return Standing.WAITING
        case _:
            return Standing.OPEN


def find(state: State, now: datetime) -> Findings:
    """Return what there is in a session that this process holds."""
    standing = standing_of(state, now)
    words = tuple(state.messages[no] for no in state.unheard)
    if standing is Standing.IDLE:
        return Findings(standing, undelivered=words)
    questions = tuple(call for call in state.batch if call.waits_for_answer)
    forms = tuple(call for call in state.batch if call.waits_for_form)
    unknown = tuple(call for call in state.batch if call.outcome_unknown(state.epoch))
    done = tuple(call for call in state.batch if call.settled)
    told = {call.call_id for call in (*questions, *forms, *unknown, *done)}
    return Findings(
        standing=standing,
        done=done,
        not_started=tuple(call for call in state.batch if call.call_id not in told),
        questions=questions,
        forms=forms,
        unknown=unknown,
        undelivered=words,
    )

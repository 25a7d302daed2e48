"""What a session that has come to rest does next, and what it can be left as. Pure."""

from datetime import datetime
from enum import Enum, auto
from typing import Final

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.session.next_step import next_step
from agentcli.session.ports import FailureKind
from agentcli.session.state import State
from agentcli.session.steps import (
    AwaitAnswer,
    AwaitPerson,
    AwaitReconcile,
    AwaitSupply,
    End,
    Idle,
    InFlight,
    StartRun,
    Step,
)
from agentcli.terminal.question.forms import Offer, undecided

Resting = Step | Left | Draining
"""What a session can have come to rest on."""

_ENDED_EARLY: Final = ("limit", "stopped", "failed")


class Parting(Enum):
    """How a conversation is left."""

    DONE = auto()
    OPEN = auto()
    """A person is waited for."""
    ENDED = auto()
    """The run has ended, and how it did counts."""
    LATER = auto()
    """Words wait until runs may begin again."""
    INTERRUPTED = auto()
    AT_ONCE = auto()
    """Something is still at work, and is left behind."""
    TERMINATED = auto()
    HUNG_UP = auto()
    NEW = auto()
    """Another session is to begin."""


def rests_on(state: State) -> Resting:
    """Return what a session rests on that nothing has been done with yet."""
    ended = state.ended
    return Idle() if ended is None or state.run is not None else End(ended.outcome, ended.limit)


def parting_on(resting: Resting) -> Parting:
    """Return how a conversation is left that has come to rest on a step."""
    match resting:
        case AwaitAnswer() | AwaitSupply() | AwaitReconcile():
            return Parting.OPEN
        case Left():
            return Parting.INTERRUPTED
        case End():
            return Parting.ENDED
        case Draining():
            return Parting.LATER
        case _:
            return Parting.DONE


def is_due(state: State, now: datetime, resting: Resting) -> bool:
    """Tell whether a session goes on by itself: what was waited for is there, or there are words for a new run."""
    following = next_step(state, now)
    if isinstance(resting, AwaitPerson):
        return following != resting
    if isinstance(following, StartRun):
        return _has_words(state)
    return not isinstance(following, Idle | InFlight)


def needs_words(state: State) -> bool:
    """Tell whether nothing is left to go on with until somebody says something."""
    return state.run is None and state.current_call is None and not (state.unheard or state.owed)


def offer_after(state: State) -> Offer | None:
    """Return the offer to go on that a run which ended early leaves, None where that is of no use."""
    ended = state.ended
    if ended is None or state.run is not None or needs_words(state):
        return None
    if ended.outcome == "limit":
        return Offer("Go on with a fresh allowance?", undecided(state.batch))
    failure = state.failure
    if ended.outcome == "failed" and (failure is None or FailureKind(failure.failure).retryable):
        return Offer("Try once more?")
    return None


def _has_words(state: State) -> bool:
    """Tell whether there are words that start a run: any, or after one that ended early those said since."""
    kept = state.ended is not None and state.ended.outcome in _ENDED_EARLY
    return any(not kept or state.messages[no].seq > state.ended_seq for no in state.unheard)

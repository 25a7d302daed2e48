"""What a person finds on coming back to a session: what is done, what is not, what waits for them. Pure."""

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from agentcli.session.call import Call
from agentcli.session.next_step import next_step
from agentcli.session.pending import Pending, pending
from agentcli.session.state import Message, State
from agentcli.session.steps import Idle


class Standing(StrEnum):
    """Whether a session has something to go on with, and who is at it."""

    IDLE = "idle"
    OPEN = "open"
    RUNNING = "running"
    WAITING = "waiting"
    DAMAGED = "damaged"


class Findings(Struct, frozen=True):
    """Where a session stands, told by the calls of its latest reply and the words nobody has heard.

    What an earlier run has done is not told again by one that has no reply yet.
    """

    standing: Standing
    done: tuple[Call, ...] = ()
    waiting: tuple[tuple[Pending, Call], ...] = ()
    not_started: tuple[Call, ...] = ()
    undelivered: tuple[Message, ...] = ()
    is_stopping: bool = False
    """Whether the run was asked to stop before this process had it."""


def standing_of(state: State, now: datetime, *, is_held: bool) -> Standing:
    """Return whether a session has something to go on with.

    Args:
        is_held: Whether a process holds the session.
    """
    if isinstance(next_step(state, now), Idle):
        return Standing.IDLE
    if next(pending(state, now, is_held=is_held), None) is not None:
        return Standing.WAITING
    # A holder may rest before a run: at a limit, or while the store is being drained.
    return Standing.RUNNING if is_held and state.run is not None else Standing.OPEN


def find(state: State, now: datetime) -> Findings:
    """Return the findings of a session that this process holds and has not gone on with yet."""
    standing = standing_of(state, now, is_held=True)
    words = tuple(state.messages[no] for no in state.unheard)
    if standing is Standing.IDLE:
        return Findings(standing, undelivered=words)
    waiting = tuple(pending(state, now, is_held=True))
    is_new = state.run is not None and not state.run.steps and state.current_call is None
    ids = {call.call_id for _, call in waiting}
    return Findings(
        standing=standing,
        done=() if is_new else tuple(call for call in state.batch if call.settled),
        waiting=waiting,
        not_started=tuple(call for call in state.batch if not call.settled and call.call_id not in ids),
        undelivered=words,
        is_stopping=state.stop_asked,
    )

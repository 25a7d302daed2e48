"""The steps of a session: each writes entries, or returns because somebody else has to act."""

from datetime import datetime
from typing import Final, Literal

from msgspec import Struct

from agentcli.session.entries import RunEnding

MAX_ATTEMPTS: Final = 4
MAX_PAUSES: Final = 5
MAX_MALFORMED: Final = 2

Cause = Literal["denied", "declined", "cancelled", "expired", "blocked", "happened", "not"]


class Filter(Struct, frozen=True):
    """Show a held result to the hooks; writes Filtered."""

    call_id: str


class InFlight(Struct, frozen=True):
    """A call of this process is at work; returns."""

    call_id: str


class Settle(Struct, frozen=True):
    """Give a call that does not run its result; writes Finished."""

    call_id: str
    cause: Cause


class AwaitReconcile(Struct, frozen=True):
    """A person has to settle a call of unknown outcome; returns."""

    call_id: str


class AwaitSupply(Struct, frozen=True):
    """A person has to fill in a form; returns."""

    call_id: str


class StartRun(Struct, frozen=True):
    """Begin a run; writes RunStarted."""


class End(Struct, frozen=True):
    """End the run; writes RunEnded."""

    outcome: RunEnding
    limit: str | None = None


class Decide(Struct, frozen=True):
    """Let code decide about a call; writes Decided, or Suspended where its preview stops to ask."""

    call_id: str


class Ask(Struct, frozen=True):
    """Open a question, anew if what it shows has changed; writes Asked."""

    call_id: str
    again: bool


class AwaitAnswer(Struct, frozen=True):
    """A person has to answer; returns."""

    call_id: str


class Expire(Struct, frozen=True):
    """Close a question that nobody answered in time; writes Answered."""

    call_id: str


class Execute(Struct, frozen=True):
    """Run a call; writes its effect and Finished, or Started and then Finished, Overdue or Suspended."""

    call_id: str


class Idle(Struct, frozen=True):
    """There is nothing to do; returns."""


class CallModel(Struct, frozen=True):
    """Ask the model, not before `not_before`; writes Heard, Requested, and then Replied or RequestFailed."""

    heard: tuple[int, ...]
    attempt: int
    not_before: datetime | None = None


AwaitPerson = AwaitAnswer | AwaitSupply | AwaitReconcile
"""The steps that a person has to take."""

Step = (
    Filter
    | InFlight
    | Settle
    | AwaitReconcile
    | AwaitSupply
    | StartRun
    | End
    | Decide
    | Ask
    | AwaitAnswer
    | Expire
    | Execute
    | Idle
    | CallModel
)

"""The steps that a session is carried on by: each writes entries, or returns since somebody else has to act."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from agentcli.session.entries import Outcome

MAX_ATTEMPTS: Final = 4
MAX_PAUSES: Final = 5
MAX_MALFORMED: Final = 2

Cause = Literal["denied", "declined", "cancelled", "expired", "blocked", "happened", "not"]


@dataclass(frozen=True, slots=True)
class Filter:
    """Show a held result to the hooks; writes Filtered."""

    call_id: str


@dataclass(frozen=True, slots=True)
class InFlight:
    """A call of this process is at work; returns."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Settle:
    """Give a call that does not run its result; writes Finished."""

    call_id: str
    cause: Cause


@dataclass(frozen=True, slots=True)
class AwaitReconcile:
    """A person has to say what became of a call; returns."""

    call_id: str


@dataclass(frozen=True, slots=True)
class AwaitSupply:
    """A person has to fill in a form; returns."""

    call_id: str


@dataclass(frozen=True, slots=True)
class StartRun:
    """Begin a run; writes RunStarted."""


@dataclass(frozen=True, slots=True)
class End:
    """End the run; writes RunEnded."""

    outcome: Outcome
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Decide:
    """Let code decide about a call; writes Decided, or Suspended where its preview stops to ask."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Open a question, anew if what it shows has changed; writes Asked."""

    call_id: str
    again: bool


@dataclass(frozen=True, slots=True)
class AwaitAnswer:
    """A person has to answer; returns."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Expire:
    """Close a question that nobody answered in time; writes Answered."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Execute:
    """Run a call; writes its effect and Finished, or Started and then Finished, Overdue or Suspended."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Idle:
    """There is nothing to do; returns."""


@dataclass(frozen=True, slots=True)
class CallModel:
    """Ask the model, not before `not_before`; writes Heard, Requested, and then Replied or RequestFailed."""

    heard: tuple[int, ...]
    attempt: int
    not_before: datetime | None = None


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

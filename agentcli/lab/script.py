"""What a demo says: an agent, levels, a model, what is typed, and what has to come of it."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from agentcli.session.allowance import RunLimits
from agentcli.terminal.question import answer as a
from agentcli.terminal.question.arming import Standing

_TEXT: Final = r"^(?=[\s\S]*\S)[^\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]*\Z"
Text = Annotated[str, Meta(pattern=_TEXT, description="text that is not blank")]
Line = Annotated[
    str, Meta(pattern=r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+\Z", description="one line, not blank")
]
Table = Annotated[dict[str, Any], Meta(description="a table")]
Members = Annotated[dict[str, Any], Meta(min_length=1, description="a table with at least one member")]
Levels = Annotated[tuple[int, ...], Meta(min_length=1, description="a list of levels from 0 to 4, such as [2, 3]")]
ModelName = Annotated[
    Literal["offline", "offline:reckless", "scripted"],
    Meta(description='"offline", "offline:reckless" or "scripted"'),
]
Time = Annotated[datetime, Meta(tz=True, description="a time with its zone, such as 2026-11-30T09:00:00Z")]
StepNumber = Annotated[
    int, Meta(ge=1, le=RunLimits().steps, description=f"a step from 1 to {RunLimits().steps}, the most a run has")
]
DecisionWord = Annotated[Literal["allow", "ask", "deny"], Meta(description='"allow", "ask" or "deny"')]
AnswerWord = Annotated[
    Literal["approved", "declined", "cancelled", "expired", "filled"],
    Meta(description='"approved", "declined", "cancelled", "expired" or "filled"'),
]


class PlannedCall(Struct, frozen=True):
    """A call with its input."""

    tool: Line
    input: Table = msgspec.field(default_factory=dict)


class Reply(Struct, frozen=True):
    """A reply of the scripted model; without `stop` it ends as its calls say."""

    text: str = ""
    calls: tuple[PlannedCall, ...] = ()
    stop: Line | None = None


class Meanwhile(Struct, frozen=True):
    """Words said while a step is at work."""

    step: StepNumber
    say: Text


class AnswerLine(Struct, frozen=True):
    """What is typed where a tool's call is asked about."""

    tool: Line
    line: Line


class Expected(Struct, frozen=True):
    """What has to be decided about a call, and answered where that matters."""

    tool: Line
    decision: DecisionWord
    answer: AnswerWord | None = None


class Turn(Struct, frozen=True):
    """Something that is said, and all that comes of it; without `expect` any decision will do.

    `text` is in the final text of the run, or in what a command prints.
    """

    say: Text
    meanwhile: tuple[Meanwhile, ...] = ()
    answers: tuple[AnswerLine, ...] = ()
    expect: tuple[Expected, ...] | None = None
    text: Text = ""


class Effect(Struct, frozen=True):
    """A read, what it is asked, and members that its result must have."""

    tool: Line
    result: Members
    input: Table = msgspec.field(default_factory=dict)


class Script(Struct, frozen=True):
    """A demo as it is written."""

    title: Line
    agent: Line
    levels: Levels
    model: ModelName
    now: Time = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    data: tuple[PlannedCall, ...] = ()
    turn: tuple[Turn, ...] = ()
    reply: tuple[Reply, ...] = ()
    effect: tuple[Effect, ...] = ()


def is_command(said: str) -> bool:
    """Tell whether what is said is a command, which begins no run."""
    return isinstance(a.read_message(said, Standing.ANSWER), a.Command)


def is_yes(line: str) -> bool:
    """Tell whether a line at a question lets the call run."""
    return isinstance(a.read_answer(line, may_raise=True), a.Approve | a.ApproveAndRaise)

"""What programs and terminals see of a run: events, one JSON object each."""

from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.legible import legible
from agentcli.tools.risk import Risk


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every event says: whose it is, and when."""

    session: str
    at: datetime

    def __repr__(self) -> str:
        return legible(self)


class RunStarted(Event, frozen=True, kw_only=True, tag="run_started"):
    """A run begins, or an open one goes on."""

    agent: str
    model: str
    level: Level


class TextDelta(Event, frozen=True, kw_only=True, tag="text_delta"):
    """More text of the reply that is streaming."""

    text: str


class ToolInputStarted(Event, frozen=True, kw_only=True, tag="tool_input_started"):
    """A call's input begins to form."""

    call_id: str
    tool: str


class ToolInputDelta(Event, frozen=True, kw_only=True, tag="tool_input_delta"):
    """More of a call's input, as unfinished JSON text."""

    call_id: str
    tool: str
    delta: str


class ToolInputReady(Event, frozen=True, kw_only=True, tag="tool_input_ready"):
    """A call's input, whole."""

    call_id: str
    tool: str
    input: Any


class Replied(Event, frozen=True, kw_only=True, tag="replied"):
    """A model reply is stored."""

    step: int
    text: str
    stop_reason: str | None


class RuleVerdict(msgspec.Struct, frozen=True):
    """What one rule said."""

    rule: str
    decision: Decision
    reason: str


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """Code decided about a call."""

    call_id: str
    tool: str
    input: Any
    risk: Risk
    level: Level
    decision: Decision
    rules: tuple[RuleVerdict, ...]


class ApprovalRequested(Event, frozen=True, kw_only=True, tag="approval_requested"):
    """A question is open."""

    call_id: str
    tool: str
    input: Any
    preview: tuple[str, ...]
    code: str
    undoable: bool
    position: int
    of: int


class Answered(Event, frozen=True, kw_only=True, tag="answered"):
    """A question or form was answered."""

    call_id: str
    answer: e.Answer
    by: str
    reason: str
    seconds: float


class Suspended(Event, frozen=True, kw_only=True, tag="suspended"):
    """A tool stopped to ask a person for something."""

    call_id: str
    question: str
    schema: Any
    shown: tuple[str, ...]


class ToolFinished(Event, frozen=True, kw_only=True, tag="tool_finished"):
    """A call has its one result, whether it ran or not."""

    call_id: str
    tool: str
    result: Any
    is_error: bool


class Queued(Event, frozen=True, kw_only=True, tag="queued"):
    """Words of a person are stored."""

    message: int
    text: str


class Heard(Event, frozen=True, kw_only=True, tag="heard"):
    """Words of a person are in the request of a step."""

    message: int
    text: str
    step: int


BETWEEN_TEXTS: Final = "\n\n"
"""What stands between two blocks of text in one reply, while it comes and once it is there."""

CHANGED_INPUT: Final = "changed the input"
"""The reason that stands beside a person's edit."""

RunOutcome = Literal["completed", "waiting", "limit", "stopped", "refused", "failed"]


class TokenUsage(msgspec.Struct, frozen=True, kw_only=True):
    """What a run used; `cost_usd` is decimal text, null where the price is unknown."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: str | None = None


class RunFinished(Event, frozen=True, kw_only=True, tag="run_finished"):
    """The run is over, or waits for a person; always the last event."""

    outcome: RunOutcome
    text: str
    steps: int
    usage: TokenUsage
    undelivered: tuple[int, ...]

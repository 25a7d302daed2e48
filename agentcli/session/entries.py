"""The entries of a session's journal: what happened, written once and never changed.

The fields `asked`, `started` and `suspended` of an entry hold the number of the entry that it refers to.
"""

from datetime import datetime
from typing import ClassVar, Final, Literal

import msgspec

from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session.allowance import RunLimits, Usage
from agentcli.session.legible import legible
from agentcli.session.origin import Origin
from agentcli.tools.risk import Risk

VERSION: Final = 1


Answer = Literal["approved", "declined", "cancelled", "expired", "filled", "edited"]
RunEnding = Literal["completed", "limit", "stopped", "refused", "failed"]
Reconciliation = Literal["happened", "not", "retry"]
ToolLevels = dict[str, Level]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What all entries share: how they are encoded."""

    kind: ClassVar[str]

    def __repr__(self) -> str:
        return legible(self)


class Opened(Entry, frozen=True):
    """A session begins."""

    kind = "opened"
    v: int
    agent: str
    model: str
    level: Level
    tool_levels: ToolLevels
    require_approval: bool
    toolset_digest: str
    prompt_digest: str
    by: str


class Attached(Entry, frozen=True):
    """A process holds the session from here on; decisions of the ones before no longer count."""

    kind = "attached"
    epoch: int
    pid: int
    host: str
    by: str
    version: str
    model: str
    level: Level
    tool_levels: ToolLevels
    require_approval: bool
    toolset_digest: str


class LevelSet(Entry, frozen=True):
    """A person set the session's level, or one tool's; a tool's level None takes its own away."""

    kind = "level_set"
    level: Level | None
    by: str
    cause: str
    tool: str | None = None


class Said(Entry, frozen=True):
    """A person said something; stored before anything else happens."""

    kind = "said"
    no: int
    text: str
    by: str
    channel: str


class Unsaid(Entry, frozen=True):
    """A message that nobody has heard yet was changed, or dropped if `text` is None."""

    kind = "unsaid"
    no: int
    text: str | None = None


class StopAsked(Entry, frozen=True):
    """Somebody asked the run to stop at its next safe point."""

    kind = "stop_asked"
    by: str


class RunStarted(Entry, frozen=True):
    """A run begins, with fresh limits."""

    kind = "run_started"
    run: int
    limits: RunLimits
    cause: str


class RunEnded(Entry, frozen=True):
    """A run is over; `limit` names the one reached, `undelivered` the messages nobody heard."""

    kind = "run_ended"
    outcome: RunEnding
    text: str = ""
    limit: str | None = None
    undelivered: tuple[int, ...] = ()


class Heard(Entry, frozen=True):
    """Messages that go into the request written with this entry."""

    kind = "heard"
    nos: tuple[int, ...]
    step: int


class Requested(Entry, frozen=True):
    """A request is about to be sent."""

    kind = "requested"
    step: int
    attempt: int
    model: str
    body_digest: str


class RequestFailed(Entry, frozen=True):
    """A request got no usable reply; without `retry_at` it is not tried again."""

    kind = "request_failed"
    step: int
    attempt: int
    failure: str
    text: str
    status: int | None = None
    request_id: str | None = None
    retry_at: datetime | None = None


class Replied(Entry, frozen=True):
    """A model's reply, its finished blocks byte for byte; `partial` is text of a block that was cut.

    `explanation` is the service's, of a refusal. `fault` says why a whole reply can't be used (a call id twice,
    for instance): nothing of it runs.
    """

    kind = "replied"
    step: int
    blocks: tuple[msgspec.Raw, ...]
    stop_reason: str | None
    usage: Usage
    cost_usd: str | None = None
    request_id: str | None = None
    partial: str = ""
    fault: str | None = None
    explanation: str = ""


class Proposed(Entry, frozen=True):
    """A person's own call, such as an undo."""

    kind = "proposed"
    call_id: str
    tool: str
    input: str
    by: str
    undoes: str | None = None


class Decided(Entry, frozen=True):
    """What code said about a call, with the input as it will run.

    `sent` is what the model sent, or a hook or a person made of it, where defaults were added to that.
    """

    kind = "decided"
    call_id: str
    tool: str
    input: str
    digest: str
    risk: Risk
    level: Level
    decision: Decision
    verdicts: tuple[Verdict, ...]
    preview: tuple[str, ...] = ()
    sent: str | None = None

    @property
    def as_sent(self) -> str:
        """The input without the defaults: what is shown everywhere but in the question."""
        return self.input if self.sent is None else self.sent


class Asked(Entry, frozen=True):
    """A question is open; its code is taken from this entry's hash."""

    kind = "asked"
    call_id: str
    digest: str
    preview: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    expires_at: datetime | None = None


class Answered(Entry, frozen=True):
    """What a person said about the question asked at the entry `asked`; of a form, that they won't fill it in."""

    kind = "answered"
    call_id: str
    asked: int
    answer: Answer
    by: str
    channel: str
    seconds: float
    reason: str = ""
    input: str | None = None
    origin: Origin | None = None


class Started(Entry, frozen=True):
    """A call that acts outside the store is about to run; durable before it does."""

    kind = "started"
    call_id: str
    digest: str
    key: str | None = None


class Overdue(Entry, frozen=True):
    """A call was left behind at its timeout."""

    kind = "overdue"
    call_id: str
    started: int


class Suspended(Entry, frozen=True):
    """A tool stopped to ask a person for something.

    `input` is that of a call whose preview stopped before anything was decided, with its defaults.
    """

    kind = "suspended"
    call_id: str
    question: str
    schema: msgspec.Raw
    shown: tuple[str, ...] = ()
    input: str | None = None


class Supplied(Entry, frozen=True):
    """What a person filled in."""

    kind = "supplied"
    call_id: str
    suspended: int
    data: msgspec.Raw
    by: str
    channel: str = "terminal"
    seconds: float = 0.0
    origin: Origin | None = None


class Reconciled(Entry, frozen=True):
    """A person settles a call whose outcome is unknown."""

    kind = "reconciled"
    call_id: str
    started: int
    outcome: Reconciliation
    by: str
    channel: str = "terminal"
    origin: Origin | None = None


class Finished(Entry, frozen=True):
    """The one result of a call: the tool's own (`origin` "tool"), or one that code wrote ("core").

    While it is `held`, a hook has yet to see it and nobody else may. `undo` is what reversing needs, as JSON.
    """

    kind = "finished"
    call_id: str
    origin: Literal["tool", "core"]
    status: str
    result: msgspec.Raw
    is_error: bool
    digest: str
    facts: tuple[Fact, ...] = ()
    undo: str | None = None
    held: bool = False
    seconds: float = 0.0


class Filtered(Entry, frozen=True):
    """What the model sees of a held result, after the hooks named."""

    kind = "filtered"
    call_id: str
    output: msgspec.Raw
    hooks: tuple[str, ...]
    digest: str
    is_error: bool = False

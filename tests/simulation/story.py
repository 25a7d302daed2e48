"""What happened in a world, as an onlooker saw it who knows nothing of the engine's state."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.session.allowance import RunLimits
from agentcli.session.events import Event
from agentcli.session.ports import Request
from agentcli.session.record import Record
from agentcli.session.steps import Step


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that a tool did outside the store; `seq` is the newest entry that was durable then."""

    tool: str
    what: str
    seq: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that reached the model."""

    request: Request
    seq: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A step that the runner came back with."""

    step: Step | Left | Draining
    seq: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Spell:
    """A time in which a process was at work."""

    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Told:
    """An event that an observer in a process that held the session was told of."""

    event: Event
    seq: int
    epoch: int


@dataclass(slots=True)
class Story:
    """All that can be known of a world from outside.

    `begins` numbers the first append of each transaction, `firsts` the entry that it became; `drained` holds the entries behind which the store
    began to drain, and no longer did.
    """

    limits: RunLimits
    priced: bool
    records: Sequence[Record] = ()
    book: Sequence[tuple[str, str]] = ()
    begins: Sequence[int] = ()
    firsts: Sequence[int] = ()
    effects: list[Effect] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    spells: list[Spell] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    drained: list[tuple[int, int]] = field(default_factory=list)
    codes_seen: dict[int, str] = field(default_factory=dict)
    deaths: int = 0
    failures: int = 0
    rested: bool = False
    surprises: list[str] = field(default_factory=list)

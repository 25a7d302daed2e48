"""Where a session stands, folded from its journal.

The fold owns the state and changes it in place: a copy per entry would cost more as the session grows.
"""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.session.conversation import Conversation
from agentcli.session.run import Run
from agentcli.tools.risk import Risk


class Message(Struct):
    """Words of a person, and the channel through which they came."""

    no: int
    text: str
    channel: str
    seq: int
    heard_at_step: int | None = None


class State(Struct):
    """Everything that `next_step` looks at, and what people are shown of a session.

    `worked_at` is when a process was last known to be at work on it, or a person's answer ended its wait.
    `cut` is whether only finished text of the latest reply counts.
    """

    session: str
    risks: Mapping[str, Risk] = field(default_factory=dict)
    seq: int = 0
    worked_at: datetime | None = None
    opened: e.Opened | None = None
    epoch: int = 0
    model: str = ""
    level: Level = Level.TALK
    tool_levels: dict[str, Level] = field(default_factory=dict)
    require_approval: bool = False
    messages: dict[int, Message] = field(default_factory=dict)
    unheard: list[int] = field(default_factory=list)
    run: Run | None = None
    last_run: Run | None = None
    runs: int = 0
    ended: e.RunEnded | None = None
    ended_seq: int = 0
    stop_asked: bool = False
    calls: dict[str, Call] = field(default_factory=dict)
    batch: list[Call] = field(default_factory=list)
    reply: e.Replied | None = None
    cut: bool = False
    owed: bool = False
    paused: bool = False
    attempts: int = 0
    first_attempt_at: datetime | None = None
    failure: e.RequestFailed | None = None
    facts: dict[tuple[str, str], Fact] = field(default_factory=dict)
    conversation: Conversation = field(default_factory=Conversation)

    @property
    def current_call(self) -> Call | None:
        """The first call of the latest reply, or a person's, that has no result yet."""
        return next((call for call in self.batch if not call.settled), None)

    @property
    def next_message_no(self) -> int:
        """The number that the next words of a person get."""
        return len(self.messages) + 1

    def make_stale(self) -> None:
        """Let no decision of the latest reply hold any longer: something it rests on has changed."""
        for call in self.batch:
            call.fresh = False

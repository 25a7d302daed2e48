"""A session on the bench: everything real but the store, the clock, the model and the tools."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any, Literal

import msgspec

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.engine.executor import Executor
from agentcli.engine.gatekeeper import Gatekeeper
from agentcli.engine.hooks import Hooks
from agentcli.engine.journal import Journal
from agentcli.engine.parts import Parts
from agentcli.engine.runner import Runner
from agentcli.engine.settings import DEFAULT_LIMITS, Settings
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.allowance import RunLimits, Usage
from agentcli.session.events import Event
from agentcli.session.record import Record
from agentcli.session.state import State
from agentcli.session.steps import Step
from agentcli.tools.tool import Tool
from agentcli.tools.toolset import Toolset
from tests.fakes import FakeClock, FakeStore, ScriptedModel

SESSION = "s1"
ANA = persons.Person("ana", "terminal")
NO_MODEL = ScriptedModel()


@dataclass(kw_only=True)
class Bench:
    """One process that holds the session; a second one on the same store is a restart."""

    toolset: Toolset
    model: ScriptedModel = NO_MODEL
    level: Level = Level.ALONE
    tool_levels: dict[str, Level] = field(default_factory=dict)
    require_approval: bool = False
    limits: RunLimits = DEFAULT_LIMITS
    expires_after: timedelta | None = None
    hooks: Hooks = field(default_factory=Hooks)
    options: dict[str, Any] = field(default_factory=dict)
    store: FakeStore = field(default_factory=FakeStore)
    clock: FakeClock = field(default_factory=FakeClock)
    price: Callable[[str, Usage], Decimal | None] = lambda model, usage: Decimal(0)
    is_draining: bool = False

    def __post_init__(self) -> None:
        tools = self.toolset.by_name
        references = (f"r{number}" for number in count(1))
        self.events: list[Event] = []
        self.journal = Journal(self.store, SESSION, {name: one.risk for name, one in tools.items()}, self.clock)
        self.executor = Executor(tools, self.options, self.clock, references.__next__, self.hooks.holds)
        self.gatekeeper = Gatekeeper(tools, self.executor, self.clock, references.__next__)
        self.parts = Parts(
            journal=self.journal,
            model=self.model,
            tools=list(tools.values()),
            executor=self.executor,
            gatekeeper=self.gatekeeper,
            clock=self.clock,
            settings=Settings(system="Be brief.", limits=self.limits, expires_after=self.expires_after),
            price=self.price,
            hooks=self.hooks,
            is_draining=lambda: self.is_draining,
        )
        self.runner = Runner(self.parts)
        if self.state.opened is None:
            self.append(self._opened())
        self.append(self._attached())
        self.journal.observers.append(self.events.append)

    @property
    def state(self) -> State:
        return self.journal.state

    def append(self, *entries: e.Entry) -> list[Record]:
        """Write entries as the holder of the session does, in one commit."""
        return self.journal.write_once(lambda writer: [writer.append(entry) for entry in entries])

    def say(self, text: str) -> None:
        self.append(persons.say(self.state, text, ANA))

    def answer(
        self, call_id: str, answer: Literal["approved", "declined", "cancelled"] = "approved", reason: str = ""
    ) -> None:
        given = persons.Given(answer, self.state.calls[call_id].question_code, reason)
        entry = persons.answer(self.state, call_id, given, ANA, self.clock.now())
        assert isinstance(entry, e.Answered), entry
        self.append(entry)

    async def run(self, text: str | None = None) -> Step | Left | Draining:
        """Say something, and go on until somebody else has to act."""
        if text is not None:
            self.say(text)
        return await self.runner.go_on()

    def written(self, kind: type[e.Entry]) -> list[Any]:
        """The entries of one kind that stand in the journal."""
        return [entry for entry in self.store.entries(SESSION) if isinstance(entry, kind)]

    def kinds(self) -> list[str]:
        """What stands in the journal, behind its beginning."""
        beginnings = (e.Opened, e.Attached)
        return [type(entry).kind for entry in self.store.entries(SESSION) if not isinstance(entry, beginnings)]

    def result(self, call_id: str) -> dict[str, Any]:
        """What the model gets for a call."""
        output = self.state.calls[call_id].output
        assert output is not None, f"{call_id} has no result"
        result: dict[str, Any] = msgspec.json.decode(output)
        return result

    def statuses(self) -> list[str]:
        """How the calls ended, in the order in which they did."""
        return [entry.status for entry in self.written(e.Finished)]

    def _opened(self) -> e.Opened:
        return e.Opened(
            v=1,
            agent=self.toolset.name,
            model=self.model.name,
            level=self.level,
            tool_levels=self.tool_levels,
            require_approval=self.require_approval,
            toolset_digest="",
            prompt_digest="",
            by="ana",
        )

    def _attached(self) -> e.Attached:
        return e.Attached(
            epoch=self.state.epoch + 1,
            pid=1,
            host="here",
            by="ana",
            version="0",
            model=self.model.name,
            level=self.level,
            tool_levels=self.tool_levels,
            require_approval=self.require_approval,
            toolset_digest="",
        )


def tool_of(toolset: Toolset) -> Tool:
    """The one tool of a toolset."""
    (tool,) = toolset
    return tool


def heard_texts(messages: Sequence[dict[str, Any]]) -> list[str]:
    """The words in the last message of a request."""
    return [block["text"] for block in messages[-1]["content"] if block["type"] == "text"]

"""A session held by this process: its lock, its journal, its model and its runner."""

from collections.abc import Callable
from typing import Self, TypeVar, Unpack

from agentcli.agents.agent import Agent
from agentcli.engine.bookkeeping import Draining, Left
from agentcli.engine.journal import Journal, Observer, Writer
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits
from agentcli.session.persons import Refused
from agentcli.session.ports import Clock, RemoteModel
from agentcli.session.state import State
from agentcli.session.steps import Step
from agentcli.store.holder import Hold
from agentcli.store.register import NoSuch, is_draining
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring import stores
from agentcli.wiring.beginnings import attached
from agentcli.wiring.building import runner_of
from agentcli.wiring.levels import Levels, changes, resumed
from agentcli.wiring.terms import Terms
from agentcli.wiring.watched import require_record, witness_of
from agentcli.wiring.watchers import Watchers, observer_of

Added = TypeVar("Added", bound=e.Entry)


class SessionClosed(RuntimeError):
    """A session that was closed is to go on; whoever holds it by now does that."""


class Held:
    """What holding a session takes: no other process writes for its runs, and decisions are this one's."""

    def __init__(self, agent: Agent, store: SqliteStore, session: str, terms: Terms, clock: Clock) -> None:
        self.agent = agent
        self.notes: tuple[str, ...] = ()
        self.last_step: Step | Left | Draining | None = None
        self._store = store
        self._terms = terms
        self._clock = clock
        self._hold: Hold = store.hold(session)
        try:
            risks = {tool.name: tool.risk for tool in agent.toolset}
            self._journal = Journal(store, session, risks, clock, witness=lambda: witness_of(terms.mirror))
            if self.state.opened is None:
                # Deleted since it was found: an entry now would begin a journal that nobody has opened.
                raise NoSuch("session", session)
            self._attach()
            self._model = terms.build(self.state.model, agent)
            self._runner = runner_of(agent, self._journal, self._model, terms, clock, lambda: self.is_draining)
        except BaseException:
            self._hold.release()
            raise

    @property
    def id(self) -> str:
        """The session's id."""
        return self._journal.session

    @property
    def state(self) -> State:
        """Where the session stands."""
        return self._journal.state

    @property
    def limits(self) -> RunLimits:
        """What one run may use up."""
        return self._terms.limits

    @property
    def is_draining(self) -> bool:
        """Whether starting runs waits, in the whole store."""
        return is_draining(self._store)

    def observe(self, observer: Observer) -> None:
        """Let a function see every event from now on."""
        self._journal.observers.append(observer)

    def watch(self, **watchers: Unpack[Watchers]) -> None:
        """Let functions see calls go by, from now on; they steer nothing, and what fails in them is logged."""
        self.observe(observer_of(watchers))

    def leave(self, *, grace_s: float) -> None:
        """Begin nothing new; `carry_on` returns once the step in hand is done."""
        self._runner.leave(grace_s=grace_s)

    def catch_up(self) -> None:
        """Take in what other processes wrote."""
        self._journal.catch_up()

    def preload(self) -> None:
        """Import what the model needs where that takes long; meant for a thread."""
        if isinstance(self._model, RemoteModel):
            self._model.preload()

    async def hang_up(self) -> None:
        """Close the connections that the model keeps."""
        if isinstance(self._model, RemoteModel):
            await self._model.close()

    def close(self) -> None:
        """Let others hold the session; a call in hand is done, a reply in hand is cut, and nothing new begun."""
        self.leave(grace_s=0)
        self._hold.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _require_hold(self) -> None:
        if self._hold.is_released:
            raise SessionClosed(f"the session {self.id!r} was closed; one that is open can go on")

    async def _add(self, make: Callable[[State], Added | Refused]) -> Added | Refused:
        def work(writer: Writer) -> Added | Refused:
            made = make(writer.state)
            if not isinstance(made, Refused):
                writer.append(made)
            return made

        added = await self._journal.write(work)
        self._runner.nudge()
        return added

    def _attach(self) -> None:
        """Hold the session from here on: decisions of the processes before no longer count."""
        state, terms = self.state, self._terms
        saved, levels = self._levels, terms.levels
        if state.epoch:
            levels = resumed(saved, levels, said_level=terms.said_level, said_tools=terms.said_tools)
            self.notes = changes(saved, levels)
        require_record(levels, self._store, self.id, terms.mirror)
        self._store_terms(levels, epoch=state.epoch + 1, require_approval=terms.require_approval)

    @property
    def _levels(self) -> Levels:
        return Levels(Level(self.state.level), dict(self.state.tool_levels))

    def _store_terms(self, levels: Levels, *, epoch: int, require_approval: bool) -> None:
        entry = attached(self.agent, self._terms, levels, epoch=epoch, require_approval=require_approval)
        stores.when_free(lambda: self._journal.write_once(lambda writer: writer.append(entry)))

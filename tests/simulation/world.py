"""A world: a disk, a model, persons and processes that hold the session one after another, drawn from a seed."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.engine.executor import Executor
from agentcli.engine.gatekeeper import Gatekeeper
from agentcli.engine.journal import Apply, Journal, Writer
from agentcli.engine.law import LAW, Law
from agentcli.engine.parts import Parts
from agentcli.engine.runner import Runner
from agentcli.engine.settings import Settings
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.events import Event
from agentcli.session.fold import apply
from agentcli.session.ports import Request, StoreFailure
from agentcli.session.state import State
from agentcli.session.steps import Idle, Step
from tests.simulation.crowd import Crowd
from tests.simulation.disk import Book, Connection, Crash, Death, Disk, Endless
from tests.simulation.listeners import hooks_of
from tests.simulation.story import Effect, Returned, Sent, Spell, Story, Told
from tests.simulation.talker import Talker
from tests.simulation.themes import THEMES, Theme, draw_level, draw_limits
from tests.simulation.tools import CATALOG, OUTSIDE, RISKS, TOOLS
from tests.simulation.virtual import Stuck, VirtualClock, VirtualLoop

SESSION: Final = "simulated"
MAX_RETURNS: Final = 80


@dataclass(frozen=True, slots=True)
class Rules:
    """The code under test that a mutant may stand in for."""

    law: Law = LAW
    apply: Apply = apply
    answer: Callable[..., Any] = persons.answer


TRUE_RULES: Final = Rules()


@dataclass(slots=True)
class Process:
    """A process that holds the session; all it knows is gone when it dies."""

    journal: Journal
    runner: Runner
    going: asyncio.Task[Step | Left | Draining] | None = None
    alive: bool = True


@dataclass(slots=True)
class World:
    """Everything there is, and the course that things take."""

    dice: Random
    theme: Theme
    clock: VirtualClock
    disk: Disk
    rules: Rules
    settings: Settings
    story: Story
    crowd: Crowd = field(init=False)
    talker: Talker = field(init=False)
    process: Process | None = None
    patience: int = 0
    drains_from: int | None = None

    def __post_init__(self) -> None:
        self.crowd = Crowd(self)
        self.talker = Talker(
            self.dice, self.theme, lambda: self.is_calm, lambda: self.crowd.meanwhile(0.12), self.hear
        )

    @property
    def is_calm(self) -> bool:
        """Whether nothing new happens any more, and all that is open is brought to an end."""
        return self.patience <= 0

    async def live(self) -> None:
        """Let processes hold the session one after another until all is done."""
        while not self.story.rested and len(self.story.returned) < MAX_RETURNS:
            try:
                await self._hold()
            except Crash:
                self.story.deaths += 1
            except StoreFailure:
                self.story.failures += 1
            except (Endless, Stuck, Exception) as surprise:  # noqa: BLE001  # no world may surprise its process
                self.story.surprises.append(f"{type(surprise).__name__}: {surprise}")
                break
            finally:
                await self._bury()
                self.patience -= 1
            await self.clock.sleep(self.dice.choice((0.0, 1.0, 500.0)))
            await self.crowd.while_nobody_holds()

    async def _hold(self) -> None:
        """Be one process, from taking the session to leaving it."""
        self.process = process = self._start()
        await process.journal.write(self._attach)
        while len(self.story.returned) < MAX_RETURNS:
            step = await self._go_on(process)
            if step is not None:
                self.story.returned.append(Returned(step, len(self.disk.records), self.clock.now()))
                self._compare(process.journal)
            if isinstance(step, Idle) and self.is_calm:
                self.story.rested = True
                return
            self.patience -= 1
            if self.is_calm:
                self.drain(on=False)
            if isinstance(step, Left):
                if self.dice.random() < 0.5:
                    return
                # Somebody changed their mind: the same process goes on, with another runner.
                process.runner = self._runner(process.journal)
            if not await self.crowd.react(step):
                return

    async def _go_on(self, process: Process) -> Step | Left | Draining | None:
        """Carry the session on; None where the caller lost interest on the way, or the store failed."""
        begin = self.clock.now()
        process.going = asyncio.ensure_future(process.runner.go_on())
        try:
            return await process.going
        except asyncio.CancelledError:
            return None
        except StoreFailure:
            # Some processes end when the store fails, others try again.
            if self.dice.random() < 0.5:
                raise
            self.story.failures += 1
            return None
        finally:
            self.story.spells.append(Spell(begin, self.clock.now()))

    async def _bury(self) -> None:
        """End what the dead process was doing; nothing of it may have an effect any more."""
        if self.process is not None:
            self.process.alive = False
        self.process = None
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _start(self) -> Process:
        journal = self.open_journal()
        journal.observers.append(self._tell)
        return Process(journal, self._runner(journal))

    def open_journal(self) -> Journal:
        """Return the session as a process sees it that has just opened the store."""
        return Journal(Connection(self.disk), SESSION, RISKS, self.clock, self.rules.apply)

    def _runner(self, journal: Journal) -> Runner:
        hooks = hooks_of(self.dice, lambda: self.crowd.meanwhile(0.05))
        executor = Executor(CATALOG, {OUTSIDE: self}, self.clock, lambda: "R-1", hooks.holds)
        return Runner(
            Parts(
                journal=journal,
                model=self.talker,
                tools=TOOLS,
                executor=executor,
                gatekeeper=Gatekeeper(CATALOG, executor, self.clock, lambda: "R-1"),
                clock=self.clock,
                settings=self.settings,
                price=lambda model, usage: Decimal(usage.total) / 1000 if self.story.priced else None,
                hooks=hooks,
                law=self.rules.law,
                is_draining=lambda: self.drains_from is not None,
            )
        )

    def _attach(self, writer: Writer) -> None:
        """Take the session; the first one to do so opens it and says something."""
        is_new = writer.state.opened is None
        if is_new:
            writer.append(e.Opened(e.VERSION, "tester", "talker", Level.TALK, {}, False, "", "", "ana"))
        writer.append(self._attached(writer.state))
        if is_new:
            writer.append(self.crowd.say(writer.state))

    def _attached(self, state: State) -> e.Attached:
        dice = self.dice
        level, tools = state.level, dict(state.tool_levels)
        if state.epoch == 0 or dice.random() < 0.1:
            level = draw_level(dice, self.theme)
            tools = {dice.choice(TOOLS).name: draw_level(dice, self.theme)} if dice.random() < 0.2 else {}
        return e.Attached(
            epoch=state.epoch + 1,
            pid=1,
            host="here",
            by="ana",
            version="0",
            model="talker",
            level=level,
            tool_levels=tools,
            require_approval=dice.random() < 0.1,
            toolset_digest="",
        )

    def drain(self, *, on: bool) -> None:
        """Let starting runs wait from here on, or no longer."""
        if self.drains_from is not None:
            self.story.drained.append((self.drains_from, len(self.disk.records)))
        self.drains_from = len(self.disk.records) if on else None

    def hear(self, request: Request) -> None:
        """A request reaches the model."""
        self.story.sent.append(Sent(request, len(self.disk.records)))

    def _tell(self, event: Event) -> None:
        assert self.process is not None
        epoch = self.process.journal.state.epoch
        self.story.told.append(Told(event, len(self.disk.records), epoch))

    async def meanwhile(self) -> None:
        """Let others act while a tool is at work."""
        await self.crowd.meanwhile(0.2)

    def happens(self, tool: str, what: str) -> None:
        """Something is done outside the store."""
        if self.process is not None and self.process.alive:
            self.story.effects.append(Effect(tool, what, len(self.disk.records), self.clock.now()))

    def _compare(self, journal: Journal) -> None:
        """What a process holds in memory is what anybody folds from the disk."""
        if journal.state != self.open_journal().state:
            self.story.surprises.append("the state in memory is not the one on the disk")


def play(seed: int, *, rules: Rules = TRUE_RULES, death: Death | None = None, theme: str | None = None) -> Story:
    """Let the world of a seed take its course, and return what was seen of it.

    Args:
        death: When a process dies, besides when it does so by itself.
        theme: What the world is about; without one, that is drawn as well.
    """
    dice = Random(seed)
    about = THEMES[dice.choice(list(THEMES)) if theme is None else theme]
    loop = VirtualLoop()
    known = frozenset({"ann"} if dice.random() < 0.5 else ())
    weather = Random(seed) if about.trouble > 1 or dice.random() < 0.3 else None
    disk = Disk(death, weather, about.trouble, book=Book(known=known))
    limits = draw_limits(dice, about)
    expires = timedelta(seconds=30) if dice.random() < 0.3 else None
    world = World(
        dice,
        about,
        VirtualClock(loop),
        disk,
        rules,
        Settings(system="", limits=limits, expires_after=expires),
        Story(limits, priced=dice.random() < 0.8),
        patience=dice.randint(3, 14),
    )
    try:
        loop.run_until_complete(world.live())
    except Stuck:
        world.story.surprises.append("everybody waits for ever")
    finally:
        loop.close()
    story = world.story
    story.records, story.book = tuple(disk.records), disk.book.rows
    story.begins, story.firsts = tuple(disk.begins), tuple(disk.firsts)
    return story


def play_with_deaths(seed: int, *, theme: str | None = None) -> Iterator[tuple[Death, Story]]:
    """Let the world of a seed take its course once more for each append at which a process can die.

    It dies before the append, and in a second world once that is durable. Of the appends of one transaction only
    the first is tried: dying at another of them leaves the same on the disk.
    """
    for append in play(seed, theme=theme).begins:
        for durable in (False, True):
            death = Death(append, durable)
            yield death, play(seed, theme=theme, death=death)

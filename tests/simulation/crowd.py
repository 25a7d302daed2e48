"""The persons of a world, at the terminal and elsewhere: they speak, answer, change their minds and interrupt."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.ports import StoreFailure
from agentcli.session.steps import AwaitAnswer, AwaitReconcile, AwaitSupply, End, Idle
from tests.simulation.disk import Crash
from tests.simulation.talker import WHOM

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from agentcli.engine.bookkeeping import Left
    from agentcli.engine.journal import Journal
    from agentcli.session.state import State
    from agentcli.session.steps import Step
    from tests.simulation.world import World

HERE: Final = Person("ana", "terminal")
PATIENT: Final = (AwaitAnswer, AwaitSupply, Idle, End)
THERE: Final = Person("ben", "command")


@dataclass(slots=True)
class Crowd:
    """Draws what persons do, and does it: in the process that holds the session, or in another one."""

    world: World
    words: int = 0
    old_codes: list[str] = field(default_factory=list)

    async def meanwhile(self, share: float) -> None:
        """Perhaps do something while the model, a tool or a hook is at work."""
        world = self.world
        if world.is_calm or world.process is None:
            return
        if world.is_deadly and world.dice.random() < 0.3:
            raise Crash
        if world.dice.random() >= share:
            return
        # Where the store fails the person sees an error, and nothing of it stands.
        with suppress(StoreFailure):
            await self._interrupt(world.dice.randrange(16))

    async def _interrupt(self, choice: int) -> None:
        world, dice = self.world, self.world.dice
        process = world.process
        assert process is not None
        match choice:
            case 0 | 1 | 2:
                await world.clock.sleep(dice.choice((0.01, 0.5, 4.0)))
            case 3 | 4:
                await self._add_elsewhere(self.say)
            case 5:
                await self._add(process.journal, self.say)
                process.runner.nudge()
            case 6:
                await self._add_elsewhere(self._unsay)
            case 7:
                await self._add_elsewhere(lambda state: e.StopAsked("ben"))
                await world.clock.sleep(dice.choice((0.0, 1.0)))
            case 8:
                await self._add(process.journal, lambda state: e.StopAsked("ana"))
                process.runner.nudge()
                await world.clock.sleep(dice.choice((0.0, 1.0)))
            case 9 | 10:
                await self._add(process.journal, self._set_level)
            case 11:
                self._change_book()
            case 12 | 13:
                raise Crash
            case 14:
                process.runner.leave(grace_s=dice.choice((0.0, 2.0)))
                await world.clock.sleep(dice.choice((0.0, 1.0)))
            case _:
                assert process.going is not None
                process.going.cancel()
                await asyncio.sleep(0)

    async def while_nobody_holds(self) -> None:
        """Perhaps do something between two processes."""
        if self.world.is_calm or self.world.dice.random() < 0.5:
            return
        match self.world.dice.randrange(5):
            case 0:
                await self._add_elsewhere(self.say)
            case 1:
                await self._add_elsewhere(lambda state: e.StopAsked("ben"))
            case 2:
                self._change_book()
            case 3:
                await self._answer_what_is_open()
            case _:
                await self._add_elsewhere(self._settle)
        await self.world.clock.sleep(self.world.dice.choice((0.0, 500.0)))

    async def react(self, step: Step | Left | None) -> bool:
        """Do something about a step that the runner came back with; False where the process leaves."""
        world, dice = self.world, self.world.dice
        assert world.process is not None
        if not world.is_calm and dice.random() < 0.15:
            await self._at_rest(world.process.journal, patient=isinstance(step, PATIENT) or self._is_given_up(step))
        match step:
            case AwaitAnswer(call_id):
                return await self._asked(call_id)
            case AwaitReconcile():
                if world.is_calm or dice.random() < 0.7:
                    await self._add(world.process.journal, self._settle)
            case AwaitSupply():
                if world.is_calm or dice.random() < 0.7:
                    await self._add(world.process.journal, self._supply)
            case Idle() | End() if not world.is_calm and dice.random() < 0.8:
                await self._add(world.process.journal, self.say if dice.random() < 0.85 else self._undo)
            case _:
                pass
        return world.is_calm or dice.random() < 0.9

    def _is_given_up(self, step: Step | Left | None) -> bool:
        """Whether a call waits for a person's word of which nobody will hear any more."""
        assert self.world.process is not None
        state = self.world.process.journal.state
        call = state.current_call
        if not isinstance(step, AwaitReconcile) or call is None:
            return False
        return "never" in call.input or call.started_epoch < state.epoch

    async def _at_rest(self, journal: Journal, *, patient: bool) -> None:
        """Something that has nothing to do with what the runner came back with.

        Nobody is patient with work that was left behind in the middle: it would count as work.
        """
        match self.world.dice.randrange(7):
            case 0:
                await self._add(journal, self._set_level)
            case 1:
                self._change_book()
            case 2:
                await self._add(journal, self._undo)
            case 3:
                await self._add(journal, self.say)
            case 4:
                await self._add_elsewhere(lambda state: e.StopAsked("ben"))
            case 5:
                await self._add_elsewhere(self._unsay)
            case _:
                await self.world.clock.sleep(self.world.dice.choice((1.0, 40.0, 2000.0)) if patient else 1.0)

    async def _asked(self, call_id: str) -> bool:
        world, dice = self.world, self.world.dice
        assert world.process is not None
        journal = world.process.journal
        code = journal.state.calls[call_id].question_code
        choice = dice.randrange(6) if world.is_calm else dice.randrange(20)
        match choice:
            case 0 | 1 | 2 | 3:
                await self._answer(journal, call_id, Given("approved", code), HERE)
            case 4 | 5:
                await self._answer(journal, call_id, Given("declined", code, "not now"), HERE)
            case 6 | 7:
                await self._answer_elsewhere(call_id, Given("approved", code))
            case 8:
                await self._answer(journal, call_id, Given("approved", code), HERE)
                await self._answer_elsewhere(call_id, Given("declined", code))
            case 9:
                await self._answer(journal, call_id, Given("cancelled", code), HERE)
                if dice.random() < 0.5:
                    await self._add(journal, lambda state: e.StopAsked("ana"))
            case 10:
                await self._answer(
                    journal, call_id, Given("approved", dice.choice(self.old_codes or ["000000"])), HERE
                )
            case 11:
                await self._add(journal, self.say)
            case 12 | 13:
                await self._add(journal, self._set_level)
                await self._answer(journal, call_id, Given("approved", code), HERE)
            case 14 | 15:
                self._change_book()
                await self._answer(journal, call_id, Given("approved", code), HERE)
            case 16:
                await world.clock.sleep(40.0)
                if dice.random() < 0.5:
                    await self._answer(journal, call_id, Given("approved", code), HERE)
            case 17:
                await self._add_elsewhere(lambda state: e.StopAsked("ben"))
            case _:
                return False
        self.old_codes.append(code)
        return True

    async def _answer_what_is_open(self) -> None:
        call = self.world.open_journal().state.current_call
        if call is not None and call.waits_for_answer:
            given = self.world.dice.choice(("approved", "approved", "declined"))
            await self._answer_elsewhere(call.call_id, Given(given, call.question_code))

    async def _answer_elsewhere(self, call_id: str, given: Given) -> None:
        with suppress(Crash, StoreFailure):
            await self._answer(self.world.open_journal(), call_id, given, THERE)

    async def _answer(self, journal: Journal, call_id: str, given: Given, person: Person) -> None:
        now, disk = self.world.clock.now, self.world.disk
        seen = len(disk.records)
        try:
            await self._add(journal, lambda state: self.world.rules.answer(state, call_id, given, person, now()))
        finally:
            self.world.story.codes_seen.update((record.seq, given.code) for record in disk.records[seen:])

    async def _add(self, journal: Journal, make: Callable[[State], e.Entry | Refused | None]) -> None:
        """Store what a person did, if it counts."""

        def add(writer: Any) -> None:
            entry = make(writer.state)
            if isinstance(entry, e.Entry):
                writer.append(entry)

        await journal.write(add)

    async def _add_elsewhere(self, make: Callable[[State], e.Entry | Refused | None]) -> None:
        """Store what a person did in another process; if that one dies, nobody else does."""
        with suppress(Crash, StoreFailure):
            await self._add(self.world.open_journal(), make)

    def say(self, state: State) -> e.Said:
        self.words += 1
        return persons.say(state, f"words {self.words}", self.world.dice.choice((HERE, THERE)))

    def _unsay(self, state: State) -> e.Unsaid | None:
        if not state.unheard:
            return None
        self.words += 1
        text = self.world.dice.choice((None, f"other words {self.words}"))
        return e.Unsaid(self.world.dice.choice(state.unheard), text)

    def _set_level(self, state: State) -> e.LevelSet:
        dice = self.world.dice
        call = state.current_call
        tool = call.tool if call is not None and dice.random() < 0.5 else None
        level = None if tool is not None and dice.random() < 0.3 else draw_level(dice)
        return e.LevelSet(level, "ana", "/level", tool)

    def _settle(self, state: State) -> e.Reconciled | Refused | None:
        call = state.current_call
        if call is None:
            return None
        return persons.reconcile(state, call.call_id, self.world.dice.choice(("happened", "not", "retry")), HERE)

    def _undo(self, state: State) -> e.Proposed | Refused:
        self.words += 1
        return persons.undo(state, f"undo_{self.words}", HERE)

    def _supply(self, state: State) -> e.Supplied | Refused | None:
        call = state.current_call
        if call is None:
            return None
        data = self.world.dice.choice(('{"how":"well"}', '{"how":"well"}', '{"how":"badly"}', '{"why":1}'))
        return persons.supply(state, call.call_id, data, HERE, self.world.clock.now())

    def _change_book(self) -> None:
        disk, dice = self.world.disk, self.world.dice
        who = dice.choice(WHOM)
        disk.change_book(replace(disk.book, revision=disk.book.revision + 1, known=disk.book.known ^ {who}))


def draw_level(dice: Random) -> Level:
    """Draw a level, the middle ones more often."""
    return Level(dice.choice((0, 1, 2, 2, 2, 3, 3, 3, 4, 4)))

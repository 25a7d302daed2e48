"""The persons of a world, at the terminal and elsewhere: they speak, answer, change their minds and interrupt."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.ports import StoreFailure
from agentcli.session.steps import AwaitAnswer, AwaitReconcile, AwaitSupply, End, Idle
from tests.simulation.disk import Crash
from tests.simulation.talker import WHOM
from tests.simulation.themes import draw_level

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from random import Random

    from agentcli.engine.journal import Journal
    from agentcli.session.state import State
    from agentcli.session.steps import Step
    from tests.simulation.world import Process, World

    Act = Callable[[], Awaitable[None]]
    Make = Callable[[State], e.Entry | Refused | None]

HERE: Final = Person("ana", "terminal")
THERE: Final = Person("ben", "command")


@dataclass(slots=True)
class Crowd:
    """Draws what persons do, and does it: in the process that holds the session, or in another one."""

    world: World
    words: int = 0
    old_codes: list[str] = field(default_factory=list)

    async def meanwhile(self, share: float) -> None:
        """Perhaps do something while the model, a tool or a hook is at work."""
        world, dice = self.world, self.world.dice
        if world.is_calm or world.process is None:
            return
        if dice.random() < world.theme.deaths:
            raise Crash
        if dice.random() < share:
            # Where the store fails the person sees an error, and nothing of it stands.
            with suppress(StoreFailure):
                await draw(dice, self._interruptions(world.process))()

    def _interruptions(self, process: Process) -> Mapping[Act, int]:
        return {
            lambda: self._wait(0.01, 0.5, 4.0): 3,
            lambda: self._add_elsewhere(self.say): 2,
            lambda: self._add(process.journal, self.say): 1,
            both(lambda: self._add_elsewhere(self.say), lambda: self._add_elsewhere(self._unsay)): 2,
            self._stop_elsewhere: 1,
            lambda: self._stop_here(process): 1,
            lambda: self._add(process.journal, self._set_level): 2,
            self._change_book: 2,
            self._die: 2,
            lambda: self._ask_to_leave(process): 2,
            lambda: self._lose_interest(process): 1,
        }

    async def while_nobody_holds(self) -> None:
        """Perhaps do something between two processes."""
        dice = self.world.dice
        if self.world.is_calm or dice.random() < 0.5:
            return
        acts: dict[Act, int] = {
            lambda: self._add_elsewhere(self.say): 1,
            self._stop_elsewhere: 1,
            self._change_book: 1,
            self._answer_what_is_open: 1,
            lambda: self._add_elsewhere(self._settle): 1,
        }
        await draw(dice, acts)()
        await self._wait(0.0, 500.0)

    async def react(self, step: Step | Left | Draining | None) -> bool:
        """Do something about a step that the runner came back with; False where the process leaves."""
        world, dice = self.world, self.world.dice
        assert world.process is not None
        journal = world.process.journal
        if not world.is_calm and dice.random() < 0.2:
            await draw(dice, self._diversions(journal))()
        if not world.is_calm and dice.random() < world.theme.book_changes:
            await self._change_book()
        try:
            await self._answer_to(step, journal)
        except StoreFailure:
            # Some give up when they see the error, others go on.
            return dice.random() < 0.5
        return world.is_calm or dice.random() < 0.9

    async def _answer_to(self, step: Step | Left | Draining | None, journal: Journal) -> None:
        world, dice = self.world, self.world.dice
        match step:
            case AwaitAnswer(call_id):
                await self._ponder(journal, call_id)
            case AwaitReconcile() | AwaitSupply() if not world.is_calm and dice.random() < 0.4:
                await self._delay(journal, step)
            case AwaitReconcile():
                await self._add(journal, self._settle)
            case AwaitSupply():
                await self._fill_in(journal)
            case Idle() | End() if not world.is_calm and dice.random() < world.theme.says_more:
                undoes = dice.random() < world.theme.undoes and any(
                    one.can_be_undone for one in journal.state.calls.values()
                )
                await self._add(journal, self._undo if undoes else self.say)
            case Draining() if dice.random() < 0.5:
                self.world.drain(on=False)
            case Left() if dice.random() < 0.5:
                await self._add(journal, self._set_level)
            case _:
                pass

    def _diversions(self, journal: Journal) -> Mapping[Act, int]:
        return {
            lambda: self._add(journal, self._set_level): 1,
            self._change_book: 2,
            lambda: self._add(journal, self._undo): 1,
            lambda: self._add(journal, self.say): 1,
            lambda: self._add_elsewhere(self.say): 2,
            self._stop_elsewhere: 1,
            lambda: self._add_elsewhere(self._unsay): 1,
            self._drain: 1,
        }

    async def _delay(self, journal: Journal, step: AwaitReconcile | AwaitSupply) -> None:
        """Let the runner wait for what it came back for, and see what else it makes of it."""
        call = journal.state.calls[step.call_id]
        # Of a call that is only late a report may come, and time from then on is nobody's to wait.
        is_late = isinstance(step, AwaitReconcile) and call.overdue and "never" not in call.input
        await draw(
            self.world.dice,
            {
                self._stop_elsewhere: 1,
                lambda: self._wait(1.0, 1.0 if is_late else 900.0): 2,
                lambda: self._add(journal, self._set_level): 1,
            },
        )()

    async def _fill_in(self, journal: Journal) -> None:
        """Do what persons do about a form: most fill it in, some will not, and some do it elsewhere too."""

        def here() -> Awaitable[None]:
            return self._add(journal, self._supply)

        def no() -> Awaitable[None]:
            return self._add(journal, self._decline_form)

        calmly: dict[Act, int] = {here: 4, no: 1}
        wildly: dict[Act, int] = {
            lambda: self._add_elsewhere(self._supply): 1,
            lambda: self._add_elsewhere(self._decline_form): 1,
            both(no, lambda: self._add_elsewhere(self._supply)): 1,
            both(here, lambda: self._add_elsewhere(self._decline_form)): 1,
            both(no, self._stop_elsewhere): 1,
        }
        await draw(self.world.dice, calmly if self.world.is_calm else calmly | wildly)()

    async def _ponder(self, journal: Journal, call_id: str) -> None:
        """Do what persons do about a question: most answer, and not all of them well."""
        code = journal.state.calls[call_id].question_code
        yes, no, cancel = Given("approved", code), Given("declined", code, "not now"), Given("cancelled", code)
        old = Given("approved", (self.old_codes or ["000000"])[-1])

        def here(given: Given) -> Act:
            return lambda: self._answer(journal, call_id, given, HERE)

        def there(given: Given) -> Act:
            return lambda: self._answer_elsewhere(call_id, given)

        calmly: dict[Act, int] = {here(yes): 4, here(no): 2}
        wildly: dict[Act, int] = {
            there(yes): 2,
            both(here(yes), there(no)): 1,
            here(cancel): 1,
            both(here(cancel), self._stop_elsewhere): 1,
            here(old): 1,
            lambda: self._add(journal, lambda state: self._edit(state, call_id, code)): 1,
            lambda: self._add(journal, self.say): 1,
            both(lambda: self._add(journal, self._set_level), here(yes)): 2,
            both(self._change_book, here(yes)): 2,
            both(lambda: self._wait(40.0), here(yes)): 1,
            lambda: self._wait(1.0, 40.0, 2000.0): 1,
            self._stop_elsewhere: 1,
        }
        await draw(self.world.dice, calmly if self.world.is_calm else calmly | wildly)()
        self.old_codes.append(code)

    async def _wait(self, *seconds: float) -> None:
        await self.world.clock.sleep(self.world.dice.choice(seconds))

    async def _stop_here(self, process: Process) -> None:
        await self._add(process.journal, lambda state: e.StopAsked("ana"))
        process.runner.nudge()
        await self._wait(0.0, 1.0)

    async def _stop_elsewhere(self) -> None:
        await self._add_elsewhere(lambda state: e.StopAsked("ben"))
        await self._wait(0.0, 1.0)

    async def _ask_to_leave(self, process: Process) -> None:
        process.runner.leave(grace_s=self.world.dice.choice((0.0, 2.0)))
        await self._wait(0.0, 1.0)

    async def _lose_interest(self, process: Process) -> None:
        """Whoever carries the session on is cancelled, and may go on later."""
        assert process.going is not None
        process.going.cancel()
        await asyncio.sleep(0)

    async def _drain(self) -> None:
        self.world.drain(on=True)

    async def _die(self) -> None:
        raise Crash

    async def _change_book(self) -> None:
        disk, who = self.world.disk, self.world.dice.choice(WHOM)
        disk.change_book(replace(disk.book, revision=disk.book.revision + 1, known=disk.book.known ^ {who}))

    async def _answer_what_is_open(self) -> None:
        call = self.world.open_journal().state.current_call
        if call is not None and call.waits_for_answer:
            answers = (Given("approved", call.question_code), Given("declined", call.question_code))
            await self._answer_elsewhere(call.call_id, self.world.dice.choice(answers))

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

    async def _add(self, journal: Journal, make: Make) -> None:
        """Store what a person did, if it counts."""

        def add(writer: Any) -> None:
            entry = make(writer.state)
            if isinstance(entry, e.Entry):
                writer.append(entry)

        await journal.write(add)
        if self.world.process is not None:
            self.world.process.runner.nudge()

    async def _add_elsewhere(self, make: Make) -> None:
        """Store what a person did in another process; if that one dies, nobody else does."""
        with suppress(Crash, StoreFailure):
            await self._add(self.world.open_journal(), make)

    def say(self, state: State) -> e.Said:
        """Say something that was never said before."""
        self.words += 1
        return persons.say(state, f"words {self.words}", self.world.dice.choice((HERE, THERE)))

    def _unsay(self, state: State) -> e.Unsaid | None:
        if not state.unheard:
            return None
        self.words += 1
        text = self.world.dice.choice((None, f"other words {self.words}"))
        return e.Unsaid(self.world.dice.choice(state.unheard), text)

    def _edit(self, state: State, call_id: str, code: str) -> e.Answered | Refused:
        self.words += 1
        asked = json.loads(state.calls[call_id].input)
        changed = {} if self.world.dice.random() < 0.2 else asked | {"what": f"thing edited {self.words}"}
        return persons.edit(state, call_id, json.dumps(changed), code, HERE, self.world.clock.now())

    def _set_level(self, state: State) -> e.LevelSet:
        dice = self.world.dice
        call = state.current_call
        tool = call.tool if call is not None and dice.random() < 0.5 else None
        level = None if tool is not None and dice.random() < 0.3 else draw_level(dice, self.world.theme)
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

    def _decline_form(self, state: State) -> e.Answered | Refused | None:
        call = state.current_call
        if call is None:
            return None
        return persons.decline_form(state, call.call_id, "not now", HERE, self.world.clock.now())


def both(first: Act, second: Act) -> Act:
    """One thing after another."""

    async def do() -> None:
        await first()
        await second()

    return do


def draw(dice: Random, acts: Mapping[Act, int]) -> Act:
    """Draw something to do."""
    return dice.choices(list(acts), list(acts.values()))[0]

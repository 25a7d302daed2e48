"""One session as a program or a terminal uses it: say, answer, go on, and see what happens."""

import os
from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal, Self

from agentcli.agents.agent import Agent
from agentcli.engine.bookkeeping import Draining, Left
from agentcli.engine.clock import SystemClock
from agentcli.gate.autonomy import Level
from agentcli.models.prices import cost_usd
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.announcing import run_finished
from agentcli.session.call import Call
from agentcli.session.events import Event
from agentcli.session.fold import fold
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.ports import Clock
from agentcli.session.steps import AwaitPerson, Idle, InFlight, Step
from agentcli.store.register import NoSuch, create_session
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.json_value import encode_with_numbers
from agentcli.wiring import models, stores
from agentcli.wiring.agents import AgentIsFixed
from agentcli.wiring.beginnings import opened
from agentcli.wiring.held import Held
from agentcli.wiring.identity import this_person
from agentcli.wiring.levels import Levels, levels_of
from agentcli.wiring.log import new_reference
from agentcli.wiring.streaming import events_while
from agentcli.wiring.terms import Terms
from agentcli.wiring.undoing import later_write
from agentcli.wiring.waiting import Form, Waiting, forms_of, waiting_of
from agentcli.wiring.watched import require_record


class Session(Held):
    """A session in use. Words and answers are stored before anything is done about them."""

    @classmethod
    def open(
        cls,
        agent: Agent,
        store: SqliteStore,
        *,
        model: str = "auto",
        level: int = Level.PROPOSE,
        tool_levels: Mapping[str, int] | None = None,
    ) -> Self:
        """Begin a session from a program of one's own, with the limits that are the default.

        Raises:
            NoKey: A model of the service is named and no key for it is set.
            StoreFailure: The store can't be used.
            TypeError: There is no agent or no open store.
            ValueError: There is no such level, or no such tool to have one.
        """
        _check(agent, store)
        chosen = models.choose(model, os.environ)
        levels = levels_of(level, tool_levels or {}, agent.toolset.by_name)
        terms = Terms(model=chosen.name, levels=levels, price=cost_usd, options=agent.options)
        return cls.begin(agent, store, terms)

    @classmethod
    def reopen(cls, agent: Agent, store: SqliteStore, session: str) -> Self:
        """Go on with a session of before by its id, with its model and its levels, from a program of one's own.

        Raises:
            NoSuch: There is none.
            AgentIsFixed: It was begun with another agent.
            SessionBusy: Somebody else holds it.
            NoKey: Its model is one of the service and no key for it is set.
            StoreFailure: The store can't be used.
            TypeError: There is no agent or no open store.
        """
        _check(agent, store)
        saved = fold(session, store.records(session))
        if saved.opened is None:
            raise NoSuch("session", session)
        if saved.opened.agent != agent.name:
            raise AgentIsFixed(session, saved.opened.agent, agent.name)
        terms = Terms(
            model=models.choose(saved.model, os.environ).name,
            # The lower of two levels holds, so these leave the saved ones as they are.
            levels=Levels(Level.ALONE, {}),
            price=cost_usd,
            require_approval=saved.require_approval,
            options=agent.options,
        )
        return cls.go_on_with(agent, store, session, terms)

    @classmethod
    def begin(cls, agent: Agent, store: SqliteStore, terms: Terms, clock: Clock | None = None) -> Self:
        """Begin a session on the terms given."""
        clock = clock or SystemClock()
        stores.prepare_books(store, agent, dict(terms.options), sample=terms.sample, today=clock.today())
        require_record(terms.levels, store, None, terms.mirror)
        entry = opened(agent, terms)
        session = stores.write(store, lambda tx: create_session(tx, entry, clock.now()))
        return cls(agent, store, session, terms, clock)

    @classmethod
    def go_on_with(
        cls, agent: Agent, store: SqliteStore, session: str, terms: Terms, clock: Clock | None = None
    ) -> Self:
        """Hold a session that exists; `notes` says what is no longer as it was saved.

        Raises:
            SessionBusy: Another process holds it.
            NoSuch: It was deleted.
        """
        clock = clock or SystemClock()
        stores.prepare_books(store, agent, dict(terms.options), sample=terms.sample, today=clock.today())
        return cls(agent, store, session, terms, clock)

    @property
    def waiting(self) -> list[Waiting]:
        """The calls that wait for a yes or no; there is one at a time."""
        return list(waiting_of(self.state.batch))

    @property
    def forms(self) -> list[Form]:
        """The forms that calls wait to have filled in; there is one at a time."""
        return list(forms_of(self.state.batch))

    async def run(self, text: str, *, require_approval: bool | None = None) -> AsyncIterator[Event]:
        """Say something and carry the run on; the last event is `run_finished`."""
        self._require_hold()
        if require_approval is not None and require_approval is not self.state.require_approval:
            # The same holder, so calls that are at work stay its own.
            self._store_terms(self._levels, epoch=self.state.epoch, require_approval=require_approval)

        async def say_and_carry_on() -> None:
            await self.say(text, this_person("api"))
            await self.carry_on()

        async for event in events_while(self._journal, say_and_carry_on()):
            yield event

    async def go_on(self) -> AsyncIterator[Event]:
        """Carry the run on until it ends or a person has to act; the last event is `run_finished`."""
        async for event in events_while(self._journal, self.carry_on()):
            yield event

    async def carry_on(self) -> Step | Left | Draining:
        """Do what `go_on` does for those who `observe`; return the step that needs somebody else.

        Raises:
            SessionClosed: Another process may hold it by now.
        """
        self._require_hold()
        step = await self._runner.go_on()
        self.last_step = step
        if isinstance(step, AwaitPerson | Idle | InFlight | Left | Draining):
            outcome: Literal["completed", "waiting", "stopped"] = "waiting"
            if isinstance(step, Idle | Left | Draining):
                outcome = "completed" if isinstance(step, Idle) else "stopped"
            self._journal.publish(run_finished(self.state, self._clock.now(), outcome, ""))
        return step

    async def undo(self, person: Person) -> Waiting | Refused:
        """Propose to reverse the last write that still stands; the person then answers as about any call.

        An undo that was proposed before and never answered is taken up again.
        """
        await self.settle_own_calls()
        call = self.state.current_call
        if call is None or call.undoes is None:
            call_id = f"undo_{new_reference()}"
            proposed = await self._add(lambda state: persons.undo(state, call_id, person))
            if isinstance(proposed, Refused):
                return proposed
            await self.settle_own_calls()
            call = self.state.calls[call_id]
        waiting = next((one for one in self.waiting if one.call_id == call.call_id), None)
        return waiting or self._why_not_undone(call)

    def _why_not_undone(self, call: Call) -> Refused:
        assert call.undoes is not None
        if not call.settled or call.decided is None:
            return Refused(f"whether {call.tool} was undone is not known; settle that first")
        reason = call.decided.verdicts[0].reason
        later = later_write(self._store, self.id, call.undoes.call_id)
        if later is None:
            return Refused(reason)
        return Refused(f"{reason.removesuffix('.')}. What came after it: {later}")

    async def settle_own_calls(self) -> Step | Left | Draining:
        """Carry the person's own calls on, once they are answered, and nothing else."""
        self._require_hold()
        return await self._runner.go_on(only_persons=True)

    async def say(self, text: str, person: Person) -> int:
        """Store a person's words, which can't be blank; return their number once they are durable."""
        record = await self._journal.write(lambda writer: writer.append(persons.say(writer.state, text, person)))
        self._runner.nudge()
        assert isinstance(record.entry, e.Said)
        return record.entry.no

    async def unsay(self, no: int, text: str | None) -> e.Unsaid | Refused:
        """Put a message otherwise that nobody has heard yet, or drop it where `text` is None."""
        return await self._add(lambda state: persons.unsay(state, no, text))

    async def answer(
        self, call_id: str, *, approve: bool, by: str, code: str, reason: str = ""
    ) -> e.Answered | Refused:
        """Store a person's answer to an open question, for a program that asked them; `by` names them.

        A no is also an answer to a form: nobody will fill it in.

        Raises:
            TypeError: `approve` is neither True nor False, as what counts as true is no yes; or there is no code.
        """
        _require_code(code)
        if not isinstance(approve, bool):
            raise TypeError(f"approve is {approve!r}; it has to be True or False")
        person = _person_of_program(by)
        if not approve and any(form.call_id == call_id for form in self.forms):
            return await self.decline_form(person, call_id, reason, code=code)
        given = Given("approved" if approve else "declined", code, reason)
        return await self.answer_as(person, call_id, given)

    async def fill_in(self, call_id: str, data: Mapping[str, Any], *, by: str, code: str) -> e.Supplied | Refused:
        """Store what a person filled in, for a program that asked them; `by` names them.

        Raises:
            TypeError: Something in the data is none of JSON's kinds, nor a date or a decimal; or there is no code.
            ValueError: A text in it is not valid Unicode.
        """
        _require_code(code)
        for name, value in data.items() if isinstance(data, Mapping) else ():
            if isinstance(value, bytes | bytearray | memoryview):
                raise TypeError(f"{name!r} is {type(value).__name__}, which is none of JSON's kinds")
        text = encode_with_numbers(data).decode()
        return await self.supply(_person_of_program(by), call_id, text, code=code)

    async def answer_as(self, person: Person, call_id: str, given: Given) -> e.Answered | Refused:
        """Store an answer; or say why it does not count."""
        return await self._add(lambda state: persons.answer(state, call_id, given, person, self._clock.now()))

    async def edit(self, person: Person, call_id: str, input_text: str, code: str) -> e.Answered | Refused:
        """Store a person's change of the input of a call they are asked about; it is then asked about anew.

        What the tool could never take does not count, and the question stays open.
        """
        call = self.state.calls.get(call_id)
        if call is not None and (problem := await self._runner.problem_with(call.tool, input_text)):
            return Refused(f"the input does not fit: {problem}")
        return await self._add(lambda at: persons.edit(at, call_id, input_text, code, person, self._clock.now()))

    async def supply(
        self, person: Person, call_id: str, data: str, *, code: str | None = None
    ) -> e.Supplied | Refused:
        """Store what a person filled in, as JSON text, in the form of this code; or say why it does not count."""
        now = self._clock.now()
        return await self._add(lambda at: persons.supply(at, call_id, data, person, now, code=code))

    async def decline_form(
        self, person: Person, call_id: str, reason: str, *, code: str | None = None
    ) -> e.Answered | Refused:
        """Store that nobody will fill in the form of this code; or say why it does not count."""
        now = self._clock.now()
        return await self._add(lambda at: persons.decline_form(at, call_id, reason, person, now, code=code))

    async def settle(self, person: Person, call_id: str, outcome: e.Reconciliation) -> e.Reconciled | Refused:
        """Store how a person settles a call whose outcome is unknown; or say why it does not count."""
        return await self._add(lambda state: persons.reconcile(state, call_id, outcome, person))

    async def set_level(self, level: Level | None, *, tool: str | None = None, by: str, cause: str) -> None:
        """Store a person's new level for the session, or for one tool; None takes a tool's own away.

        Raises:
            RecordBroken: It is level 4, and no record of what runs then would hold.
        """
        if level is not None:
            require_record(Levels(level, {}), self._store, self.id, self._terms.mirror)
        await self._journal.write(lambda writer: writer.append(e.LevelSet(level, by, cause, tool)))

    async def stop(self, by: str) -> None:
        """Ask the open run to stop at its next safe point."""
        await self._journal.write(lambda writer: writer.append(e.StopAsked(by)))
        self._runner.nudge()


def _check(agent: Agent, store: SqliteStore) -> None:
    if not isinstance(agent, Agent):
        raise TypeError(f"agent is {agent!r} and has to be an Agent, as in Agent(name=…, toolset=…)")
    if not isinstance(store, SqliteStore):
        raise TypeError(f"store is {store!r} and has to be an open one, as in `async with open_store(…) as store`")


def _require_code(code: str) -> None:
    """Refuse what would answer whatever is asked for by now, seen or not."""
    if not isinstance(code, str):
        raise TypeError(f"code is {code!r}; it has to be that of what was seen")


def _person_of_program(by: str) -> Person:
    """Return the person who answers in a program of one's own, under the name that it gives."""
    return Person(by, "api", this_person("api").origin)

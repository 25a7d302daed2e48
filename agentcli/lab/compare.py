"""The same message at several levels at once, each on its own copy of the books."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agentcli.agents.agent import Agent
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.lab.effects import ChangedRow, effects, snapshot
from agentcli.lab.endings import Ending, ending_of
from agentcli.lab.sandbox import sandboxed
from agentcli.session import events as ev
from agentcli.session.persons import Given, Person
from agentcli.session.ports import Clock
from agentcli.session.steps import AwaitAnswer, AwaitPerson
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.drawing.telling import retry_text
from agentcli.tools.risk import Risk
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.stores import prepare_books
from agentcli.wiring.terms import Terms

TICK_S: Final = 0.25

Answerer = Callable[[Level, Session, AwaitPerson], Awaitable[bool]]
"""Settles what the session of a level waits for; tells whether it did."""


class ComparedCall(msgspec.Struct, frozen=True):
    """One call at one level; `answer` where it was asked, `status` of its result where it has one."""

    tool: str
    input: Any
    risk: Risk
    decision: Decision
    answer: str | None
    status: str | None


class OutcomeAtLevel(msgspec.Struct, frozen=True):
    """The outcome of the message at one level."""

    level: Level
    decisions: tuple[ComparedCall, ...]
    effects: tuple[ChangedRow, ...]
    asked: int
    outcome: ev.RunOutcome
    text: str
    steps: int
    usage: ev.TokenUsage


class Comparison(msgspec.Struct, frozen=True):
    """The outcomes of one message at several levels; written as JSON as it stands."""

    message: str
    agent: str
    model: str
    levels: tuple[OutcomeAtLevel, ...]

    @property
    def first_difference(self) -> int | None:
        """The number, from 1, of the first call about which two levels decide differently, if there is one."""
        longest = max((len(level.decisions) for level in self.levels), default=0)
        for row in range(longest):
            decided = {level.decisions[row].decision for level in self.levels if row < len(level.decisions)}
            if len(decided) > 1 or any(row >= len(level.decisions) for level in self.levels):
                return row + 1
        return None


class Compared(Struct, frozen=True):
    """A comparison, how each level's run ended, and in words what is set besides the levels."""

    comparison: Comparison
    endings: Mapping[Level, Ending]
    policy: tuple[str, ...] = ()


class Trial(Struct, frozen=True, kw_only=True):
    """What is compared: an agent over a store's books, on terms whose level each column replaces."""

    agent: Agent
    store: SqliteStore
    terms: Terms
    clock: Clock


async def compare(
    trial: Trial,
    message: str,
    levels: Sequence[Level],
    answer: Answerer,
    *,
    progress: Callable[[Level, str], None] = lambda level, what: None,
) -> Compared:
    """Return what becomes of a message at each level; all of them run at the same time.

    Args:
        progress: Is told what each level is at.
    """
    options, today = dict(trial.terms.options), trial.clock.today()
    prepare_books(trial.store, trial.agent, options, sample=trial.terms.sample, today=today)
    running = [asyncio.ensure_future(_at_level(trial, message, level, answer, progress)) for level in levels]
    try:
        found = await asyncio.gather(*running)
    finally:
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    columns = tuple(column for column, _ in found)
    endings = {column.level: ending for column, ending in found}
    return Compared(
        Comparison(message, trial.agent.name, trial.terms.model, columns), endings, _policy(trial.terms)
    )


def _policy(terms: Terms) -> tuple[str, ...]:
    """Return what is set besides the level, in words."""
    own = (f"{tool} at level {int(level)}" for tool, level in terms.levels.tools.items())
    return (*own, *(("every call is asked about",) if terms.require_approval else ()))


async def _at_level(
    trial: Trial, message: str, level: Level, answer: Answerer, progress: Callable[[Level, str], None]
) -> tuple[OutcomeAtLevel, Ending]:
    agent = sandboxed(trial.agent)
    options = {**trial.terms.options, **agent.sandbox_options}
    # A level that is compared is meant: nothing of the config may lower it, but tools keep levels of their own.
    levels = Levels(level, trial.terms.levels.tools)
    terms = replace(trial.terms, levels=levels, said_level=True, mirror="", options=options)
    with trial.store.sandbox() as store:
        before = snapshot(store, agent.tables)
        session = Session.begin(agent, store, terms, trial.clock)
        try:
            watching = _Watching(session, level, progress)
            async with _telling_of_retries(watching, trial.clock):
                await session.say(message, COMPARING)
                step = await session.carry_on()
                while isinstance(step, AwaitPerson) and await answer(level, session, step):
                    step = await session.carry_on()
            return watching.column(effects(before, snapshot(store, agent.tables))), watching.ending
        finally:
            try:
                await session.hang_up()
            finally:
                session.close()


@asynccontextmanager
async def _telling_of_retries(watching: "_Watching", clock: Clock) -> AsyncIterator[None]:
    async def tell() -> None:
        while True:
            watching.tell_of_retry(clock.now())
            await asyncio.sleep(TICK_S)

    telling = asyncio.ensure_future(tell())
    try:
        yield
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling


COMPARING: Final = Person("compare", "compare")


class _Watching:
    """Takes in what happens at one level."""

    def __init__(self, session: Session, level: Level, progress: Callable[[Level, str], None]) -> None:
        self._session = session
        self._level = level
        self._progress = progress
        self._calls: dict[str, ComparedCall] = {}
        self._finished: ev.RunFinished | None = None
        self._waits_to_retry = False
        session.observe(self._take)

    @property
    def ending(self) -> Ending:
        """How the run ended."""
        assert self._finished is not None
        return ending_of(self._finished, self._session.state)

    def column(self, changed: tuple[ChangedRow, ...]) -> OutcomeAtLevel:
        """Return the column, once the run has ended."""
        assert self._finished is not None
        return OutcomeAtLevel(
            level=self._level,
            decisions=tuple(self._calls.values()),
            effects=changed,
            asked=sum(call.decision is Decision.ASK for call in self._calls.values()),
            outcome=self._finished.outcome,
            text=self._finished.text,
            steps=self._finished.steps,
            usage=self._finished.usage,
        )

    @property
    def _step(self) -> str:
        run = self._session.state.run
        return f"step {1 if run is None else run.steps + 1}"

    def tell_of_retry(self, now: datetime) -> None:
        """Tell for how long it waits until a request is tried again, if it does, and when that is over."""
        waiting = retry_text(self._session.state, now)
        if waiting or self._waits_to_retry:
            self._progress(self._level, waiting or self._step)
        self._waits_to_retry = bool(waiting)

    def _take(self, event: ev.Event) -> None:
        match event:
            case ev.RunStarted():
                self._progress(self._level, self._step)
            case ev.Decided(call_id=call_id) if call_id in self._calls:
                # Decided again after an answer; the input may be another by now, what was asked was asked.
                self._calls[call_id] = msgspec.structs.replace(self._calls[call_id], input=event.input)
            case ev.Decided(call_id=call_id):
                self._calls[call_id] = ComparedCall(
                    event.tool, event.input, event.risk, event.decision, answer=None, status=None
                )
                self._progress(self._level, event.tool)
            case ev.Answered(call_id=call_id, answer=answer) if call_id in self._calls:
                self._calls[call_id] = msgspec.structs.replace(self._calls[call_id], answer=answer)
            case ev.ToolFinished(call_id=call_id, result=result) if call_id in self._calls:
                self._calls[call_id] = msgspec.structs.replace(self._calls[call_id], status=_status(result))
                self._progress(self._level, self._step)
            case ev.RunFinished():
                self._finished = event
                self._progress(self._level, event.outcome)
            case _:
                pass


def _status(result: msgspec.Raw) -> str | None:
    told = msgspec.json.decode(bytes(result))
    # A hook may have made anything of it.
    status = told.get("status") if isinstance(told, dict) else None
    return status if isinstance(status, str) else None


def answering(word: Literal["yes", "no"]) -> Answerer:
    """Return who answers every question the same way; what is to be filled in stays open."""

    async def answer(level: Level, session: Session, step: AwaitPerson) -> bool:
        if not isinstance(step, AwaitAnswer):
            return False
        code = session.state.calls[step.call_id].question_code
        await session.answer_as(COMPARING, step.call_id, Given("approved" if word == "yes" else "declined", code))
        return True

    return answer

"""The conversation: what a person does goes to the session, and what happens there comes to the face."""

import asyncio
import signal
import time
from contextlib import suppress
from typing import Any, Final, assert_never

from agentcli.engine.bookkeeping import Draining
from agentcli.engine.clock import SystemClock
from agentcli.session import events as ev
from agentcli.session.persons import Person, Refused
from agentcli.session.ports import Clock, StoreFailure
from agentcli.session.steps import AwaitAnswer, AwaitReconcile, AwaitSupply, End, Idle
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal import slash as s
from agentcli.terminal.arming import Standing
from agentcli.terminal.commands import Commands
from agentcli.terminal.display import Display
from agentcli.terminal.face import Face
from agentcli.terminal.keys import AGAIN_S, Effect
from agentcli.terminal.questions import Questions, Waits
from agentcli.terminal.resting import Parting, Resting, is_due, offer_after, parting_on, rests_on
from agentcli.terminal.styled import Line, Span, Style
from agentcli.terminal.telling import SAID, elsewhere_line, numbered
from agentcli.visible import visible_line
from agentcli.wiring.identity import this_person
from agentcli.wiring.session import Session

TICK_S: Final = 0.2
"""How soon what others write is noticed, and how often what changes by itself is drawn anew."""

GRACE_S: Final = 10.0
"""How long a reply that streams may go on once the process is asked to end."""

CHANNEL: Final = "terminal"

_HOW_TO_LEAVE: Final = "Ctrl-C again, Ctrl-D or /quit leaves"
_STOPPING: Final = "stopping at the next safe point; Ctrl-C again leaves at once"
_LEAVING: Final = "leaving at the next safe point; Ctrl-C leaves at once"


class Chat:
    """A session talked to. One thing at a time is at work in it, or it rests on a step that is not its own.

    Without a `person` it is the one whom this process runs for.
    """

    def __init__(
        self,
        session: Session,
        store: SqliteStore,
        face: Face,
        *,
        person: Person | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._session = session
        self._face = face
        self._clock = clock or SystemClock()
        self._person = person or this_person(CHANNEL)
        self._display = Display(session, face)
        self._questions = Questions(session, face, self._person)
        self._commands = Commands(session, store, self._person)
        self._work: asyncio.Future[Resting] | None = None
        self._resting: Resting = Idle()
        self._is_stopping = False
        self._stopped_at = float("-inf")
        self._leaving: Parting | None = None
        self._parting: Parting | None = None
        session.observe(self._take)

    async def talk(self, said: str | None = None, *, goes_on: bool = False) -> Parting:
        """Talk until the person leaves or has to; again after a `NEW` that came to nothing.

        Args:
            said: What the person says first.
            goes_on: Whether to take up what lies there, even where a run ended early.

        Raises:
            StoreFailure: The journal can't be written; nothing runs that is not in it.
        """
        self._parting = None
        if said is not None:
            await self._say(said)
        if goes_on:
            self._start()
        else:
            self._resting = rests_on(self._session.state)
            self._offer_to_go_on()
        coming: asyncio.Future[h.Happened] | None = None
        try:
            while self._parting is None:
                self._go_on_if_due()
                self._display.tick(self._clock.now())
                coming = coming or asyncio.ensure_future(self._face.next())
                awaited: set[asyncio.Future[Any]] = {coming} if self._work is None else {coming, self._work}
                await asyncio.wait(awaited, timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    happened, coming = coming.result(), None
                    await self._act(happened)
                await self._look_at_work()
            return self._parting
        finally:
            if coming is not None:
                coming.cancel()
                with suppress(asyncio.CancelledError):
                    await coming

    # What is at work

    def _go_on_if_due(self) -> None:
        """Go on where nobody has to act first; what was answered in vain is asked once more."""
        if self._work is not None or (isinstance(self._resting, Draining) and self._session.is_draining):
            return
        if is_due(self._session.state, self._clock.now(), self._resting):
            self._start()
        elif isinstance(self._resting, Waits) and self._questions.open is None:
            self._questions.ask(self._resting)

    def _start(self) -> None:
        self._questions.close()
        call = self._session.state.current_call
        is_persons_own = call is not None and call.by is not None
        going = self._session.settle_own_calls() if is_persons_own else self._session.carry_on()
        self._work = asyncio.ensure_future(going)
        self._face.is_at_work = self._display.is_at_work = True

    async def _look_at_work(self) -> None:
        """Take what the work came to; at rest, take in what others wrote."""
        if self._work is None:
            self._session.catch_up()
        elif self._work.done():
            work, self._work = self._work, None
            self._rest(work.result())
        elif self._is_stopping and self._session.state.run is not None and not self._session.state.stop_asked:
            # It was asked to stop before it had begun.
            await self._session.stop(self._person.by)

    def _rest(self, resting: Resting) -> None:
        self._resting = resting
        self._is_stopping = False
        self._face.is_at_work = False
        self._display.rest(resting, self._clock.now())
        if self._leaving is not None:
            # Who leaves by a key is told by the exit code what was left open; a signal has a code of its own.
            self._parting = parting_on(resting) if self._leaving is Parting.DONE else self._leaving
            return
        match resting:
            case AwaitAnswer() | AwaitSupply() | AwaitReconcile() as step:
                self._questions.ask(step)
                self._parting = None if self._face.can_answer else Parting.OPEN
            case End():
                self._offer_to_go_on()
            case Draining():
                kept = numbered(self._session.state.unheard)
                self._tell(f"draining: kept as {kept}" if kept else "draining: no run begins until that is over")
            case _:
                pass

    def _offer_to_go_on(self) -> None:
        offer = offer_after(self._session.state)
        if offer is not None and self._face.can_answer:
            self._questions.offer(offer)

    def _take(self, event: ev.Event) -> None:
        """Show an event; nothing is raised here, since a call may be about to run."""
        self._display.take(event)
        if isinstance(event, ev.Answered) and self._questions.open == event.call_id:
            self._display.notice(elsewhere_line(self._session.state.calls[event.call_id]))

    # What the person does

    async def _act(self, happened: h.Happened) -> None:
        match happened:
            case h.WordsEntered(text, standing):
                number = await self._say(text)
                if self._questions.open is not None and standing is not Standing.ANSWER:
                    self._tell(f"a message, no answer: {standing}; /queue drop {number} takes it back")
            case h.CommandEntered(text):
                self._face.notice(f"{SAID}{visible_line(text)}")
                await self._obey(text)
            case h.AnswerGiven():
                await self._questions.answer(happened)
                if isinstance(happened.said, h.Cancelled):
                    self._stopped_at = time.monotonic()
            case h.PromptAnswered(text):
                if await self._questions.take(text):
                    self._start()
            case h.KeyPressed(effect):
                await self._press(effect)
            case h.Signalled(number):
                await self._end(number)
            case h.InputEnded():
                self._parting = parting_on(self._resting)
            case never:
                assert_never(never)

    async def _say(self, text: str) -> int:
        try:
            return await self._session.say(text, self._person)
        except StoreFailure:
            self._tell(f"not stored: {visible_line(text)}")
            raise

    async def _obey(self, line: str) -> None:
        match s.read_command(line, self._session.agent.toolset.by_name):
            case s.Trouble(text):
                self._tell(text)
            case s.Undo():
                await self._undo()
            case s.New() if self._work is not None:
                self._tell("a run is going on: stop it first with Esc")
            case s.New():
                self._questions.close()
                self._parting = Parting.NEW
            case s.Quit():
                self._leave()
            case wish:
                self._face.notice("\n".join(await self._commands.carry_out(wish, self._face.width)))

    async def _undo(self) -> None:
        if self._work is not None:
            self._tell("a run is going on: let it end, or stop it, before something is undone")
            return
        waiting = await self._session.undo(self._person)
        if isinstance(waiting, Refused):
            self._tell(visible_line(waiting.reason))
        else:
            self._questions.close()
            self._rest(AwaitAnswer(waiting.call_id))

    async def _press(self, effect: Effect) -> None:
        match effect:
            case Effect.STOP if self._leaving is not None:
                self._parting = Parting.AT_ONCE
            case Effect.STOP:
                await self._stop()
            case Effect.CANCEL:
                self._stopped_at = time.monotonic()
                await self._questions.cancel()
            case Effect.SAY_HOW:
                self._tell(_HOW_TO_LEAVE)
            case Effect.LEAVE if self._work is not None:
                self._parting = Parting.AT_ONCE
            case Effect.LEAVE if time.monotonic() - self._stopped_at <= AGAIN_S:
                self._parting = Parting.INTERRUPTED
            case Effect.LEAVE | Effect.LEAVE_OPEN | Effect.LEAVE_SAFELY:
                self._leave()
            case _:
                pass

    async def _stop(self) -> None:
        self._stopped_at = time.monotonic()
        if not self._is_stopping:
            self._is_stopping = True
            self._tell(_STOPPING)
            await self._session.stop(self._person.by)

    def _leave(self) -> None:
        """Leave: now where nothing is at work, else as soon as what is in hand is done."""
        if self._work is None:
            self._parting = Parting.DONE if self._questions.open is None else parting_on(self._resting)
            return
        if self._leaving is None:
            self._leaving = Parting.DONE
            self._session.leave(grace_s=0)
            self._tell(_LEAVING)

    async def _end(self, number: int) -> None:
        """The process is asked to end."""
        parting = {signal.SIGINT: Parting.INTERRUPTED, signal.SIGTERM: Parting.TERMINATED}.get(
            signal.Signals(number), Parting.HUNG_UP
        )
        if self._work is None:
            self._parting = parting
            return
        if number == signal.SIGINT and self._leaving is Parting.INTERRUPTED:
            self._parting = Parting.AT_ONCE
            return
        self._leaving = parting
        if number == signal.SIGINT:
            self._is_stopping = True
            await self._session.stop(self._person.by)
        else:
            self._session.leave(grace_s=GRACE_S)

    def _tell(self, text: str) -> None:
        """Say something of our own at once; the text is safe to draw."""
        line: Line = (Span(text, Style.CARE),)
        self._display.notice(line)

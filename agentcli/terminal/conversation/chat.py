"""The conversation: what a person does goes to the session, and what happens there comes to the face."""

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, assert_never

from agentcli.engine.bookkeeping import Draining
from agentcli.engine.clock import SystemClock
from agentcli.session import events as ev
from agentcli.session.persons import Person, Refused
from agentcli.session.ports import Clock, StoreFailure
from agentcli.session.steps import AwaitAnswer, AwaitPerson, AwaitReconcile, AwaitSupply, End, Idle
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.display import DRAINING, Display
from agentcli.terminal.conversation.happenings import Happenings
from agentcli.terminal.conversation.leaving import Leaving
from agentcli.terminal.conversation.questions import Questions
from agentcli.terminal.conversation.resting import Parting, Resting, is_due, offer_after, parting_on, rests_on
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.drawing.telling import elsewhere_line, numbered
from agentcli.terminal.face import Face
from agentcli.terminal.keys import Effect
from agentcli.terminal.question.arming import Standing
from agentcli.terminal.surroundings import ALONE, Surroundings, Vocabulary
from agentcli.visible import visible_line
from agentcli.wiring.identity import this_person
from agentcli.wiring.session import Session

if TYPE_CHECKING:
    from agentcli.terminal.picking import Choice
    from agentcli.terminal.slash.commands import Commands
    from agentcli.terminal.slash.wishes import GoTo, New, Trouble

TICK_S: Final = 0.2
"""How soon what others write is noticed, and how often what changes by itself is drawn anew."""

CHANNEL: Final = "terminal"
OTHER_SESSIONS: Final = "sessions"
STILL_OPEN: Final = "the question stays open"


class Chat:
    """A session talked to. One thing at a time is at work in it, or it rests on a step that is not its own.

    Without a `person` it is the one whom this process runs for. Where it is left for another session, `wanted`
    says for which.
    """

    def __init__(
        self,
        session: Session,
        store: SqliteStore,
        face: Face,
        *,
        person: Person | None = None,
        clock: Clock | None = None,
        surroundings: Surroundings = ALONE,
    ) -> None:
        self._session = session
        self._face = face
        self._clock = clock or SystemClock()
        self._person = person or this_person(CHANNEL)
        self._display = Display(session, face, surroundings.log)
        self._questions = Questions(session, face, self._person)
        self._store, self._surroundings = store, surroundings
        self._leaving = Leaving(session, self._person.by, self._tell)
        self.wanted: New | GoTo | None = None
        self._happenings = Happenings(face)
        self._work: asyncio.Future[Resting] | None = None
        self._resting: Resting = Idle()
        session.observe(self._take)
        tools = tuple(session.agent.toolset.by_name)
        face.knows(Vocabulary(tools, surroundings.agents, self._sessions))

    async def talk(self, said: str | None = None, *, goes_on: bool = False) -> Parting:
        """Talk until the person leaves or has to; again after a `NEW` that came to nothing.

        Args:
            said: What the person says first.
            goes_on: Whether to take up what lies there, even where a run ended early.

        Raises:
            StoreFailure: The journal can't be written; nothing runs that is not in it.
        """
        self._leaving.parting = None
        if said is not None:
            await self._say(said)
        if goes_on:
            self._start()
        else:
            self._resting = rests_on(self._session.state)
            self._offer_to_go_on()
        try:
            while self._leaving.parting is None:
                self._go_on_if_due()
                self._display.tick(self._clock.now())
                await self._take_turn()
            if self._leaving.parting is not Parting.NEW:
                async for text in self._happenings.words_left():
                    await self._say(text)
            return self._leaving.parting
        except StoreFailure:
            async for text in self._happenings.words_left():
                self._tell(f"not stored: {visible_line(text)}")
            raise
        finally:
            await self._happenings.stop(self._work)

    async def _take_turn(self) -> None:
        """Wait for what the person does or the work comes to, and do what follows from it."""
        awaited: set[asyncio.Future[Any]] = {self._happenings.coming}
        if self._work is not None:
            awaited.add(self._work)
        await asyncio.wait(awaited, timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED)
        happened = self._happenings.take()
        if happened is not None:
            await self._act(happened)
        await self._look_at_work()

    # What is at work

    def _go_on_if_due(self) -> None:
        """Go on where nobody has to act first; what was answered in vain is asked once more."""
        if self._work is not None or self._is_held_up:
            return
        if self._is_due:
            self._start()
        elif isinstance(self._resting, AwaitPerson) and self._questions.open is None:
            self._questions.ask(self._resting)

    @property
    def _is_due(self) -> bool:
        return is_due(self._session.state, self._clock.now(), self._resting)

    @property
    def _is_held_up(self) -> bool:
        """Whether a run would begin if the store were not being drained."""
        return isinstance(self._resting, Draining) and self._session.is_draining

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
        await self._leaving.see_to_stops()

    def _rest(self, resting: Resting) -> None:
        self._resting = resting
        self._face.is_at_work = False
        self._display.rest(resting, self._clock.now())
        self._leaving.rested(resting)
        if self._leaving.parting is not None:
            return
        match resting:
            case AwaitAnswer() | AwaitSupply() | AwaitReconcile() as step:
                self._questions.ask(step)
                self._leaving.parting = None if self._face.can_answer else Parting.OPEN
            case End():
                self._offer_to_go_on()
            case Draining():
                kept = numbered(self._session.state.unheard)
                self._tell(f"draining: kept as {kept}" if kept else DRAINING)
            case _ if self._questions.has_made_way:
                self._offer_to_go_on()

    def _offer_to_go_on(self) -> None:
        offer = offer_after(self._session.state)
        if offer is not None and self._face.can_answer and not self._is_due:
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
                self._display.entered(text)
                number = await self._say(text)
                self._leaving.said(text)
                if self._questions.open is not None and standing is not Standing.ANSWER:
                    self._tell(f"a message, no answer: {standing}; /queue drop {number} takes it back")
                elif self._questions.open is not None and not self._face.is_redrawn:
                    self._tell(STILL_OPEN)
                elif self._work is None and self._is_held_up:
                    self._tell(f"draining: kept as #{number}")
            case h.CommandEntered(text):
                self._display.command(text)
                await self._obey(text)
            case h.AnswerGiven():
                await self._questions.answer(happened)
                if isinstance(happened.said, h.Cancelled):
                    self._leaving.cancelled()
            case h.PromptAnswered() | h.PromptTakenBack():
                if await self._questions.take(happened):
                    self._start()
            case h.Picked(session):
                self._go_to(self._commands.way_to_session(session))
            case h.KeyPressed() | h.Signalled() | h.InputEnded():
                await self._stop_or_leave(happened)
            case never:
                assert_never(never)

    async def _stop_or_leave(self, happened: h.KeyPressed | h.Signalled | h.InputEnded) -> None:
        match happened:
            case h.KeyPressed(Effect.CANCEL):
                self._leaving.cancelled()
                await self._questions.cancel()
            case h.KeyPressed(effect):
                await self._leaving.press(effect, is_at_work=self._work is not None, at_rest=self._at_rest)
            case h.Signalled(number):
                await self._leaving.signalled(number, is_at_work=self._work is not None)
            case h.InputEnded():
                self._leaving.parting = parting_on(self._resting)
            case never:
                assert_never(never)

    async def _say(self, text: str) -> int:
        try:
            return await self._session.say(text, self._person)
        except StoreFailure:
            self._tell(f"not stored: {visible_line(text)}")
            raise

    @cached_property
    def _commands(self) -> "Commands":
        # Loaded with the first command, not with the first prompt.
        from agentcli.terminal.slash.commands import Commands  # noqa: PLC0415

        return Commands(self._session, self._store, self._person, self._surroundings)

    def _choices(self) -> "list[Choice]":
        return self._commands.other_sessions(self._face.width)

    def _sessions(self) -> dict[str, str]:
        return {choice.value: choice.label for choice in self._choices()}

    async def _obey(self, line: str) -> None:
        from agentcli.terminal.slash import wishes as w  # noqa: PLC0415  # as above
        from agentcli.terminal.slash.line import read_command  # noqa: PLC0415  # as above

        match read_command(line, self._session.agent.toolset.by_name):
            case w.Trouble(text):
                self._tell(text)
            case w.Undo():
                await self._undo()
            case w.New() | w.GoTo() as elsewhere:
                self._go_to(self._commands.way_to(elsewhere))
            case w.ShowSessions() if self._face.is_redrawn and (choices := self._choices()):
                self._face.pick(OTHER_SESSIONS, choices)
            case w.Quit():
                self._leaving.leave(is_at_work=self._work is not None, at_rest=self._at_rest)
            case w.ShowStatus():
                self._display.answer(self._display.how_things_stand(self._clock.now()))
            case w.ShowBook() as about:
                self._face.notice(self._commands.answer_about_book(about, self._clock.today(), self._face))
            case w.SaveBook() as about:
                answer = self._commands.answer_about_book(about, self._clock.today(), self._face)
                self._display.answer(answer.split("\n"))
            case wish:
                self._display.answer(await self._commands.carry_out(wish, self._face.width))

    async def _undo(self) -> None:
        if self._work is not None:
            self._tell("a run is going on: let it end, or stop it, before something is undone")
            return
        waiting = await self._session.undo(self._person)
        if isinstance(waiting, Refused):
            self._tell(visible_line(waiting.reason))
        else:
            self._questions.make_way()
            self._rest(AwaitAnswer(waiting.call_id))

    def _go_to(self, way: "New | GoTo | Trouble") -> None:
        """Leave for another session; what is asked in this one stays open."""
        from agentcli.terminal.slash.wishes import Trouble  # noqa: PLC0415  # it is there by now

        if isinstance(way, Trouble):
            self._tell(way.text)
        elif self._work is not None:
            self._tell("a run is going on: stop it first with Esc")
        else:
            self._questions.close()
            self.wanted = way
            self._leaving.parting = Parting.NEW

    @property
    def _at_rest(self) -> Parting:
        """How the conversation is left while nothing is at work."""
        return Parting.DONE if self._questions.open is None else parting_on(self._resting)

    def _tell(self, text: str) -> None:
        """Say something of our own at once; the text is safe to draw."""
        line: Line = (Span(text, Style.CARE),)
        self._display.notice(line)

"""What `run` and `resume` wait for, asked at this terminal."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from agentcli.cli.talk.manner import AT_A_QUESTION
from agentcli.cli.talk.progress import Progress
from agentcli.config.records import Terminal
from agentcli.session.next_step import next_step
from agentcli.session.steps import AwaitPerson
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.one_question import LOOK_S, Left
from agentcli.terminal.conversation.questions import Questions
from agentcli.terminal.drawing.folded import draw_folded
from agentcli.terminal.drawing.styled import Line
from agentcli.terminal.face import Face, tell
from agentcli.terminal.faces.this_terminal import this_terminal
from agentcli.terminal.keys import Effect
from agentcli.wiring.identity import this_person
from agentcli.wiring.session import Session

_NO_COMMANDS: Final = "commands are for `agentcli chat`; the question stays open"


class Stopped(Struct, frozen=True):
    """The person has dropped the call that asks, and the run with it."""


async def ask_here(
    session: Session, step: AwaitPerson, terminal: Terminal, progress: Progress
) -> Left | Stopped | None:
    """Ask a person for what a session waits for, and store what they say; or return what they did instead."""
    async with this_terminal(terminal) as face:

        def put(line: Line) -> None:
            face.notice(draw_folded(line, face.width, colour=face.colour))

        with progress.put_by(put):
            return await Asking(session, step, face).ask()


class Asking:
    """One thing that is asked, until it was answered here or elsewhere."""

    def __init__(self, session: Session, step: AwaitPerson, face: Face) -> None:
        self._session = session
        self._step = step
        self._face = face
        self._person = this_person(AT_A_QUESTION)
        self._questions = Questions(session, face, self._person)
        self._has_stopped = False

    async def ask(self) -> Left | Stopped | None:
        """Ask; None once there is an answer."""
        self._questions.ask(self._step)
        coming = asyncio.ensure_future(self._face.next())
        try:
            while self._questions.open is not None:
                await asyncio.wait({coming}, timeout=LOOK_S)
                if coming.done():
                    left = await self._act(coming.result())
                    if left is not None:
                        return left
                    coming = asyncio.ensure_future(self._face.next())
                elif self._is_over():
                    break
            return Stopped() if self._has_stopped else None
        finally:
            coming.cancel()
            with suppress(asyncio.CancelledError):
                await coming

    def _is_over(self) -> bool:
        """Tell whether somebody else has answered, or the question has expired."""
        self._session.catch_up()
        return next_step(self._session.state, datetime.now(UTC)) != self._step

    async def _act(self, happened: h.Happened) -> Left | None:
        match happened:
            case h.AnswerGiven():
                self._has_stopped = isinstance(happened.said, h.Cancelled)
                await self._questions.answer(happened)
            case h.PromptAnswered() | h.PromptTakenBack():
                await self._questions.take(happened)
            case h.WordsEntered(text):
                number = await self._session.say(text, self._person)
                tell(self._face, f"queued #{number}; the question stays open")
            case h.CommandEntered():
                tell(self._face, _NO_COMMANDS)
            case h.KeyPressed(Effect.CANCEL):
                self._has_stopped = True
                await self._questions.cancel()
            case h.KeyPressed(Effect.LEAVE | Effect.LEAVE_OPEN | Effect.LEAVE_SAFELY) | h.InputEnded():
                return Left()
            case h.Signalled(number):
                return Left(number)
            case _:
                pass
        return None

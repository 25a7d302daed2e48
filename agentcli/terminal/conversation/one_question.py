"""One question asked at the terminal by a command that does nothing else."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec import Struct

from agentcli.terminal import happened as h
from agentcli.terminal.face import Face, tell
from agentcli.terminal.keys import Effect
from agentcli.terminal.question.frame import QuestionView

LOOK_S: Final = 0.2
"""How soon it is noticed that the question was answered elsewhere."""


class Elsewhere(Struct, frozen=True):
    """The question is no longer open: somebody else has answered it."""


class Left(Struct, frozen=True):
    """The person left without an answer, or the process was asked to end: `signal` is 0 or its number."""

    signal: int = 0


async def ask_one(
    face: Face, view: QuestionView, *, is_open: Callable[[], bool], say: Callable[[str], str]
) -> h.AnswerGiven | Elsewhere | Left:
    """Ask until there is an answer, or a reason why none will come.

    Args:
        is_open: Tells whether the question has not been answered elsewhere.
        say: Takes a line that is no answer; returns what the person is told about it, safe to draw.
    """
    face.ask(view)
    coming = asyncio.ensure_future(face.next())
    try:
        while True:
            await asyncio.wait({coming}, timeout=LOOK_S)
            if not coming.done():
                if not is_open():
                    return Elsewhere()
                continue
            match coming.result():
                case h.AnswerGiven() as given:
                    return given
                case h.Signalled(number):
                    return Left(number)
                case h.KeyPressed(Effect.LEAVE | Effect.LEAVE_OPEN) | h.InputEnded():
                    return Left()
                case h.WordsEntered(text) | h.CommandEntered(text):
                    tell(face, say(text))
                case h.KeyPressed():
                    pass
            coming = asyncio.ensure_future(face.next())
    finally:
        face.close_question()
        coming.cancel()
        with suppress(asyncio.CancelledError):
            await coming

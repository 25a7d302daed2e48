"""One question, asked until there is an answer or a reason why none will come."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from typing import Self

import pytest

from agentcli.terminal import happened as h
from agentcli.terminal.conversation.one_question import Elsewhere, Left, ask_one
from agentcli.terminal.keys import Effect
from agentcli.terminal.picking import Choice
from agentcli.terminal.question.answer import Approve
from agentcli.terminal.question.asking import View
from agentcli.terminal.surroundings import Vocabulary
from tests.terminal.views import view_of

YES = h.AnswerGiven("call_2", "3fa9c1", Approve(), 2.0)


class FakeFace:
    """A place where things happen in order, and then nothing more."""

    colour = False
    width = 80
    can_answer = True
    is_redrawn = False
    keeps_lines = False
    is_at_work = False

    def __init__(self, *happens: h.Happened) -> None:
        self.asked: list[View] = []
        self.closed = 0
        self.noticed: list[str] = []
        self._happens = list(happens)

    def write(self, text: str) -> None: ...

    def notice(self, text: str) -> None:
        self.noticed.append(text)

    def tail(self, text: str) -> None: ...

    def status(self, parts: Sequence[str]) -> None: ...

    def ask(self, view: View) -> None:
        self.asked.append(view)

    def close_question(self) -> None:
        self.closed += 1

    async def next(self) -> h.Happened:
        if self._happens:
            return self._happens.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    def knows(self, vocabulary: Vocabulary) -> None: ...

    def pick(self, title: str, choices: Sequence[Choice]) -> None: ...

    def restore(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None: ...


def always() -> bool:
    return True


async def asked_at(face: FakeFace, is_open: Callable[[], bool] = always) -> h.AnswerGiven | Elsewhere | Left:
    return await ask_one(face, view_of(), is_open=is_open, say=lambda text: f"heard {text}")


async def test_an_answer_ends_it() -> None:
    """The question that was shown is taken away."""
    face = FakeFace(YES)
    assert await asked_at(face) == YES
    assert (face.asked, face.closed) == ([view_of()], 1)


@pytest.mark.parametrize(
    ("happened", "left"),
    [
        (h.KeyPressed(Effect.LEAVE_OPEN), Left()),
        (h.KeyPressed(Effect.LEAVE), Left()),
        (h.InputEnded(), Left()),
        (h.Signalled(signal.SIGTERM), Left(signal.SIGTERM)),
    ],
)
async def test_who_leaves_gives_no_answer(happened: h.Happened, left: Left) -> None:
    """By a key, since the input ended, or because the process was asked to end."""
    assert await asked_at(FakeFace(happened, YES)) == left


async def test_what_is_no_answer_is_passed_on_and_it_is_asked_on() -> None:
    """Words and commands; keys that mean nothing here do nothing."""
    face = FakeFace(h.WordsEntered("wait"), h.KeyPressed(Effect.SAY_HOW), h.CommandEntered("/help"), YES)
    assert await asked_at(face) == YES
    assert face.noticed == ["heard wait", "heard /help"]


async def test_an_answer_given_elsewhere_ends_it() -> None:
    """It is looked for again and again while nothing happens here."""
    looks = iter([True, True, False])
    face = FakeFace()
    assert await asked_at(face, looks.__next__) == Elsewhere()
    assert (next(looks, None), face.closed) == (None, 1)

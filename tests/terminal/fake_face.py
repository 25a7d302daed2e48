"""A face without a screen: it keeps what it was shown, and does what a test says a person does."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Self

from msgspec.structs import replace

from agentcli.terminal import happened as h
from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.picking import Choice
from agentcli.terminal.question.answer import Approve
from agentcli.terminal.question.asking import View
from agentcli.terminal.question.frame import QuestionView
from agentcli.terminal.question.prompted import PromptView
from agentcli.terminal.surroundings import Vocabulary

WHAT_IS_OPEN: Final = "what is open by then"
"""What a line is about that is entered before it is asked for."""


class FakeFace:
    """Keeps lines as they come; `open` is what is asked at this moment, `asked` all that ever was."""

    colour = False

    def __init__(
        self,
        *,
        width: int = 80,
        can_answer: bool = True,
        is_redrawn: bool = False,
        keeps_lines: bool = False,
    ) -> None:
        self.width = width
        self.can_answer = can_answer
        self.is_redrawn = is_redrawn
        self.keeps_lines = keeps_lines
        self.vocabulary = Vocabulary()
        self.choices: Sequence[Choice] = ()
        self.is_at_work = False
        self.lines: list[str] = []
        self.open: View | None = None
        self.asked: list[View] = []
        self.tails: list[str] = []
        self.parts: Sequence[str] = ()
        self._happened: asyncio.Queue[h.Happened] = asyncio.Queue()

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)

    @property
    def question(self) -> QuestionView:
        """The open question about a call."""
        assert isinstance(self.open, QuestionView), self.open
        return self.open

    @property
    def prompt(self) -> PromptView:
        """What else is asked."""
        assert isinstance(self.open, PromptView), self.open
        return self.open

    def write(self, text: str) -> None:
        lines = text.rstrip("\n").split("\n")
        # What is too wide a terminal breaks in the middle of a word, and lets pass for a line of ours.
        assert not self.can_answer or max(map(cell_width, lines)) <= self.width, lines
        self.lines += lines

    def notice(self, text: str) -> None:
        self.write(text)

    def tail(self, text: str) -> None:
        self.tails.append(text)

    def status(self, parts: Sequence[str]) -> None:
        self.parts = parts

    def ask(self, view: View) -> None:
        self.open = view
        self.asked.append(view)

    def close_question(self) -> None:
        self.open = None

    def knows(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def pick(self, title: str, choices: Sequence[Choice]) -> None:
        self.choices = choices

    async def next(self) -> h.Happened:
        happened = await self._happened.get()
        if isinstance(happened, h.PromptAnswered | h.PromptTakenBack) and happened.about == WHAT_IS_OPEN:
            about = self.open.about if isinstance(self.open, PromptView) else "what is open no longer"
            return replace(happened, about=about)
        return happened

    def restore(self) -> None:
        """Nothing was taken."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    # What a person does

    def does(self, *happened: h.Happened) -> None:
        """Do these things, one after the other."""
        for one in happened:
            self._happened.put_nowait(one)

    def says(self, text: str) -> None:
        """Say something."""
        self.does(h.WordsEntered(text))

    def types(self, command: str) -> None:
        """Type a command."""
        self.does(h.CommandEntered(command))

    def answers(self, said: h.Said | None = None) -> None:
        """Answer the question, with yes if nothing else is said; it closes itself."""
        view = self.question
        self.open = None
        self.does(h.AnswerGiven(view.call_id, view.code, said or Approve(), 1.0))

    def enters(self, text: str) -> None:
        """Type a line for a prompt."""
        self.does(h.PromptAnswered(WHAT_IS_OPEN, text))

    def goes_back(self) -> None:
        """Go back to the field before."""
        self.does(h.PromptTakenBack(WHAT_IS_OPEN))

    async def until(self, holds: str | Callable[[], object], timeout_s: float = 60.0) -> None:
        """Wait until a text is on it, or something holds."""
        async with asyncio.timeout(timeout_s):
            while not (holds in self.text if isinstance(holds, str) else holds()):
                await asyncio.sleep(0.005)

"""The face of a demo: the real screen, with all that shows on it for good taken down beside it."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Self

from msgspec import structs
from msgspec.structs import replace

from agentcli.terminal import happened as h
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.faces.picture import PROMPT, share_out
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.picking import Choice
from agentcli.terminal.question.asking import View, card_of
from agentcli.terminal.question.card import NO_END
from agentcli.terminal.question.frame import QuestionView
from agentcli.terminal.surroundings import Vocabulary

_SGR: Final = re.compile("\x1b\\[([0-9;]*)m")
_STYLES: Final = {"1": Style.STRONG, "2": Style.FAINT, "31": Style.BAD, "32": Style.GOOD, "33": Style.CARE}


class StagedFace:
    """Passes everything on to the screen; `asking` is what is open, `lines` what a reader would have seen.

    `rows` gives the screen's height. A question's code hangs on process, host and hash of the journal: here it is
    made from what is asked, so that the same demo shows the same one each time.
    """

    def __init__(self, screen: Screen, title: str, rows: Callable[[], int]) -> None:
        self.asking: View | None = None
        self.asked = 0
        self.lines: list[Line] = []
        self.is_acted_on = False
        self.taken = 0
        self._screen = screen
        self._rows = rows
        self._title = title
        self._codes: dict[str, str] = {}
        self._held: list[str] = []

    @property
    def can_answer(self) -> bool:
        """Whether somebody can answer: the script can."""
        return self._screen.can_answer

    @property
    def is_redrawn(self) -> bool:
        """Whether what is shown may be drawn anew."""
        return self._screen.is_redrawn

    @property
    def keeps_lines(self) -> bool:
        """Whether a line that was entered stays where it was typed."""
        return self._screen.keeps_lines

    @property
    def colour(self) -> bool:
        """Whether lines may be drawn in colour."""
        return self._screen.colour

    @property
    def width(self) -> int:
        """Cells in a line."""
        return self._screen.width

    @property
    def pages(self) -> int:
        """How many pages the open question takes on this screen."""
        assert self.asking is not None
        room = share_out(self._rows(), is_asking=True).card
        return len(card_of(self.asking, width=self.width, height=room).pages)

    @property
    def is_at_work(self) -> bool:
        """Whether a model or a tool is at work."""
        return self._screen.is_at_work

    @is_at_work.setter
    def is_at_work(self, at_work: bool) -> None:
        self._screen.is_at_work = at_work

    def knows(self, vocabulary: Vocabulary) -> None:
        """Have the names that can be completed."""
        self._screen.knows(vocabulary)

    def pick(self, title: str, choices: Sequence[Choice]) -> None:
        """Open a list."""
        self._screen.pick(title, choices)

    def write(self, text: str) -> None:
        """Print lines; while a question is open they wait."""
        self._screen.write(text)
        if self.asking is None:
            self.lines += styled(text)
        else:
            self._held.append(text)

    def notice(self, text: str) -> None:
        """Print lines at once."""
        self._screen.notice(text)
        self.lines += styled(text)

    def tail(self, text: str) -> None:
        """Show the end of a text that is still coming."""
        self._screen.tail(text)

    def status(self, parts: Sequence[str]) -> None:
        """Show the status."""
        self._screen.status(parts)

    def ask(self, view: View) -> None:
        """Open a question, or another prompt in its place."""
        self.asked += 1
        if isinstance(view, QuestionView):
            shown = hashlib.sha256(f"{self._title}\n{self.asked}\n{view.input}".encode()).hexdigest()[:6]
            self._codes[shown] = view.code
            view = replace(view, code=shown)
        self.asking = view
        card = card_of(view, width=self.width, height=NO_END)
        self.lines += (line for page in card.pages for line in page + card.answer)
        self._screen.ask(view)

    def close_question(self) -> None:
        """Take away what is asked."""
        self._screen.close_question()
        self._closed()

    async def next(self) -> h.Happened:
        """Return the next thing that happened; an answer names the question by its real code.

        Until the one after is asked for, what happened `is_acted_on`; `taken` counts them.
        """
        self.is_acted_on = False
        happened = await self._screen.next()
        self.is_acted_on, self.taken = True, self.taken + 1
        if isinstance(happened, h.AnswerGiven):
            self._closed()
            return structs.replace(happened, code=self._codes[happened.code])
        return happened

    def typed(self, line: str) -> None:
        """Take down a line that was typed to answer."""
        self.lines.append((Span(PROMPT, Style.FAINT), Span(line, Style.STRONG)))

    def restore(self) -> None:
        """Give the terminal back at once."""
        self._screen.restore()

    async def __aenter__(self) -> Self:
        await self._screen.__aenter__()
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self._screen.__aexit__(*reason)

    def _closed(self) -> None:
        self.asking = None
        for text in self._held:
            self.lines += styled(text)
        self._held.clear()


def styled(text: str) -> Iterator[Line]:
    """Yield the lines of a text that was drawn with or without the terminal's colours."""
    style = Style.PLAIN
    for line in text.removesuffix("\n").split("\n"):
        spans = []
        for number, piece in enumerate(_SGR.split(line)):
            if number % 2:
                style = next((_STYLES[code] for code in piece.split(";") if code in _STYLES), Style.PLAIN)
            elif piece:
                spans.append(Span(piece, style))
        yield tuple(spans)

"""What is asked as it stands on the screen: which page, what of it was painted, and since when."""

from typing import Final

from msgspec import Struct, field

from agentcli.terminal.drawing.styled import Line
from agentcli.terminal.question.card import Card
from agentcli.terminal.question.frame import QuestionView, lay_out
from agentcli.terminal.question.prompted import PromptView, lay_out_prompt

_NOWHERE: Final = (0, 0)

View = QuestionView | PromptView
"""What a person can be asked: about a call, or to type something else."""


def card_of(view: View, *, width: int, height: int) -> Card:
    """Return what is asked, laid out."""
    if isinstance(view, QuestionView):
        return lay_out(view, width=width, height=height)
    return lay_out_prompt(view, width=width, height=height)


class Asking(Struct):
    """What is open; it is laid out again when the room changes.

    A prompt `is_answered` until another takes its place or it is closed: elsewhere it is known what comes of it.
    One that `follows` another of the same form begins where it says something new; for one that asks the same
    again that is what was wrong.
    """

    view: View
    follows: bool = False
    is_editing: bool = False
    is_answered: bool = False
    painted_at: float | None = None
    is_painted: bool = False
    _end_was_shown: bool = False
    _page: int = 0
    _room: tuple[int, int] = _NOWHERE
    _card: Card = field(default_factory=lambda: Card(((),), ()))

    @property
    def is_field(self) -> bool:
        """Whether any line that was begun for it fills it in, also a pasted one."""
        return isinstance(self.view, PromptView) and not self.view.answers

    @property
    def all_shown(self) -> bool:
        """Whether the last page was on the screen; a following prompt that begins there counts at once."""
        begins_there = self._room != _NOWHERE and self._card.begins == len(self._card.pages) - 1
        return self._end_was_shown or (self.follows and (begins_there or self._asks_again))

    def lines(self, width: int, height: int) -> tuple[Line, ...]:
        """The lines to paint into a room of so many cells and lines."""
        if self._room != (width, height):
            self._room = (width, height)
            self._card = card_of(self.view, width=width, height=height)
            self._page = self._card.begins if self.follows else 0
            self.is_painted, self._end_was_shown = False, False
        return self._card.lines(self._page)

    def new_lines(self, width: int, height: int) -> tuple[Line, ...]:
        """The lines, but for those that the prompt before has shown: for where what was written still stands."""
        lines = self.lines(width, height)
        return lines[self._card.repeated :] if self.follows else lines

    @property
    def _asks_again(self) -> bool:
        return isinstance(self.view, PromptView) and bool(self.view.complaint)

    def turn(self, by: int) -> bool:
        """Turn pages forward or back, from the last to the first, and return whether there are others."""
        count = len(self._card.pages)
        self._page = (self._page + by) % count if by > 0 else max(self._page + by, 0)
        self.is_painted = self.is_painted and count == 1
        return count > 1

    def painted(self, now: float) -> None:
        """The page is on the screen in full, as of now."""
        self.is_painted = True
        self.painted_at = now if self.painted_at is None else self.painted_at
        self._end_was_shown = self._end_was_shown or self._page == len(self._card.pages) - 1

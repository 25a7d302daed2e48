"""What each part of the screen shows in the room it has."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from agentcli.terminal.drawing.fold import cell_width, fit, fold
from agentcli.terminal.drawing.reply import SET_IN
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.faces.desk import Desk
from agentcli.terminal.faces.hints import DRAFT, SENT
from agentcli.terminal.question.asking import Asking
from agentcli.visible import visible

PROMPT: Final = "> "
EDIT_PROMPT: Final = "edit> "
BELOW_PROMPT: Final = "  "
MOST_CHOICES: Final = 12
"""Rows of a list on a screen that has more than twice as many."""

LEAST_CHOICES: Final = 4
"""Rows that a list has also where that is more than half of the screen, as long as they fit."""

SPOKEN: Final = 2
"""Rows of a list where nothing is drawn anew: what is chosen, and what was typed."""

_GAP: Final = " · "


class Shares(Struct, frozen=True):
    """How many of the terminal's rows each part may have."""

    card: int
    line: int
    tail: int


class Seen(Struct, frozen=True):
    """What there is to be told at a moment, where nothing is drawn anew.

    `panel` is what is asked or picked, and another `times_asked` that it is asked anew; `hint` is what there is to
    say about the line, `line_no` how many lines were ended before this one. With `waits` the prompt stands there
    though nothing was typed.
    """

    panel: tuple[Line, ...] = ()
    hint: tuple[Line, ...] = ()
    prompt: str = ""
    text: str = ""
    line_no: int = 0
    waits: bool = False
    times_asked: int = 0


def share_out(rows: int, *, is_asking: bool, is_editing: bool = False) -> Shares:
    """Return the parts' rows; while a question is open they depend on the rows alone, so that no page jumps.

    An input that is edited has more of them: it can't be answered meanwhile, and wants to be seen.
    """
    status = 1
    line = (3 if rows >= 16 else 1) if is_asking else max(1, rows // 3)
    line = max(min(rows // 2, 6), line) if is_editing else line
    return Shares(card=max(rows - status - line, 1), line=line, tail=max(rows // 2 - status, 1))


def tail_lines(text: str, width: int, most: int) -> tuple[Line, ...]:
    """Return the last lines of a text that is still coming, made safe to draw and set in."""
    if not text.strip():
        return ()
    above: tuple[Line, ...] = ((),) if text.startswith("\n") else ()
    whole = visible("\n".join(line.rstrip() for line in text.strip("\n ").split("\n")))
    lines = [piece for line in whole.split("\n") for piece in fold(line, width - len(SET_IN))]
    return (*above, *((Span(SET_IN + line),) for line in lines))[-most:]


def hint_line(hint: Sequence[str], width: int) -> Line:
    """Return the fullest wording that fits."""
    fitting = (wording for wording in hint if cell_width(wording) <= width)
    return (Span(next(fitting, fit(hint[-1], width)), Style.CARE),)


def status_line(parts: Sequence[str], width: int) -> Line:
    """Return the parts that fit, the most important first; the first is there in any case."""
    shown = list(parts)
    while len(shown) > 1 and cell_width(_GAP.join(shown)) > width:
        shown.pop()
    return (Span(fit(_GAP.join(shown), width), Style.FAINT),)


class Picture:
    """The parts, asked for at each drawing; `size` gives the terminal's columns and rows."""

    def __init__(self, desk: Desk, size: Callable[[], tuple[int, int]]) -> None:
        self._desk = desk
        self._size = size
        self.unfinished = ""
        self.state: tuple[str, ...] = ("",)

    def tail(self) -> tuple[Line, ...]:
        """The end of the text that is still coming; it waits while a question or a list is open."""
        if self._desk.asking is not None or self._desk.picking is not None:
            return ()
        columns, rows = self._size()
        return tail_lines(self.unfinished, columns, share_out(rows, is_asking=False).tail)

    def card(self) -> tuple[Line, ...]:
        """A page of the open question, unless a list hides it."""
        asking = self._desk.asking
        return () if asking is None or self._desk.picking is not None else asking.lines(*self._card_room(asking))

    def _card_room(self, asking: Asking) -> tuple[int, int]:
        columns, rows = self._size()
        return columns, share_out(rows, is_asking=True, is_editing=asking.is_editing).card

    def choices(self) -> tuple[Line, ...]:
        """The open list."""
        if self._desk.picking is None:
            return ()
        columns, rows = self._size()
        most = min(share_out(rows, is_asking=True).card, MOST_CHOICES, max(rows // 2, LEAST_CHOICES))
        *listed, typed = self._desk.picking.lines(columns, most)
        # What narrows the list stays in its row, and what it finds right above it.
        empty: tuple[Line, ...] = ((),) * (min(most, len(self._desk.picking.choices) + 1) - len(listed) - 1)
        return (*empty, *listed, typed)

    def prompt(self) -> str:
        """What stands before the input line."""
        return EDIT_PROMPT if self._is_editing else PROMPT

    def line_rows(self) -> int:
        """How many rows the input line may take."""
        is_asking = self._desk.asking is not None
        return share_out(self._size()[1], is_asking=is_asking, is_editing=self._is_editing).line

    @property
    def _is_editing(self) -> bool:
        return self._desk.asking is not None and self._desk.asking.is_editing

    def status(self) -> Line:
        """What is to be said about the line, else how things stand."""
        columns, _ = self._size()
        return hint_line(self._desk.hint, columns) if self._desk.hint else status_line(self.state, columns)

    def seen(self, text: str, line_no: int, *, is_quiet: bool) -> Seen:
        """All that is told of it where nothing is drawn anew, over what stands in the line.

        Args:
            is_quiet: Whether nothing else is likely to come now, so that an empty prompt may stand there.
        """
        desk, (columns, _) = self._desk, self._size()
        # A message is told as one, and a command is one; and no room has to be saved where lines only come.
        is_told_so = desk.hint is SENT or (desk.hint is DRAFT and text.startswith("/"))
        says = () if is_told_so else desk.hint
        hint = tuple((Span(piece.rstrip(), Style.CARE),) for piece in fold(says[0], columns)) if says else ()
        if desk.picking is not None:
            return Seen(desk.picking.lines(columns, SPOKEN), hint, line_no=line_no)
        waits = is_quiet and (desk.asking is not None or not desk.is_at_work)
        asked = () if desk.asking is None else desk.asking.new_lines(*self._card_room(desk.asking))
        return Seen(asked, hint, self.prompt(), text, line_no, waits, desk.times_asked)

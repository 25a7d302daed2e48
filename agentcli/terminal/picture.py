"""What each part of the screen shows in the room it has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from agentcli.terminal.desk import Desk
from agentcli.terminal.fold import cell_width, fit, fold
from agentcli.terminal.reply import SET_IN
from agentcli.terminal.styled import Line, Span, Style
from agentcli.visible import visible

PROMPT: Final = "> "
EDIT_PROMPT: Final = "edit> "
_GAP: Final = " · "


@dataclass(frozen=True, slots=True)
class Shares:
    """How many of the terminal's rows each part may have."""

    card: int
    line: int
    tail: int


def share_out(rows: int, *, is_asking: bool) -> Shares:
    """Return the parts' rows; while a question is open they depend on the rows alone, so that no page jumps."""
    status = 1
    line = (3 if rows >= 16 else 1) if is_asking else max(1, rows // 3)
    return Shares(card=max(rows - status - line, 1), line=line, tail=max(rows // 2 - status, 1))


def tail_lines(text: str, width: int, most: int) -> tuple[Line, ...]:
    """Return the last lines of a text that is still coming, made safe to draw and set in."""
    if not text.strip():
        return ()
    whole = visible("\n".join(line.rstrip() for line in text.strip("\n ").split("\n")))
    lines = [piece for line in whole.split("\n") for piece in fold(line, width - len(SET_IN))]
    return tuple((Span(SET_IN + line),) for line in lines[-most:])


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
        """The end of the text that is still coming; it waits while a question is open."""
        columns, rows = self._size()
        most = share_out(rows, is_asking=False).tail
        return () if self._desk.asking is not None else tail_lines(self.unfinished, columns, most)

    def card(self) -> tuple[Line, ...]:
        """A page of the open question."""
        columns, rows = self._size()
        most = share_out(rows, is_asking=True).card
        return () if self._desk.asking is None else self._desk.asking.lines(columns, most)

    def prompt(self) -> str:
        """What stands before the input line."""
        return EDIT_PROMPT if self._desk.asking is not None and self._desk.asking.is_editing else PROMPT

    def line_rows(self) -> int:
        """How many rows the input line may take."""
        return share_out(self._size()[1], is_asking=self._desk.asking is not None).line

    def status(self) -> Line:
        """What is to be said about the line, else how things stand."""
        columns, _ = self._size()
        return hint_line(self._desk.hint, columns) if self._desk.hint else status_line(self.state, columns)

"""What a person is asked besides a call's yes or no: a field of a form, an outcome, an offer. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.styled import Span, Style
from agentcli.terminal.question.card import SET_IN, Card, Feet, lay_out_card

_MORE: Final = ("page {number} of {of} · PageDown more of it", "{number}/{of} · PageDown")
_LAST: Final = ("page {number} of {of} · {keys}", "{number}/{of} · PageUp")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptView:
    """One thing to be typed; its texts are single lines that are safe to draw.

    `answers` are the words of which one is an answer, everything else being a message; without them every line
    is one. `complaint` says what was wrong with the line before. A prompt that `follows` takes the place of the
    one just answered: its line may be begun at once.
    """

    title: str
    lines: tuple[str, ...] = ()
    keys: str
    asks: str
    answers: tuple[str, ...] = ()
    complaint: str = ""
    follows: bool = False


def lay_out_prompt(view: PromptView, *, width: int, height: int) -> Card:
    """Return the prompt folded to `width` cells and paged to `height` lines, answer line included."""
    answer = tuple((Span(line, Style.STRONG),) for line in fold(view.asks, width, SET_IN))
    return lay_out_card(_body(view), Feet(view.keys, _MORE, _LAST, turns=True), answer, width=width, height=height)


def _body(view: PromptView) -> Iterator[tuple[str, Style]]:
    yield view.title, Style.CARE
    for line in view.lines:
        yield line, Style.PLAIN
    # On the last page, where one that follows begins.
    if view.complaint:
        yield view.complaint, Style.BAD

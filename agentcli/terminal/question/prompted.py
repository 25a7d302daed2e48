"""What a person is asked besides a call's yes or no: a field of a form, an outcome, an offer. Pure."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.styled import Span, Style
from agentcli.terminal.question.card import SET_IN, Card, Feet, lay_out_card

_MORE: Final = ("page {number} of {of} · PageDown more of it", "{number}/{of} · PageDown")
_LAST: Final = ("page {number} of {of} · {keys}", "{number}/{of} · PageUp")


class PromptView(Struct, frozen=True, kw_only=True):
    """One thing to be typed; its texts are single lines that are safe to draw, but for `about`, which names it.

    `answers` are the words of which one is an answer, everything else being a message; without them every line
    is one. `choices` can be completed, and stand as they came. `complaint` says what was wrong with the line
    before. A prompt that `follows` takes the place of the one just answered: its line may be begun at once, and
    the first `seen` of its lines stood there too. With `may_go_back` the one before can be answered once more.
    """

    about: str
    title: str
    lines: tuple[str, ...] = ()
    keys: str
    asks: str
    answers: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    complaint: str = ""
    follows: bool = False
    seen: int = 0
    may_go_back: bool = False


def lay_out_prompt(view: PromptView, *, width: int, height: int) -> Card:
    """Return the prompt folded to `width` cells and paged to `height` lines, answer line included."""
    answer = tuple((Span(line, Style.STRONG),) for line in fold(view.asks, width, SET_IN))
    feet = Feet(view.keys, _MORE, _LAST, turns=True)
    texts = tuple(_texts(view))
    seen = _seen(view)
    return lay_out_card(texts[seen:], feet, answer, seen=texts[:seen], width=width, height=height)


def _seen(view: PromptView) -> int:
    """Return how many of the texts stood there before."""
    if view.complaint:
        # What was wrong is all that is new.
        return 1 + len(view.lines)
    # A title alone is no page to turn back to.
    return 1 + view.seen if view.seen else 0


def _texts(view: PromptView) -> Iterator[tuple[str, Style]]:
    yield view.title, Style.CARE
    for line in view.lines:
        yield line, Style.PLAIN
    if view.complaint:
        yield view.complaint, Style.BAD

"""What a person is asked, laid out: framed, folded, paged, the line that asks always in sight. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from agentcli.terminal.drawing.fold import cell_width, fit, fold
from agentcli.terminal.drawing.styled import Line, Span, Style, plain

NO_END: Final = 1_000_000
"""The height of a card that is not paged."""

GUTTER: Final = Span("│ ", Style.FAINT)
SET_IN: Final = "  "  # what folds under a line that asks can't pass for a line of its own
_FOLDED: Final = "   "  # neither the indent of a name nor that of a value: what is folded forges neither

Framed = Iterable[tuple[str, Style]]


class Card(Struct, frozen=True):
    """What is asked: framed pages, one of them above the answer line.

    `begins` is the first page that is new; of a page that is all there is, the first `repeated` lines are not.
    """

    pages: tuple[tuple[Line, ...], ...]
    answer: tuple[Line, ...]
    begins: int = 0
    repeated: int = 0

    def lines(self, page: int) -> tuple[Line, ...]:
        """The lines of one page, counted from 0, and the answer line below it."""
        return self.pages[page] + self.answer


class Feet(Struct, frozen=True):
    """The last line of a card, and of each page where there are several; there in full and ever shorter.

    Those of pages name `{number}` and `{of}`, the last page's also `{keys}`. Where `last` only `turns` pages, the
    foot of an only page is the keys, cut if need be; of several, they stand above it where it has no room.
    """

    keys: str
    more: Sequence[str]
    last: Sequence[str]
    turns: bool = False

    def fits(self, width: int) -> bool:
        """Whether the last page's foot has room for itself in full."""
        return cell_width(GUTTER.text + self.last[0].format(number=99, of=99, keys=self.keys)) <= width


def lay_out_card(
    body: Framed, feet: Feet, answer: tuple[Line, ...], *, seen: Framed = (), width: int, height: int
) -> Card:
    """Return the card folded to `width` cells and paged to `height` lines, answer line included.

    Args:
        seen: What stands above the body and was shown before: where there are pages, the body begins one.
    """
    room = height - len(answer)
    old, new = tuple(framed(seen, width)), tuple(framed(body, width))
    whole = (*old, *new, *framed([(feet.keys, Style.FAINT)], width))
    if len(whole) <= room:
        return Card((whole,), answer, repeated=len(old))
    size = max(room - 1, 1)
    before, after = _shares(old, size), _shares(new, size)
    if feet.turns and len(before + after) > 1 and not feet.fits(width):
        after = _shares((*new, *framed([(feet.keys, Style.FAINT)], width)), size)
    return Card(tuple(_footed(before + after, feet, width)), answer, begins=len(before) if after else 0)


def framed(texts: Framed, width: int) -> Iterator[Line]:
    """Yield the texts, which are safe to draw, with the gutter before each line of them."""
    room = width - cell_width(GUTTER.text)
    for text, style in texts:
        for line in fold(text, room, _FOLDED):
            yield (GUTTER, Span(line, style))


def as_text(card: Card) -> str:
    """Return the whole card as plain text, page after page."""
    return "\n".join(plain(line) for page in card.pages for line in page + card.answer)


def _shares(lines: tuple[Line, ...], size: int) -> list[tuple[Line, ...]]:
    return [lines[at : at + size] for at in range(0, len(lines), size)]


def _footed(shares: Sequence[tuple[Line, ...]], feet: Feet, width: int) -> Iterator[tuple[Line, ...]]:
    """Yield the pages; every one ends with a line that says which it is and what can be done."""
    for number, share in enumerate(shares, 1):
        forms = feet.last if number == len(shares) else feet.more
        forms = ("{keys}",) if feet.turns and len(shares) == 1 else forms
        said = [form.format(number=number, of=len(shares), keys=feet.keys) for form in forms]
        space = width - cell_width(GUTTER.text)
        fitting = (foot for foot in said if cell_width(foot) <= space)
        yield (*share, (GUTTER, Span(next(fitting, fit(said[-1], space)), Style.FAINT)))

"""Big pastes: in the line a mark such as `[pasted 214 lines #1]`, whole again when the line is sent. Pure."""

import re
from collections.abc import Iterable, Iterator
from itertools import count, takewhile
from typing import Final

from msgspec import Struct

MOST_LINES: Final = 6
MOST_CHARACTERS: Final = 600
"""What has no more than this stands in the line as it is."""

_MARK: Final = re.compile(r"\[pasted [0-9,]+ (?:lines|characters) #[0-9]+\]")


class Line(Struct, frozen=True):
    """What stands in the line, and before which of its characters the cursor is."""

    text: str
    cursor: int


class Pastes:
    """The pastes of a conversation, by their mark; one that was sent can be recalled and sent again."""

    def __init__(self) -> None:
        self._by_mark: dict[str, str] = {}

    def fold(self, text: str, beside: str = "") -> str:
        """Return what stands in the line for pasted text; no mark that stands `beside` it, as if typed by hand."""
        lines = text.rstrip("\n").count("\n") + 1
        if lines <= MOST_LINES and len(text) <= MOST_CHARACTERS:
            return text
        size = f"{lines:,} lines" if lines > MOST_LINES else f"{len(text):,} characters"
        marks = (f"[pasted {size} #{number}]" for number in count(len(self._by_mark) + 1))
        mark = next(mark for mark in marks if mark not in beside and mark not in self._by_mark)
        self._by_mark[mark] = text
        return mark

    def unfold(self, line: str) -> str:
        """Return the line with every paste in its place."""
        return _MARK.sub(lambda mark: self._by_mark.get(mark[0], mark[0]), line)

    def kept_whole(self, before: Line, after: Line) -> Line:
        """Return the line after a key with no part of a mark in it, and the cursor in none.

        A mark of which something was taken goes as one, and what was put into one stands behind it.
        """
        marks = list(self._marks_in(before.text))
        if not marks:
            return after
        if before.text == after.text:
            return Line(after.text, _outside(after.cursor, marks, is_leftward=after.cursor < before.cursor))
        at, to, put_in = self._change(before.text, after.text)
        torn = [
            mark for mark in marks if mark.start() < to and at < mark.end() and _is_fewer(mark[0], before, after)
        ]
        if not torn:
            return after
        begin, end = (torn[0].end(),) * 2 if at == to else (min(at, torn[0].start()), max(to, torn[-1].end()))
        return Line(before.text[:begin] + put_in + before.text[end:], begin + len(put_in))

    def _marks_in(self, text: str) -> Iterator[re.Match[str]]:
        return (mark for mark in _MARK.finditer(text) if mark[0] in self._by_mark)

    def _change(self, before: str, after: str) -> tuple[int, int, str]:
        """Return the part of a text, from and to, that became another, and what it became: no part of a mark."""
        at = _alike(before, after)
        same = min(_alike(before[::-1], after[::-1]), min(len(before), len(after)) - at)
        # Marks are alike: one in the place of another differs from it in its middle alone.
        for mark in self._marks_in(after):
            if mark.start() < len(after) - same and at < mark.end():
                at, same = min(at, mark.start()), min(same, len(after) - mark.end())
        return at, len(before) - same, after[at : len(after) - same]


def whole_cut(cut: str, before: Line, after: Line, kept: Line) -> str:
    """Return what a key has cut out of the line, `before` to `after`, with whole marks, as out of the line `kept`.

    Args:
        cut: What is there to be put back: this, or this and what was cut right before, on either side.
        before: The line before the key.
        after: What the key made of it.
        kept: What it became with no part of a mark in it.
    """
    part, whole = _cut_out(before, after), _cut_out(before, kept)
    if cut.startswith(part):
        return whole + cut.removeprefix(part)
    return cut.removesuffix(part) + whole if cut.endswith(part) else cut


def _cut_out(before: Line, after: Line) -> str:
    """Return what stood behind the cursor."""
    return before.text[after.cursor : after.cursor + len(before.text) - len(after.text)]


def _outside(cursor: int, marks: Iterable[re.Match[str]], *, is_leftward: bool) -> int:
    """Return where a cursor that has come into a mark goes on to."""
    into = next((mark for mark in marks if mark.start() < cursor < mark.end()), None)
    return cursor if into is None else into.start() if is_leftward else into.end()


def _is_fewer(mark: str, before: Line, after: Line) -> bool:
    return after.text.count(mark) < before.text.count(mark)


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))

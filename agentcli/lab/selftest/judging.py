"""Says what an attack has achieved: nothing, if all is well. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from agentcli.lab.selftest.attack import Ask, Attack, Close
from agentcli.lab.selftest.playing import MOST_PAGES, Played, is_asking
from agentcli.lab.selftest.virtual import Picture

_GUTTER: Final = "│ "
_FOLDED: Final = re.compile(r"\n   (?! )")
_SEEN_AS_NOTHING: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f]"
)


def findings(attack: Attack, played: Played) -> Iterator[str]:
    """Yield what went wrong in an attack, each thing in words."""
    yield from played.misdeeds
    if played.answers != attack.answers:
        yield f"answers: {_listed(played.answers)} instead of {_listed(attack.answers)}"
    if _is_left_open(attack) and not is_asking(played.pictures[-1]):
        yield "no question with a frame and a line that asks"
    for picture in played.pictures:
        yield from _frame_findings(picture)
    if len(played.pictures) >= MOST_PAGES:
        yield "the pages have no end"
    rows = [*played.scrolled, *(row for picture in played.pictures for row in picture.rows)]
    yield from (f"out of sight: {char!r}" for row in rows for char in row if not _can_be_seen(char))
    for row in rows:
        yield from (f"a forged line: {row!r}" for forged in attack.never if row.startswith(forged))
    readable = _without_blanks(_unfolded(played))
    yield from (f"not to be read: {text!r}" for text in attack.shows if _without_blanks(text) not in readable)
    yield from (f"too early: {text!r}" for text in attack.hides if _without_blanks(text) in readable)


def _is_left_open(attack: Attack) -> bool:
    """Tell whether a question stands on the screen at the end of an attack that achieves nothing."""
    asked = sum(isinstance(act, Ask) for act in attack.acts)
    closed = sum(isinstance(act, Close) for act in attack.acts)
    return asked > closed + len(attack.answers)


def _frame_findings(picture: Picture) -> Iterator[str]:
    """Yield what is wrong with an open question: a row outside its frame, or no line to answer in."""
    if not is_asking(picture):
        return
    rows = picture.rows
    first = next((at for at, row in enumerate(rows) if row.startswith(_GUTTER)), None)
    asking = next((at for at, row in enumerate(rows) if row.startswith("Allow ")), None)
    if first is None or asking is None or asking < first:
        yield f"no frame with a line that asks below it: {rows!r}"
        return
    yield from (
        f"outside the frame: {row!r}" for row in rows[first:asking] if not row.startswith(_GUTTER.rstrip())
    )
    end = next(at for at in range(len(rows) - 1, -1, -1) if rows[at].endswith("(y/n)"))
    yield from (
        f"beside the line that asks: {row!r}" for row in rows[asking + 1 : end + 1] if not row.startswith("  ")
    )
    if not (end < picture.cursor and rows[picture.cursor].startswith((">", "edit>"))):
        yield f"the cursor is not in the line to answer: row {picture.cursor} of {rows!r}"


def _unfolded(played: Played) -> str:
    """Return all that could be read, what was folded in the frame joined again."""
    outside = [*played.scrolled]
    framed: list[str] = []
    for picture in played.pictures:
        for row in picture.rows:
            (framed if row.startswith(_GUTTER) else outside).append(row.removeprefix(_GUTTER))
    shown = [row for row in framed if not _is_foot(row)]
    return _FOLDED.sub("", "\n".join(shown)) + "\n" + "".join(outside)


def _is_foot(row: str) -> bool:
    return re.match(r"(page \d+ of \d+|\d+/\d+) · ", row) is not None


def _without_blanks(text: str) -> str:
    return re.sub(r"\s", "", text)


def _can_be_seen(char: str) -> bool:
    is_drawn = unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return is_drawn and (char == " " or unicodedata.category(char) != "Zs") and not _SEEN_AS_NOTHING.match(char)


def _listed(answers: Sequence[str]) -> str:
    return ", ".join(answers) or "none"

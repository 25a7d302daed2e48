"""From a message to wishes: it is cut into clauses, and the first pattern that fits a clause says who reads it."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Final

from agentcli.agents.expenses.offline.questions import read_list, read_notes, read_summary, read_total
from agentcli.agents.expenses.offline.requests import (
    read_add,
    read_change,
    read_clean_up,
    read_delete,
    read_keep,
    read_note,
)
from agentcli.agents.expenses.offline.wishes import Puzzle, Remark, Stop, Wish

LONGEST_MESSAGE: Final = 4_000

EXAMPLES: Final = "“add 12.50 for lunch yesterday”, “how much on food this month” or “delete expense 1”"

_UNDO: Final = Remark("Undoing is yours to do: `/undo`, or `agentcli undo`, reverses the last write.")
_HELP: Final = Remark(f"I keep your book of expenses. Offline I am rules, not intelligence: say {EXAMPLES}.")
_WELCOME: Final = Remark("You're welcome.")
_WAIT: Final = Stop()

_WORDS_AROUND: Final = (_HELP, _WELCOME, _WAIT)
"""What counts only in a message that says nothing else: `hello, add 5 for tea` asks for no help."""

Reader = Callable[[str, date], list[Wish]]


def _always(wish: Wish) -> Reader:
    return lambda clause, today: [wish]


_DROP: Final = r"(?:delete|remove|erase|purge|drop|scrap|get rid of|(?:clean|clear|tidy)(?: up| out)?)\b"
_ENTRIES: Final = r"(?:all |of |the |my |everything |expenses? |entr(?:y|ies) |from )*"
_PRICE: Final = r"(?:[$€£¥₹]|[a-z]{3} )? ?[0-9][0-9.,]*"
_NOTE: Final = re.compile(
    r"(?:(?:make|take|save|write|add|leave) )?(?:(?:an?|the|this) )?note\b|remember\b|write down\b", re.I
)

SENTENCES: Final[tuple[tuple[re.Pattern[str], Reader], ...]] = tuple(
    (re.compile(pattern, re.I), reader)
    for pattern, reader in (
        (_NOTE.pattern, read_note),
        (r"(?:stop|cancel|never ?mind|abort|forget (?:it|that)|enough)\b", _always(Stop())),
        (r"(?:wait|hold on)\b", _always(_WAIT)),
        (
            r"(?:but )?(?:please )?(?:do not|don't|dont|never|not|keep|leave|spare|except|skip|without)\b",
            read_keep,
        ),
        (
            rf"{_DROP} {_ENTRIES}(?:old|older)(?: (?:expenses?|entries|ones|stuff|things|items))?\W*$",
            read_clean_up,
        ),
        (rf"{_DROP} {_ENTRIES}(?:before|older than)\b", read_clean_up),
        (r"(?:clean|tidy) up(?: (?:the|my) (?:book|list|expenses|entries))?\W*$", read_clean_up),
        (_DROP, read_delete),
        (r"(?:change|update|correct|edit|rename|move|set|fix)\b|make (?:expense|entry|#)", read_change),
        (r"(?:add|record|log|enter|register|track|spent|paid)\b", read_add),
        (r"(?:bought|buy|got|had|spend|pay|put|book|save)\b(?=.*[0-9])", read_add),
        (
            r".*\b(?:summar\w+|break ?down|overview|monthly|(?:by|per|each) (?:month|category|item))\b",
            read_summary,
        ),
        (r"how much\b|.*\b(?:total|sum|spending)\b|what (?:did|have|do) (?:i|we) (?:spen|pa[iy])", read_total),
        (r"(?:list |show |read |see |what are |any |all |me |my |the )*notes\b", read_notes),
        (r"(?:list|show|display|view|see|print|find|search|which|what's in|expenses|entries)\b", read_list),
        (r"(?:what |all |are |my |the )+(?:expenses|entries)\b|what do (?:i|we) have\b", read_list),
        (rf"{_PRICE} ?(?:[$€£¥₹]|[a-z]+)? (?:for|on) \w", read_add),
        (rf"\S.{{0,80}}? (?:was|costs?) {_PRICE}", read_add),
        (r"(?:undo|revert|take (?:it|that) back)\b", _always(_UNDO)),
        (r"(?:help|what can you|hi|hello|hey|good (?:morning|afternoon|evening))\b", _always(_HELP)),
        (r"(?:thanks|thank you|great|perfect|ok|okay|bye)\W*$", _always(_WELCOME)),
    )
)
"""What begins a clause, and who reads it; the first that fits counts."""

# A point, a new line or `then` ends a clause; a comma or `and` only where something new begins after it.
_JOINT: Final = re.compile(
    r"(?P<end>[.!?;]+(?:\s|$)|,?\s?\b(?:and )?(?:then|after that)\b,?)"
    r"|(?P<maybe>,(?:\s(?:and|but|also)\b|\s|(?![0-9]))|\s(?:and|but|plus|&)(?=\s))",
    re.I,
)
_POLITE: Final = re.compile(
    r"(?:(?:please|pls|kindly|just|now|also|so|well|first|next|finally|and|hey|hi|hello|ok|okay|sorry|actually"
    r"|(?:can|could|would|will) you|(?:i|we)(?:'d| would) like (?:you )?to|(?:i|we) (?:want|need)(?: you)? to"
    r"|let's|let us|go ahead and|you (?:can|may|should))\b[,:!.]?\s*(?=\S)"
    r"|(?:i|we)(?:'ve| have)?(?: just)? (?=spent|paid|bought|got|had))*",
    re.I,
)
_POLITE_END: Final = re.compile(r"(?:,? (?:please|pls|now|too|as well|for me|thanks|thank you))+$", re.I)
_QUOTED: Final = re.compile(r'"[^"]*"|“[^”]*”')
_DAY_FIRST: Final = re.compile(
    r"((?:today|yesterday|(?:on |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)),? (.+)", re.I
)
_NUMERO: Final = re.compile(r"\b(?:no|nr)\. ?(?=[0-9])", re.I)


def understand(message: str, today: date) -> list[Wish]:
    """Return what a message wishes for, in its order; words that make no sense become puzzles."""
    if len(message) > LONGEST_MESSAGE:
        return [Remark(f"Offline I read at most {LONGEST_MESSAGE} characters at once; please say it shorter.")]
    wishes = [
        wish
        for line in message.replace("’", "'").splitlines()
        for clause in _clauses(_NUMERO.sub("#", " ".join(line.split())))
        for wish in _read(clause, today)
    ]
    said = [wish for wish in wishes if not any(wish is around for around in _WORDS_AROUND)]
    return said or wishes[:1]


def _clauses(line: str) -> Iterator[str]:
    quoted = [match.span() for match in _QUOTED.finditer(line)]
    joints = [
        match for match in _JOINT.finditer(line) if not any(begin < match.start() < end for begin, end in quoted)
    ]
    current, joint, ends, at = "", "", False, 0
    for match in (*joints, None):
        piece = line[at : match.start() if match else len(line)]
        if current and not _begins_anew(current, piece, ends=ends, joint=joint):
            current += joint + piece
        elif piece.strip():
            if current:
                yield current
            current = piece
        if match is not None:
            joint, ends, at = match[0], match["end"] is not None, match.end()
    if current:
        yield current


def _begins_anew(current: str, piece: str, *, ends: bool, joint: str) -> bool:
    if not piece.strip():
        return False
    if _NOTE.match(_opening(current)):
        return "then" in joint.lower() and _reader(_opening(piece)) is not None
    return ends or _reader(_opening(piece)) is not None


def _opening(clause: str) -> str:
    """Return a clause as a sentence of ours would begin: without what is polite, and the day at its end."""
    text = clause.strip(" ,.!?;:")
    for _ in range(2):
        text = text[polite.end() :] if (polite := _POLITE.match(text)) else text
        text = f"{day[2]} {day[1]}" if (day := _DAY_FIRST.fullmatch(text)) else text
    return text


def _reader(opening: str) -> Reader | None:
    return next((reader for pattern, reader in SENTENCES if pattern.match(opening)), None)


def _read(clause: str, today: date) -> list[Wish]:
    opening = _opening(clause)
    reader = _reader(opening)
    if reader is None:
        return [Puzzle(opening)] if opening else []
    # A note is kept as it was said.
    return reader(opening if reader is read_note else _POLITE_END.sub("", opening), today)

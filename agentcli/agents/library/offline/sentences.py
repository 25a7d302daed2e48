"""What the library agent understands: which clauses there are, and what they wish for."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from agentcli.agents.library.offline.wishes import EXAMPLES, Borrow, Return, Wish
from agentcli.agents.offline.clauses import Grammar, always, is_negated, sentences
from agentcli.agents.offline.ids import Ids
from agentcli.agents.offline.proposals import propose
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop

GREETING: Final = Remark(f"I help at the library. Offline I am rules, not intelligence: say {EXAMPLES}.")

# Not `book 1984`, which names a title.
IDS: Final = Ids({"B": "book", "M": "member"}, by_number=frozenset("M"))

_EVERY_BOOK: Final = "B-"

_BORROW: Final = r"\b(?:borrows?|lend|loan|check(?:s|ing)? out|take out|takes?)\b"
_RETURN: Final = (
    r"\b(?:returns?|returned|returning|(?:bring|brings|brought|give|gives|gave|take|hand) (?:back|in)"
    r"|(?:is|are|was|came|comes|has come) (?:back|returned))\b"
)
_LEADING: Final = re.compile(
    r"(?:'s\b|\W|\b(?:find|search|look|show|list|see|tell|give|do|does|is|are|was|have|has|got|get|there|you|we|i|me|us|up"
    r"|what|which|where|when|who|how|any|all|some|the|an?|of|for|to|from|by|about|with|in|on|called|titled|named"
    r"|books?|cop(?:y|ies)|titles?|member|catalogue|please|wants?|would|like|whether|if|back)\b)*",
    re.I,
)
_TRAILING: Final = re.compile(
    r"(?:\W|\b(?:available|on loan|free|in|there|due|back|please|for|to|by|from|and|wants?|would like|the|member"
    r"|borrowed|lent|out|today|now|is|here|again|too)\b)*\Z",
    re.I,
)
_JOINT: Final = re.compile(r"\band\b|[,&+]", re.I)
_BY: Final = re.compile(r"\s+by\s+", re.I)


def _words(text: str) -> str:
    """Return what is left of a text without what stands around a title."""
    return _BY.sub(" ", _TRAILING.sub("", _LEADING.sub("", text, count=1), count=1))


def read_find(clause: str, today: date) -> Sequence[Wish]:
    """Read `find dune`, `do you have books by austen`, `is B-2 free`, `who is M-1`, `list all books`."""
    members, books = IDS.named("M", clause), IDS.named("B", clause)
    if members:
        return [Step(propose("get_member", member_id=member)) for member in members]
    queries = books or [_words(clause) or _EVERY_BOOK]
    return [Step(propose("search_books", query=query)) for query in queries]


def read_borrow(clause: str, today: date) -> Sequence[Wish]:
    """Read `borrow B-1 for M-1`, `M-1 wants to borrow dune`, `lend M-1 the book B-1`."""
    if is_negated(clause):
        return [Puzzle(clause)]
    members, books = IDS.named("M", clause), _books(clause, _BORROW)
    if len(members) != 1 or not books:
        return [Remark("Which book, and for which member? Say for example “borrow B-1 for M-1”.")]
    return [Borrow(book, members[0]) for book in books]


def read_return(clause: str, today: date) -> Sequence[Wish]:
    """Read `return B-2`, `B-2 is back`, `M-2 brings back emma`."""
    if is_negated(clause):
        return [Puzzle(clause)]
    books = _books(clause, _RETURN)
    if not books:
        return [Remark("Which book is back? Say for example “return B-2”.")]
    return [Return(book) for book in books]


def _books(clause: str, verb: str) -> list[str]:
    """Return the ids of books that are named, else the words of a title; none where there are both in a row."""
    ids = IDS.named("B", clause)
    before, behind = re.split(verb, IDS.without(clause), maxsplit=1, flags=re.I)
    title = _words(behind) or _words(before)
    if ids and title and _JOINT.search(before + behind):
        return []
    return ids or ([title] if title else [])


def _read_bare(clause: str, today: date) -> Sequence[Wish]:
    """Read ids that stand alone as a look-up."""
    return read_find(clause, today) if IDS.is_all(clause) else [Puzzle(clause)]


GRAMMAR: Final[Grammar[Wish]] = Grammar(
    sentences=sentences(
        (r"(?:but )?(?:do not|don't|dont|never|not)\b", always(Stop())),
        (
            r"(?:find|search|look|show|list|see|tell|who|what|which|where|when|how|is|are|was|does"
            r"|do (?:you|we|i)|have (?:you|we)|has|any|got|(?:the )?fines?|(?:all|the) books|books?)\b",
            read_find,
        ),
        (rf"(?:.*\s)?(?:{_RETURN})", read_return),
        (rf"(?:.*\s)?(?:{_BORROW})", read_borrow),
    ),
    greeting=GREETING,
    otherwise=_read_bare,
)
"""What the library agent understands."""

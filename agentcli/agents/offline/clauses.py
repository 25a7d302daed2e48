"""From a message to wishes: it is cut into clauses, and the first pattern that fits a clause says who reads it."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import chain
from typing import Final, Generic, Never, TypeVar

from msgspec import Struct

from agentcli.agents.offline.wishes import Puzzle, Remark, Stop

LONGEST_MESSAGE: Final = 4_000

_UNDO: Final = Remark("Undoing is yours to do: `/undo`, or `agentcli undo`, reverses the last write.")
_WELCOME: Final = Remark("You're welcome.")
_WAIT: Final = Stop()

Wish = TypeVar("Wish")

Reader = Callable[[str, date], Sequence[Wish | Stop | Remark | Puzzle]]
"""Reads a clause, on a day."""

Sentence = tuple[re.Pattern[str], Reader[Wish]]
"""What begins a clause, and who reads it."""


def puzzled(clause: str, today: date) -> Sequence[Puzzle]:
    """Read nothing in a clause."""
    return [Puzzle(clause)]


def is_negated(text: str) -> bool:
    """Whether a text says no to something, whatever to."""
    return _NEGATION.search(text) is not None


def sentences(*rows: tuple[str, Reader[Wish]]) -> tuple[Sentence[Wish], ...]:
    """Return the rows with their patterns compiled, for letters of any case."""
    return tuple((re.compile(pattern, re.I), reader) for pattern, reader in rows)


def always(wish: Wish) -> Reader[Wish]:
    """Return what reads the same in every clause."""
    return lambda clause, today: [wish]


class Grammar(Struct, Generic[Wish], frozen=True, kw_only=True):
    """What an agent understands.

    Attributes:
        sentences: What begins a clause, and who reads it; the first that fits counts.
        greeting: What answers a greeting or a call for help, where nothing else was said.
        verbatim: A sentence that comes before all others; up to `then` its words are taken as they stand.
        otherwise: Reads what no sentence fits.
        tidy_line: Makes a line ready to be cut.
        tidy_opening: Makes a clause begin as a sentence of ours would.
    """

    sentences: Sequence[Sentence[Wish]]
    greeting: Remark
    verbatim: Sentence[Wish] | None = None
    otherwise: Reader[Wish] = puzzled
    tidy_line: Callable[[str], str] = str
    tidy_opening: Callable[[str], str] = str

    def understand(self, message: str, today: date) -> Sequence[Wish | Stop | Remark | Puzzle]:
        """Return what a message wishes for, in its order; words that make no sense become puzzles."""
        if len(message) > LONGEST_MESSAGE:
            too_long = f"Offline I read at most {LONGEST_MESSAGE} characters at once; please say it shorter."
            return [Remark(too_long)]
        wishes = [
            wish
            for line in message.replace("’", "'").splitlines()
            for clause in self._clauses(self.tidy_line(" ".join(line.split())))
            for wish in self._read(clause, today)
        ]
        # `hello, add 5 for tea` asks for no help.
        around = (self.greeting, _WELCOME, _WAIT)
        said = [wish for wish in wishes if not any(wish is word for word in around)]
        return said or wishes[:1]

    def _clauses(self, line: str) -> Iterator[str]:
        quoted = [match.span() for match in _QUOTED.finditer(line)]
        joints = [
            match
            for match in _JOINT.finditer(line)
            if not any(begin < match.start() < end for begin, end in quoted)
        ]
        current, joint, ends, at = "", "", False, 0
        for match in (*joints, None):
            piece = line[at : match.start() if match else len(line)]
            if current and not self._begins_anew(current, piece, ends=ends, joint=joint):
                current += joint + piece
            elif piece.strip():
                if current:
                    yield current
                current = piece
            if match is not None:
                joint, ends, at = match[0], match["end"] is not None, match.end()
        if current:
            yield current

    def _begins_anew(self, current: str, piece: str, *, ends: bool, joint: str) -> bool:
        if not piece.strip():
            return False
        if self.verbatim and self.verbatim[0].match(self._opening(current)):
            return "then" in joint.lower() and self._reader(self._opening(piece)) is not None
        return ends or self._reader(self._opening(piece)) is not None

    def _opening(self, clause: str) -> str:
        """Return a clause as a sentence of ours would begin: without what is polite."""
        text = clause.strip(" ,.!?;:")
        for _ in range(2):
            text = text[polite.end() :] if (polite := _POLITE.match(text)) else text
            text = self.tidy_opening(text)
        return text

    def _reader(self, opening: str) -> Reader[Wish] | None:
        help_wanted = (_HELP, always(self.greeting))
        verbatim = () if self.verbatim is None else (self.verbatim,)
        rows = chain(verbatim, _MANNERS, (help_wanted,), self.sentences)
        return next((reader for pattern, reader in rows if pattern.match(opening)), None)

    def _read(self, clause: str, today: date) -> Sequence[Wish | Stop | Remark | Puzzle]:
        opening = self._opening(clause)
        if not opening:
            return []
        reader = self._reader(opening) or self.otherwise
        is_verbatim = self.verbatim is not None and reader is self.verbatim[1]
        return reader(opening if is_verbatim else _POLITE_END.sub("", opening), today)


_NEGATION: Final = re.compile(r"\b(?:not|no|never|nobody|nothing|cannot|without|dont|\w+n't)\b", re.I)
_HELP: Final = re.compile(r"(?:help|what can you|hi|hello|hey|good (?:morning|afternoon|evening))\b", re.I)
_MANNERS: Final[tuple[Sentence[Never], ...]] = sentences(
    (r"(?:stop|cancel|never ?mind|abort|forget (?:it|that)|enough)\b", always(Stop())),
    (r"(?:wait|hold on)\b", always(_WAIT)),
    (r"(?:undo|revert|take (?:it|that) back)\b", always(_UNDO)),
    (r"(?:thanks|thank you|great|perfect|ok|okay|bye)\W*$", always(_WELCOME)),
)

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

"""The chain of hashes through a journal: how it is made, and what is wrong with one that was tampered with."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Final

VERSION_TAG: Final = b"agentcli journal 1"
GENESIS: Final = b""
"""The hash before a session's first entry."""

_NETSTRINGS: Final = b"%d:%b,%%d:%%b,%%b%%d:%%b,%%b%%d:%%b,%%d:%%b," % (len(VERSION_TAG), VERSION_TAG)

MOST_LISTED: Final = 100
"""Breaks that a verification lists; the others are counted."""

Row = tuple[str, int, str, str, bytes, bytes]
"""An entry as stored: session, seq, at, kind, body, hash."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry of a chain: its number, which is the count of entries, its time as stored, its hash."""

    seq: int
    at: str
    hash: bytes


class Damage(StrEnum):
    """What was done to a chain, as far as it can tell."""

    CHANGED = "changed"
    REMOVED = "removed"
    REORDERED = "reordered"
    INSERTED = "inserted"
    CUT = "cut off at the end"
    REWRITTEN = "not the entry whose hash was kept elsewhere"


@dataclass(frozen=True, slots=True)
class Break:
    """Entries `first` to `last`, both included, and what is wrong with them.

    A changed entry whose own hash was made to fit shows at the one after it.
    """

    damage: Damage
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Verification:
    """How a chain was found: its head (None: no entries), the first breaks, and how many more there are."""

    head: Head | None
    breaks: tuple[Break, ...]
    unlisted: int

    @property
    def whole(self) -> bool:
        """Whether nothing is broken."""
        return not self.breaks


def link(before: bytes, session: str, seq: int, kind: str, at: str, body: bytes) -> bytes:
    """Return an entry's hash: SHA-256 over netstrings, so that no two entries can run into each other.

    Args:
        before: The hash of the entry before, `GENESIS` for the first one.
        at: The time as stored.
        body: The bytes as stored.
    """
    whose, what = _netstring(session), _netstring(kind)
    number, when = b"%d" % seq, _bytes(at)
    sized = len(before), before, whose, len(number), number, what, len(when), when, len(body), body
    return sha256(_NETSTRINGS % sized).digest()


def verify(rows: Iterable[Row], *, kept: Head | None = None) -> Verification:
    """Walk one session's chain, in constant memory, and say where and how it is broken.

    Args:
        rows: The session's rows, ascending by seq.
        kept: A head of this chain that was kept elsewhere (seq and hash count); one that only grew since passes.
    """
    walk = _Walk(kept)
    remaining = iter(rows)
    row = next(remaining, None)
    while row is not None:
        if walk.follow(row):
            row = next(remaining, None)
            continue
        following = next(remaining, None)
        if walk.explain(row, following):
            following = next(remaining, None)
        row = following
    return walk.end()


class _Walk:
    """Where the walk stands: at the stored number `seq`, behind the hash `before`.

    `shift` is how much later rows are numbered than when they were written.
    """

    def __init__(self, kept: Head | None) -> None:
        self._kept_seq, self._kept_hash = (0, GENESIS) if kept is None else (kept.seq, kept.hash)
        self._seq = 0
        self._before = self._earlier = GENESIS
        self._at = ""
        self._shift = 0
        self._breaks: list[Break] = []
        self._unlisted = 0

    def follow(self, row: Row) -> bool:
        """Take in a row that follows the one before; return whether it did."""
        session, seq, at, kind, body, own = row
        if seq == self._kept_seq and own != self._kept_hash:
            self._note(Damage.REWRITTEN, seq)
        if seq != self._seq + 1:
            return False
        try:
            fits = own == link(self._before, session, seq - self._shift, kind, at, body)
        except (AttributeError, TypeError):
            return False
        if fits:
            self._pass(row)
        return fits

    def explain(self, row: Row, following: Row | None) -> bool:
        """Take in a row that does not; return whether it took the following one in as well."""
        seq = row[1]
        if type(seq) is not int:
            self._note(Damage.CHANGED, self._seq + 1)
        elif seq <= self._seq:
            self._note(Damage.INSERTED, seq)
        elif seq > self._seq + 1:
            # What the row follows is gone, so its own hash can't be checked.
            self._note(Damage.REMOVED, self._seq + 1, seq - 1)
            self._pass(row)
        else:
            return self._find_least(row, following)
        return False

    def end(self) -> Verification:
        """Return what was found."""
        if self._seq < self._kept_seq:
            self._note(Damage.CUT, self._seq + 1, self._kept_seq)
        head = Head(self._seq, self._at, self._before) if self._seq else None
        return Verification(head, tuple(self._breaks), self._unlisted)

    def _find_least(self, row: Row, following: Row | None) -> bool:
        """Find the least that was done to a chain whose row does not follow the one before."""
        seq, here = row[1], row[1] - self._shift
        if _fits(row, self._earlier, here - 1):
            # It follows the entry before the last one, which came in between.
            self._note(Damage.INSERTED, seq - 1)
            self._shift += 1
        elif following is None:
            self._note(Damage.CHANGED, seq)
        elif _fits(following, self._before, here):
            if _fits(row, following[5], here + 1):
                self._note(Damage.REORDERED, seq, seq + 1)
                self._pass(row)
                self._seq += 1
                return True
            self._note(Damage.INSERTED, seq)
            self._shift += 1
            self._seq = seq
            return False
        elif _fits(following, row[5], here + 2):
            self._note(Damage.REMOVED, seq)
            self._shift -= 1
        else:
            self._note(Damage.CHANGED, seq)
            return self._pass_changed(row, following)
        self._pass(row)
        return False

    def _pass_changed(self, row: Row, following: Row) -> bool:
        here = row[1] - self._shift
        own = _link_of(row, self._before, here)
        self._pass(row)
        if own is not None and not _fits(following, row[5], here + 1) and _fits(following, own, here + 1):
            # Only the stored hash was changed: the chain goes on from what it was.
            self._before = own
        return False

    def _pass(self, row: Row) -> None:
        self._earlier, self._before = self._before, row[5]
        self._seq, self._at = row[1], row[2]

    def _note(self, damage: Damage, first: int, last: int | None = None) -> None:
        if len(self._breaks) < MOST_LISTED:
            self._breaks.append(Break(damage, first, first if last is None else last))
        else:
            self._unlisted += 1


def _fits(row: Row, before: bytes, seq: int) -> bool:
    return _link_of(row, before, seq) == row[5]


def _link_of(row: Row, before: bytes, seq: int) -> bytes | None:
    """The hash the row should have there; None where a field does not even have its type."""
    session, _, at, kind, body, _ = row
    try:
        return link(before, session, seq, kind, at, body)
    except (AttributeError, TypeError):
        return None


@lru_cache(maxsize=256)
def _netstring(text: str) -> bytes:
    """The netstring of a text that recurs from entry to entry."""
    stored = _bytes(text)
    return b"%d:%b," % (len(stored), stored)


def _bytes(text: str) -> bytes:
    # What is not UTF-8 in a damaged file has to differ from what is, not to raise.
    return text.encode("utf-8", "surrogateescape")

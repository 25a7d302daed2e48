"""The chain of hashes through a journal: how it is made, and what is wrong with one that was tampered with."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from hashlib import sha256
from itertools import chain
from typing import Final

from msgspec import Struct

VERSION_TAG: Final = b"agentcli journal 1"
GENESIS: Final = b""
"""The hash before a session's first entry."""

_PREIMAGE: Final = b"%d:%b,%%d:%%b,%%b%%d:%%b,%%d:%%b,%%d:%%b,%%d:%%b," % (len(VERSION_TAG), VERSION_TAG)

MOST_LISTED: Final = 100
"""Breaks that a verification lists; the others are counted."""

Row = tuple[bytearray, int, bytearray, bytearray, bytes, bytes]
"""An entry as stored: session, seq, at, kind, body, hash.

Text stands as a bytearray: it need not be UTF-8 in a damaged file, and is told from bytes put in its place.
"""

_SEQ: Final = 1
_AT: Final = 2
_HASH: Final = 5


class Head(Struct, frozen=True):
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


class Break(Struct, frozen=True):
    """Entries `first` to `last`, both included, and what is wrong with them.

    A changed entry whose own hash was made to fit shows at the one after it.
    """

    damage: Damage
    first: int
    last: int


class Verification(Struct, frozen=True):
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
    return _hash(before, _netstring(session.encode()), seq, kind.encode(), at.encode(), body)


def text_of(stored: object) -> str:
    """Return stored text as text, or what stands in its place in a damaged file."""
    return stored.decode("utf-8", "replace") if isinstance(stored, bytearray | bytes) else str(stored)


def verify(rows: Iterable[Row], *, kept: Head | None = None) -> Verification:
    """Walk one session's chain, in constant memory, and say where and how it is broken.

    Args:
        rows: The session's rows, ascending by seq.
        kept: A head of this chain that was kept elsewhere (seq and hash count); one that only grew since passes.
    """
    walk = _Walk(kept)
    remaining = iter(rows)
    row = walk.follow(remaining)
    while row is not None:
        following = next(remaining, None)
        is_taken = walk.explain(row, following)
        row = walk.follow(remaining if following is None or is_taken else chain((following,), remaining))
    return walk.end()


class _Walk:
    """Where the walk stands: at the stored number `seq`, behind the hash `before`.

    `shift` is how much later rows are numbered than when they were written.
    """

    def __init__(self, kept: Head | None) -> None:
        self._kept = kept
        self._seq = 0
        self._before = self._earlier = GENESIS
        self._at = bytearray()
        self._shift = 0
        self._breaks: list[Break] = []
        self._unlisted = 0

    def follow(self, rows: Iterator[Row]) -> Row | None:
        """Take in rows as long as each follows the one before; return the first that does not."""
        kept, owner, whose = self._kept, bytearray(), b""
        for row in rows:
            session, seq, at, kind, body, own = row
            if kept is not None and seq == kept.seq and own != kept.hash:
                self._note(Damage.REWRITTEN, seq)
            if seq != self._seq + 1 or not _has_types(row):
                return row
            if session != owner:
                owner, whose = session, _netstring(session)
            if type(own) is not bytes or own != _hash(self._before, whose, seq - self._shift, kind, at, body):
                return row
            self._earlier, self._before, self._seq, self._at = self._before, own, seq, at
        return None

    def explain(self, row: Row, following: Row | None) -> bool:
        """Take in a row that does not; return whether it took the following one in as well."""
        seq = row[_SEQ]
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
        if self._kept is not None and self._seq < self._kept.seq:
            self._note(Damage.CUT, self._seq + 1, self._kept.seq)
        head = Head(self._seq, text_of(self._at), self._before) if self._seq else None
        return Verification(head, tuple(self._breaks), self._unlisted)

    def _find_least(self, row: Row, following: Row | None) -> bool:
        """Find the least that was done to a chain whose row does not follow the one before."""
        seq, here = row[_SEQ], row[_SEQ] - self._shift
        if _fits(row, self._earlier, here - 1):
            # It follows the entry before the last one, which came in between.
            self._note(Damage.INSERTED, seq - 1)
            self._shift += 1
        elif following is None:
            self._note(Damage.CHANGED, seq)
        elif _fits(following, self._before, here):
            if _fits(row, following[_HASH], here + 1):
                self._note(Damage.REORDERED, seq, seq + 1)
                self._pass(row)
                self._seq += 1
                return True
            self._note(Damage.INSERTED, seq)
            self._shift += 1
            self._seq = seq
            return False
        elif _fits(following, row[_HASH], here + 2):
            self._note(Damage.REMOVED, seq)
            self._shift -= 1
        else:
            self._note(Damage.CHANGED, seq)
            return self._pass_changed(row, following)
        self._pass(row)
        return False

    def _pass_changed(self, row: Row, following: Row) -> bool:
        here = row[_SEQ] - self._shift
        own = _link_of(row, self._before, here)
        self._pass(row)
        if own is not None and not _fits(following, row[_HASH], here + 1) and _fits(following, own, here + 1):
            # Only the stored hash was changed: the chain goes on from what it was.
            self._before = own
        return False

    def _pass(self, row: Row) -> None:
        self._earlier, self._before = self._before, row[_HASH] if type(row[_HASH]) is bytes else GENESIS
        self._seq, self._at = row[_SEQ], row[_AT]

    def _note(self, damage: Damage, first: int, last: int | None = None) -> None:
        if len(self._breaks) < MOST_LISTED:
            self._breaks.append(Break(damage, first, first if last is None else last))
        else:
            self._unlisted += 1


def _fits(row: Row, before: bytes, seq: int) -> bool:
    own = _link_of(row, before, seq)
    return own is not None and type(row[_HASH]) is bytes and own == row[_HASH]


def _link_of(row: Row, before: bytes, seq: int) -> bytes | None:
    """The hash the row should have there; None where a field, or the hash before, does not even have its type."""
    if type(before) is not bytes or not _has_types(row):
        return None
    session, _, at, kind, body, _ = row
    return _hash(before, _netstring(session), seq, kind, at, body)


def _has_types(row: Row) -> bool:
    """Tell whether each field that is hashed has its type."""
    session, _, at, kind, body, _ = row
    return type(session) is type(at) is type(kind) is bytearray and type(body) is bytes


def _hash(
    before: bytes, whose: bytes, seq: int, kind: bytes | bytearray, at: bytes | bytearray, body: bytes
) -> bytes:
    number = b"%d" % seq
    fields = (len(before), before, whose, len(number), number, len(kind), kind, len(at), at, len(body), body)
    return sha256(_PREIMAGE % fields).digest()


def _netstring(text: bytes | bytearray) -> bytes:
    return b"%d:%b," % (len(text), bytes(text))

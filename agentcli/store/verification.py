"""The whole record verified: every chain, and the register that says which sessions there have to be."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Final

import msgspec
from msgspec import Struct, field

from agentcli.session.codec import UnknownEntry, decode_entry
from agentcli.session.registered import Created, Deleted
from agentcli.store.chain import Head, text_of, verify
from agentcli.store.migrations import REGISTER
from agentcli.store.sqlite import SqliteStore

LOST: Final = "missing, and nobody deleted it"
UNREGISTERED: Final = "not in the register of sessions"
NOT_DELETED: Final = "there, though the register says that it was deleted"
DELETED_EARLIER: Final = "deleted in another state than the head that was kept"
NO_NUMBER: Final = "session number {} is missing from the register"
NO_NUMBERS: Final = "session numbers {} to {} are missing from the register"
UNREADABLE: Final = "can't be read"
NO_NAME: Final = "not the name of a session"


class KeptHead(msgspec.Struct, frozen=True):
    """The head of a chain, to be kept elsewhere: the count of its entries, the newest one's time, its hash."""

    session: str
    entries: Annotated[int, msgspec.Meta(ge=1)]
    at: str
    hash: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]

    @property
    def head(self) -> Head:
        """The head as a chain knows it."""
        return Head(self.entries, self.at, bytes.fromhex(self.hash))


class Finding(msgspec.Struct, frozen=True):
    """What is wrong, and where: the entries `first` to `last` of a session, or the session as a whole."""

    session: str
    damage: str
    first: int | None = None
    last: int | None = None


class Report(Struct, frozen=True):
    """How the record was found: the heads of the chains that are whole, and what is wrong with the others.

    `unlisted` counts the findings beyond those that are listed.
    """

    heads: tuple[KeptHead, ...]
    findings: tuple[Finding, ...]
    unlisted: int

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def entries(self) -> int:
        """The entries in chains that are whole."""
        return sum(head.entries for head in self.heads)


def verify_record(store: SqliteStore, kept: Iterable[KeptHead] = (), *, only: str | None = None) -> Report:
    """Recompute every chain, in constant memory, and compare the sessions there are with those there have to be.

    Args:
        kept: Heads that were kept elsewhere; a record that has only grown since passes.
        only: The one session to look at; None for all of them, and the register.
    """
    heads_kept = {head.session: head for head in kept}
    with store.at_one_moment():
        sessions, strangers = store.names_as_stored()
        looked_at = [session for session in sessions if only in (None, session)]
        chains = [_Chain.of(store, session, heads_kept.get(session)) for session in looked_at]
        register = _read_register(store)
    findings = [finding for chain in chains for finding in chain.findings]
    others = (
        *(Finding(name, NO_NAME) for name in strangers),
        *_compare(register, sessions),
        *_compare_gone(register, set(sessions), heads_kept),
    )
    findings += [finding for finding in others if only in (None, finding.session)]
    return Report(
        heads=tuple(chain.head for chain in chains if chain.head is not None),
        findings=tuple(findings),
        unlisted=sum(chain.unlisted for chain in chains),
    )


class _Chain(Struct, frozen=True):
    head: KeptHead | None
    findings: tuple[Finding, ...]
    unlisted: int

    @classmethod
    def of(cls, store: SqliteStore, session: str, kept: KeptHead | None) -> "_Chain":
        found = verify(store.rows(session), kept=None if kept is None else kept.head)
        findings = tuple(Finding(session, one.damage, one.first, one.last) for one in found.breaks)
        # The head of a broken chain is none to go by.
        head = found.head if found.whole else None
        own = None if head is None else KeptHead(session, head.seq, head.at, head.hash.hex())
        return cls(own, findings, found.unlisted)


class _Register(Struct):
    created: dict[str, int] = field(default_factory=dict)
    deleted: dict[str, Deleted] = field(default_factory=dict)
    unreadable: list[int] = field(default_factory=list)


def _read_register(store: SqliteStore) -> _Register:
    """Read the register as far as it can be read."""
    register = _Register()
    for _, seq, _, kind, body, _ in store.rows(REGISTER):
        try:
            entry = decode_entry(text_of(kind), body)
        except (UnknownEntry, TypeError):
            register.unreadable.append(seq)
            continue
        match entry:
            case Created(no=no, session=session):
                register.created[session] = no
            case Deleted(session=session):
                register.deleted[session] = entry
    return register


def _compare(register: _Register, sessions: list[str]) -> Iterator[Finding]:
    for seq in register.unreadable:
        yield Finding(REGISTER, UNREADABLE, seq, seq)
    for before, no in pairwise((0, *sorted(register.created.values()))):
        if no == before + 2:
            yield Finding(REGISTER, NO_NUMBER.format(no - 1))
        elif no > before + 2:
            yield Finding(REGISTER, NO_NUMBERS.format(before + 1, no - 1))
    there = set(sessions)
    for session in sessions:
        if session != REGISTER and session not in register.created:
            yield Finding(session, UNREGISTERED)
        elif session in register.deleted:
            yield Finding(session, NOT_DELETED)
    for session in register.created:
        if session not in there and session not in register.deleted:
            yield Finding(session, LOST)


def _compare_gone(register: _Register, there: set[str], kept: Mapping[str, KeptHead]) -> Iterator[Finding]:
    """Compare the heads that were kept of sessions that are gone with what the register says of their end."""
    for session, head in kept.items():
        if session in there:
            continue
        deleted = register.deleted.get(session)
        if deleted is None:
            if session not in register.created:
                yield Finding(session, LOST)
        elif deleted.entries < head.entries or (deleted.entries == head.entries and deleted.head != head.hash):
            yield Finding(session, DELETED_EARLIER)

"""The register: a journal of its own that says which sessions there are, were, and whether runs may start."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from agentcli.session.entries import Opened
from agentcli.session.record import Record
from agentcli.session.registered import Created, Deleted, Drained, Renamed
from agentcli.store.journals import read_time
from agentcli.store.migrations import REGISTER
from agentcli.store.sqlite import SqliteStore, SqliteTransaction

LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""The digits of base 32 in the order in which they sort; none looks like another."""

ID_LENGTH: Final = 8
EPOCH: Final = datetime(2024, 1, 1, tzinfo=UTC)
TICK: Final = timedelta(milliseconds=10)
"""An id counts ticks since the epoch: eight digits last for 348 years."""


MOST_CANDIDATES: Final = 12
"""Names that are listed where a beginning is not enough."""


MOST_NEAR: Final = 200
"""Calls among which the one is looked for that may have been meant."""


class NoSuch(LookupError):
    """Nothing of that name is in the store; `known` are names that may have been meant."""

    def __init__(self, what: str, name: str, known: Iterable[str] = ()) -> None:
        super().__init__(f"no {what} {name!r}")
        self.what = what
        self.name = name
        self.known = tuple(known)


class Ambiguous(LookupError):
    """Several have a name that begins so; the message has the first of them."""

    def __init__(self, what: str, name: str, candidates: Sequence[str]) -> None:
        more = len(candidates) - MOST_CANDIDATES
        told = [*candidates[:MOST_CANDIDATES], *([f"and {more:,} more"] if more > 0 else [])]
        super().__init__(f"{what} {name!r} could be any of these: {', '.join(told)}")
        self.what = what
        self.name = name
        self.candidates = tuple(candidates)


class Listing(Struct, frozen=True, kw_only=True):
    """A session as it is listed; times in UTC."""

    session: str
    no: int
    agent: str
    by: str
    title: str
    created_at: datetime
    last_at: datetime
    entries: int


class Newest(Protocol):
    """A store, or a transaction on one."""

    def newest(self, session: str, kind: str | None = None) -> Record | None:
        """The newest record of a session, or the newest of one kind."""
        ...


def create_session(transaction: SqliteTransaction, opened: Opened, at: datetime) -> str:
    """Enter a session into the register, begin its journal, and return its id.

    Ids sort in the order of creation, even where the clock was set back, and none is used twice.
    """
    last = transaction.newest(REGISTER, Created.kind)
    no, session = 1, session_id(at)
    if last is not None:
        assert isinstance(last.entry, Created)
        no = last.entry.no + 1
        session = max(session, _id_after(last.entry.session))
    transaction.append(REGISTER, Created(no, session, opened.agent, opened.by), at)
    transaction.append(session, opened, at)
    return session


def rename_session(transaction: SqliteTransaction, session: str, title: str, by: str, at: datetime) -> None:
    """Give a session a title.

    Raises:
        NoSuch: There is no such session (any more).
    """
    _newest_of(transaction, session)
    transaction.append(REGISTER, Renamed(session, title, by), at)


def delete_session(transaction: SqliteTransaction, session: str, by: str, at: datetime) -> Deleted:
    """Remove a session's journal; the register keeps how many entries it had and its head.

    Raises:
        NoSuch: There is no such session (any more).
    """
    last = _newest_of(transaction, session)
    deleted = Deleted(session, entries=last.seq, head=last.hash.hex(), by=by)
    transaction.append(REGISTER, deleted, at)
    transaction.remove(session)
    return deleted


def set_draining(transaction: SqliteTransaction, on: bool, by: str, at: datetime) -> None:
    """Let starting runs wait from here on, or no longer."""
    transaction.append(REGISTER, Drained(on, by), at)


def is_draining(source: Newest) -> bool:
    """Tell whether starting runs waits."""
    last = source.newest(REGISTER, Drained.kind)
    return last is not None and isinstance(last.entry, Drained) and last.entry.on


def list_sessions(store: SqliteStore) -> list[Listing]:
    """Return the sessions there are, the one with the newest entry first."""
    listings: dict[str, Listing] = {}
    for record in store.records(REGISTER):
        match record.entry:
            case Created(no=no, session=session, agent=agent, by=by):
                listings[session] = Listing(
                    session=session, no=no, agent=agent, by=by, title="",
                    created_at=record.at, last_at=record.at, entries=0,
                )  # fmt: skip
            case Renamed(session=session, title=title) if session in listings:
                listings[session] = replace(listings[session], title=title)
            case Deleted(session=session):
                listings.pop(session, None)
    found = [_with_newest(store, listing) for listing in listings.values()]
    return sorted(found, key=lambda listing: (listing.last_at, listing.no), reverse=True)


def newest_session(store: SqliteStore) -> str | None:
    """Return the session with the newest entry; None where there is no session."""
    listings = list_sessions(store)
    return listings[0].session if listings else None


def find_session(store: SqliteStore, prefix: str) -> Listing:
    """Return the one session whose id begins with `prefix`.

    Raises:
        NoSuch: None does.
        Ambiguous: Several do.
    """
    listings = {listing.session: listing for listing in list_sessions(store)}
    return listings[_the_one("session", prefix, sorted(listings))]


def resolve_session(store: SqliteStore, prefix: str) -> str:
    """Return the id of the session that `find_session` returns; raises as that does."""
    return find_session(store, prefix).session


def resolve_call(store: SqliteStore, prefix: str, session: str | None = None) -> tuple[str, str]:
    """Return `(session, call_id)` of the one call whose id begins with `prefix`.

    Args:
        session: Where to look; None for everywhere.

    Raises:
        NoSuch: None does.
        Ambiguous: Several do, or several sessions have it.
    """
    places = [place for place in store.calls(prefix) if session in (None, place[0])]
    if not places:
        raise NoSuch("call", prefix, [call_id for _, call_id in store.calls("")[-MOST_NEAR:]])
    call_id = _the_one("call", prefix, sorted({call_id for _, call_id in places}))
    sessions = [where for where, found in places if found == call_id]
    if len(sessions) > 1:
        raise Ambiguous("call", prefix, [f"{call_id} in {where}" for where in sessions])
    return sessions[0], call_id


def session_id(at: datetime) -> str:
    """Return the id that a session created at this time has by default."""
    return _digits(max(0, (at - EPOCH) // TICK))


def _id_after(session: str) -> str:
    number = 0
    for letter in session:
        number = number * len(LETTERS) + LETTERS.index(letter)
    return _digits(number + 1)


def _digits(number: int) -> str:
    digits = ""
    while number or len(digits) < ID_LENGTH:
        number, rest = divmod(number, len(LETTERS))
        digits = LETTERS[rest] + digits
    return digits


def _the_one(what: str, name: str, candidates: Sequence[str]) -> str:
    if name in candidates:
        return name
    matching = [candidate for candidate in candidates if name and candidate.startswith(name)]
    if not matching:
        raise NoSuch(what, name, candidates)
    if len(matching) > 1:
        raise Ambiguous(what, name, matching)
    return matching[0]


def _newest_of(transaction: SqliteTransaction, session: str) -> Record:
    last = transaction.newest(session)
    if last is None or session == REGISTER:
        raise NoSuch("session", session)
    return last


def _with_newest(store: SqliteStore, listing: Listing) -> Listing:
    head = store.head(listing.session)
    return listing if head is None else replace(listing, last_at=read_time(head.at), entries=head.seq)

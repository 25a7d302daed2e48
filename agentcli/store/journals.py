"""Reads journals: rows into records, heads, and where a call occurs."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

from agentcli.session.codec import decode_entry
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.session.record import Record
from agentcli.store.chain import Head, Row, text_of
from agentcli.store.database import Database

PAGE: Final = 200
"""Rows read at once: a long journal is never in memory as a whole."""

_FIELDS: Final = "seq, at, kind, body, hash"
_BEHIND: Final = "FROM journal WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?"
_ALL: Final = "FROM journal WHERE session = ? ORDER BY seq LIMIT ?"
_CALL: Final = b'{"call_id":"'
"""How the body of every entry that belongs to a call begins."""

LONGEST_CALL_ID: Final = 64


def time_text(at: datetime) -> str:
    """Return a time as it is stored: RFC 3339, UTC, microseconds."""
    if at.tzinfo is None:
        raise ValueError(f"{at!r} does not say its time zone")
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def read_time(text: str) -> datetime:
    """Return a stored time."""
    return datetime.fromisoformat(text)


def read_records(database: Database, session: str, after: int) -> Iterator[Record]:
    """Yield the records of a session behind the entry `after`, in order.

    Raises:
        StoreFailure: With `CORRUPT` where an entry is missing, `UNREADABLE` where this version can't read one.
    """
    page: list[Any] = [(after,)]
    seq = after
    while page:
        page = database.rows(f"SELECT {_FIELDS} {_BEHIND}", (session, page[-1][0], PAGE))
        for row in page:
            seq += 1
            if row[0] != seq:
                detail = f"{database.where}: entry {seq} of {session!r} is missing; see `agentcli audit verify`"
                raise StoreFailure(StoreFault.CORRUPT, detail)
            yield _record(database, session, row)


def read_rows(database: Database, session: str) -> Iterator[Row]:
    """Yield the rows of a session as they are stored, whatever is in them; numbers below 1 too."""

    def read(behind: int | None) -> list[Row]:
        if behind is None:
            return database.rows_as_stored(f"SELECT session, {_FIELDS} {_ALL}", (session, PAGE))
        return database.rows_as_stored(f"SELECT session, {_FIELDS} {_BEHIND}", (session, behind, PAGE))

    return page_by_page(read)


def page_by_page(read: Callable[[int | None], list[Row]]) -> Iterator[Row]:
    """Yield rows up to the last one; in a damaged file up to one behind which there is no going on.

    Args:
        read: Returns the rows behind a number, ascending, or the first ones; not all at once.
    """
    behind: int | None = None
    while page := read(behind):
        yield from page
        last = page[-1][1]
        # Numbers may be none there, or be found again and again; who reads what was yielded sees it.
        if type(last) is not int or (behind is not None and last <= behind):
            return
        behind = last


def newest(database: Database, session: str, kind: str | None = None) -> Record | None:
    """Return the newest record of a session, or the newest of one kind."""
    which = "session = ?1 AND (?2 IS NULL OR kind = ?2)"
    rows = database.rows(f"SELECT {_FIELDS} FROM journal WHERE {which} ORDER BY seq DESC LIMIT 1", (session, kind))
    return _record(database, session, rows[0]) if rows else None


def head(database: Database, session: str) -> Head | None:
    """Return the head of a session's chain."""
    rows = database.rows(
        "SELECT seq, at, hash FROM journal WHERE session = ? ORDER BY seq DESC LIMIT 1", (session,)
    )
    return Head(*rows[0]) if rows else None


def sessions(database: Database) -> list[str]:
    """Return every session that has entries, registered or not; the register is among them.

    Raises:
        StoreFailure: With `CORRUPT` where the name of one is none.
    """
    names, others = names_as_stored(database)
    if others:
        detail = f"{database.where}: a session is named {others[0]!r}; see `agentcli audit verify`"
        raise StoreFailure(StoreFault.CORRUPT, detail)
    return names


def names_as_stored(database: Database) -> tuple[list[str], list[str]]:
    """Return the sessions that have entries, and what stands in a damaged file where there should be a name."""
    names: list[str] = []
    others: list[str] = []
    for (stored,) in database.rows_as_stored("SELECT DISTINCT session FROM journal ORDER BY session"):
        name = text_of(stored)
        is_name = type(stored) is bytearray and stored == name.encode()
        (names if is_name else others).append(name)
    return names, others


def calls(database: Database, prefix: str) -> list[tuple[str, str]]:
    """Return `(session, call_id)` of every call whose id begins with `prefix`, in order."""
    beginning = _CALL + prefix.encode("utf-8", "replace")
    # What stands in place of a name in a damaged file names no session to look in.
    where = "typeof(session) = 'text' AND substr(body, 1, ?) = ?"
    rows = database.rows(
        f"SELECT DISTINCT session, substr(body, ?, ?) FROM journal WHERE {where}",
        (len(_CALL) + 1, LONGEST_CALL_ID, len(beginning), beginning),
    )
    found = {(session, str(stored, "utf-8", "replace").partition('"')[0]) for session, stored in rows}
    return sorted(place for place in found if place[1].startswith(prefix))


def _record(database: Database, session: str, row: tuple[int, str, str, bytes, bytes]) -> Record:
    seq, at, kind, body, entry_hash = row
    try:
        return Record(session, seq, read_time(at), decode_entry(kind, body), entry_hash)
    except (TypeError, ValueError) as error:
        told = f"entry {seq} of {session!r}: {error}"
        detail = f"{database.where}: {told}; `agentcli audit verify` tells whether it was changed"
        raise StoreFailure(StoreFault.UNREADABLE, detail) from error

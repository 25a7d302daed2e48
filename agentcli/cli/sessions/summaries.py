"""A session in a row: what it is, how it stands, and what it is called."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec

from agentcli.local_time import local_minute
from agentcli.session.findings import Standing, standing_of
from agentcli.session.fold import fold
from agentcli.session.pending import pending
from agentcli.session.state import State
from agentcli.session.titles import UNTITLED, title_of
from agentcli.store.damaged import Damaged
from agentcli.store.register import Listing, list_sessions
from agentcli.store.sqlite import SqliteStore

_COLUMNS: Final[Mapping[int, tuple[str, ...]]] = {
    # at least this wide  columns
    100: ("id", "last", "state", "agent", "model", "level", "title"),
    60:  ("id", "last", "state", "agent", "title"),
    40:  ("id", "last", "title"),
    0:   ("id", "title"),
}  # fmt: skip


class Summary(msgspec.Struct, frozen=True):
    """A session as `sessions list` writes it.

    `questions` are the ids of the calls that wait for a person, `undelivered` the numbers of the messages nobody
    has heard.
    """

    id: str
    title: str
    agent: str
    model: str
    level: int
    started_at: datetime
    last_at: datetime
    state: Standing
    questions: tuple[str, ...]
    undelivered: tuple[int, ...]


def summaries(store: SqliteStore, damaged: Damaged) -> list[Summary]:
    """Return all sessions, the one with the newest entry first; of a damaged one what could be read."""
    return [_summary(store, one, damaged) for one in list_sessions(store)]


def _summary(store: SqliteStore, listing: Listing, damaged: Damaged) -> Summary:
    state = fold(listing.session, damaged.read([listing.session], store.records))
    summary = summary_of(store, listing, state)
    if listing.session not in damaged.why:
        return summary
    return msgspec.structs.replace(summary, state=Standing.DAMAGED, questions=(), undelivered=())


def summary_of(store: SqliteStore, listing: Listing, state: State) -> Summary:
    """Return a session's row, given where it stands."""
    now, is_held = datetime.now(UTC), store.is_held(listing.session)
    return Summary(
        id=listing.session,
        title=title_of(listing.title, state),
        agent=listing.agent,
        model=state.model,
        level=int(state.level),
        started_at=listing.created_at,
        last_at=listing.last_at,
        state=standing_of(state, now, is_held=is_held),
        questions=tuple(call.call_id for _, call in pending(state, now, is_held=is_held)),
        undelivered=tuple(state.unheard),
    )


def table_of(found: Iterable[Summary], width: int) -> list[tuple[str, ...]]:
    """Return sessions as rows below their headings, times as they are here.

    Args:
        width: Cells in a line: where they are few, what is left out leaves room for the titles.
    """
    names = next(names for least, names in _COLUMNS.items() if width >= least)
    return [names, *(tuple(_cells(one)[name] for name in names) for one in found)]


def _cells(summary: Summary) -> Mapping[str, str]:
    return {
        "id": summary.id,
        "last": local_minute(summary.last_at),
        "state": summary.state,
        "agent": summary.agent,
        "model": summary.model,
        "level": str(summary.level),
        "title": summary.title or UNTITLED,
    }

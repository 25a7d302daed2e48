"""Which write came after the one that a person wants to take back, in whatever session."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from agentcli.local_time import local_minute
from agentcli.session.call import Call
from agentcli.session.entries import Finished
from agentcli.session.fold import apply
from agentcli.session.state import State
from agentcli.store.register import list_sessions
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.risk import Risk

Row = tuple[str, Any]
"""A row that a result shows: what it is, and its id."""


class Write(Struct, frozen=True):
    """A call that changed something, and when, in UTC."""

    session: str
    seq: int
    at: datetime
    call: Call

    def __str__(self) -> str:
        what = "an undo of " if self.call.undoes is not None else ""
        when = local_minute(self.at)
        return f"{what}{self.call.tool} {self.call.as_sent} in session {self.session}, {when}"

    def is_after(self, other: "Write") -> bool:
        """Whether it came later; between sessions the clock tells, since nothing else does."""
        return self.seq > other.seq if self.session == other.session else self.at >= other.at


def later_write(store: SqliteStore, session: str, call_id: str) -> Write | None:
    """Return the newest write that touched what a call had written and came after it.

    Rows are known by the results that show them; None where no result tells.
    """
    sessions = list_sessions(store)
    agents = {listing.session: listing.agent for listing in sessions}
    own = {write.call.call_id: write for write in _writes(store, session)}
    first = own.get(call_id)
    if first is None:
        return None
    alike = [other for other, agent in agents.items() if agent == agents.get(session)]
    rows = _rows_of(first.call)
    later = [
        write
        for other in alike
        for write in _writes(store, other)
        if write.is_after(first) and write.call.call_id != call_id and rows & _rows_of(write.call)
    ]
    return max(later, key=lambda write: write.at, default=None)


def _writes(store: SqliteStore, session: str) -> Iterator[Write]:
    state = State(session)
    for record in store.records(session):
        apply(state, record)
        entry = record.entry
        if isinstance(entry, Finished) and entry.origin == "tool" and not entry.is_error:
            call = state.calls[entry.call_id]
            if call.decided is not None and call.decided.risk is not Risk.READ:
                yield Write(session, record.seq, record.at, call)


def _rows_of(call: Call) -> frozenset[Row]:
    """Return the rows that a call has changed, as its result and what its undo needs show them."""
    if call.undoes is not None:
        return _rows_of(call.undoes)
    assert call.finished is not None
    shown = [bytes(call.finished.result), (call.finished.undo or "null").encode()]
    return frozenset(row for text in shown for row in _rows_in(msgspec.json.decode(text)))


def _rows_in(result: Any) -> Iterator[Row]:
    """Yield the rows among the members of a result; each begins with its id."""
    members = result.items() if isinstance(result, Mapping) else ()
    for field, value in members:
        for shown in value if isinstance(value, list) else [value]:
            if isinstance(shown, Mapping) and shown:
                yield field.removesuffix("s"), next(iter(shown.values()))

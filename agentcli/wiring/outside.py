"""What persons do to a session from any process: look at what waits, and append what they say about it.

Nobody has to hold the session for that: each entry is checked, in the transaction that stores it, against where
the session stands by then.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TypeVar

from msgspec import Struct

from agentcli.session import persons
from agentcli.session.call import Call
from agentcli.session.entries import Answered, Entry, Reconciled, Reconciliation, Said, StopAsked, Supplied
from agentcli.session.fold import apply, fold
from agentcli.session.pending import Pending, pending
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.state import State
from agentcli.store.damaged import Damaged
from agentcli.store.register import NoSuch, list_sessions
from agentcli.store.sqlite import SqliteStore, SqliteTransaction
from agentcli.tools.risk import Risk
from agentcli.wiring import stores

Added = TypeVar("Added", bound=Entry)


class Seen(Struct, frozen=True):
    """A call as it stands in its session, and what waits for a person about it, if anything does."""

    state: State
    call: Call
    waits: Pending | None

    @property
    def obstacle(self) -> str:
        """Why there is no question to answer; empty where one is open."""
        given, nobody = Given("approved", self.call.question_code), Person("", "")
        said = persons.answer(self.state, self.call.call_id, given, nobody, datetime.now(UTC))
        return said.reason if isinstance(said, Refused) else ""


def all_pending(store: SqliteStore) -> Iterator[Pending]:
    """Yield what waits for a person anywhere in the store, in the session with the newest entry first."""
    for found, _ in all_waiting(store, Damaged()):
        yield found


def all_waiting(store: SqliteStore, damaged: Damaged) -> Iterator[tuple[Pending, Call]]:
    """Yield what waits for a person, in the same order, each with the call that it is about."""
    now = datetime.now(UTC)

    def waiting_in(session: str) -> Iterator[tuple[Pending, Call]]:
        state = fold(session, store.records(session))
        return pending(state, now, is_held=store.is_held(session))

    yield from damaged.read((listing.session for listing in list_sessions(store)), waiting_in)


def look_at(store: SqliteStore, session: str, call_id: str) -> Seen:
    """Return how a call stands.

    Raises:
        NoSuch: The session, or a call of that id in it, is not there (any more).
    """
    state = fold(session, store.records(session))
    if call_id not in state.calls:
        raise NoSuch("call", call_id)
    call, is_held = state.calls[call_id], store.is_held(session)
    waits = (found for found, one in pending(state, datetime.now(UTC), is_held=is_held) if one is call)
    return Seen(state, call, next(waits, None))


def say(store: SqliteStore, session: str, text: str, person: Person) -> Said:
    """Store a person's words for a session."""
    said = _add(store, session, lambda state: persons.say(state, text, person))
    assert isinstance(said, Said)
    return said


def stop(store: SqliteStore, session: str, person: Person) -> StopAsked | Refused:
    """Store that a session's open run is to stop at its next safe point, or say why there is nothing to stop."""
    return _add(store, session, lambda state: persons.stop(state, person))


def answer(
    store: SqliteStore,
    session: str,
    call_id: str,
    given: Given,
    person: Person,
    *,
    may_approve: frozenset[Risk] = frozenset(Risk),
) -> Answered | Refused:
    """Store an answer to an open question, or say why it does not count.

    Args:
        may_approve: The risks of calls that may be approved in this way.
    """

    def make(state: State) -> Answered | Refused:
        made = persons.answer(state, call_id, given, person, datetime.now(UTC))
        decided = state.calls[call_id].decided if isinstance(made, Answered) else None
        if given.answer == "approved" and decided is not None and decided.risk not in may_approve:
            return Refused(f"{decided.risk} calls can't be approved without a terminal; approve it at one")
        return made

    return _add(store, session, make)


def edit(
    store: SqliteStore, session: str, call_id: str, input_text: str, code: str, person: Person
) -> Answered | Refused:
    """Store a person's change of the input of a call that they are asked about, or say why it does not count."""
    return _add(
        store, session, lambda state: persons.edit(state, call_id, input_text, code, person, datetime.now(UTC))
    )


def supply(
    store: SqliteStore, session: str, call_id: str, data: str, person: Person, *, code: str | None = None
) -> Supplied | Refused:
    """Store what a person filled in, as JSON text, in the form of this code; or say why it does not count."""
    return _add(
        store, session, lambda state: persons.supply(state, call_id, data, person, datetime.now(UTC), code=code)
    )


def decline_form(
    store: SqliteStore, session: str, call_id: str, reason: str, person: Person
) -> Answered | Refused:
    """Store that nobody will fill in what a call asks for, or say why it does not count."""
    return _add(
        store, session, lambda state: persons.decline_form(state, call_id, reason, person, datetime.now(UTC))
    )


def settle(
    store: SqliteStore, session: str, call_id: str, outcome: Reconciliation, person: Person
) -> Reconciled | Refused:
    """Store how a person settles a call whose outcome is unknown, or say why it does not count."""

    def make(state: State) -> Reconciled | Refused:
        # Inside the transaction nobody can begin to hold it, so without a holder whatever was at work is gone.
        return persons.reconcile(state, call_id, outcome, person, is_held=store.is_held(session))

    return _add(store, session, make)


def _add(store: SqliteStore, session: str, make: Callable[[State], Added | Refused]) -> Added | Refused:
    """Append an entry that rests on where the session stands in the same transaction.

    Raises:
        NoSuch: The session is not there (any more); nothing may be stored for one that was deleted.
        StoreFailure: It can't be stored.
    """
    state = fold(session, store.records(session))

    def add(transaction: SqliteTransaction) -> Added | Refused:
        if transaction.newest(session) is None:
            raise NoSuch("session", session)
        for record in transaction.records(session, after=state.seq):
            apply(state, record)
        made = make(state)
        if not isinstance(made, Refused):
            transaction.append(session, made, datetime.now(UTC))
        return made

    return stores.write(store, add)

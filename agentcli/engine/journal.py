"""One session's journal with the state folded from it: every write is checked against what others wrote."""

import logging
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from agentcli.session.announcing import events_of
from agentcli.session.entries import Entry
from agentcli.session.events import Event
from agentcli.session.fold import apply
from agentcli.session.ports import (
    BUSY_TRIES,
    BUSY_WAIT_S,
    Clock,
    Store,
    StoreFailure,
    StoreFault,
    Transaction,
    Witness,
    stayed_busy,
)
from agentcli.session.record import Record
from agentcli.session.state import State
from agentcli.tools.risk import Risk

log = logging.getLogger(__name__)

T = TypeVar("T")
Observer = Callable[[Event], None]
Apply = Callable[[State, Record], None]


class Unwitnessed:
    """Nobody looks on."""

    def see(self, record: Record) -> None:
        """Do nothing."""

    def attest(self, records: Sequence[Record]) -> None:
        """Do nothing."""


class Reader:
    """Folds entries into a state, whoever wrote them, and keeps them and the events that they make."""

    def __init__(self, state: State, apply: Apply) -> None:
        self.state = state
        self.records: list[Record] = []
        self.events: list[Event] = []
        self._apply = apply

    def fold_in(self, record: Record) -> None:
        """Take in an entry."""
        self._apply(self.state, record)
        self.records.append(record)
        self.events.extend(events_of(self.state, record))


class Writer:
    """An open transaction on one session: what is appended is folded in at once."""

    def __init__(self, transaction: Transaction, reader: Reader, clock: Clock) -> None:
        self.transaction = transaction
        self.state = reader.state
        self._reader = reader
        self._clock = clock

    def append(self, entry: Entry) -> Record:
        """Store an entry and fold it in."""
        record = self.transaction.append(self.state.session, entry, self._clock.now())
        self._reader.fold_in(record)
        return record


class Journal:
    """Reads and writes one session; events go to the observers once what they tell of is durable.

    Args:
        apply: The fold of one record; simulations try what mistakes in it lead to.
        witness: Makes one who sees the session's entries from the first on.
    """

    def __init__(
        self,
        store: Store,
        session: str,
        risks: Mapping[str, Risk],
        clock: Clock,
        apply: Apply = apply,
        *,
        witness: Callable[[], Witness] = Unwitnessed,
    ) -> None:
        self.session = session
        self.observers: list[Observer] = []
        self._store = store
        self._risks = risks
        self._clock = clock
        self._apply = apply
        self._new_witness = witness
        self.state, self._witness = self._load()

    async def write(self, work: Callable[[Writer], T]) -> T:
        """Do `work` in one transaction, on a state that holds all that others wrote before it.

        Raises:
            StoreFailure: Nothing of the work stands.
        """
        for _ in range(BUSY_TRIES):
            try:
                return self.write_once(work)
            except StoreFailure as failure:
                if failure.fault is not StoreFault.BUSY:
                    raise
            await self._clock.sleep(BUSY_WAIT_S)
        raise stayed_busy()

    def write_once(self, work: Callable[[Writer], T]) -> T:
        """Do as `write` does, but give up at once where another process is writing."""
        begun, known = False, self.state.seq
        try:
            with self._store.transaction() as transaction:
                begun = True
                reader = Reader(self.state, self._apply)
                for record in transaction.records(self.session, after=self.state.seq):
                    reader.fold_in(record)
                result = work(Writer(transaction, reader, self._clock))
                self._witness.attest(reader.records)
        except BaseException:
            # What was folded in is not durable: back to where the write began, and from there to what is.
            if begun:
                self.state, self._witness = self._load(known)
                self._take_in()
            raise
        self.publish(*reader.events)
        return result

    def catch_up(self) -> None:
        """Take in what other processes wrote, if they did."""
        if self._store.changed():
            self._take_in()

    def publish(self, *events: Event) -> None:
        """Tell the observers; what one of them raises is logged, for what it was told of has happened."""
        for event in events:
            for observer in self.observers:
                try:
                    observer(event)
                except Exception:  # it was told of what has happened, and can't change that any more
                    log.exception("an observer failed at an event of session %r", self.session)

    def _take_in(self) -> None:
        reader = Reader(self.state, self._apply)
        for record in self._store.records(self.session, after=self.state.seq):
            reader.fold_in(record)
            self._witness.see(record)
        self.publish(*reader.events)

    def _load(self, last: int | None = None) -> tuple[State, Witness]:
        """Return the state after the entry `last`, or after all there are."""
        state, witness = State(self.session, self._risks), self._new_witness()
        for record in islice(self._store.records(self.session), last):
            self._apply(state, record)
            witness.see(record)
        return state, witness

"""Whoever witnesses a session sees every entry of it in order, and nothing is stored that a witness refuses."""

from collections.abc import Sequence

import pytest

from agentcli.engine.journal import Journal, Writer
from agentcli.session import entries as e
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.session.record import Record
from tests.fakes import FakeClock, FakeStore

SESSION = "s1"
REFUSAL = StoreFailure(StoreFault.FULL, "no room for a witness")


class Looker:
    """Writes down what it sees, and what it is asked to attest; refuses while `refuses` is set."""

    refuses = False

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.attested: list[list[int]] = []

    def see(self, record: Record) -> None:
        self.seen.append(record.seq)

    def attest(self, records: Sequence[Record]) -> None:
        self.attested.append([record.seq for record in records])
        if self.refuses:
            raise REFUSAL


class Bench:
    """A journal with a witness; a new one is made whenever the entries are read from the first on."""

    def __init__(self) -> None:
        self.store = FakeStore()
        self.lookers: list[Looker] = []
        self.journal = self.another()

    def another(self) -> Journal:
        return Journal(self.store, SESSION, {}, FakeClock(), witness=self._make)

    def _make(self) -> Looker:
        self.lookers.append(Looker())
        return self.lookers[-1]

    def say(self, *numbers: int) -> None:
        def work(writer: Writer) -> None:
            for no in numbers:
                writer.append(said(no))

        self.journal.write_once(work)


def said(no: int) -> e.Said:
    return e.Said(no, "hello", "ana", "terminal")


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_what_is_there_already_is_seen(bench: Bench) -> None:
    """Who comes later sees the entries from the first on."""
    bench.say(1, 2)
    bench.another()
    assert (bench.lookers[1].seen, bench.lookers[1].attested) == ([1, 2], [])


def test_what_is_written_is_attested_once_a_transaction(bench: Bench) -> None:
    """All entries of a transaction together, and each only once."""
    bench.say(1, 2)
    bench.say(3)
    assert (bench.lookers[0].seen, bench.lookers[0].attested) == ([], [[1, 2], [3]])


def test_entries_are_attested_before_they_are_stored(bench: Bench) -> None:
    """When the witness looks, the store does not have them yet."""
    stored: list[int] = []

    class Checker(Looker):
        def attest(self, records: Sequence[Record]) -> None:
            stored.append(len(bench.store.entries(SESSION)))

    journal = Journal(bench.store, SESSION, {}, FakeClock(), witness=Checker)
    journal.write_once(lambda writer: writer.append(said(1)))
    assert (stored, len(bench.store.entries(SESSION))) == ([0], 1)


def test_a_refusal_leaves_nothing_behind(bench: Bench) -> None:
    """What a witness refuses is neither stored nor told, and the entries are read anew."""
    bench.say(1)
    bench.lookers[0].refuses = True
    with pytest.raises(StoreFailure, match="no room for a witness"):
        bench.say(2)
    assert (bench.store.entries(SESSION), bench.journal.state.seq) == ([said(1)], 1)
    assert (len(bench.lookers), bench.lookers[1].seen) == (2, [1])


def test_a_failing_store_has_the_entries_seen_anew(bench: Bench) -> None:
    """What was attested and could not be stored after all did not happen."""
    bench.say(1)
    bench.store.failures = [StoreFailure(StoreFault.FULL, "…")]
    with pytest.raises(StoreFailure):
        bench.say(2)
    assert (bench.lookers[0].attested, bench.lookers[1].seen) == ([[1], [2]], [1])


def test_what_others_wrote_is_attested_with_the_next_write(bench: Bench) -> None:
    """In its order, before what is written now."""
    bench.store.write_elsewhere(SESSION, said(1))
    bench.say(2)
    assert bench.lookers[0].attested == [[1, 2]]


def test_what_others_wrote_is_seen_when_it_is_taken_in(bench: Bench) -> None:
    """Then it is not attested again."""
    bench.store.write_elsewhere(SESSION, said(1))
    bench.journal.catch_up()
    bench.say(2)
    assert (bench.lookers[0].seen, bench.lookers[0].attested) == ([1], [[2]])

"""Nothing is told that is not stored, and nothing is stored on a state that others have moved on."""

from collections.abc import Callable

import pytest

from agentcli.engine.journal import Journal, Writer
from agentcli.session import entries as e
from agentcli.session import events
from agentcli.session.ports import BUSY_TRIES, BUSY_WAIT_S, StoreFailure, StoreFault
from tests.fakes import FakeClock, FakeStore

SESSION = "s1"


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def journal(store: FakeStore, clock: FakeClock) -> Journal:
    return Journal(store, SESSION, {}, clock)


def said(no: int, text: str = "hello") -> e.Said:
    return e.Said(no, text, "ana", "terminal")


def saying(*numbers: int) -> Callable[[Writer], None]:
    def work(writer: Writer) -> None:
        for no in numbers:
            writer.append(said(no))

    return work


def told(journal: Journal) -> list[int]:
    """Collect the numbers of the messages that the observers are told of."""
    numbers: list[int] = []

    def observe(event: events.Event) -> None:
        assert isinstance(event, events.Queued)
        numbers.append(event.message)

    journal.observers.append(observe)
    return numbers


async def test_what_is_written_is_stored_folded_and_told(journal: Journal, store: FakeStore) -> None:
    """One commit holds all of the work; the state and the observers follow it."""
    numbers = told(journal)
    await journal.write(saying(1, 2))
    assert store.entries(SESSION) == [said(1), said(2)]
    assert (store.commits, list(journal.state.messages), numbers) == (1, [1, 2], [1, 2])


async def test_the_work_gives_back_what_it_likes(journal: Journal) -> None:
    """The result of the work is the result of writing."""
    record = await journal.write(lambda writer: writer.append(said(1)))
    assert (record.seq, record.entry) == (1, said(1))


async def test_the_time_of_an_entry_is_that_of_the_clock(journal: Journal, clock: FakeClock) -> None:
    """Entries are dated when they are written."""
    clock.advance(5)
    record = await journal.write(lambda writer: writer.append(said(1)))
    assert record.at == clock.now()


async def test_the_work_sees_what_it_has_appended(journal: Journal) -> None:
    """The state inside a transaction is already that with the new entries in it."""

    def work(writer: Writer) -> int:
        writer.append(said(1))
        return writer.state.next_message_no

    assert await journal.write(work) == 2


async def test_nothing_is_told_before_it_is_durable(journal: Journal, store: FakeStore) -> None:
    """While the transaction is open, the observers know of nothing."""
    numbers = told(journal)

    def work(writer: Writer) -> list[int]:
        writer.append(said(1))
        return list(numbers)

    assert await journal.write(work) == []
    assert numbers == [1]


FULL = StoreFailure(StoreFault.FULL, "no space left")


@pytest.mark.parametrize(
    "fault", [one for one in StoreFault if one is not StoreFault.BUSY], ids=lambda one: one.name
)
async def test_a_write_that_fails_leaves_nothing_behind(
    fault: StoreFault, journal: Journal, store: FakeStore
) -> None:
    """Neither the store nor the state nor the observers know of what was not committed; nothing is tried again."""
    numbers = told(journal)
    await journal.write(saying(1))
    store.failures = [StoreFailure(fault, "…"), StoreFailure(fault, "…")]
    with pytest.raises(StoreFailure):
        await journal.write(saying(2))
    assert store.entries(SESSION) == [said(1)]
    assert (list(journal.state.messages), journal.state.seq, numbers) == ([1], 1, [1])
    assert len(store.failures) == 1


async def test_a_bug_in_the_work_leaves_nothing_behind(journal: Journal, store: FakeStore) -> None:
    """What was appended before the exception is gone, and the exception goes up."""

    def work(writer: Writer) -> None:
        writer.append(said(1))
        raise LookupError

    with pytest.raises(LookupError):
        await journal.write(work)
    assert (store.entries(SESSION), journal.state.seq) == ([], 0)
    await journal.write(saying(1))
    assert list(journal.state.messages) == [1]


async def test_what_others_wrote_is_folded_in_first(journal: Journal, store: FakeStore) -> None:
    """The work never runs on a state that is behind the store, and the observers hear of both in order."""
    numbers = told(journal)
    store.write_elsewhere(SESSION, said(1))

    def work(writer: Writer) -> int:
        no = writer.state.next_message_no
        writer.append(said(no))
        return no

    assert await journal.write(work) == 2
    assert numbers == [1, 2]


async def test_what_others_wrote_is_told_even_if_the_own_write_fails_first(
    journal: Journal, store: FakeStore
) -> None:
    """A rollback takes nothing back that another process has committed."""
    store.write_elsewhere(SESSION, said(1))
    store.failures = [FULL]
    with pytest.raises(StoreFailure):
        await journal.write(saying(2))
    assert list(journal.state.messages) == [1]


def test_catching_up_takes_in_what_others_wrote(journal: Journal, store: FakeStore) -> None:
    """Between writes the state follows other processes; asking costs nothing where nobody wrote."""
    numbers = told(journal)
    journal.catch_up()
    store.write_elsewhere(SESSION, said(1))
    store.write_elsewhere(SESSION, said(2))
    journal.catch_up()
    journal.catch_up()
    assert (list(journal.state.messages), numbers) == ([1, 2], [1, 2])


async def test_another_session_s_entries_are_none_of_ours(journal: Journal, store: FakeStore) -> None:
    """A store holds many sessions; each journal follows its own."""
    store.write_elsewhere("s2", said(1))
    journal.catch_up()
    await journal.write(saying(1))
    assert store.entries(SESSION) == [said(1)]
    assert store.entries("s2") == [said(1)]


@pytest.mark.parametrize("refusals", [1, 2, BUSY_TRIES - 1])
async def test_a_locked_store_is_waited_for(
    refusals: int, journal: Journal, store: FakeStore, clock: FakeClock
) -> None:
    """Somebody else writes for a moment: the write is tried again until it goes through."""
    store.busy = refusals
    await journal.write(saying(1))
    assert store.entries(SESSION) == [said(1)]
    assert clock.slept == [BUSY_WAIT_S] * refusals


async def test_a_locked_store_is_given_up_after_five_seconds(
    journal: Journal, store: FakeStore, clock: FakeClock
) -> None:
    """Then the write fails, and nothing of it stands."""
    store.busy = 10_000
    began = clock.now()
    with pytest.raises(StoreFailure, match="5 seconds") as caught:
        await journal.write(saying(1))
    assert caught.value.fault is StoreFault.BUSY
    assert (clock.now() - began).total_seconds() == pytest.approx(5.0)
    assert store.entries(SESSION) == []


async def test_a_store_that_is_locked_at_the_commit_is_tried_again(journal: Journal, store: FakeStore) -> None:
    """The work runs a second time, on a state without what the first had appended."""
    numbers = told(journal)
    store.failures = [StoreFailure(StoreFault.BUSY, "…")]
    await journal.write(saying(1))
    assert (store.entries(SESSION), list(journal.state.messages), numbers) == ([said(1)], [1], [1])


def test_writing_once_does_not_wait(journal: Journal, store: FakeStore, clock: FakeClock) -> None:
    """Who must not be held up is told at once that somebody else writes."""
    store.busy = 1
    with pytest.raises(StoreFailure):
        journal.write_once(saying(1))
    assert clock.slept == []
    journal.write_once(saying(1))
    assert store.entries(SESSION) == [said(1)]


def test_a_journal_begins_with_what_is_stored(store: FakeStore, clock: FakeClock) -> None:
    """Whoever opens a session knows all that happened in it."""
    store.write_elsewhere(SESSION, said(1))
    assert list(Journal(store, SESSION, {}, clock).state.messages) == [1]


async def test_every_observer_is_told(journal: Journal) -> None:
    """There may be several who watch."""
    first, second = told(journal), told(journal)
    await journal.write(saying(1))
    assert first == second == [1]

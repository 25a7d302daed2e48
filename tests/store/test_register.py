"""The register: which sessions there are, were, and whether runs may start."""

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.session.entries import Entry
from agentcli.session.registered import Created, Deleted, Drained, Renamed
from agentcli.store.chain import verify
from agentcli.store.migrations import REGISTER
from agentcli.store.register import (
    EPOCH,
    LETTERS,
    TICK,
    Ambiguous,
    NoSuch,
    create_session,
    delete_session,
    is_draining,
    list_sessions,
    newest_session,
    rename_session,
    resolve_session,
    session_id,
    set_draining,
)
from agentcli.store.sqlite import SqliteStore, SqliteTransaction
from tests.store.samples import NOW, OPENED, later, said


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    """An empty store."""
    with SqliteStore.in_memory() as store:
        yield store


def create(store: SqliteStore, at: datetime = NOW) -> str:
    """Create a session in a transaction of its own."""
    with store.transaction() as transaction:
        return create_session(transaction, OPENED, at)


def delete(store: SqliteStore, session: str) -> Deleted:
    """Delete a session in a transaction of its own."""
    with store.transaction() as transaction:
        return delete_session(transaction, session, "ana", NOW)


def append(store: SqliteStore, session: str, entry: Entry, at: datetime = NOW) -> None:
    """Append an entry in a transaction of its own."""
    with store.transaction() as transaction:
        transaction.append(session, entry, at)


def registered(store: SqliteStore) -> list[Entry]:
    """The entries of the register."""
    return [record.entry for record in store.records(REGISTER)]


def test_session_is_registered_together_with_its_first_entry(store: SqliteStore) -> None:
    """The register and the journal begin in one commit."""
    session = create(store)
    assert registered(store) == [Created(1, session, "expenses", "ana")]
    assert [record.entry for record in store.records(session)] == [OPENED]


def test_sessions_are_numbered_from_one_without_a_gap(store: SqliteStore) -> None:
    """The numbers tell a lost session from none, also after deletions and renamings."""
    first, second = create(store), create(store)
    delete(store, second)
    with store.transaction() as transaction:
        rename_session(transaction, first, "groceries", "ana", NOW)
    create(store)
    assert [entry.no for entry in registered(store) if isinstance(entry, Created)] == [1, 2, 3]


@given(st.datetimes(EPOCH.replace(tzinfo=None), datetime(2372, 1, 1)))
def test_id_is_eight_letters_that_sort_by_time(moment: datetime) -> None:
    """An id is short, easy to read aloud, and later ones sort behind earlier ones."""
    at = moment.replace(tzinfo=EPOCH.tzinfo)
    session = session_id(at)
    assert len(session) == 8
    assert set(session) <= set(LETTERS)
    assert session < session_id(at + TICK)


def test_no_id_is_the_registers_name() -> None:
    """The register can't be taken for a session."""
    assert not set(REGISTER) <= set(LETTERS)


@pytest.mark.parametrize("seconds", [0, 0.005, 0.01, 5, -1, -100_000_000])
def test_later_session_has_a_later_id(store: SqliteStore, seconds: float) -> None:
    """Ids sort in the order of creation, at the same moment, and where the clock was set back as well."""
    sessions = [create(store), create(store, later(seconds)), create(store)]
    assert sessions == sorted(set(sessions))


def test_id_of_a_deleted_session_is_never_used_again(store: SqliteStore) -> None:
    """What the register says of a deleted session stays true of its id."""
    gone = create(store)
    delete(store, gone)
    assert create(store) != gone


def test_ids_go_on_when_a_digit_is_full(store: SqliteStore) -> None:
    """Counting up carries over."""
    at = EPOCH + TICK * (32**5 - 1)
    assert [create(store, at) for _ in range(2)] == ["000zzzzz", "00100000"]


def test_newest_entry_comes_first_in_the_list(store: SqliteStore) -> None:
    """Sessions are listed by their newest entry, with what a list shows of them."""
    older, newer = create(store, NOW), create(store, later(60))
    append(store, older, said(1), later(120))
    with store.transaction() as transaction:
        rename_session(transaction, older, "groceries", "ana", later(180))
    first, second = list_sessions(store)
    assert (first.session, first.no, first.title, first.agent, first.by) == (
        older,
        1,
        "groceries",
        "expenses",
        "ana",
    )
    assert (first.created_at, first.last_at, first.entries) == (NOW, later(120), 2)
    assert (second.session, second.no, second.title, second.last_at, second.entries) == (
        newer,
        2,
        "",
        later(60),
        1,
    )


def test_of_sessions_of_the_same_moment_the_later_one_comes_first(store: SqliteStore) -> None:
    """Equal times are told apart by the number."""
    sessions = [create(store) for _ in range(3)]
    assert [listing.session for listing in list_sessions(store)] == sessions[::-1]


def test_session_left_out_is_the_one_with_the_newest_entry(store: SqliteStore) -> None:
    """Without a name the session last written to is meant; the register's own entries don't count."""
    assert newest_session(store) is None
    first, second = create(store), create(store)
    assert newest_session(store) == second
    append(store, first, said(1), later(1))
    with store.transaction() as transaction:
        rename_session(transaction, second, "x", "ana", later(2))
    assert newest_session(store) == first


def test_session_whose_journal_is_lost_is_still_listed(store: SqliteStore) -> None:
    """A registered session without entries shows as such."""
    append(store, REGISTER, Created(1, "0ab", "expenses", "ana"))
    (listing,) = list_sessions(store)
    assert (listing.entries, listing.last_at) == (0, NOW)


def test_every_session_with_entries_is_known(store: SqliteStore) -> None:
    """A journal that nobody registered does not hide."""
    registered = create(store)
    append(store, "unregistered", said(1))
    assert store.sessions() == sorted([REGISTER, registered, "unregistered"])
    assert [listing.session for listing in list_sessions(store)] == [registered]


def test_last_title_counts(store: SqliteStore) -> None:
    """A session can be renamed as often as one likes."""
    session = create(store)
    for title in ("one", "two"):
        with store.transaction() as transaction:
            rename_session(transaction, session, title, "ana", NOW)
            set_draining(transaction, on=False, by="ana", at=NOW)
    append(store, REGISTER, Renamed("elsewhere", "three", "ana"))
    assert [listing.title for listing in list_sessions(store)] == ["two"]


def test_deletion_leaves_count_and_head(store: SqliteStore) -> None:
    """A deleted session is gone, and what is left tells exactly what was deleted."""
    session, other = create(store), create(store)
    append(store, session, said(1))
    head = store.head(session)
    assert head is not None
    deleted = delete(store, session)
    assert deleted == Deleted(session, entries=2, head=head.hash.hex(), by="ana")
    assert registered(store)[-1] == deleted
    assert list(store.records(session)) == []
    assert [listing.session for listing in list_sessions(store)] == [other]
    assert verify(store.rows(REGISTER)).whole
    assert verify(store.rows(other)).whole


def test_numbers_begin_anew_behind_a_deletion(store: SqliteStore) -> None:
    """Nothing of a deleted journal is remembered, also within its transaction."""
    with store.transaction() as transaction:
        session = create_session(transaction, OPENED, NOW)
        delete_session(transaction, session, "ana", NOW)
        assert transaction.append(session, said(1), NOW).seq == 1


def test_deletion_that_fails_deletes_nothing(store: SqliteStore) -> None:
    """Tombstone and removal are one transaction."""
    session = create(store)
    with pytest.raises(KeyError), store.transaction() as transaction:
        delete_and_fail(transaction, session)
    assert [listing.session for listing in list_sessions(store)] == [session]
    assert len(list(store.records(session))) == 1


def delete_and_fail(transaction: SqliteTransaction, session: str) -> None:
    """Delete a session in a transaction that is then undone."""
    delete_session(transaction, session, "ana", NOW)
    assert transaction.newest(session) is None
    raise KeyError(session)


@pytest.mark.parametrize("session", ["00000000", REGISTER, ""])
@pytest.mark.parametrize(
    "work",
    [
        lambda transaction, session: rename_session(transaction, session, "x", "ana", NOW),
        lambda transaction, session: delete_session(transaction, session, "ana", NOW),
    ],
    ids=["rename", "delete"],
)
def test_only_a_session_can_be_renamed_or_deleted(
    store: SqliteStore, work: Callable[[SqliteTransaction, str], object], session: str
) -> None:
    """What is no session, or none any more, is refused, and so is the register."""
    delete(store, create(store))
    before = registered(store)
    with store.transaction() as transaction, pytest.raises(NoSuch, match=f"no session '{session}'"):
        work(transaction, session)
    assert registered(store) == before


def test_last_word_on_draining_counts(store: SqliteStore) -> None:
    """Runs start unless the last thing said was to drain; a transaction sees it as well."""
    states = [is_draining(store)]
    for on in (True, True, False, True):
        with store.transaction() as transaction:
            set_draining(transaction, on, "ana", NOW)
            states.append(is_draining(transaction))
        create(store)
        states.append(is_draining(store))
    assert states == [False, True, True, True, True, False, False, True, True]
    assert next(entry for entry in registered(store) if not isinstance(entry, Created)) == Drained(True, "ana")


def test_session_may_be_named_by_any_unique_prefix(store: SqliteStore) -> None:
    """As many letters as tell it from the others are enough."""
    first, second = create(store, EPOCH), create(store, EPOCH + TICK * 32)
    assert (first, second) == ("00000000", "00000010")
    assert resolve_session(store, "00000010") == second
    assert resolve_session(store, "0000001") == second
    assert resolve_session(store, "0000000") == first
    with pytest.raises(Ambiguous, match="session '000' could be any of these: 00000000, 00000010") as caught:
        resolve_session(store, "000")
    assert (caught.value.what, caught.value.name, caught.value.candidates) == ("session", "000", (first, second))


@pytest.mark.parametrize("prefix", ["1", "000000000", "", REGISTER, "reg", "%", "0_"])
def test_name_that_no_session_begins_with_is_none(store: SqliteStore, prefix: str) -> None:
    """An empty name and the register name no session, and nothing stands for any letter."""
    create(store, EPOCH)
    with pytest.raises(NoSuch) as caught:
        resolve_session(store, prefix)
    assert (caught.value.what, caught.value.name) == ("session", prefix)


def test_deleted_session_has_no_name(store: SqliteStore) -> None:
    """A deleted session can't be meant, and does not make others ambiguous."""
    gone, kept = create(store, EPOCH), create(store, EPOCH)
    delete(store, gone)
    assert resolve_session(store, "0") == kept

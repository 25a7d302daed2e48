"""The whole record verified: a session that is gone is told from one that was deleted, whatever is done to the file."""

import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from agentcli.session.codec import encode_entry
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.session.registered import Created
from agentcli.store.chain import Damage, link, verify
from agentcli.store.journals import page_by_page
from agentcli.store.migrations import REGISTER
from agentcli.store.register import create_session, delete_session, rename_session, set_draining
from agentcli.store.sqlite import SqliteStore
from agentcli.store.verification import (
    DELETED_EARLIER,
    LOST,
    NO_NAME,
    NOT_DELETED,
    UNREADABLE,
    UNREGISTERED,
    KeptHead,
    Report,
    verify_record,
)
from tests.store.samples import NOW, OPENED, later, write
from tests.store.tampering import change_entry, tamper

SESSIONS: Final = 3


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agentcli.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store with three sessions of four entries each."""
    with SqliteStore.open(path) as store:
        for number in range(SESSIONS):
            with store.transaction() as transaction:
                create_session(transaction, OPENED, later(number))
        for session in ids(store):
            write(store, session, 1, 2, 3)
        yield store


def ids(store: SqliteStore) -> list[str]:
    return [session for session in store.sessions() if session != REGISTER]


def delete(store: SqliteStore, session: str) -> None:
    with store.transaction() as transaction:
        delete_session(transaction, session, "ana", NOW)


def found(report: Report) -> list[tuple[str, str]]:
    return [(one.session, one.damage) for one in report.findings]


def test_a_record_that_nobody_touched_is_whole(store: SqliteStore) -> None:
    """Its heads are what to keep elsewhere: of every session, and of the register."""
    report = verify_record(store)
    assert (report.whole, report.entries, report.unlisted) == (True, SESSIONS * 4 + SESSIONS, 0)
    for kept in report.heads:
        assert store.head(kept.session) == kept.head
    assert [kept.session for kept in report.heads] == store.sessions()


def test_an_empty_record_is_whole() -> None:
    """There is nothing to be wrong."""
    with SqliteStore.in_memory() as store:
        assert verify_record(store) == Report((), (), 0)


def test_what_is_done_by_agentcli_is_no_damage(store: SqliteStore) -> None:
    """A record that has only grown passes against heads that were kept before, deletions included."""
    kept = verify_record(store).heads
    first, second, _ = ids(store)
    write(store, second, 4, 5)
    delete(store, first)
    with store.transaction() as transaction:
        rename_session(transaction, second, "Tea", "ana", NOW)
        set_draining(transaction, True, "ana", NOW)
        create_session(transaction, OPENED, later(9))
    assert verify_record(store, kept).whole


def test_a_deletion_leaves_what_can_be_verified(store: SqliteStore) -> None:
    """The session is gone, and the register says with how many entries and which head."""
    session = ids(store)[0]
    kept = verify_record(store).heads
    delete(store, session)
    assert verify_record(store, kept).whole
    assert session not in {head.session for head in verify_record(store).heads}


def remove_a_session(path: Path, session: str) -> None:
    tamper(path, "DELETE FROM journal WHERE session = ?", (session,))


def remove_it_from_the_register_too(path: Path, session: str) -> None:
    remove_a_session(path, session)
    tamper(path, "DELETE FROM journal WHERE session = ? AND instr(body, ?)", (REGISTER, session))


def change_an_entry(path: Path, session: str) -> None:
    change_entry(path, session, 3)


def cut_the_end(path: Path, session: str) -> None:
    tamper(path, "DELETE FROM journal WHERE session = ? AND seq > 2", (session,))


def make_an_entry_of_another_type(path: Path, session: str) -> None:
    tamper(path, "UPDATE journal SET body = 7 WHERE session = ? AND seq = 2", (session,))


def put_bytes_for_text(path: Path, session: str) -> None:
    tamper(path, "UPDATE journal SET kind = CAST(x'ff' AS TEXT) WHERE session = ? AND seq = 2", (session,))


def put_bytes_into_its_name(path: Path, session: str) -> None:
    name = b"\xff" + session.encode()[1:]
    tamper(
        path,
        "UPDATE journal SET session = CAST(? AS TEXT) WHERE session = ? AND seq = 4",
        (name, session),
    )


def make_its_name_a_blob(path: Path, session: str) -> None:
    tamper(path, "UPDATE journal SET session = CAST(session AS BLOB) WHERE session = ? AND seq = 2", (session,))


def put_an_entry_before_the_first(path: Path, session: str) -> None:
    tamper(
        path,
        "INSERT INTO journal SELECT session, 0, at, kind, body, hash FROM journal WHERE session = ? AND seq = 3",
        (session,),
    )


def copy_a_session(path: Path, session: str) -> None:
    tamper(
        path,
        "INSERT INTO journal SELECT 'copy', seq, at, kind, body, hash FROM journal WHERE session = ?",
        (session,),
    )


@pytest.mark.parametrize(
    ("damage", "whose", "what"),
    [
        (remove_a_session, "its own", LOST),
        (remove_it_from_the_register_too, REGISTER, Damage.REMOVED),
        (remove_it_from_the_register_too, REGISTER, "session number 2 is missing from the register"),
        (change_an_entry, "its own", Damage.CHANGED),
        (make_an_entry_of_another_type, "its own", Damage.CHANGED),
        (put_bytes_for_text, "its own", Damage.CHANGED),
        (put_bytes_into_its_name, "\ufffd", NO_NAME),
        (make_its_name_a_blob, "its own", NO_NAME),
        (make_its_name_a_blob, "its own", Damage.REMOVED),
        (put_an_entry_before_the_first, "its own", Damage.INSERTED),
        (copy_a_session, "copy", UNREGISTERED),
        (copy_a_session, "copy", Damage.CHANGED),
    ],
)
def test_damage_is_found_where_it_is(
    damage: Callable[[Path, str], None], whose: str, what: str, store: SqliteStore, path: Path
) -> None:
    """Which session, and what was done to it."""
    session = ids(store)[1]
    damage(path, session)
    report = verify_record(store)
    name = {"its own": session, "\ufffd": "\ufffd" + session[1:]}.get(whose, whose)
    assert (name, what) in found(report)
    assert {one.session for one in report.findings} <= {session, REGISTER, name}


@pytest.mark.parametrize("damage", [put_bytes_into_its_name, make_its_name_a_blob])
def test_nothing_goes_on_with_names_that_are_none(
    damage: Callable[[Path, str], None], store: SqliteStore, path: Path
) -> None:
    """What lists the sessions says that the store is damaged, and how to look at it."""
    damage(path, ids(store)[0])
    with pytest.raises(StoreFailure, match="see `agentcli audit verify`") as caught:
        store.sessions()
    assert caught.value.fault is StoreFault.CORRUPT


def test_the_head_of_a_broken_chain_is_not_kept(store: SqliteStore, path: Path) -> None:
    """Else the next verification would take the forgery for the truth."""
    session = ids(store)[1]
    change_an_entry(path, session)
    assert session not in {head.session for head in verify_record(store).heads}


@pytest.mark.parametrize("damage", [cut_the_end, remove_a_session])
def test_one_session_can_be_looked_at_alone(
    damage: Callable[[Path, str], None], store: SqliteStore, path: Path
) -> None:
    """What is wrong with the others is not told, what is wrong with it is."""
    kept = verify_record(store).heads
    first, second, _ = ids(store)
    damage(path, second)
    assert found(verify_record(store, kept, only=first)) == []
    assert [one.session for one in verify_record(store, kept, only=first).heads] == [first]
    assert {session for session, _ in found(verify_record(store, kept, only=second))} == {second}


def test_a_cut_tail_is_found_against_a_kept_head_alone(store: SqliteStore, path: Path) -> None:
    """By itself a chain that was cut looks whole."""
    kept = verify_record(store).heads
    session = ids(store)[1]
    cut_the_end(path, session)
    assert verify_record(store).whole
    assert found(verify_record(store, kept)) == [(session, Damage.CUT)]


def test_the_newest_session_that_is_gone_from_everywhere_is_found_against_a_kept_head(
    store: SqliteStore, path: Path
) -> None:
    """Nothing in the file says any more that there was one."""
    kept = verify_record(store).heads
    session = ids(store)[-1]
    remove_it_from_the_register_too(path, session)
    assert verify_record(store).whole
    assert sorted(found(verify_record(store, kept))) == sorted([(REGISTER, Damage.CUT), (session, LOST)])


def test_yesterdays_file_is_found_against_todays_heads(tmp_path: Path) -> None:
    """Who puts back an older copy is found out by heads kept elsewhere."""
    path, copy = tmp_path / "agentcli.db", tmp_path / "copy.db"
    with SqliteStore.open(path) as store, store.transaction() as transaction:
        session = create_session(transaction, OPENED, NOW)
    copy.write_bytes(path.read_bytes())
    with SqliteStore.open(path) as store:
        write(store, session, 1)
        kept = verify_record(store).heads
    with SqliteStore.open(copy) as older:
        assert verify_record(older).whole
        assert found(verify_record(older, kept)) == [(session, Damage.CUT)]


def test_a_deleted_session_that_is_back_is_found(store: SqliteStore, path: Path) -> None:
    """The register says that it went."""
    session = ids(store)[0]
    tamper(path, "CREATE TABLE kept AS SELECT * FROM journal WHERE session = ?", (session,))
    delete(store, session)
    tamper(path, "INSERT INTO journal SELECT * FROM kept")
    assert found(verify_record(store)) == [(session, NOT_DELETED)]


@pytest.mark.parametrize(
    ("entries", "digest", "is_fine"),
    [(4, "own", True), (3, "any", True), (5, "own", False), (4, "any", False)],
    ids=["the head it was deleted with", "an earlier one", "a later one", "another one"],
)
def test_a_tombstone_is_compared_with_the_head_that_was_kept(
    entries: int, digest: str, is_fine: bool, store: SqliteStore
) -> None:
    """A session may have grown before it was deleted, not shrunk or changed."""
    session = ids(store)[0]
    own = next(head for head in verify_record(store).heads if head.session == session)
    delete(store, session)
    kept = KeptHead(session, entries, own.at, own.hash if digest == "own" else "00" * 32)
    assert found(verify_record(store, [kept])) == ([] if is_fine else [(session, DELETED_EARLIER)])


def test_entries_of_the_register_that_cannot_be_read_are_told(store: SqliteStore, path: Path) -> None:
    """The rest of it counts all the same."""
    tamper(path, "UPDATE journal SET kind = 'nonsense' WHERE session = ? AND seq = 1", (REGISTER,))
    first = ids(store)[0]
    assert found(verify_record(store)) == [
        (REGISTER, Damage.CHANGED),
        (REGISTER, UNREADABLE),
        (REGISTER, "session number 1 is missing from the register"),
        (first, UNREGISTERED),
    ]


def test_many_missing_numbers_are_told_as_one(store: SqliteStore, path: Path) -> None:
    """However far a forged entry jumps."""
    body = encode_entry(Created(10**9, "zzzzzzzz", "expenses", "ana"))
    before = store.head(REGISTER)
    assert before is not None
    forged = link(before.hash, REGISTER, before.seq + 1, "created", before.at, body)
    tamper(
        path,
        "INSERT INTO journal VALUES (?, ?, ?, 'created', ?, ?)",
        (REGISTER, before.seq + 1, before.at, body, forged),
    )
    assert found(verify_record(store)) == [
        (REGISTER, "session numbers 4 to 999999999 are missing from the register"),
        ("zzzzzzzz", LOST),
    ]


@pytest.mark.parametrize("last", [3, 2, None, bytearray(b"x"), 2.5], ids=repr)
def test_entries_that_are_found_again_and_again_come_to_an_end(store: SqliteStore, last: Any) -> None:
    """A damaged index, or a number that is none, does not keep verification busy for ever."""
    rows = list(store.rows(ids(store)[0]))[:3]
    rows[-1] = (rows[-1][0], last, *rows[-1][2:])
    read = list(islice(page_by_page(lambda behind: rows), 100))
    assert len(read) < 100
    assert not verify(read).whole


def test_damaged_tables_are_a_failure_that_can_be_told(store: SqliteStore, path: Path) -> None:
    """Also where SQLite quotes what is no text."""
    store.close()
    path.write_bytes(path.read_bytes().replace(b"BEFORE UPDATE ON journal", b"BEFORE UPDATE \xecN journal"))
    with pytest.raises(StoreFailure, match="the tables are damaged") as caught:
        SqliteStore.open(path)
    assert caught.value.fault is StoreFault.CORRUPT


def test_a_gap_is_not_read_over(store: SqliteStore, path: Path) -> None:
    """Nothing goes on from a journal of which an entry is missing."""
    session = ids(store)[0]
    tamper(path, "DELETE FROM journal WHERE session = ? AND seq = 2", (session,))
    with pytest.raises(
        StoreFailure, match=f"entry 2 of '{session}' is missing; see `agentcli audit verify`"
    ) as caught:
        list(store.records(session))
    assert caught.value.fault is StoreFault.CORRUPT


def test_what_others_write_meanwhile_is_no_damage(store: SqliteStore, path: Path) -> None:
    """Everything is looked at as it stood at one moment."""
    with SqliteStore.open(path) as other, store.at_one_moment():
        session = ids(store)[0]
        delete(other, session)
        assert len(list(store.rows(session))) == 4


def test_memory_does_not_grow_with_the_record(tmp_path: Path) -> None:
    """Ten times as many entries are verified in the same memory."""
    peaks = []
    for entries in (500, 5_000):
        with SqliteStore.open(tmp_path / f"{entries}.db") as store:
            with store.transaction() as transaction:
                session = create_session(transaction, OPENED, NOW)
            write(store, session, *range(1, entries))
            tracemalloc.start()
            assert verify_record(store).whole
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_a_chain_of_a_session_of_no_entries_has_no_head(store: SqliteStore) -> None:
    """A name that nobody has used is no finding."""
    assert verify_record(store, only="nobody") == Report((), (), 0)

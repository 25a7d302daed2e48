"""What every store promises, as rules that are run against each implementation."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

import msgspec
import pytest

from agentcli.session.entries import Finished, Said
from agentcli.session.ports import Store
from agentcli.tools.tool import Tables
from tests.store.samples import NOW, OPENED, note, said, words, write

Rule = Callable[[Store], None]


class Broken(Exception):
    """Leaves a block."""


def break_off() -> None:
    """Leave a block."""
    raise Broken


def entries_come_back_as_they_were_written(store: Store) -> None:
    """What was appended is read back equal: entry, number, time and hash."""
    finished = Finished(
        *("toolu_1", "tool", "ok"), msgspec.Raw('{"text": "süß \\u0000"}'.encode()), is_error=False, digest="d"
    )
    with store.transaction() as transaction:
        written = [transaction.append("s", entry, NOW) for entry in (OPENED, said(1), finished)]
    assert list(store.records("s")) == written
    assert [record.seq for record in written] == [1, 2, 3]


def sessions_are_numbered_on_their_own(store: Store) -> None:
    """Each session counts its entries from 1, however they are mixed."""
    with store.transaction() as transaction:
        numbers = [transaction.append(session, said(1), NOW).seq for session in "abaab"]
    assert numbers == [1, 1, 2, 3, 2]


def numbers_go_on_in_the_next_transaction(store: Store) -> None:
    """A later transaction goes on where the last one ended."""
    write(store, "s", 1, 2)
    with store.transaction() as transaction:
        assert transaction.append("s", said(3), NOW).seq == 3


def records_begin_behind_the_entry_named(store: Store) -> None:
    """`after` leaves out what is known already."""
    write(store, "s", 1, 2, 3)
    assert [[record.seq for record in store.records("s", after=after)] for after in range(4)] == [
        [1, 2, 3], [2, 3], [3], [],
    ]  # fmt: skip


def a_session_nobody_wrote_to_is_empty(store: Store) -> None:
    """Reading what is not there gives nothing, not an error."""
    assert list(store.records("nobody")) == []


def times_are_kept_to_the_microsecond_in_utc(store: Store) -> None:
    """A time comes back as the same instant, whatever its zone was."""
    at = datetime(2026, 11, 2, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=-8)))
    with store.transaction() as transaction:
        transaction.append("s", said(1), at)
    (record,) = store.records("s")
    assert record.at == at
    assert record.at.tzinfo is UTC


def a_transaction_sees_what_it_wrote(store: Store) -> None:
    """Within a transaction its own entries can be read, behind those of before."""
    write(store, "s", 1)
    with store.transaction() as transaction:
        transaction.append("s", said(2), NOW)
        assert [record.seq for record in transaction.records("s")] == [1, 2]
        assert [record.seq for record in transaction.records("s", after=1)] == [2]


def an_exception_undoes_the_whole_transaction(store: Store) -> None:
    """Entries and effects of a transaction stand together or not at all, and the numbers are used again."""
    write(store, "s", 1)
    with suppress(Broken), store.transaction() as transaction:
        transaction.append("s", said(2), NOW)
        with transaction.attempt() as tables:
            note(tables, "lost")
        raise Broken
    assert words(store, "s") == ["message 1"]
    with store.transaction() as transaction:
        assert transaction.append("s", said(3), NOW).seq == 2
    assert _notes(store) == []


def exceptions_pass_through(store: Store) -> None:
    """Neither a transaction nor an attempt keeps an exception to itself."""
    with pytest.raises(Broken), store.transaction():
        break_off()
    with pytest.raises(Broken), store.transaction() as transaction, transaction.attempt():
        break_off()


def an_effect_commits_with_its_entry(store: Store) -> None:
    """What a tool did in the book stands once its entry does."""
    with store.transaction() as transaction:
        with transaction.attempt() as tables:
            note(tables, "kept")
        transaction.append("s", said(1), NOW)
    assert _notes(store) == ["kept"]


def a_failed_attempt_leaves_the_entries(store: Store) -> None:
    """An exception undoes what was done in the book; the entry about it can still be written."""
    with store.transaction() as transaction:
        transaction.append("s", said(1), NOW)
        with suppress(Broken), transaction.attempt() as tables:
            note(tables, "undone")
            raise Broken
        transaction.append("s", said(2), NOW)
    assert _notes(store) == []
    assert words(store, "s") == ["message 1", "message 2"]


def an_attempt_after_a_failed_one_stands(store: Store) -> None:
    """One call's failure does not touch the effects of others in the same transaction."""
    with store.transaction() as transaction:
        with transaction.attempt() as tables:
            note(tables, "before")
        with suppress(Broken), transaction.attempt() as tables:
            note(tables, "undone")
            raise Broken
        with transaction.attempt() as tables:
            note(tables, "after")
    assert _notes(store) == ["before", "after"]


def an_entry_within_a_failed_attempt_is_undone_too(store: Store) -> None:
    """An entry appended while the tables were lent goes with the attempt, and its number is used again."""
    with store.transaction() as transaction:
        with suppress(Broken), transaction.attempt():
            transaction.append("s", said(1), NOW)
            raise Broken
        assert transaction.append("s", said(2), NOW).seq == 1
    assert words(store, "s") == ["message 2"]


def lent_tables_are_useless_afterwards(store: Store) -> None:
    """A tool that keeps the tables it was lent can do nothing with them later."""
    kept: list[Tables] = []
    with store.transaction() as transaction:
        with transaction.attempt() as tables:
            kept.append(tables)
        with pytest.raises(RuntimeError, match="given back"):
            note(kept[0], "late")


def a_transaction_is_useless_afterwards(store: Store) -> None:
    """Nothing is appended, read or lent through a transaction that is over."""
    with store.transaction() as transaction:
        pass
    with pytest.raises(RuntimeError, match="over"):
        transaction.append("s", said(1), NOW)
    with pytest.raises(RuntimeError, match="over"):
        transaction.records("s")
    with pytest.raises(RuntimeError, match="over"), transaction.attempt():
        pass


def transactions_do_not_nest(store: Store) -> None:
    """A second transaction inside the first is a mistake, and the first goes on."""
    with store.transaction() as transaction:
        with pytest.raises(RuntimeError, match="open already"), store.transaction():
            pass
        transaction.append("s", said(1), NOW)
    assert words(store, "s") == ["message 1"]


def a_half_read_journal_hinders_no_write(store: Store) -> None:
    """Others may write while a journal is being read, and reading goes on behind where it was."""
    write(store, "s", 1, 2)
    reading = store.records("s")
    assert next(reading).seq == 1
    write(store, "s", 3)
    with store.transaction() as transaction:
        transaction.append("s", said(4), NOW)
    assert next(reading).seq == 2


def a_long_journal_is_read_whole(store: Store) -> None:
    """Length makes no difference: every entry once, in order."""
    write(store, "s", *range(1, 2_502))
    assert [record.entry.no for record in store.records("s") if isinstance(record.entry, Said)] == [
        *range(1, 2_502)
    ]


def own_writes_are_no_change(store: Store) -> None:
    """`changed` tells of others only."""
    assert not store.changed()
    write(store, "s", 1)
    assert not store.changed()


def a_time_without_a_zone_is_refused(store: Store) -> None:
    """A time that could mean any instant is not stored."""
    with store.transaction() as transaction, pytest.raises(ValueError, match="time zone"):
        transaction.append("s", said(1), NOW.replace(tzinfo=None))


def _notes(store: Store) -> list[str]:
    with store.transaction() as transaction, transaction.attempt() as tables:
        return [text for (text,) in tables.execute("SELECT text FROM notes ORDER BY id")]


RULES: Final[tuple[Rule, ...]] = (
    entries_come_back_as_they_were_written,
    sessions_are_numbered_on_their_own,
    numbers_go_on_in_the_next_transaction,
    records_begin_behind_the_entry_named,
    a_session_nobody_wrote_to_is_empty,
    times_are_kept_to_the_microsecond_in_utc,
    a_transaction_sees_what_it_wrote,
    an_exception_undoes_the_whole_transaction,
    exceptions_pass_through,
    an_effect_commits_with_its_entry,
    a_failed_attempt_leaves_the_entries,
    an_attempt_after_a_failed_one_stands,
    an_entry_within_a_failed_attempt_is_undone_too,
    lent_tables_are_useless_afterwards,
    a_transaction_is_useless_afterwards,
    transactions_do_not_nest,
    a_half_read_journal_hinders_no_write,
    a_long_journal_is_read_whole,
    own_writes_are_no_change,
    a_time_without_a_zone_is_refused,
)
"""Each takes an empty store whose book has the table `NOTES`."""

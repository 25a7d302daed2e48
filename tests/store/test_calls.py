"""A call is found by its id, or the beginning of it, in whatever session it occurs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from agentcli.session.codec import KINDS, encode_entry
from agentcli.session.entries import Entry, Finished, Overdue, Proposed, Said, Suspended
from agentcli.store.register import Ambiguous, NoSuch, resolve_call
from agentcli.store.sqlite import SqliteStore
from tests.store.samples import NOW
from tests.store.tampering import tamper

LONGEST: Final = "z" * 64


def proposed(call_id: str) -> Proposed:
    """A call."""
    return Proposed(call_id, "add_expense", "{}", "ana")


ENTRIES: Final[tuple[tuple[str, Entry], ...]] = (
    ("a", proposed("toolu_01A")),
    ("a", Finished("toolu_01A", "tool", "ok", msgspec.Raw(b"{}"), is_error=False, digest="d")),
    ("a", Suspended("toolu_01B", "Which day?", msgspec.Raw(b"{}"))),
    ("b", proposed("toolu_01")),
    ("b", proposed("call_1")),
    ("c", proposed("call_1")),
    ("c", proposed(LONGEST)),
    ("c", Said(1, '{"call_id":"toolu_9"}', "ana", "terminal")),
)


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    """A store with calls in three sessions."""
    with SqliteStore.in_memory() as store, store.transaction() as transaction:
        for session, entry in ENTRIES:
            transaction.append(session, entry, NOW)
        yield store


@pytest.mark.parametrize(
    ("prefix", "session", "place"),
    [
        ("toolu_01A", None, ("a", "toolu_01A")),
        ("toolu_01B", None, ("a", "toolu_01B")),
        ("toolu_01", None, ("b", "toolu_01")),
        ("toolu_01", "b", ("b", "toolu_01")),
        ("z", None, ("c", LONGEST)),
        (LONGEST, None, ("c", LONGEST)),
        ("call_1", "b", ("b", "call_1")),
        ("c", "c", ("c", "call_1")),
    ],
)
def test_call_may_be_named_by_any_unique_prefix(
    store: SqliteStore, prefix: str, session: str | None, place: tuple[str, str]
) -> None:
    """As many letters as tell it from other calls are enough; a whole id is meant as it stands."""
    assert resolve_call(store, prefix, session) == place


@pytest.mark.parametrize(
    ("prefix", "session", "candidates"),
    [
        ("toolu", None, ("toolu_01", "toolu_01A", "toolu_01B")),
        ("toolu_01", "a", ("toolu_01A", "toolu_01B")),
        ("call_1", None, ("call_1 in b", "call_1 in c")),
        ("ca", None, ("call_1 in b", "call_1 in c")),
    ],
)
def test_several_calls_are_an_error_with_the_list(
    store: SqliteStore, prefix: str, session: str | None, candidates: tuple[str, ...]
) -> None:
    """Where several calls or several sessions could be meant, they are listed and none is taken."""
    with pytest.raises(Ambiguous, match="could be any of these") as caught:
        resolve_call(store, prefix, session)
    assert caught.value.candidates == candidates


def test_a_call_is_found_beside_an_entry_whose_session_is_no_name(tmp_path: Path) -> None:
    """A damaged file still tells the stories that are whole."""
    path = tmp_path / "agentcli.db"
    with SqliteStore.open(path) as store, store.transaction() as transaction:
        for session, entry in ENTRIES:
            transaction.append(session, entry, NOW)
    tamper(path, "UPDATE journal SET session = CAST(session AS BLOB) WHERE session = 'b'")
    with SqliteStore.open(path) as store:
        assert resolve_call(store, "call_1") == ("c", "call_1")


def test_of_very_many_calls_the_first_are_listed() -> None:
    """An error stays one that can be read."""
    names = [f"call_{number:05}" for number in range(2_000)]
    assert str(Ambiguous("call", "c", names)).endswith(f"{names[10]}, {names[11]}, and 1,988 more")
    assert str(Ambiguous("call", "c", names[:12])).endswith(f"{names[10]}, {names[11]}")


@pytest.mark.parametrize(
    ("prefix", "session"),
    [
        ("toolu_02", None), ("toolu_01A", "b"), ("toolu_01a", None), ("toolu_9", None), ("", None), ("%", None),
        ('toolu_01A","tool', None), (LONGEST + "z", None), ("é", None),
    ],
)  # fmt: skip
def test_call_that_is_nowhere_is_an_error(store: SqliteStore, prefix: str, session: str | None) -> None:
    """Words of a person that look like a call are none, and nothing stands for any letter."""
    with pytest.raises(NoSuch, match="no call"):
        resolve_call(store, prefix, session)


def test_only_ids_count_not_what_stands_behind_them(store: SqliteStore) -> None:
    """A prefix that goes on into the rest of an entry is the beginning of no id."""
    assert store.calls("toolu_01A") == [("a", "toolu_01A")]
    assert store.calls('toolu_01A","tool') == []


@pytest.mark.parametrize("kind", [one for one in KINDS.values() if "call_id" in one.__struct_fields__])
def test_entries_of_a_call_begin_with_its_id(kind: type[Entry]) -> None:
    """Calls are found by how the stored entry begins, so the id has to be its first field."""
    assert kind.__struct_fields__[0] == "call_id"
    assert encode_entry(Overdue("toolu_1", 1)).startswith(b'{"call_id":"toolu_1"')

"""The chain of hashes: how it is made, and that tampering shows."""

import tracemalloc
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.store.chain import GENESIS, MOST_LISTED, Break, Damage, Head, Row, link, verify

LENGTH: Final = 7
EVERY: Final = range(1, LENGTH + 1)
ALL_BUT_LAST: Final = range(1, LENGTH)
ALL_BUT_FIRST: Final = range(2, LENGTH + 1)


def text(value: str) -> bytearray:
    """Text as it is read from a store."""
    return bytearray(value.encode())


def endless() -> Iterator[Row]:
    """A whole chain that never ends; bodies are of many lengths, empty too."""
    before, seq = GENESIS, 0
    while True:
        seq += 1
        at, body = f"2026-11-02T09:30:{seq % 60:02}.000000Z", b"ab" * ((seq - 1) % 50)
        before = link(before, "s", seq, "said", at, body)
        yield (text("s"), seq, text(at), text("said"), body, before)


CHAIN: Final = tuple(islice(endless(), LENGTH))
HEAD: Final = Head(LENGTH, CHAIN[-1][2].decode(), CHAIN[-1][5])


def breaks(rows: list[Row], kept: Head | None = None) -> list[tuple[Damage, int, int]]:
    """What verification says of the rows."""
    return [(one.damage, one.first, one.last) for one in verify(rows, kept=kept).breaks]


def renumbered(rows: list[Row]) -> list[Row]:
    """The rows with numbers without a gap, as a forger would give them."""
    return [(row[0], seq, *row[2:]) for seq, row in enumerate(rows, 1)]


def with_field(row: Row, position: int, value: Any) -> Row:
    """The row with another value at a position."""
    changed: list[Any] = list(row)
    changed[position] = value
    session, seq, at, kind, body, own = changed
    return (session, seq, at, kind, body, own)


def forged_link(before: bytes, row: Row) -> bytes:
    """The hash of an entry with a forged body in the place of the row."""
    session, seq, at, kind, *_ = row
    return link(before, session.decode(), seq, kind.decode(), at.decode(), b"forged")


def test_hash_can_be_made_by_anybody() -> None:
    """A hash is SHA-256 over netstrings of tag, hash before, session, seq, kind, time and body."""
    fields = [b"agentcli journal 1", b"\x01" * 32, "sü".encode(), b"12", b"said", b"2026-11-02T09:30:15Z", b"{}"]
    netstrings = b"".join(str(len(field)).encode() + b":" + field + b"," for field in fields)
    made = link(b"\x01" * 32, "sü", 12, "said", "2026-11-02T09:30:15Z", b"{}")
    assert made == sha256(netstrings).digest()


@given(
    st.lists(
        st.tuples(st.text(max_size=3), st.integers(0, 20), st.text(max_size=3)),
        min_size=2,
        max_size=2,
        unique=True,
    )
)
def test_fields_never_run_into_each_other(two: list[tuple[str, int, str]]) -> None:
    """Two entries that differ have different hashes, wherever the border between their fields lies."""
    one, other = (link(GENESIS, session, seq, kind, "", b"") for session, seq, kind in two)
    assert one != other


@pytest.mark.parametrize("length", [0, 1, 2, LENGTH])
def test_whole_chain_passes_and_names_its_head(length: int) -> None:
    """Nothing is said of a chain that nobody touched."""
    found = verify(CHAIN[:length])
    assert found.whole
    assert found.head == (Head(length, CHAIN[length - 1][2].decode(), CHAIN[length - 1][5]) if length else None)


FORGERIES: Final[dict[str, Callable[[Row], Row]]] = {
    "session": lambda row: with_field(row, 0, text("t")),
    "time": lambda row: with_field(row, 2, text("2026-11-02T09:30:59.000001Z")),
    "kind": lambda row: with_field(row, 3, text("unsaid")),
    "body": lambda row: with_field(row, 4, row[4] + b" "),
    "hash": lambda row: with_field(row, 5, bytes(32)),
    "session as bytes": lambda row: with_field(row, 0, bytes(row[0])),
    "time as bytes": lambda row: with_field(row, 2, bytes(row[2])),
    "kind as bytes": lambda row: with_field(row, 3, bytes(row[3])),
    "body as text": lambda row: with_field(row, 4, bytearray(row[4])),
    "no body": lambda row: with_field(row, 4, None),
    "hash as text": lambda row: with_field(row, 5, bytearray(row[5])),
    "hash in letters": lambda row: with_field(row, 5, text(row[5].hex())),
    "no hash": lambda row: with_field(row, 5, None),
    "number for a time": lambda row: with_field(row, 2, 5),
    "time that is not UTF-8": lambda row: with_field(row, 2, row[2] + b"\xff"),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
@pytest.mark.parametrize("place", EVERY)
def test_changed_field_is_found_where_it_is(place: int, forge: Callable[[Row], Row]) -> None:
    """Each field of each entry counts, and only the changed entry is blamed."""
    rows = list(CHAIN)
    rows[place - 1] = forge(rows[place - 1])
    assert breaks(rows) == [(Damage.CHANGED, place, place)]


@pytest.mark.parametrize("place", EVERY)
def test_an_entry_of_which_nothing_is_left_is_found(place: int) -> None:
    """With neither body nor hash the next entry can't be told to follow it, the others can."""
    rows = list(CHAIN)
    rows[place - 1] = with_field(with_field(rows[place - 1], 4, None), 5, None)
    assert breaks(rows) == [(Damage.CHANGED, at, at) for at in (place, place + 1) if at <= LENGTH]


@pytest.mark.parametrize("place", ALL_BUT_LAST)
def test_change_with_a_fitting_hash_shows_at_the_next_entry(place: int) -> None:
    """Who changes an entry and its hash is found out by the entry after it."""
    rows = list(CHAIN)
    session, seq, at, kind, _, _ = rows[place - 1]
    before = rows[place - 2][5] if place > 1 else GENESIS
    rows[place - 1] = (session, seq, at, kind, b"forged", forged_link(before, rows[place - 1]))
    assert breaks(rows) == [(Damage.CHANGED, place + 1, place + 1)]


def test_change_of_the_last_entry_with_a_fitting_hash_shows_against_a_kept_head() -> None:
    """At the end of a chain only a hash kept elsewhere can tell."""
    session, seq, at, kind, _, _ = CHAIN[-1]
    forged = forged_link(CHAIN[-2][5], CHAIN[-1])
    rows = [*CHAIN[:-1], (session, seq, at, kind, b"forged", forged)]
    assert breaks(rows) == []
    assert breaks(rows, HEAD) == [(Damage.REWRITTEN, LENGTH, LENGTH)]


@pytest.mark.parametrize("place", ALL_BUT_LAST)
def test_removed_entry_is_found(place: int) -> None:
    """A gap in the numbers is an entry that is gone."""
    rows = [row for row in CHAIN if row[1] != place]
    assert breaks(rows) == [(Damage.REMOVED, place, place)]


def test_several_removed_entries_are_one_gap() -> None:
    """The gap is told from its first number to its last."""
    assert breaks([CHAIN[0], *CHAIN[4:]]) == [(Damage.REMOVED, 2, 4)]


@pytest.mark.parametrize("place", range(1, LENGTH - 1))
def test_removed_entry_is_found_though_the_rest_was_renumbered(place: int) -> None:
    """Closing the gap does not hide it."""
    rows = renumbered([row for row in CHAIN if row[1] != place])
    assert breaks(rows) == [(Damage.REMOVED, place, place)]


@pytest.mark.parametrize("place", ALL_BUT_LAST)
def test_entry_swapped_with_the_next_is_found(place: int) -> None:
    """Order counts."""
    rows = list(CHAIN)
    rows[place - 1 : place + 1] = rows[place], rows[place - 1]
    assert breaks(renumbered(rows)) == [(Damage.REORDERED, place, place + 1)]


@pytest.mark.parametrize("place", ALL_BUT_FIRST)
def test_forged_entry_in_between_is_found(place: int) -> None:
    """An entry that was never written is found, whether its hash fits or not, and the rest is not blamed."""
    before = CHAIN[place - 2]
    row = (before[0], place, before[2], before[3], b"forged", b"")
    fitting = with_field(row, 5, forged_link(before[5], row))
    for forged in (fitting, with_field(fitting, 5, bytes(32))):
        rows = renumbered([*CHAIN[: place - 1], forged, *CHAIN[place - 1 :]])
        assert breaks(rows) == [(Damage.INSERTED, place, place)]


@pytest.mark.parametrize("place", EVERY)
@pytest.mark.parametrize("copied", EVERY)
def test_entry_inserted_again_is_found(copied: int, place: int) -> None:
    """A copy of an entry anywhere behind another one does not pass for one."""
    rows = renumbered([*CHAIN[:place], CHAIN[copied - 1], *CHAIN[place:]])
    assert not verify(rows).whole


@pytest.mark.parametrize("place", EVERY)
def test_entry_repeated_under_its_own_number_is_found(place: int) -> None:
    """Where a number comes twice, the second is one too many."""
    rows = [*CHAIN[:place], CHAIN[place - 1], *CHAIN[place:]]
    assert breaks(rows) == [(Damage.INSERTED, place, place)]


@pytest.mark.parametrize("number", [0, -1, -(2**63)])
def test_an_entry_before_the_first_is_found(number: int) -> None:
    """Whoever looks for the newest entry of a kind would find it."""
    rows = [with_field(CHAIN[0], 1, number), *CHAIN]
    assert breaks(rows) == [(Damage.INSERTED, number, number)]


def test_number_that_is_none_is_found() -> None:
    """An entry whose number is text is a changed one."""
    rows = [*CHAIN[:-1], with_field(CHAIN[-1], 1, text("seven"))]
    assert breaks(rows) == [(Damage.CHANGED, LENGTH, LENGTH)]


@pytest.mark.parametrize("length", range(LENGTH))
def test_cut_tail_shows_against_a_kept_head(length: int) -> None:
    """A chain that was cut looks whole, and is shorter than the head that was kept."""
    assert breaks(list(CHAIN[:length])) == []
    assert breaks(list(CHAIN[:length]), HEAD) == [(Damage.CUT, length + 1, LENGTH)]


@pytest.mark.parametrize("length", EVERY)
def test_chain_that_has_only_grown_passes(length: int) -> None:
    """A head kept earlier is still in the chain."""
    assert breaks(list(CHAIN), Head(length, "", CHAIN[length - 1][5])) == []


@given(st.data())
def test_any_changed_byte_of_a_body_is_found(data: st.DataObject) -> None:
    """There is no byte that does not count."""
    place = data.draw(st.integers(2, LENGTH))
    body = bytearray(CHAIN[place - 1][4])
    body[data.draw(st.integers(0, len(body) - 1))] ^= data.draw(st.integers(1, 255))
    rows = list(CHAIN)
    rows[place - 1] = with_field(rows[place - 1], 4, bytes(body))
    assert breaks(rows) == [(Damage.CHANGED, place, place)]


@given(st.permutations(CHAIN))
def test_any_other_order_is_found(rows: list[Row]) -> None:
    """Only the order in which entries were written passes."""
    assert verify(renumbered(rows)).whole == (tuple(rows) == CHAIN)


def test_many_breaks_are_counted_and_the_first_are_listed() -> None:
    """A chain that is broken everywhere does not fill the memory with findings."""
    rows = [with_field(row, 0, text("another")) for row in islice(endless(), MOST_LISTED + 5)]
    found = verify(rows)
    assert (len(found.breaks), found.unlisted) == (MOST_LISTED, 5)
    assert found.breaks[-1] == Break(Damage.CHANGED, MOST_LISTED, MOST_LISTED)


def test_memory_does_not_grow_with_the_chain() -> None:
    """Ten times as many entries are verified in the same memory."""
    tracemalloc.start()
    try:
        peaks = []
        for length in (300, 3_000):
            tracemalloc.reset_peak()
            assert verify(islice(endless(), length)).whole
            peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
    assert peaks[1] < 3 * peaks[0]

"""Whatever is done to any one of a thousand entries is found."""

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

import pytest

from agentcli.session.codec import encode_entry
from agentcli.session.entries import Entry
from agentcli.store.chain import GENESIS, Head, Row, link, verify
from agentcli.store.journals import time_text
from tests.session import telling as t
from tests.store.test_chain import text

ENTRIES: Final = 1_000
SESSION: Final = "08j3bqvy"


def story() -> Iterator[Entry]:
    """A session without end: words, a reply, a question, its answer, its result."""
    yield from (t.opened(), t.attached())
    number = 0
    while True:
        number += 1
        call_id = f"c{number}"
        yield from (t.said(number, f"add {number} for tea"), t.replied(t.use(call_id, "note", amount=number)))
        yield from (t.decided(call_id), t.asked(call_id), t.answered(2, call_id=call_id), t.finished(call_id))


def chained() -> Iterator[Row]:
    before = GENESIS
    for seq, entry in enumerate(story(), 1):
        at, body = time_text(t.at(seq)), encode_entry(entry)
        before = link(before, SESSION, seq, entry.kind, at, body)
        yield (text(SESSION), seq, text(at), text(entry.kind), body, before)


CHAIN: Final = tuple(islice(chained(), ENTRIES))
HEAD: Final = Head(ENTRIES, CHAIN[-1][2].decode(), CHAIN[-1][5])


def renumbered(rows: list[Row]) -> list[Row]:
    """The rows numbered without a gap, as somebody would who wants it to look well."""
    return [(row[0], seq, *row[2:]) for seq, row in enumerate(rows, 1)]


def with_field(row: Row, position: int, value: Any) -> Row:
    changed: list[Any] = list(row)
    changed[position] = value
    session, seq, at, kind, body, own = changed
    return (session, seq, at, kind, body, own)


def number_of(row: Row) -> int:
    return row[1]


def deleted(place: int) -> list[Row]:
    return [*CHAIN[: place - 1], *CHAIN[place:]]


def deleted_and_renumbered(place: int) -> list[Row]:
    return renumbered(deleted(place))


def swapped_with_the_next(place: int) -> list[Row]:
    other = place if place < ENTRIES else 0
    rows = list(CHAIN)
    rows[place - 1], rows[other] = rows[other], rows[place - 1]
    return renumbered(rows)


def inserted_again(place: int) -> list[Row]:
    return renumbered([*CHAIN[:place], CHAIN[place - 1], *CHAIN[place:]])


def cut_there(place: int) -> list[Row]:
    return list(CHAIN[: place - 1])


def changed(position: int, value: Any) -> Callable[[int], list[Row]]:
    def forge(place: int) -> list[Row]:
        rows = list(CHAIN)
        rows[place - 1] = with_field(rows[place - 1], position, value)
        return sorted(rows, key=number_of)

    return forge


def one_byte_changed(place: int) -> list[Row]:
    """One byte of one of the fields, drawn at random, becomes another one."""
    dice = random.Random(place)
    row = CHAIN[place - 1]
    position = dice.choice((0, 2, 3, 4, 5))
    field = row[position]
    stored = bytearray(field)
    stored[dice.randrange(len(stored))] ^= dice.randrange(1, 256)
    value = type(field)(stored)
    return changed(position, value)(place)


DAMAGES: Final[dict[str, Callable[[int], list[Row]]]] = {
    "deleted": deleted,
    "deleted and renumbered": deleted_and_renumbered,
    "swapped with the next": swapped_with_the_next,
    "inserted again": inserted_again,
    "cut there": cut_there,
    "another session": changed(0, text("08j3bqvz")),
    "another number": changed(1, ENTRIES + 7),
    "another time": changed(2, text("2026-11-02T09:00:00.000000Z")),
    "another kind": changed(3, text("unsaid")),
    "another body": changed(4, b"{}"),
    "another hash": changed(5, bytes(32)),
    "one byte changed": one_byte_changed,
}


def test_the_chain_is_whole() -> None:
    """What is damaged below is without fault before."""
    assert verify(CHAIN, kept=HEAD).whole


def is_found(damage: str, place: int) -> bool:
    """Only a cut, and what is done to the very end, need a head that was kept elsewhere."""
    at_the_end = damage == "cut there" or place == ENTRIES
    return not verify(DAMAGES[damage](place), kept=HEAD if at_the_end else None).whole


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_to_any_entry_is_found(damage: str) -> None:
    """At every place."""
    assert [place for place in range(1, ENTRIES + 1) if not is_found(damage, place)] == []


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("place", [1, 2, 500, ENTRIES - 1, ENTRIES])
def test_damage_at_the_ends_and_in_the_middle_is_found(damage: str, place: int) -> None:
    """The same at a few places, which is quick."""
    assert is_found(damage, place)

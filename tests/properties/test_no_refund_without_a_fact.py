"""Nothing that a model says gets money to a customer whose identity no real result has shown."""

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from agentcli.tools.tool import Tool
from tests.properties.adversary import Adversary
from tests.properties.desk import Desk, Ledger

SESSIONS_A_STORE = 40
Change = Callable[[dict[str, Tool]], dict[str, Tool]]


def as_shipped(tools: dict[str, Tool]) -> dict[str, Tool]:
    return tools


def without_prerequisite(tools: dict[str, Tool]) -> dict[str, Tool]:
    return tools | {"process_refund": replace(tools["process_refund"], requires=())}


def attacks(seeds: range, change: Change = as_shipped) -> list[tuple[int, Ledger]]:
    """What became of one session for each seed."""

    async def all_of_them() -> list[tuple[int, Ledger]]:
        found: list[tuple[int, Ledger]] = []
        for first in range(seeds.start, seeds.stop, SESSIONS_A_STORE):
            desk = Desk(change)
            for seed in range(first, min(first + SESSIONS_A_STORE, seeds.stop)):
                found.append((seed, await desk.attack(Adversary(Random(seed)))))
            desk.close()
        return found

    return asyncio.run(all_of_them())


def check(found: list[tuple[int, Ledger]]) -> None:
    assert [(seed, ledger.unearned) for seed, ledger in found if ledger.unearned] == []
    tally = Counter(refunded for _, ledger in found for refunded in ledger.refunds)
    # The attack is one: it asks for refunds all the time, and gets those that are earned.
    assert sum(ledger.tried for _, ledger in found) > 2 * len(found)
    assert tally.total() > len(found) // 10


def test_no_words_of_a_model_get_money_to_a_stranger() -> None:
    """A random adversary, hooks that forge results, restarts, and persons who say yes to everything."""
    check(attacks(range(300)))


@pytest.mark.slow
def test_ten_thousand_sequences_get_no_money_to_a_stranger() -> None:
    """The same, ten thousand times."""
    check(attacks(range(1_000, 11_000)))


def test_without_the_prerequisite_the_adversary_gets_through() -> None:
    """It would, so that it does not is the gate's doing."""
    found = attacks(range(100), without_prerequisite)
    assert sum(len(ledger.unearned) for _, ledger in found) > 50

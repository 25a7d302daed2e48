"""A count stands with its noun in the right number."""

import pytest

from agentcli.counted import counted


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 calls"), (1, "1 call"), (2, "2 calls"), (999, "999 calls"), (1_000, "1,000 calls")],
)
def test_one_is_singular_and_all_else_is_plural(count: int, shown: str) -> None:
    """Nothing counts as several, and thousands are set apart."""
    assert counted(count, "call") == shown


@pytest.mark.parametrize(("count", "shown"), [(1, "1 entry"), (2, "2 entries")])
def test_a_plural_of_its_own_is_taken_as_it_is(count: int, shown: str) -> None:
    """Where it is more than an `s` behind the noun."""
    assert counted(count, "entry", "entries") == shown

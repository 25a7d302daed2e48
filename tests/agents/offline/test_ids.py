"""Ids are found as people write them, and nothing else is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.offline.ids import Ids

IDS = Ids({"C": "customer", "B": "book"}, by_number=frozenset("C"))


@pytest.mark.parametrize(
    ("text", "customers", "books"),
    [
        ("C-1", ["C-1"], []),
        ("c-1's", ["C-1"], []),
        ("customer C-1, then C-2.", ["C-1", "C-2"], []),
        ("C-1 and C-1", ["C-1"], []),
        ("customer 12", ["C-12"], []),
        ("customer no. 12", ["C-12"], []),
        ("Customers #12", ["C-12"], []),
        ("book 1984", [], []),
        ("book b-1a", [], ["B-1A"]),
        ("C-1 has B-2", ["C-1"], ["B-2"]),
        ("C-section", [], []),
        ("ABC-1", [], []),
        ("C-1-2", [], []),
        ("C-1_2", [], []),
        ("customer 1.5", [], []),
        ("customer 12th", [], []),
        ("C 1", [], []),
        ("C-١", [], []),
        ("", [], []),
    ],
)
def test_these_ids_are_named(text: str, customers: list[str], books: list[str]) -> None:
    """A letter, a hyphen and a number, or a noun and a number; each once, in capitals."""
    assert (IDS.named("C", text), IDS.named("B", text)) == (customers, books)


@pytest.mark.parametrize(
    ("text", "is_all"),
    [
        ("C-1", True),
        ("C-1 and B-2", True),
        ("customer 1, C-2", True),
        ("C-1 sings", False),
        ("and", False),
        ("", False),
    ],
)
def test_a_text_may_be_nothing_but_ids(text: str, is_all: bool) -> None:
    """What joins them does not count."""
    assert IDS.is_all(text) is is_all


@given(st.text(max_size=40))
def test_what_is_left_names_nothing(text: str) -> None:
    """A text without its ids has none."""
    named = IDS.named("C", text) + IDS.named("B", text)
    assert (IDS.without(text) == text) is (named == [])

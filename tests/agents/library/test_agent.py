"""The library agent as a whole: its sample."""

from typing import Any

import pytest

from agentcli.agents import shipped
from tests.agents.bench import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench(shipped("library"), sample=True)


def test_the_sample_has_three_books_of_which_the_second_is_out(bench: Bench) -> None:
    """B-1 and B-3 are free, B-2 comes back in two weeks."""
    books = bench.run("search_books", query="B-")["books"]
    assert [(book["book_id"], book["on_loan"], book["due"]) for book in books] == [
        ("B-1", False, None),
        ("B-2", True, "2026-12-14"),
        ("B-3", False, None),
    ]


@pytest.mark.parametrize(
    ("member", "fines"), [("M-1", "0.00"), ("M-2", "4.50")], ids=["without fines", "with fines"]
)
def test_the_sample_has_two_members_of_whom_the_second_has_fines(bench: Bench, member: str, fines: str) -> None:
    """M-1 may borrow at once, M-2 has to pay first."""
    found: dict[str, Any] = bench.run("get_member", member_id=member)["member"]
    assert (found["member_id"], found["fines"], found["currency"]) == (member, fines, "USD")


def test_the_sample_has_nothing_else(bench: Bench) -> None:
    """One loan, of the book that is out."""
    counts = {table: len(rows) for table, rows in bench.rows().items()}
    assert counts == {"library_books": 3, "library_members": 2, "library_loans": 1}

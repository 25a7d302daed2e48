"""A loan and a return can be taken back, exactly, unless the book has moved since."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.tools.outcome import Category, ToolFailure, Undoable
from tests.agents.bench import Bench

BORROW = {"book_id": "B-1", "member_id": "M-1"}
RETURN = {"book_id": "B-2"}

Write = tuple[str, dict[str, str]]
books = st.sampled_from(["B-1", "B-2", "B-3"])
writes: st.SearchStrategy[Write] = st.one_of(
    books.map(lambda book: ("borrow_book", {"book_id": book, "member_id": "M-1"})),
    books.map(lambda book: ("return_book", {"book_id": book})),
)


def a_bench(*writes: Write) -> Bench:
    bench = Bench(shipped("library"), sample=True)
    for tool, members in writes:
        bench.run(tool, **members)
    return bench


@given(st.lists(writes, max_size=5), writes)
def test_to_write_and_undo_leaves_the_same_book(earlier: list[Write], write: Write) -> None:
    """What was lent is free again after the undo, what was returned is on the same loan, and nothing else moves."""
    bench = a_bench(*earlier)
    before = bench.rows()
    tool, members = write
    done = bench.do(tool, **members)
    if done.result["status"] == "ok":
        assert bench.rows() != before
        bench.undo(tool, done, **members)
    assert bench.rows() == before


@given(st.lists(writes, min_size=1, max_size=8))
def test_undone_in_reverse_every_write_leaves_the_book_before_it(sequence: list[Write]) -> None:
    """Undo again and again, and the shelves are what they were at the beginning."""
    bench, history = a_bench(), []
    for tool, members in sequence:
        before = bench.rows()
        done = bench.do(tool, **members)
        if done.result["status"] == "ok":
            history.append((before, tool, members, done))
    for before, tool, members, done in reversed(history):
        bench.undo(tool, done, **members)
        assert bench.rows() == before


def refusal(bench: Bench, tool: str, done: Undoable, members: dict[str, Any]) -> str:
    before = bench.rows()
    with pytest.raises(ToolFailure) as refused:
        bench.undo(tool, done, **members)
    assert bench.rows() == before
    assert (refused.value.status, refused.value.category) == ("changed_since", Category.BUSINESS)
    return refused.value.message


@pytest.mark.parametrize(
    "since",
    [
        [("return_book", {"book_id": "B-1"})],
        [("return_book", {"book_id": "B-1"}), ("borrow_book", BORROW)],
    ],
    ids=["returned", "returned and lent again"],
)
def test_a_loan_that_ended_is_not_taken_back(since: list[Write]) -> None:
    """The undo is for that loan and no later one of the same book."""
    bench = a_bench()
    done = bench.do("borrow_book", **BORROW)
    for tool, members in since:
        bench.run(tool, **members)
    assert "book B-1 was returned since" in refusal(bench, "borrow_book", done, BORROW)


def test_a_return_is_not_taken_back_once_the_book_is_lent_again() -> None:
    """Two people can't have it."""
    bench = a_bench()
    done = bench.do("return_book", **RETURN)
    bench.run("borrow_book", book_id="B-2", member_id="M-1")
    assert "book B-2 was lent again since" in refusal(bench, "return_book", done, RETURN)


@pytest.mark.parametrize(("tool", "members"), [("borrow_book", BORROW), ("return_book", RETURN)])
def test_a_write_is_taken_back_once(tool: str, members: dict[str, str]) -> None:
    """A second undo of the same write is refused."""
    bench = a_bench()
    done = bench.do(tool, **members)
    bench.undo(tool, done, **members)
    assert refusal(bench, tool, done, members)


def test_the_number_of_a_loan_is_not_used_again() -> None:
    """Whoever has written down loan 2 never finds another one under it."""
    bench = a_bench()
    bench.undo("borrow_book", bench.do("borrow_book", **BORROW), **BORROW)
    assert bench.run("borrow_book", **BORROW)["loan"]["loan_id"] == 3

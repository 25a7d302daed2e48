"""What a write did can be taken back, exactly, unless somebody has changed it since."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.tools.outcome import Category, ToolFailure, Undoable
from agentcli.visible import is_blank
from tests.agents.bench import Bench

texts = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12).filter(
    lambda text: not is_blank(text)
)
cents = st.integers(1, 10**12).map(lambda units: f"{units // 100}.{units % 100:02}")
days = st.dates().map(lambda day: day.isoformat())
additions = st.fixed_dictionaries(
    {"item": texts, "amount": cents},
    optional={"currency": st.sampled_from(["USD", "EUR"]), "category": texts, "date": days},
)
changes = st.fixed_dictionaries(
    {},
    optional={
        "item": texts,
        "amount": cents,
        "currency": st.sampled_from(["USD", "EUR"]),
        "category": texts,
        "date": days,
    },
).filter(bool)


def a_bench(*expenses: dict[str, Any]) -> Bench:
    bench = Bench(shipped("expenses"))
    for members in expenses:
        bench.run("add_expense", **members)
    return bench


def refusal(bench: Bench, tool: str, done: Undoable, **members: Any) -> str:
    before = bench.rows()
    with pytest.raises(ToolFailure) as refused:
        bench.undo(tool, done, **members)
    assert bench.rows() == before
    assert (refused.value.status, refused.value.category) == ("changed_since", Category.BUSINESS)
    return refused.value.message


@settings(max_examples=50)
@given(st.lists(additions, max_size=4), additions)
def test_to_add_and_undo_leaves_the_same_book(book: list[dict[str, Any]], members: dict[str, Any]) -> None:
    """An expense that was added is gone after the undo, and nothing else is."""
    bench = a_bench(*book)
    before = bench.rows()
    done = bench.do("add_expense", **members)
    assert bench.rows() != before
    bench.undo("add_expense", done, **members)
    assert bench.rows() == before


@settings(max_examples=50)
@given(st.lists(additions, min_size=1, max_size=4), st.data(), changes)
def test_to_update_and_undo_leaves_the_same_book(
    book: list[dict[str, Any]], data: st.DataObject, change: dict[str, Any]
) -> None:
    """An expense that was changed has all its old values after the undo."""
    bench = a_bench(*book)
    before = bench.rows()
    members = {"id": data.draw(st.integers(1, len(book))), **change}
    done = bench.do("update_expense", **members)
    bench.undo("update_expense", done, **members)
    assert bench.rows() == before


@given(st.lists(texts, max_size=3), texts)
def test_to_note_and_undo_leaves_the_same_notes(notes: list[str], text: str) -> None:
    """A note that was written is gone after the undo, and nothing else is."""
    bench = a_bench()
    for note in notes:
        bench.run("save_note", text=note)
    before = bench.rows()
    done = bench.do("save_note", text=text)
    bench.undo("save_note", done, text=text)
    assert bench.rows() == before


@settings(max_examples=50)
@given(st.lists(st.one_of(additions.map(lambda add: ("add_expense", add)), changes.map(lambda one: ("update_expense", {"id": 1, **one}))), min_size=1, max_size=6))  # fmt: skip
def test_undone_in_reverse_every_write_leaves_the_book_before_it(writes: list[tuple[str, dict[str, Any]]]) -> None:
    """Undo again and again, and the book is what it was at the beginning."""
    bench = a_bench({"item": "tea", "amount": "40.00"})
    history = []
    for tool, members in writes:
        history.append((bench.rows(), tool, members, bench.do(tool, **members)))
    for before, tool, members, done in reversed(history):
        bench.undo(tool, done, **members)
        assert bench.rows() == before


@pytest.mark.parametrize("tool", ["add_expense", "update_expense"])
def test_an_expense_changed_since_is_not_taken_back(tool: str) -> None:
    """What somebody did to it afterwards would be lost, so the undo says what that was."""
    bench = a_bench({"item": "tea", "amount": "40.00"})
    members = {"item": "tea", "amount": "41.00"} if tool == "add_expense" else {"id": 1, "amount": "41.00"}
    done = bench.do(tool, **members)
    number = done.result["expense"]["id"]
    bench.run("update_expense", id=number, amount="50.00", item="coffee")
    message = refusal(bench, tool, done, **members)
    assert f"expense {number} was changed since: item tea → coffee; amount 41.00 USD → 50.00 USD" in message


@pytest.mark.parametrize("tool", ["add_expense", "update_expense"])
def test_an_expense_deleted_since_is_not_taken_back(tool: str) -> None:
    """There is nothing left of it that an undo could reverse."""
    bench = a_bench({"item": "tea", "amount": "40.00"})
    members = {"item": "tea", "amount": "41.00"} if tool == "add_expense" else {"id": 1, "amount": "41.00"}
    done = bench.do(tool, **members)
    bench.run("delete_expense", id=done.result["expense"]["id"])
    assert "was deleted since" in refusal(bench, tool, done, **members)


def test_a_change_that_came_back_to_the_same_is_no_obstacle() -> None:
    """What counts is how the expense stands, and not what happened to it on the way."""
    bench = a_bench({"item": "tea", "amount": "40.00"})
    before = bench.rows()
    done = bench.do("update_expense", id=1, amount="45.00")
    bench.run("update_expense", id=1, amount="50.00")
    bench.run("update_expense", id=1, amount="45.00")
    bench.undo("update_expense", done, id=1, amount="45.00")
    assert bench.rows() == before


def test_a_write_is_taken_back_once() -> None:
    """A second undo of the same write finds nothing."""
    bench = a_bench()
    done = bench.do("save_note", text="rent")
    bench.undo("save_note", done, text="rent")
    assert "note 1 is gone already" in refusal(bench, "save_note", done, text="rent")

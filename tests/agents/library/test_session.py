"""Loans in a whole session: a person is asked about each of them."""

from typing import Any

import pytest

from agentcli.agents import shipped
from tests.agents.desk import Desk

BORROW = ("borrow_book", {"book_id": "B-1", "member_id": "M-1"})
RETURN = ("return_book", {"book_id": "B-2"})
LOANS = "SELECT book_id FROM library_loans ORDER BY book_id"


def statuses(results: list[dict[str, Any]]) -> list[str]:
    return [result["status"] for result in results]


@pytest.mark.parametrize("level", [2, 3, 4])
def test_a_loan_is_asked_about_at_every_level(level: int) -> None:
    """Even where the agent runs alone, nothing is lent before somebody says yes."""
    desk = Desk(shipped("library"), level=level)
    assert desk.call(BORROW) == []
    (question,) = desk.waiting
    assert question.preview[0] == "will lend: B-1 “Dune” by Frank Herbert to M-1 Ines Costa"
    assert desk.execute(LOANS) == [("B-2",)]
    assert statuses(desk.answer(approve=True)) == ["ok"]
    assert desk.execute(LOANS) == [("B-1",), ("B-2",)]
    desk.close()


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_loan_that_nobody_agreed_to_does_not_happen(level: int) -> None:
    """After a no, or at a level that may only look, the book stays on its shelf, and the model knows why."""
    desk = Desk(shipped("library"), level=level)
    results = desk.call(BORROW)
    if desk.waiting:
        results = desk.answer(approve=False, reason="it is reserved")
    assert statuses(results) == ["blocked" if level == 1 else "declined"]
    assert desk.execute(LOANS) == [("B-2",)]
    desk.close()


@pytest.mark.parametrize(("level", "is_asked"), [(2, True), (3, False), (4, False)])
def test_a_return_is_asked_about_like_any_write(level: int, is_asked: bool) -> None:
    """It can be undone, so from level 3 on it runs."""
    desk = Desk(shipped("library"), level=level)
    assert statuses(desk.call(RETURN)) == ([] if is_asked else ["ok"])
    assert bool(desk.waiting) is is_asked
    desk.close()


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (("search_books", {"query": "__error__"}), "service_disruption"),
        (("get_member", {"member_id": "M-9"}), "member_not_found"),
        (("return_book", {"book_id": "B-1"}), "not_on_loan"),
    ],
)
def test_a_failure_passes_as_data(call: tuple[str, dict[str, str]], status: str) -> None:
    """What a tool declares reaches the model with its own status, and never as a fault."""
    desk = Desk(shipped("library"))
    (result,) = desk.call(call)
    assert (result["status"], result["isError"]) == (status, True)
    desk.close()


def test_a_loan_that_fails_after_the_yes_says_why() -> None:
    """What stands in its way is looked at when it runs."""
    desk = Desk(shipped("library"))
    desk.call(("borrow_book", {"book_id": "B-1", "member_id": "M-2"}))
    assert desk.waiting[0].preview[0].startswith("nothing will be lent: Member M-2 owes 4.50 USD")
    assert statuses(desk.answer(approve=True)) == ["member_has_fines"]
    desk.close()


def test_the_reckless_agent_lends_nothing_without_a_person() -> None:
    """It claims an approval, is asked about all the same, and after two noes it gets none of it by trying again."""
    desk = Desk(shipped("library"), model="offline:reckless")
    desk.say("borrow dune for M-1")
    results = desk.answer(approve=False) + desk.answer(approve=False)
    assert statuses(results) == ["declined"] * 4
    assert desk.waiting == []
    assert desk.execute(LOANS) == [("B-2",)]
    desk.close()

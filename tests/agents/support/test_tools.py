"""The tools of the support agent, call by call."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.tools.risk import Risk
from tests.agents.bench import Bench

TOOLS = {
    # tool               risk                 fields        statuses
    "get_customer":      (Risk.READ,         ("customer",), {"ok", "customer_not_found"}),
    "get_order":         (Risk.READ,         ("order",),    {"ok", "order_not_found"}),
    "process_refund":    (Risk.IRREVERSIBLE, ("refund",),   {"ok", "order_not_found", "exceeds_order"}),
    "escalate_to_human": (Risk.WRITE,        ("case",),     {"ok"}),
}  # fmt: skip


@pytest.fixture
def bench() -> Bench:
    return Bench(shipped("support"), sample=True)


def refund(bench: Bench, amount: object, *, order: str = "O-1001", customer: str = "C-1") -> dict[str, Any]:
    return bench.run("process_refund", customer_id=customer, order_id=order, amount=amount)


def test_each_tool_has_its_risk_and_its_outcomes(bench: Bench) -> None:
    """What a wrong call costs, what a result holds, and how it may end."""
    declared = {
        tool.name: (tool.risk, tool.outcomes.fields, set(tool.outcomes.statuses)) for tool in bench.agent.toolset
    }
    assert declared == TOOLS


@pytest.mark.parametrize("tool", [name for name, (risk, *_) in TOOLS.items() if risk is not Risk.READ])
def test_every_gated_tool_shows_its_effect(bench: Bench, tool: str) -> None:
    """A person who is asked sees what will change."""
    assert bench.agent.toolset[tool].preview is not None


@pytest.mark.parametrize(
    ("tool", "members", "status", "field"),
    [
        ("get_customer", {"customer_id": "C-9"}, "customer_not_found", "customer"),
        ("get_customer", {"customer_id": "c-1"}, "customer_not_found", "customer"),
        ("get_customer", {"customer_id": "C-1 "}, "customer_not_found", "customer"),
        ("get_order", {"order_id": "O-9"}, "order_not_found", "order"),
        ("get_order", {"order_id": "C-1"}, "order_not_found", "order"),
    ],
)
def test_an_id_counts_to_the_letter(
    bench: Bench, tool: str, members: dict[str, str], status: str, field: str
) -> None:
    """Who is not in the book is not found; a fact about `C-1` must never come from a look at something like it."""
    result = bench.run(tool, **members)
    assert (result["status"], result["errorCategory"], result["isRetryable"]) == (status, "validation", True)
    assert result[field] is None


def test_a_refund_is_numbered_and_complete(bench: Bench) -> None:
    """It says who got how much for what, why and when."""
    done = bench.run(
        "process_refund", customer_id="C-3", order_id="O-3001", amount=5.5, reason=" it arrived broken\n"
    )
    assert done["refund"] == {
        "refund_id": 1,
        "customer_id": "C-3",
        "order_id": "O-3001",
        "amount": "5.50",
        "currency": "USD",
        "reason": "it arrived broken",
        "date": "2026-11-30",
    }


@pytest.mark.parametrize(
    ("amounts", "status"),
    [
        (["120"], "ok"),
        (["120.01"], "exceeds_order"),
        (["60", "60"], "ok"),
        (["60", "60.01"], "exceeds_order"),
        (["119.99", "0.01"], "ok"),
        (["119.99", "0.02"], "exceeds_order"),
        (["120", "0.01"], "exceeds_order"),
    ],
    ids=str,
)
def test_refunds_together_never_exceed_the_order(bench: Bench, amounts: list[str], status: str) -> None:
    """All of an order may go back, in one piece or in several, and not a cent more."""
    *before, last = amounts
    for amount in before:
        assert refund(bench, amount)["status"] == "ok"
    assert refund(bench, last)["status"] == status


def test_a_refund_that_exceeds_the_order_says_what_is_left(bench: Bench) -> None:
    """The message has the figures, and nothing is written."""
    refund(bench, 100)
    before = bench.rows()
    result = refund(bench, 21)
    assert (result["errorCategory"], result["isRetryable"], result["refund"]) == ("business", False, None)
    assert "21.00 USD is more than the 20.00 USD that is left of order O-1001" in result["message"]
    assert bench.rows() == before


@pytest.mark.parametrize("order", ["O-2001", "O-9999"], ids=["of another customer", "of nobody"])
def test_an_order_of_another_customer_is_as_good_as_none(bench: Bench, order: str) -> None:
    """The answer is the same, so that nobody learns whose order it is, and nothing is refunded."""
    before = bench.rows()
    result = refund(bench, 10, order=order, customer="C-1")
    assert result["status"] == "order_not_found"
    assert result["message"] == f"Customer C-1 has no order {order}. Ask for the right id."
    assert bench.rows() == before


def test_refunds_of_one_order_leave_the_others_alone(bench: Bench) -> None:
    """What went back for one order is not taken off another."""
    refund(bench, 100)
    assert bench.run("get_order", order_id="O-1002")["order"]["left"] == "900.00"
    assert bench.run("get_order", order_id="O-1001")["order"]["left"] == "20.00"


@settings(max_examples=50)
@given(st.lists(st.integers(1, 15_000), max_size=8))
def test_no_cent_is_lost_or_won(cents: list[int]) -> None:
    """What is refunded and what is left are the order, exactly; and only what exceeds it is refused."""
    bench, gone = Bench(shipped("support"), sample=True), 0
    for units in cents:
        result = refund(bench, f"{units // 100}.{units % 100:02}")
        assert (result["status"] == "ok") is (gone + units <= 12_000)
        gone += units if result["status"] == "ok" else 0
        order = bench.run("get_order", order_id="O-1001")["order"]
        assert order["refunded"] == f"{gone // 100}.{gone % 100:02}"
        assert order["left"] == f"{(12_000 - gone) // 100}.{(12_000 - gone) % 100:02}"


@pytest.mark.parametrize(
    ("amount", "problem"),
    [
        (0, "not above 0"),
        ("0.00", "not above 0"),
        (-5, "an amount"),
        ("5.005", "USD has 2"),
        ("5.000", "USD has 2"),
        ("5,00", "an amount"),
        ("NaN", "an amount"),
        (True, "amount"),
        (None, "amount"),
        ("1e2", "an amount"),
    ],
)
def test_only_an_amount_of_dollars_and_cents_is_refunded(bench: Bench, amount: object, problem: str) -> None:
    """Anything else is refused before a rule is asked."""
    members = {"customer_id": "C-1", "order_id": "O-1001", "amount": amount}
    assert problem in bench.problem("process_refund", **members)


@pytest.mark.parametrize("amount", [0, "5.005"])
def test_a_case_about_money_names_an_amount_that_can_be(bench: Bench, amount: object) -> None:
    """The amount of a case is held to the same."""
    assert bench.problem("escalate_to_human", customer_id="C-1", reason="a refund", amount=amount)


def test_claims_have_no_place_in_an_input(bench: Bench) -> None:
    """There is no member by which a model could say that somebody agreed."""
    members = {"customer_id": "C-1", "order_id": "O-1001", "amount": 5, "identity_verified": True}
    assert "identity_verified" in bench.problem("process_refund", **members)


def test_a_person_sees_the_refund_before_and_after(bench: Bench) -> None:
    """Who gets how much, and how much of the order will have gone back."""
    refund(bench, 30)
    assert bench.preview("process_refund", customer_id="C-1", order_id="O-1001", amount=50) == [
        "will refund: 50.00 USD to C-1 Ana Ruiz",
        "order O-1001: 30.00 → 80.00 of 120.00 USD refunded",
    ]


@pytest.mark.parametrize(
    ("members", "line"),
    [
        (
            {"order_id": "O-1001", "amount": 121},
            "121.00 USD is more than the 120.00 USD that is left of order O-1001",
        ),
        ({"order_id": "O-2001", "amount": 5}, "Customer C-1 has no order O-2001."),
    ],
    ids=["too much", "not theirs"],
)
def test_a_person_sees_that_nothing_would_come_of_it(bench: Bench, members: dict[str, Any], line: str) -> None:
    """A refund that the rules will refuse is shown as such, and drawing it changes nothing."""
    before = bench.rows()
    (shown,) = bench.preview("process_refund", customer_id="C-1", **members)
    assert shown.startswith(f"nothing will be refunded: {line}")
    assert bench.rows() == before


def test_an_order_without_its_customer_is_shown_all_the_same(bench: Bench) -> None:
    """A gap in the book does not keep a person from seeing what would happen."""
    bench.tables.execute("DELETE FROM support_customers")
    shown = bench.preview("process_refund", customer_id="C-1", order_id="O-1001", amount=50)
    assert shown[0] == "will refund: 50.00 USD to C-1"


@pytest.mark.parametrize(
    ("members", "line"),
    [
        ({}, "will open a case about C-2: wants a person"),
        (
            {"order_id": "O-2001", "amount": 60},
            "will open a case about C-2, order O-2001, 60.00 USD: wants a person",
        ),
        ({"reason": "x" * 81}, "will open a case about C-2: a text of 81 characters"),
    ],
    ids=["of a customer", "of a refund", "at length"],
)
def test_a_person_sees_the_case(bench: Bench, members: dict[str, Any], line: str) -> None:
    """What it is about, and how many cases there will be."""
    asked = {"customer_id": "C-2", "reason": "wants a person", **members}
    shown = bench.preview("escalate_to_human", **asked)
    assert shown == [line, "cases 0 → 1"]


def test_a_case_is_numbered_and_complete(bench: Bench) -> None:
    """Whoever takes it over has everything that was said."""
    done = bench.run(
        "escalate_to_human", customer_id="C-1", reason=" over the limit ", order_id="O-1002", amount=900
    )
    assert done["case"] == {
        "case_id": 1,
        "customer_id": "C-1",
        "reason": "over the limit",
        "order_id": "O-1002",
        "amount": "900.00",
        "currency": "USD",
        "date": "2026-11-30",
    }


def test_anybody_may_have_a_person(bench: Bench) -> None:
    """A case is opened also about somebody who is not in the book, and without an order."""
    case = bench.run("escalate_to_human", customer_id="C-77", reason="says they are a customer")["case"]
    assert (case["customer_id"], case["order_id"], case["amount"], case["currency"]) == ("C-77", None, None, None)

"""Refunds in a whole session: what the gate lets through, and what it never does."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agentcli.agents import shipped
from tests.agents.desk import Desk

Made = tuple[str, dict[str, Any]]

LOOK: Made = ("get_customer", {"customer_id": "C-1"})


def a_refund(amount: object = 50, *, customer: str = "C-1", order: str = "O-1001") -> Made:
    return ("process_refund", {"customer_id": customer, "order_id": order, "amount": amount})


def statuses(results: list[dict[str, Any]]) -> list[str]:
    return [result["status"] for result in results]


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A session at level 4, at which nothing but rules stands between a model and a refund."""
    desk = Desk(shipped("support"))
    yield desk
    desk.close()


def test_a_refund_to_a_stranger_is_blocked_in_these_words(desk: Desk) -> None:
    """The model is told whose identity is missing, what it tried, and where to turn."""
    (result,) = desk.call(a_refund(customer="C-2", order="O-2001"))
    assert result == {
        "status": "blocked",
        "isError": True,
        "errorCategory": "permission",
        "isRetryable": False,
        "message": "Identity of customer C-2 is not verified. Look the customer up first.",
        "attempted": {
            "tool": "process_refund",
            "input": {"customer_id": "C-2", "order_id": "O-2001", "amount": 50},
        },
        "next": ["get_customer"],
    }


def test_a_look_up_unlocks_the_refund_behind_it(desk: Desk) -> None:
    """In one reply, in this order, both run."""
    assert statuses(desk.call(LOOK, a_refund())) == ["ok", "ok"]
    assert desk.execute("SELECT customer_id, order_id, amount FROM support_refunds") == [
        ("C-1", "O-1001", "50.00")
    ]


def test_a_look_up_behind_the_refund_is_too_late(desk: Desk) -> None:
    """Order counts within a reply; in the next one the fact is there."""
    assert statuses(desk.call(a_refund(), LOOK)) == ["blocked", "ok"]
    assert statuses(desk.call(a_refund())) == ["ok"]


@pytest.mark.parametrize(("customer", "order"), [("C-2", "O-2001"), ("C-3", "O-3001")])
def test_one_customer_does_not_vouch_for_another(desk: Desk, customer: str, order: str) -> None:
    """That C-1 is verified unlocks nobody else, verified or not."""
    results = desk.call(LOOK, a_refund(20, customer=customer, order=order))
    assert statuses(results) == ["ok", "blocked"]


def test_a_look_at_a_customer_who_is_not_verified_unlocks_nothing(desk: Desk) -> None:
    """To have looked is not enough; what was seen counts."""
    look = ("get_customer", {"customer_id": "C-2"})
    assert statuses(desk.call(look, a_refund(20, customer="C-2", order="O-2001"))) == ["ok", "blocked"]


@pytest.mark.parametrize(
    ("meanwhile", "second_look"),
    [
        ("UPDATE support_customers SET identity_verified = 0", "ok"),
        ("DELETE FROM support_customers WHERE id = 'C-1'", "customer_not_found"),
    ],
    ids=["not verified any more", "not there any more"],
)
def test_a_later_look_takes_the_fact_away(desk: Desk, meanwhile: str, second_look: str) -> None:
    """What the newest look says counts, also where it finds nobody."""
    assert statuses(desk.call(LOOK, a_refund(10))) == ["ok", "ok"]
    desk.execute(meanwhile)
    assert statuses(desk.call(LOOK, a_refund(10))) == [second_look, "blocked"]


@pytest.mark.parametrize(
    ("amount", "status"), [("499.99", "ok"), ("500", "ok"), ("500.01", "blocked"), ("900", "blocked")]
)
def test_above_the_limit_only_a_person_helps(desk: Desk, amount: str, status: str) -> None:
    """500 dollars may go back at once; above, the model is sent to a person, at level 4 too."""
    _, result = desk.call(LOOK, a_refund(amount, order="O-1002"))
    assert result["status"] == status
    if status == "blocked":
        assert (result["errorCategory"], result["next"]) == ("business", ["escalate_to_human"])
        assert f"amount is {amount}; the limit is 500." in result["message"]


@pytest.mark.parametrize(("amount", "status"), [("20", "ok"), ("20.01", "blocked")])
def test_the_limit_is_the_one_in_the_config(amount: str, status: str) -> None:
    """`refund_limit` holds, and no other number."""
    desk = Desk(replace(shipped("support"), options={"refund_limit": Decimal(20)}))
    assert statuses(desk.call(LOOK, a_refund(amount)))[1] == status
    desk.close()


@pytest.mark.parametrize("level", [2, 3])
def test_a_person_is_asked_about_a_refund_that_rules_allow(level: int) -> None:
    """The question shows the effect; a yes lets it happen, once."""
    desk = Desk(shipped("support"), level=level)
    assert statuses(desk.call(LOOK, a_refund())) == ["ok"]
    (question,) = desk.waiting
    assert question.preview[1] == "order O-1001: 0.00 → 50.00 of 120.00 USD refunded"
    assert desk.execute("SELECT * FROM support_refunds") == []
    assert statuses(desk.answer(approve=True)) == ["ok"]
    assert desk.execute("SELECT amount FROM support_refunds") == [("50.00",)]
    desk.close()


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_nobody_is_asked_about_a_refund_to_a_stranger(level: int) -> None:
    """Where a rule says no there is nothing for a person to answer."""
    desk = Desk(shipped("support"), level=level)
    assert statuses(desk.call(a_refund())) == ["blocked"]
    assert desk.waiting == []
    desk.close()


def test_a_no_is_final_in_its_run() -> None:
    """Nothing goes back, and the reason reaches the model."""
    desk = Desk(shipped("support"), level=2)
    desk.call(LOOK, a_refund())
    (result,) = desk.answer(approve=False, reason="not on a Monday")
    assert (result["status"], result["message"]) == ("declined", "the user declined this action: not on a Monday")
    assert desk.execute("SELECT * FROM support_refunds") == []
    desk.close()


@pytest.mark.parametrize("level", [0, 1, 2, 3, 4])
@pytest.mark.parametrize(
    "words",
    [
        "refund 50 for order O-1001 of C-1",
        "who is C-1",
        "refund 60 for order O-2001 of C-2, my manager said yes",
        "refund order O-3001",
        "hello",
    ],
)
def test_the_reckless_agent_never_gets_through(level: int, words: str) -> None:
    """It refunds first, claims that a person approved, tries again, and no money moves at any level."""
    desk = Desk(shipped("support"), level=level, model="offline:reckless")
    results = desk.say(words)
    assert statuses(results) == (["blocked", "blocked"] if level else [])
    assert desk.waiting == []
    assert desk.execute("SELECT * FROM support_refunds") == []
    desk.close()


ids = st.sampled_from(["C-1", "C-2", "C-3", "C-9"])
orders = st.sampled_from(["O-1001", "O-1002", "O-2001", "O-3001", "O-9"])
amounts = st.sampled_from([1, 45.5, 60, 500, 501, "0.01", "120.00"])
made_calls: st.SearchStrategy[Made] = st.one_of(
    ids.map(lambda customer: ("get_customer", {"customer_id": customer})),
    st.builds(lambda customer, order, amount: a_refund(amount, customer=customer, order=order), ids, orders, amounts),
    st.builds(
        lambda customer, amount: ("escalate_to_human", {"customer_id": customer, "reason": "is verified", "amount": amount}),
        ids,
        amounts,
    ),
)  # fmt: skip


@settings(max_examples=25)
@given(st.lists(st.lists(made_calls, min_size=1, max_size=5), min_size=1, max_size=4))
def test_whatever_is_called_money_goes_to_verified_owners_alone(replies: list[list[Made]]) -> None:
    """Each refund has a look at its customer before it that showed them verified, is theirs, and is within bounds."""
    desk = Desk(shipped("support"))
    seen: set[str] = set()
    for calls in replies:
        results, ended = desk.call(*calls), desk.session.state.ended
        # A fourth irreversible call ends the run: only then a call is left without a result.
        is_cut = ended is not None and ended.limit == "irreversible"
        assert (len(results) < len(calls)) is is_cut
        for (tool, members), result in zip(calls, results, strict=not is_cut):
            if tool == "get_customer" and (result["customer"] or {}).get("identity_verified"):
                seen.add(members["customer_id"])
            if tool == "process_refund" and result["status"] == "ok":
                assert members["customer_id"] in seen
                assert Decimal(result["refund"]["amount"]) <= 500
        if is_cut:
            break
    owned = {
        order: (customer, Decimal(paid)) for order, customer, paid in desk.execute("SELECT * FROM support_orders")
    }
    refunds = desk.execute("SELECT order_id, customer_id, amount FROM support_refunds")
    assert all(owned[order][0] == customer for order, customer, _ in refunds)
    for order, (_, paid) in owned.items():
        assert sum(Decimal(amount) for refunded, _, amount in refunds if refunded == order) <= paid
    desk.close()

"""The support agent as a whole: its sample, its options."""

from decimal import Decimal

import pytest

from agentcli.agents import shipped
from tests.agents.bench import Bench


@pytest.mark.parametrize(
    ("customer", "is_verified"), [("C-1", True), ("C-2", False), ("C-3", True)], ids=["C-1", "C-2", "C-3"]
)
def test_the_sample_has_three_customers_and_one_is_not_verified(customer: str, is_verified: bool) -> None:
    """C-1 and C-3 are who they say, of C-2 nobody knows."""
    found = Bench(shipped("support"), sample=True).run("get_customer", customer_id=customer)["customer"]
    assert (found["customer_id"], found["identity_verified"]) == (customer, is_verified)


@pytest.mark.parametrize(
    ("order", "customer", "amount"),
    [
        ("O-1001", "C-1", "120.00"),
        ("O-1002", "C-1", "900.00"),
        ("O-2001", "C-2", "60.00"),
        ("O-3001", "C-3", "45.50"),
    ],
    ids=["O-1001", "O-1002", "O-2001", "O-3001"],
)
def test_the_sample_has_four_orders_of_which_nothing_is_refunded(order: str, customer: str, amount: str) -> None:
    """Each is of one customer, in dollars, and all of it may still go back."""
    assert Bench(shipped("support"), sample=True).run("get_order", order_id=order)["order"] == {
        "order_id": order,
        "customer_id": customer,
        "amount": amount,
        "currency": "USD",
        "refunded": "0.00",
        "left": amount,
    }


def test_the_sample_has_nothing_else() -> None:
    """No refund and no case was there before the first one."""
    counts = {table: len(rows) for table, rows in Bench(shipped("support"), sample=True).rows().items()}
    assert counts == {"support_customers": 3, "support_orders": 4, "support_refunds": 0, "support_cases": 0}


def test_the_limit_is_500_unless_the_config_says_otherwise() -> None:
    """Whoever names no `refund_limit` gets this one."""
    assert shipped("support").options == {"refund_limit": Decimal(500)}

"""The rules of the support desk: customers, orders, what may be refunded, and how it reads."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any, Final

import msgspec

from agentcli.agents.failures import refused
from agentcli.agents.money import Money, nothing, totals
from agentcli.tools.outcome import ToolFailure

CURRENCY: Final = "USD"
"""The currency of all orders, and so of refunds."""


class Customer(msgspec.Struct, frozen=True):
    """A customer, and whether we know that it is them."""

    id: str
    name: str
    identity_verified: bool

    def as_result(self) -> dict[str, Any]:
        """Return the customer as tools hand them out."""
        return {"customer_id": self.id, "name": self.name, "identity_verified": self.identity_verified}


class Order(msgspec.Struct, frozen=True):
    """What a customer paid for an order, and how much of it went back to them."""

    id: str
    customer_id: str
    paid: Money
    refunded: Money

    @property
    def left(self) -> Money:
        """The most that may still be refunded."""
        return sum_of([self.paid, -self.refunded])

    def as_result(self) -> dict[str, Any]:
        """Return the order as tools hand it out."""
        return {
            "order_id": self.id,
            "customer_id": self.customer_id,
            "amount": self.paid.text,
            "currency": self.paid.currency,
            "refunded": self.refunded.text,
            "left": self.left.text,
        }


class Refund(msgspec.Struct, frozen=True):
    """Money that went back to a customer for an order."""

    id: int
    customer_id: str
    order_id: str
    money: Money
    reason: str | None
    day: date

    def as_result(self) -> dict[str, Any]:
        """Return the refund as tools hand it out."""
        return {
            "refund_id": self.id,
            "customer_id": self.customer_id,
            "order_id": self.order_id,
            "amount": self.money.text,
            "currency": self.money.currency,
            "reason": self.reason,
            "date": self.day.isoformat(),
        }


class Case(msgspec.Struct, frozen=True):
    """Something about a customer that a person has to see to."""

    id: int
    customer_id: str
    reason: str
    order_id: str | None
    money: Money | None
    day: date

    def as_result(self) -> dict[str, Any]:
        """Return the case as tools hand it out."""
        return {
            "case_id": self.id,
            "customer_id": self.customer_id,
            "reason": self.reason,
            "order_id": self.order_id,
            "amount": None if self.money is None else self.money.text,
            "currency": None if self.money is None else self.money.currency,
            "date": self.day.isoformat(),
        }


def dollars(amount: Decimal) -> Money:
    """Return an amount in the currency of all orders."""
    return Money(amount, CURRENCY)


def sum_of(amounts: Iterable[Money]) -> Money:
    """Return what amounts in the currency of all orders come to."""
    return totals(amounts).get(CURRENCY, nothing(CURRENCY))


def refunded_after(order: Order, money: Money) -> Money:
    """Return how much of an order will have gone back with one more refund."""
    return sum_of([order.refunded, money])


def find_refundable(order: Order | None, order_id: str, customer_id: str, money: Money) -> Order | ToolFailure:
    """Return the order if this much of it may go back to this customer, else why not.

    An order of another customer is as good as none, so that nobody learns here whose it is.
    """
    if order is None or order.customer_id != customer_id:
        message = f"Customer {customer_id} has no order {order_id}. Ask for the right id."
        return refused("order_not_found", message)
    if money.amount > order.left.amount:
        message = (
            f"{money} is more than the {order.left} that is left of order {order_id}: "
            f"{order.refunded} of {order.paid} is refunded already."
        )
        return refused("exceeds_order", message)
    return order

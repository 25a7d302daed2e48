"""The support desk as a person wants to see it: what was paid and went back, the customers, what is open."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from agentcli.agents.money import Money
from agentcli.agents.support.book import Book
from agentcli.agents.support.rules import CURRENCY, Case, Customer, Order, Refund, sum_of
from agentcli.agents.view import Bar, Chart, Column, Kind, Table, View
from agentcli.tools.tool import Tables

_COLUMNS: Final = (
    *(Column("id", Kind.NUMBER), Column("date", may_go=True), Column("customer"), Column("order")),
    *(Column("amount", Kind.NUMBER), Column("currency", Kind.UNIT, may_go=True), Column("reason", Kind.TEXT)),
)
"""What refunds and cases have in common."""


def view(tables: Tables, today: date) -> View:
    """Return the desk's book as it stands."""
    book = Book(tables)
    customers, orders, refunds = book.customers(), book.orders(), book.refunds()
    return View(
        tables=(
            _order_table(orders, {customer.id: customer.name for customer in customers}),
            _customer_table(customers),
            _refund_table(refunds),
            _case_table(book.cases()),
        ),
        charts=(_refunded(customers, refunds),) if refunds else (),
        sums=(f"refunded {sum_of(refund.money for refund in refunds)} of {sum_of(one.paid for one in orders)}",),
    )


def _order_table(orders: Iterable[Order], names: dict[str, str]) -> Table:
    columns = (
        *(Column("order"), Column("customer"), Column("name", Kind.TEXT, may_go=True)),
        *(Column("paid", Kind.NUMBER), Column("refunded", Kind.NUMBER)),
        *(Column("left", Kind.NUMBER, may_go=True), Column("currency", Kind.UNIT, may_go=True)),
    )
    rows = (
        (
            *(order.id, order.customer_id, names.get(order.customer_id, "")),
            *(order.paid.text, order.refunded.text, order.left.text, CURRENCY),
        )
        for order in orders
    )
    return Table("orders", columns, tuple(rows))


def _customer_table(customers: Iterable[Customer]) -> Table:
    columns = (Column("customer"), Column("name", Kind.TEXT), Column("identity", Kind.TEXT))
    rows = ((one.id, one.name, "verified" if one.identity_verified else "not verified") for one in customers)
    return Table("customers", columns, tuple(rows))


def _refund_table(refunds: Iterable[Refund]) -> Table:
    rows = (
        (
            *(str(one.id), one.day.isoformat(), one.customer_id),
            *(one.order_id, *_amount(one.money), one.reason or ""),
        )
        for one in refunds
    )
    return Table("refunds", _COLUMNS, tuple(rows))


def _case_table(cases: Iterable[Case]) -> Table:
    rows = (
        (
            *(str(one.id), one.day.isoformat(), one.customer_id),
            *(one.order_id or "", *_amount(one.money), one.reason),
        )
        for one in cases
    )
    return Table("cases", _COLUMNS, tuple(rows))


def _amount(money: Money | None) -> tuple[str, str]:
    return ("", "") if money is None else (money.text, money.currency)


def _refunded(customers: Iterable[Customer], refunds: Iterable[Refund]) -> Chart:
    """Return how much went back to each customer who got any."""
    bars = []
    for customer in customers:
        amounts = [refund.money for refund in refunds if refund.customer_id == customer.id]
        if amounts:
            total = sum_of(amounts)
            bars.append(Bar(f"{customer.id} {customer.name}", total.amount, total.text))
    return Chart(f"refunded by customer, {CURRENCY}", tuple(bars))

"""The tables of the support agent: customers, orders, refunds and cases."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

from agentcli.agents.money import Money
from agentcli.agents.support.rules import Case, Customer, Order, Refund, dollars, sum_of
from agentcli.tools.tool import Tables

# AUTOINCREMENT: a number that a withdrawn case had is never given to another one.
MIGRATIONS: Final = (
    """
    CREATE TABLE support_customers (
        id                TEXT PRIMARY KEY,
        name              TEXT NOT NULL,
        identity_verified INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE support_orders (
        id          TEXT PRIMARY KEY,
        customer_id TEXT NOT NULL,
        amount      TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE support_refunds (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        customer_id TEXT NOT NULL,
        order_id    TEXT NOT NULL,
        amount      TEXT NOT NULL,
        reason      TEXT,
        date        TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE support_cases (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        customer_id TEXT NOT NULL,
        reason      TEXT NOT NULL,
        order_id    TEXT,
        amount      TEXT,
        date        TEXT NOT NULL
    )
    """,
)

TABLES: Final[Mapping[str, str]] = {
    "support_customers": "id",
    "support_orders": "id",
    "support_refunds": "id",
    "support_cases": "id",
}
"""The tables and their primary keys."""

_CASE: Final = "id, customer_id, reason, order_id, amount, date"


class Book:
    """Customers, orders, refunds and cases in the open transaction."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def add_customer(self, customer: Customer) -> None:
        """Write a customer down."""
        self.tables.execute(
            "INSERT INTO support_customers (id, name, identity_verified) VALUES (?, ?, ?)",
            (customer.id, customer.name, customer.identity_verified),
        )

    def find_customer(self, customer_id: str) -> Customer | None:
        """Return the customer with this id, if there is one."""
        rows = self.tables.execute(
            "SELECT id, name, identity_verified FROM support_customers WHERE id = ?", (customer_id,)
        )
        return Customer(rows[0][0], rows[0][1], rows[0][2] == 1) if rows else None

    def customers(self) -> list[Customer]:
        """Return all customers, in the order of their ids."""
        rows = self.tables.execute("SELECT id, name, identity_verified FROM support_customers ORDER BY id")
        return [Customer(customer_id, name, verified == 1) for customer_id, name, verified in rows]

    def add_order(self, order_id: str, customer_id: str, paid: Money) -> None:
        """Write an order down."""
        self.tables.execute(
            "INSERT INTO support_orders (id, customer_id, amount) VALUES (?, ?, ?)",
            (order_id, customer_id, paid.text),
        )

    def find_order(self, order_id: str) -> Order | None:
        """Return the order with this id and the sum of its refunds, if there is one."""
        rows = self.tables.execute("SELECT id, customer_id, amount FROM support_orders WHERE id = ?", (order_id,))
        return self._order(rows[0]) if rows else None

    def orders(self) -> list[Order]:
        """Return all orders, in the order of their ids."""
        rows = self.tables.execute("SELECT id, customer_id, amount FROM support_orders ORDER BY id")
        return [self._order(row) for row in rows]

    def add_refund(self, customer_id: str, order_id: str, money: Money, reason: str | None, day: date) -> Refund:
        """Write a refund down under the next number and return it."""
        self.tables.execute(
            "INSERT INTO support_refunds (customer_id, order_id, amount, reason, date) VALUES (?, ?, ?, ?, ?)",
            (customer_id, order_id, money.text, reason, day.isoformat()),
        )
        return Refund(self._last_id(), customer_id, order_id, money, reason, day)

    def refunds(self) -> list[Refund]:
        """Return all refunds, in the order of their numbers."""
        rows = self.tables.execute(
            "SELECT id, customer_id, order_id, amount, reason, date FROM support_refunds ORDER BY id"
        )
        return [
            Refund(refund_id, customer_id, order_id, dollars(Decimal(amount)), reason, date.fromisoformat(day))
            for refund_id, customer_id, order_id, amount, reason, day in rows
        ]

    def add_case(
        self, customer_id: str, reason: str, order_id: str | None, money: Money | None, day: date
    ) -> Case:
        """Write a case down under the next number and return it."""
        amount = None if money is None else money.text
        self.tables.execute(
            "INSERT INTO support_cases (customer_id, reason, order_id, amount, date) VALUES (?, ?, ?, ?, ?)",
            (customer_id, reason, order_id, amount, day.isoformat()),
        )
        return Case(self._last_id(), customer_id, reason, order_id, money, day)

    def find_case(self, case_id: int) -> Case | None:
        """Return the case with this number, if there is one."""
        rows = self.tables.execute(f"SELECT {_CASE} FROM support_cases WHERE id = ?", (case_id,))
        return _case(rows[0]) if rows else None

    def cases(self) -> list[Case]:
        """Return all cases, in the order of their numbers."""
        return [_case(row) for row in self.tables.execute(f"SELECT {_CASE} FROM support_cases ORDER BY id")]

    def count_cases(self) -> int:
        """Return how many cases there are."""
        ((count,),) = self.tables.execute("SELECT count(*) FROM support_cases")
        return int(count)

    def remove_case(self, case_id: int) -> None:
        """Withdraw a case."""
        self.tables.execute("DELETE FROM support_cases WHERE id = ?", (case_id,))

    def _order(self, row: tuple[Any, ...]) -> Order:
        order_id, customer_id, paid = row
        return Order(order_id, customer_id, dollars(Decimal(paid)), self._refunded(order_id))

    def _refunded(self, order_id: str) -> Money:
        rows = self.tables.execute("SELECT amount FROM support_refunds WHERE order_id = ?", (order_id,))
        return sum_of(dollars(Decimal(amount)) for (amount,) in rows)

    def _last_id(self) -> int:
        ((last_id,),) = self.tables.execute("SELECT last_insert_rowid()")
        return int(last_id)


def _case(row: tuple[Any, ...]) -> Case:
    case_id, customer_id, reason, order_id, amount, day = row
    money = None if amount is None else dollars(Decimal(amount))
    return Case(case_id, customer_id, reason, order_id, money, date.fromisoformat(day))

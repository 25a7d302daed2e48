"""The support agent, put together."""

from decimal import Decimal
from typing import Final

from agentcli.agents.agent import Agent
from agentcli.agents.loading import prompt_beside, rules_in, view_in
from agentcli.agents.support.book import MIGRATIONS, TABLES, Book
from agentcli.agents.support.rules import Customer, dollars
from agentcli.agents.support.tools import tools
from agentcli.tools.tool import Place

_CUSTOMERS: Final = (
    Customer("C-1", "Ana Ruiz", identity_verified=True),
    Customer("C-2", "Ben Okafor", identity_verified=False),
    Customer("C-3", "Mei Tanaka", identity_verified=True),
)

_ORDERS: Final = (
    # order    customer  paid
    ("O-1001", "C-1",    "120.00"),
    ("O-1002", "C-1",    "900.00"),
    ("O-2001", "C-2",    "60.00"),
    ("O-3001", "C-3",    "45.50"),
)  # fmt: skip


def put_sample(place: Place) -> None:
    """Write three customers and four orders down; the identity of one customer is not verified."""
    book = Book(place.tables)
    for customer in _CUSTOMERS:
        book.add_customer(customer)
    for order_id, customer_id, paid in _ORDERS:
        book.add_order(order_id, customer_id, dollars(Decimal(paid)))


_OFFLINE: Final = "agentcli.agents.support.offline"

AGENT: Final = Agent(
    name="support",
    toolset=tools,
    load_prompt=prompt_beside(__file__),
    offline=rules_in(_OFFLINE, "reply"),
    reckless=rules_in(_OFFLINE, "reckless_reply"),
    migrations=MIGRATIONS,
    put_sample=put_sample,
    options={"refund_limit": Decimal(500)},
    tables=TABLES,
    view=view_in("agentcli.agents.support.view"),
)

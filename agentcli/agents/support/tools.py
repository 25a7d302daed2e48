"""The tools of the support agent: looking up, refunding what code allows, and handing over to a person."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Final

from msgspec import Meta

from agentcli.agents.failures import changed_since, refused
from agentcli.agents.money import Money, money_problem
from agentcli.agents.previews import repeated
from agentcli.agents.support.book import Book
from agentcli.agents.support.rules import CURRENCY, Order, dollars, find_refundable, refunded_after
from agentcli.tools.conditions import at_most, fact
from agentcli.tools.outcome import ToolFailure, Undoable
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset

tools = Toolset("support", acts=Acts.IN_STORE)

CustomerId = Annotated[str, Meta(description="id of the customer, such as C-1")]
OrderId = Annotated[str, Meta(description="id of the order, such as O-1001")]
Amount = Annotated[Decimal, Meta(description="in USD, above 0, with at most 2 decimals")]

IDENTITY_VERIFIED: Final = fact(
    "identity_verified",
    subject="customer_id",
    when=lambda result: result["customer"]["identity_verified"] is True,
    unmet="Identity of customer {subject} is not verified. Look the customer up first.",
)


@tools.read(fields=("customer",), statuses={"customer_not_found": "validation"}, establishes=IDENTITY_VERIFIED)
def get_customer(place: Place, customer_id: CustomerId) -> dict[str, Any]:
    """Look a customer up: name, and whether their identity is verified."""
    customer = Book(place.tables).find_customer(customer_id)
    if customer is None:
        message = f"There is no customer {customer_id}. Ask for the right id; it looks like C-1."
        raise refused("customer_not_found", message)
    return {"status": "ok", "customer": customer.as_result()}


@tools.read(fields=("order",), statuses={"order_not_found": "validation"})
def get_order(place: Place, order_id: OrderId) -> dict[str, Any]:
    """Look an order up: whose it is, what was paid, what was refunded and what is left of it."""
    order = Book(place.tables).find_order(order_id)
    if order is None:
        message = f"There is no order {order_id}. Ask for the right id; it looks like O-1001."
        raise refused("order_not_found", message)
    return {"status": "ok", "order": order.as_result()}


def _check_amount(place: Place, values: Values) -> str | None:
    amount = values["amount"]
    return None if amount is None else money_problem(amount, CURRENCY)


def _find_refundable(place: Place, values: Values) -> Order | ToolFailure:
    order_id, money = values["order_id"], dollars(values["amount"])
    return find_refundable(Book(place.tables).find_order(order_id), order_id, values["customer_id"], money)


def _preview_refund(place: Place, values: Values) -> Sequence[str]:
    found, money = _find_refundable(place, values), dollars(values["amount"])
    if isinstance(found, ToolFailure):
        return [f"nothing will be refunded: {found.message}"]
    customer = Book(place.tables).find_customer(found.customer_id)
    name = f" {customer.name}" if customer else ""
    return [
        f"will refund: {money} to {found.customer_id}{name}",
        f"order {found.id}: {found.refunded.text} → {refunded_after(found, money).text} of {found.paid} refunded",
    ]


@tools.irreversible(
    fields=("refund",),
    statuses={"order_not_found": "validation", "exceeds_order": "business"},
    requires=[IDENTITY_VERIFIED],
    limits=[at_most("amount", option="refund_limit", next="escalate_to_human")],
    check=_check_amount,
    preview=_preview_refund,
)
def process_refund(
    place: Place,
    *,
    customer_id: CustomerId,
    order_id: OrderId,
    amount: Amount,
    reason: Annotated[str, Meta(description="why, in the customer's words")] | None = None,
) -> dict[str, Any]:
    """Pay money back to a verified customer for an order of theirs; this can't be undone."""
    values = {"customer_id": customer_id, "order_id": order_id, "amount": amount}
    found = _find_refundable(place, values)
    if isinstance(found, ToolFailure):
        raise found
    said = None if reason is None else reason.strip()
    refund = Book(place.tables).add_refund(customer_id, order_id, dollars(amount), said, place.today)
    return {"status": "ok", "refund": refund.as_result()}


def _preview_case(place: Place, values: Values) -> Sequence[str]:
    count = Book(place.tables).count_cases()
    money = None if values["amount"] is None else str(dollars(values["amount"]))
    order = None if values["order_id"] is None else f"order {values['order_id']}"
    about = ", ".join(part for part in (values["customer_id"], order, money) if part is not None)
    return [f"will open a case about {about}: {repeated(values['reason'])}", f"cases {count} → {count + 1}"]


def _undo_case(place: Place, values: Values, result: Values, before: None) -> None:
    book, case_id = Book(place.tables), result["case"]["case_id"]
    case = book.find_case(case_id)
    if case is None or case.as_result() != result["case"]:
        raise changed_since(f"case {case_id} was changed or withdrawn since; there is nothing left to undo")
    book.remove_case(case_id)


@tools.write(fields=("case",), check=_check_amount, preview=_preview_case, undo=_undo_case)
def escalate_to_human(
    place: Place,
    *,
    customer_id: CustomerId,
    reason: Annotated[str, Meta(description="what a person has to see to")],
    order_id: OrderId | None = None,
    amount: Amount | None = None,
) -> Undoable:
    """Open a case for a person, who takes it from there; it can be withdrawn."""
    money: Money | None = None if amount is None else dollars(amount)
    case = Book(place.tables).add_case(customer_id, reason.strip(), order_id, money, place.today)
    return Undoable({"status": "ok", "case": case.as_result()}, before=None)

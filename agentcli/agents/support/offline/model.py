"""The offline model of the support agent: it looks the customer up first, then refunds."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Final

from msgspec.structs import replace

from agentcli.agents.offline.agenda import follow
from agentcli.agents.offline.proposals import Members, members, propose, row
from agentcli.agents.offline.reckless import push_through
from agentcli.agents.offline.wishes import Remark, Step, Todo
from agentcli.agents.support.offline.answers import VOCABULARY
from agentcli.agents.support.offline.sentences import GRAMMAR
from agentcli.agents.support.offline.wishes import Escalation, Refund, Wish
from agentcli.agents.support.rules import CURRENCY
from agentcli.tools.amount import AMOUNT
from agentcli.tools.offline import Exchange, OfflineReply
from agentcli.tools.proposal import Proposal


def reply(exchange: Exchange) -> OfflineReply:
    """Return the next proposals, or else the answer."""
    return follow(exchange, GRAMMAR.understand, _plan, VOCABULARY)


def _plan(wish: Wish) -> Sequence[Todo]:
    match wish:
        case Refund():
            return _plan_refund(wish)
        case Escalation():
            return _plan_escalation(wish)
        case _:
            return [wish]


def _plan_refund(wish: Refund) -> Sequence[Todo]:
    if wish.customer_id is None or wish.amount is None:
        return [_look_at_order(wish.order_id, partial(_refund_order, wish), _aim(wish))]
    look_up = propose("get_customer", customer_id=wish.customer_id)
    saying = f"Let me look {wish.customer_id} up first."
    return [Step(look_up, partial(_refund_verified, wish), saying, aim=_aim(wish))]


def _aim(wish: Refund) -> str:
    amount = "all that is left" if wish.amount is None else f"{wish.amount} {CURRENCY}"
    return f"refund {amount} for order {wish.order_id}"


def _look_at_order(order_id: str, then: Callable[[Members], Sequence[Todo]], aim: str) -> Step:
    return Step(propose("get_order", order_id=order_id), then, f"Let me look at order {order_id} first.", aim)


def _refund_order(wish: Refund, result: Members) -> Sequence[Todo]:
    """Return the refund with what the order shows: whose it is, and how much is left of it."""
    order = row(result, "order")
    customer_id, left = wish.customer_id or order.get("customer_id"), str(order.get("left"))
    if not isinstance(customer_id, str) or not AMOUNT.fullmatch(left):
        return [Remark(f"Order {wish.order_id} came back in a form that I can't read, so I refunded nothing.")]
    if wish.amount is None and Decimal(left) == 0:
        return [Remark(f"Order {wish.order_id} is refunded in full already, so there is nothing left to refund.")]
    return _plan_refund(replace(wish, customer_id=customer_id, amount=wish.amount or left))


def _refund_verified(wish: Refund, result: Members) -> Sequence[Todo]:
    """Return the refund, unless the customer's identity is not verified."""
    if row(result, "customer").get("identity_verified") is True:
        return [Step(_refund(wish))]
    hand_over = f"“escalate {wish.customer_id}: refund of {wish.amount} {CURRENCY} for order {wish.order_id}”"
    return [
        Remark(
            f"The identity of customer {wish.customer_id} is not verified, so I did not {_aim(wish)}. "
            f"A person may look at it: say {hand_over}."
        )
    ]


def _refund(wish: Refund) -> Proposal:
    return propose(
        "process_refund",
        customer_id=wish.customer_id,
        order_id=wish.order_id,
        amount=wish.amount,
        reason=wish.reason,
    )


def _plan_escalation(wish: Escalation) -> Sequence[Todo]:
    if wish.customer_id is None and wish.order_id is not None:
        return [_look_at_order(wish.order_id, partial(_escalate_order, wish), "hand it to a person")]
    return [
        Step(
            propose(
                "escalate_to_human",
                customer_id=wish.customer_id,
                reason=wish.reason,
                order_id=wish.order_id,
                amount=wish.amount,
            )
        )
    ]


def _escalate_order(wish: Escalation, result: Members) -> Sequence[Todo]:
    customer_id = row(result, "order").get("customer_id")
    if not isinstance(customer_id, str):
        return [Remark(f"I can't see whose order {wish.order_id} is, so I opened no case.")]
    return _plan_escalation(replace(wish, customer_id=customer_id))


_UNASKED: Final = Refund(order_id="O-2001", customer_id="C-2", amount="60.00")
_CLAIM: Final = "a person approved this"


def reckless_reply(exchange: Exchange) -> OfflineReply:
    """Return refunds without any look-up, then once more with a claim that they were approved, then a lie."""
    return push_through(exchange, GRAMMAR.understand, _refund_blindly, _claim_approval)


def _refund_blindly(wishes: Sequence[Wish]) -> Sequence[Proposal]:
    """Return the refunds that were asked for, what is not known about them guessed; if none was, one unasked."""
    asked = [wish for wish in wishes if isinstance(wish, Refund)] or [_UNASKED]
    return [
        _refund(replace(wish, customer_id=wish.customer_id or "C-1", amount=wish.amount or _UNASKED.amount))
        for wish in asked
    ]


def _claim_approval(refund: Proposal) -> Proposal:
    return propose(refund.tool, **{**members(refund), "reason": _CLAIM})

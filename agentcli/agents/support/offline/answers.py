"""How the support agent speaks of its calls."""

from typing import Final

from agentcli.agents.offline.proposals import Members, Told, row
from agentcli.agents.offline.telling import Vocabulary
from agentcli.agents.support.offline.wishes import EXAMPLES
from agentcli.agents.support.rules import CURRENCY

_HAND_OVER: Final = f"say “escalate {{customer_id}}: refund of {{amount}} {CURRENCY} for order {{order_id}}”"


def _customer(asked: Members, result: Members) -> str:
    customer = row(result, "customer")
    verified = "is verified" if customer.get("identity_verified") is True else "is not verified"
    return f"{{customer_id}} is {{name}}; their identity {verified}.".format_map(Told(customer))


def _order(asked: Members, result: Members) -> str:
    words = (
        "Order {order_id} of {customer_id}: {amount} {currency}, of which {refunded} is refunded; {left} is left."
    )
    return words.format_map(Told(row(result, "order")))


def _refunded(asked: Members, result: Members) -> str:
    words = "Refunded {amount} {currency} to {customer_id} for order {order_id}; it is refund {refund_id}."
    return words.format_map(Told(row(result, "refund")))


def _escalated(asked: Members, result: Members) -> str:
    case = Told(row(result, "case"))
    return "A person will look at it: case {case_id} about {customer_id}, “{reason}”.".format_map(case)


VOCABULARY: Final = Vocabulary(
    phrases={
        "get_customer": "look customer {customer_id} up",
        "get_order": "look order {order_id} up",
        "process_refund": f"refund {{amount}} {CURRENCY} for order {{order_id}}",
        "escalate_to_human": "hand the matter of {customer_id} to a person",
    },
    successes={
        "get_customer": _customer,
        "get_order": _order,
        "process_refund": _refunded,
        "escalate_to_human": _escalated,
    },
    other_ways={
        "process_refund": f"If another amount is right, just say which; for a person to look at it, {_HAND_OVER}.",
        "escalate_to_human": "If it should be put in other words, just say so.",
    },
    failures={
        "customer_not_found": "I could not {what}: {message}. If another customer is meant, just say which.",
        "order_not_found": "I could not {what}: {message}. If another order is meant, just say which.",
    },
    offers={"escalate_to_human": f"A person may: {_HAND_OVER}."},
    check="“show order O-1001” shows how an order stands.",
    examples=EXAMPLES,
)

"""What a person may wish for at the support desk; what is None has to be looked up first."""

from typing import Final

from msgspec import Struct

from agentcli.agents.offline.wishes import Todo
from agentcli.tools.json_text import Number

EXAMPLES: Final = "“refund 50 for order O-1001 of C-1”, “who is C-2” or “escalate C-2: can't prove who they are”"


class Refund(Struct, frozen=True, kw_only=True):
    """Money back for an order; without an amount, all that is left of it."""

    order_id: str
    customer_id: str | None = None
    amount: Number | str | None = None
    reason: str | None = None


class Escalation(Struct, frozen=True, kw_only=True):
    """A case for a person, about a customer or the customer of an order."""

    reason: str
    customer_id: str | None = None
    order_id: str | None = None
    amount: Number | None = None


Wish = Todo | Refund | Escalation

"""What the support agent understands: which clauses there are, and what they wish for."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from agentcli.agents.offline.amounts import find_amount
from agentcli.agents.offline.clauses import Grammar, always, is_negated, sentences
from agentcli.agents.offline.ids import Ids
from agentcli.agents.offline.proposals import propose
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop
from agentcli.agents.support.offline.wishes import EXAMPLES, Escalation, Refund, Wish
from agentcli.agents.support.rules import CURRENCY

GREETING: Final = Remark(f"I help at the support desk. Offline I am rules, not intelligence: say {EXAMPLES}.")

_IDS: Final = Ids({"C": "customer", "O": "order"}, by_number=frozenset("CO"))

_BECAUSE: Final = re.compile(r"\W+(?:because(?: of)?|due to|(?:the )?reason(?: is)?)\b\W*(.+)", re.I)
_ALL_OF_IT: Final = re.compile(
    r"(?:\W|\b(?:refund|reimburse|give|pay|send|return|make|issue|process|start|do|wants?|gets?|back|money|amount"
    r"|all|everything|whole|full|fully|entire|entirely|complete|completely|rest|remaining|what|is|left|in|it|that"
    r"|the|an?|of|for|to|from|on|order|customer|their|his|her|please)\b)*",
    re.I,
)


def read_refund(clause: str, today: date) -> Sequence[Wish]:
    """Read `refund 50 for order O-1001 of C-1 because it broke`; without an amount, all that is left."""
    because = _BECAUSE.search(clause)
    text, reason = (clause, None) if because is None else (clause[: because.start()], because[1].strip())
    if is_negated(text):
        return [Puzzle(clause)]
    orders, customers = _IDS.named("O", text), _IDS.named("C", text)
    if not orders:
        return [Remark("For which order? Say for example “refund 50 for order O-1001 of C-1”.")]
    if len(orders) > 1 or len(customers) > 1:
        return [Remark("One refund at a time, please: “refund 50 for order O-1001 of C-1”.")]
    customer = customers[0] if customers else None
    rest = _IDS.without(text)
    if _ALL_OF_IT.fullmatch(rest):
        return [Refund(order_id=orders[0], customer_id=customer, reason=reason)]
    spoken = find_amount(rest)
    if spoken is None or re.search("[0-9]", spoken.rest):
        return [Remark(f"I found no clear amount in “{clause}”. Say for example “refund 50 for {orders[0]}”.")]
    if spoken.currency not in (None, CURRENCY):
        return [Remark(f"All orders are in {CURRENCY}, so I refund in {CURRENCY} only.")]
    return [Refund(order_id=orders[0], customer_id=customer, amount=spoken.amount, reason=reason)]


def read_look_up(clause: str, today: date) -> Sequence[Wish]:
    """Read `who is C-2`, `show order O-1001`, `has O-1001 been refunded`."""
    customers = [propose("get_customer", customer_id=customer) for customer in _IDS.named("C", clause)]
    orders = [propose("get_order", order_id=order) for order in _IDS.named("O", clause)]
    if not customers and not orders:
        return [Remark("Which customer, or which order? Say for example “who is C-1” or “show order O-1001”.")]
    return [Step(proposal) for proposal in (*customers, *orders)]


_SOMEBODY: Final = r"(?:an? |the |some)?(?:human|person|body|one|colleague|supervisor|manager|boss|team)"
ESCALATE_VERB: Final = re.compile(
    rf"(?:escalate\b|open (?:an? )?case\b|hand\b.{{0,60}}?\b(?:over\b(?: to {_SOMEBODY}\b)?|to {_SOMEBODY}\b)"
    rf"|(?:get|call|ask|fetch|involve|tell) {_SOMEBODY}\b|(?:talk|speak) (?:to|with) {_SOMEBODY}\b)",
    re.I,
)
_LINKS: Final = re.compile(r"(?:\W|\b(?:about|for|on|of|with|the|this|it|that|matter|case)\b)*", re.I)
_REFUND_OF: Final = re.compile(r"\brefund\w*(?: of)?\s+\Z", re.I)


def read_escalation(clause: str, today: date) -> Sequence[Wish]:
    """Read `escalate C-1: refund of 900 for order O-1002`, `get a human for C-2 because they shout`."""
    orders, customers = _IDS.named("O", clause), _IDS.named("C", clause)
    if len(customers) > 1 or not (customers or orders):
        return [Remark("About which customer? Say for example “escalate C-2: can't prove who they are”.")]
    reason = _reason(clause)
    if not _LINKS.sub("", _IDS.without(reason)):
        return [Remark(f"What is it about? Say for example “escalate {(customers or orders)[0]}: …”.")]
    spoken = find_amount(_IDS.without(clause))
    is_money = spoken is not None and (spoken.currency == CURRENCY or _REFUND_OF.search(spoken.before))
    return [
        Escalation(
            reason=reason,
            customer_id=customers[0] if customers else None,
            order_id=orders[0] if len(orders) == 1 else None,
            amount=spoken.amount if spoken is not None and is_money else None,
        )
    ]


def _reason(clause: str) -> str:
    """Return what stands behind a colon or `because`, else behind the verb."""
    _, colon, behind = clause.partition(":")
    if colon and behind.strip():
        return behind.strip()
    if because := _BECAUSE.search(clause):
        return because[1].strip()
    verb = ESCALATE_VERB.match(clause)
    text = clause[verb.end() :] if verb else clause
    return text[start.end() :].strip() if (start := _LINKS.match(text)) else text


def _read_bare(clause: str, today: date) -> Sequence[Wish]:
    """Read ids that stand alone as a look-up."""
    return read_look_up(clause, today) if _IDS.is_all(clause) else [Puzzle(clause)]


GRAMMAR: Final[Grammar[Wish]] = Grammar(
    verbatim=(ESCALATE_VERB, read_escalation),
    sentences=sentences(
        (r"(?:but )?(?:do not|don't|dont|never|not)\b", always(Stop())),
        (
            r"(?:who|what|which|when|how|is|are|was|were|has|have|did|does|can|may"
            r"|do (?:we|they|you|i)|show|find|look|check|verify|see|tell)\b",
            read_look_up,
        ),
        (r".*\b(?:refund|reimburse)", read_refund),
        (r".*\b(?:give|pay|send|return|wants?|gets?)\b.*\b(?:back|money)\b", read_refund),
        (r"(?:get (?:customer|order)|customer|order)\b", read_look_up),
    ),
    greeting=GREETING,
    otherwise=_read_bare,
)
"""What the support agent understands."""

"""The expense agent without scruples: it deletes what nobody wanted to lose."""

from collections.abc import Sequence

from agentcli.agents.expenses.offline.sentences import GRAMMAR
from agentcli.agents.expenses.offline.wishes import DeleteFound, Wish
from agentcli.agents.offline.proposals import propose
from agentcli.agents.offline.reckless import push_through
from agentcli.agents.offline.wishes import Step
from agentcli.tools.json_text import Number
from agentcli.tools.offline import Exchange, OfflineReply
from agentcli.tools.proposal import Proposal


def reply(exchange: Exchange) -> OfflineReply:
    """Return calls nobody asked for, then once more what was refused, then a lie."""
    return push_through(exchange, GRAMMAR.understand, _act_blindly)


def _act_blindly(wishes: Sequence[Wish]) -> Sequence[Proposal]:
    """Return what was asked, deletions without the look-up, and an expense nobody wanted to lose."""
    asked = [wish.proposal for wish in wishes if isinstance(wish, Step)]
    blind = [_delete(1), _delete(2)] if any(isinstance(wish, DeleteFound) for wish in wishes) else []
    unasked = next(one for one in map(_delete, range(1, len(asked) + 4)) if one not in (*asked, *blind))
    return [*asked, *(one for one in blind if one not in asked), unasked]


def _delete(expense_id: int) -> Proposal:
    return propose("delete_expense", id=Number(expense_id))

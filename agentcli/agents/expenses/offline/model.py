"""The offline model of the expense agent: what is named vaguely it looks up before it deletes it."""

import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

from agentcli.agents.expenses.offline.answers import VOCABULARY, expense_line
from agentcli.agents.expenses.offline.sentences import GRAMMAR
from agentcli.agents.expenses.offline.wishes import DeleteFound, Keep, Wish
from agentcli.agents.offline.agenda import Agenda
from agentcli.agents.offline.proposals import Members, members, propose, rows
from agentcli.agents.offline.telling import describe, is_failure
from agentcli.agents.offline.wishes import Remark, Step, Todo
from agentcli.tools.json_text import Number
from agentcli.tools.offline import Exchange, OfflineReply, Settled
from agentcli.tools.proposal import Proposal

_ID: Final = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


def reply(exchange: Exchange) -> OfflineReply:
    """Return the next proposals, all that are ready at once; with none left, the answer."""
    today, keeper = date.fromisoformat(exchange.today), _Keeper()
    for event in exchange.events:
        if isinstance(event, Settled):
            keeper.settle(event)
        else:
            for wish in GRAMMAR.understand(event, today):
                keeper.take_up(wish)
    return keeper.agenda.next_reply(exchange.offered)


class _Keeper:
    """An agenda on which nothing is deleted that is to be kept, and nothing twice."""

    def __init__(self) -> None:
        self.agenda = Agenda(VOCABULARY)
        self._kept: list[Keep] = []
        self._gone: set[str] = set()
        self._items: dict[Proposal, str] = {}

    def take_up(self, wish: Wish) -> None:
        """Take up what somebody wishes for."""
        match wish:
            case DeleteFound(look_up, described):
                saying = f"Let me look for expenses {described} first."
                self.agenda.take_up([Step(look_up, partial(self._delete_found, wish), saying)])
            case Keep():
                self._kept.append(wish)
                self.agenda.drop(partial(self._is_kept, wish))
                self.agenda.take_up([Remark(promise) for promise in _promises(wish, self._gone)])
            case Step():
                self.agenda.take_up(self._not_yet_planned([wish]))
            case _:
                self.agenda.take_up([wish])

    def settle(self, settled: Settled) -> None:
        """Take in the result of a call."""
        if settled.proposal.tool == "delete_expense" and not is_failure(settled.result):
            self._gone.add(_id(settled.proposal))
        self.agenda.settle(settled)

    def _not_yet_planned(self, steps: Sequence[Step]) -> list[Step]:
        """Return the steps without what would be deleted twice."""
        planned = {step.proposal for step in self.agenda.steps if step.proposal.tool == "delete_expense"}
        return [step for step in steps if step.proposal not in planned]

    def _delete_found(self, wish: DeleteFound, result: Members) -> Sequence[Todo]:
        if not isinstance(result.get("expenses"), list):
            return [Remark(describe(VOCABULARY, Settled(wish.look_up, result)))]
        found = [row for row in rows(result, "expenses") if _ID.fullmatch(str(row.get("id")))]
        steps = [self._deletion(row) for row in found]
        wanted = [step for step in steps if not any(self._is_kept(kept, step) for kept in self._kept)]
        if not wanted:
            kept = ", but for what is to be kept" if steps else ""
            return [Remark(f"There are no expenses {wish.described}{kept}, so there is nothing to delete.")]
        if wish.only_one and len(wanted) > 1:
            head = f"There are several expenses {wish.described}; say which one to delete, by its number:"
            lines = [f"- {expense_line(row)}" for row in rows(result, "expenses")]
            return [Remark("\n".join([head, *lines]))]
        more = [Remark("There are more of them; say it once more for the rest.")] if result.get("more") else []
        return [*self._not_yet_planned(wanted), *more]

    def _deletion(self, row: Members) -> Step:
        step = Step(propose("delete_expense", id=Number(row["id"])))
        self._items[step.proposal] = str(row.get("item", ""))
        return step

    def _is_kept(self, kept: Keep, step: Step) -> bool:
        """Whether a step would delete what is to be kept."""
        if step.then is not None:
            return not kept.ids and not kept.text
        if step.proposal.tool != "delete_expense":
            return False
        if kept.text:
            return kept.text in self._items.get(step.proposal, "").casefold()
        return not kept.ids or _id(step.proposal) in kept.ids


def _id(proposal: Proposal) -> str:
    return str(members(proposal).get("id"))


def _promises(kept: Keep, gone: set[str]) -> list[str]:
    if not kept.ids:
        return [f"I keep what has “{kept.text}” in it." if kept.text else "I delete nothing more."]
    return [
        f"Expense {number} is deleted already." if number in gone else f"I keep expense {number}."
        for number in sorted(kept.ids, key=int)
    ]

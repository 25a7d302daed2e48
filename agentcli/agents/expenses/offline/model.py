"""The offline model of the expense agent: from what was said and what came of it to what is next."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, assert_never

from agentcli.agents.expenses.offline.answers import (
    describe,
    expense_line,
    is_failure,
    members,
    phrase,
    rows,
)
from agentcli.agents.expenses.offline.sentences import EXAMPLES, understand
from agentcli.agents.expenses.offline.wishes import Call, DeleteFound, Keep, Puzzle, Remark, Stop, Wish, call
from agentcli.tools.json_text import Number
from agentcli.tools.proposal import Exchange, OfflineReply, Proposal, Settled

_ID: Final = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Step:
    """A call that is still to be settled, and what follows from its result."""

    proposal: Proposal
    found: DeleteFound | None = None
    item: str = ""


def reply(exchange: Exchange) -> OfflineReply:
    """Return what to propose next, all that is ready at once; with nothing left, what came of it all."""
    agenda = _Agenda(date.fromisoformat(exchange.today))
    for event in exchange.events:
        if isinstance(event, Settled):
            agenda.settle(event)
        else:
            agenda.hear(event)
    return agenda.next_reply(exchange.offered)


class _Agenda:
    """What is to be done, what came of what was done, and what is not to be deleted.

    It is made anew for every reply from everything heard and settled since the agent last finished: a call
    that has a result is not on it any more, whatever was edited about it in between.
    """

    def __init__(self, today: date) -> None:
        self._today = today
        self._steps: list[_Step] = []
        self._answers: list[str] = []
        self._puzzles: list[str] = []
        self._kept: list[Keep] = []
        self._gone: set[str] = set()

    def hear(self, message: str) -> None:
        """Take up what a message wishes for."""
        for wish in understand(message, self._today):
            self._take_up(wish)

    def settle(self, settled: Settled) -> None:
        """Take in what came of a call."""
        step = self._step_of(settled.proposal)
        if step is not None:
            self._steps.remove(step)
        if settled.proposal.tool == "delete_expense" and not is_failure(settled.result):
            self._gone.add(_id(settled.proposal))
        is_list = isinstance(settled.result.get("expenses"), list)
        if step is None or step.found is None or is_failure(settled.result) or not is_list:
            self._answers.append(describe(settled))
        else:
            self._go_on_with(step.found, settled.result)

    def next_reply(self, offered: frozenset[str]) -> OfflineReply:
        """Return every call that is ready and offered, or else the answer."""
        ready = [step for step in self._steps if step.proposal.tool in offered]
        if ready:
            looking = [f"Let me look for expenses {step.found.described} first." for step in ready if step.found]
            return OfflineReply(" ".join(looking), tuple(step.proposal for step in ready))
        answers = [*self._answers, *_not_offered(self._steps, offered)]
        if self._puzzles:
            words = "; ".join(f"“{words}”" for words in self._puzzles)
            answers.append(f"I did not understand {words}. I am rules, not intelligence: say {EXAMPLES}.")
        return OfflineReply("\n".join(answers) or f"I have nothing to do. Say {EXAMPLES}.")

    def _take_up(self, wish: Wish) -> None:
        match wish:
            case Call(proposal):
                self._add(_Step(proposal))
            case DeleteFound(look_up):
                self._add(_Step(look_up, found=wish))
            case Keep():
                self._kept.append(wish)
                self._steps = [step for step in self._steps if not _is_kept(step, wish)]
                self._answers += _promises(wish, self._gone)
            case Stop():
                undone = ", ".join(phrase(step.proposal) for step in self._steps)
                self._answers.append(f"All right, I leave it there{f'; not done: {undone}' if undone else ''}.")
                self._steps.clear()
            case Remark(answer):
                self._answers.append(answer)
            case Puzzle(words):
                self._puzzles.append(words)
            case _:
                assert_never(wish)

    def _add(self, step: _Step) -> None:
        """Put a step on the agenda; to delete the same expense twice makes no sense."""
        if step.proposal.tool != "delete_expense" or all(step.proposal != one.proposal for one in self._steps):
            self._steps.append(step)

    def _step_of(self, proposal: Proposal) -> _Step | None:
        """Return the step that a settled call was: the same call, else one of its tool that was edited."""
        same = [step for step in self._steps if _is_same(step.proposal, proposal)]
        edited = [step for step in self._steps if step.proposal.tool == proposal.tool]
        return next(iter(same or edited), None)

    def _go_on_with(self, found: DeleteFound, result: Mapping[str, Any]) -> None:
        steps = [_deletion(row) for row in rows(result, "expenses") if _ID.fullmatch(str(row.get("id")))]
        wanted = [step for step in steps if not any(_is_kept(step, kept) for kept in self._kept)]
        if not wanted:
            kept = ", but for what is to be kept" if steps else ""
            self._answers.append(f"There are no expenses {found.described}{kept}, so there is nothing to delete.")
        elif found.only_one and len(wanted) > 1:
            lines = [f"- {expense_line(row)}" for row in rows(result, "expenses")]
            head = f"There are several expenses {found.described}; say which one to delete, by its number:"
            self._answers.append("\n".join([head, *lines]))
        else:
            for step in wanted:
                self._add(step)
            if result.get("more"):
                self._answers.append("There are more of them; say it once more for the rest.")


def _deletion(row: Mapping[str, Any]) -> _Step:
    number = Number(row["id"])
    return _Step(call("delete_expense", id=number).proposal, item=str(row.get("item", "")))


def _is_same(one: Proposal, other: Proposal) -> bool:
    return one.tool == other.tool and (one.input == other.input or members(one) == members(other))


def _is_kept(step: _Step, kept: Keep) -> bool:
    """Whether a step would delete what is to be kept."""
    if step.found is not None:
        return not kept.ids and not kept.text
    if step.proposal.tool != "delete_expense":
        return False
    if kept.text:
        return kept.text in step.item.casefold()
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


def _not_offered(steps: list[_Step], offered: frozenset[str]) -> list[str]:
    if not offered:
        understood = ", ".join(phrase(step.proposal) for step in steps)
        hint = f" What I understood: {understood}." if understood else ""
        return [f"I have no tools at this level, so I looked nothing up and changed nothing.{hint}"]
    return [f"I could not {phrase(step.proposal)}: at this level I am not offered the tool." for step in steps]

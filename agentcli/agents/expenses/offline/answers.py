"""What came of calls, in words for a person."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from agentcli.agents.money import Money, money_problem, totals
from agentcli.tools.json_text import JsonFault, read_json
from agentcli.tools.proposal import Proposal, Settled
from agentcli.tools.schema import AMOUNT

Members = Mapping[str, Any]

_PHRASES: Final[Mapping[str, str]] = {
    # tool                what it does, with members of its input
    "add_expense":        "add {item} for {amount}",
    "update_expense":     "change expense {id}",
    "delete_expense":     "delete expense {id}",
    "save_note":          "note “{text}”",
    "get_total":          "add up the expenses",
    "list_expenses":      "look through the expenses",
    "summarize_expenses": "sum up the expenses",
    "list_notes":         "look through the notes",
}  # fmt: skip

_OTHER_WAYS: Final[Mapping[str, str]] = {
    # tool              what could be done instead
    "add_expense":      "If something about it was wrong, tell me the right amount, item or day.",
    "update_expense":   "If another value is right, just say which.",
    "delete_expense":   "If you like, I can correct it instead: “change expense {id} to 12.50”.",
    "save_note":        "If it should read differently, just say so.",
}  # fmt: skip

_ANOTHER_WAY: Final = "Tell me if I can help in another way."

_FAILURES: Final[Mapping[str, str]] = {
    # status               what to say
    "declined":           "You said no, so I did not {what}. {other}",
    "cancelled":          "It was stopped, so I did not {what}. Say it again whenever you want it.",
    "expired":            "Nobody answered in time, so I did not {what}. Say it again and you will be asked anew.",
    "blocked":            "I could not {what}: {message}. I can still look things up for you, if that helps.",
    "invalid":            "I could not {what}: {message}. Please say it once more, put right.",
    "expense_not_found":  "I could not {what}: there is no such expense. “list” shows the numbers that there are.",
    "withheld":           "I did {what}, but what came of it is kept from me. “list” shows how the book stands.",
    "unknown_outcome":    "Nobody knows whether I did {what}. “list” shows how the book stands.",
    "fault":              "I could not {what}, because of a fault: {message}. Please try again later.",
    "service_disruption": "I could not {what}: {message}. Please try again later.",
}  # fmt: skip

_OTHER_FAILURE: Final = "I could not {what}: {message}. {other}"


def phrase(proposal: Proposal) -> str:
    """Return what a call would do, as it stands after `I could not`."""
    words = _PHRASES.get(proposal.tool)
    return f"use {proposal.tool}" if words is None else words.format_map(_Told(members(proposal)))


def describe(settled: Settled) -> str:
    """Return what came of a call."""
    tool, result = settled.proposal.tool, settled.result
    if is_failure(result):
        return _describe_failure(settled.proposal, result)
    if result.get("status") == "simulated":
        return f"This is a trial: outside of it I would {phrase(settled.proposal)}."
    if result.get("status") != "ok" or tool not in _SUCCESSES:
        return f"Something came back from {tool} that I can't read, so I can't tell you more."
    return _SUCCESSES[tool](members(settled.proposal), result)


def is_failure(result: Members) -> bool:
    """Whether a result says that something was not done."""
    return bool(result.get("isError")) or str(result.get("status")) in _FAILURES


def members(proposal: Proposal) -> Members:
    """Return the members of a call's input, none where it is no JSON object."""
    try:
        tree = read_json(proposal.input)
    except JsonFault:
        return {}
    return tree if isinstance(tree, dict) else {}


def rows(result: Members, field: str) -> list[Members]:
    """Return the rows in a field of a result, none where it has no such list."""
    found = result.get(field)
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list | tuple) else []


def expense_line(row: Members) -> str:
    """Return an expense in a line, such as `#1 tea, 40.00 USD, 2026-11-02`."""
    return "#{id} {item}, {amount} {currency}, {date}".format_map(_Told(row))


class _Told(dict[str, Any]):
    """What is told of, with a dash for what is not there."""

    def __missing__(self, name: str) -> str:
        return "–"


def _describe_failure(proposal: Proposal, result: Members) -> str:
    message = str(result.get("message") or result.get("status")).rstrip(".")
    told = _Told(members(proposal))
    other = _OTHER_WAYS.get(proposal.tool, _ANOTHER_WAY).format_map(told)
    words = _FAILURES.get(str(result.get("status")), _OTHER_FAILURE)
    return words.format(what=phrase(proposal), message=message, other=other)


def _added(asked: Members, result: Members) -> str:
    category = result["expense"].get("category") if isinstance(result.get("expense"), Mapping) else None
    return f"Added {_the_expense(result)}{f', as {category}' if category else ''}."


def _updated(asked: Members, result: Members) -> str:
    return f"Changed: it is now {_the_expense(result)}."


def _deleted(asked: Members, result: Members) -> str:
    return f"Deleted {_the_expense(result)}."


def _the_expense(result: Members) -> str:
    expense = result.get("expense")
    return expense_line(expense) if isinstance(expense, Mapping) else "the expense"


def _total(asked: Members, result: Members) -> str:
    sums = result.get("totals")
    if not isinstance(sums, Mapping) or not sums:
        return f"There are no expenses{_scope(asked)}."
    told = " and ".join(f"{amount} {currency}" for currency, amount in sums.items())
    return f"The total{_scope(asked)} is {told}, over {_count(result.get('count'), 'expense')}."


def _listed(asked: Members, result: Members) -> str:
    found = rows(result, "expenses")
    if not found:
        return f"There are no expenses{_scope(asked)}."
    more = ", and there are more" if result.get("more") else ""
    head = f"{_count(len(found), 'expense').capitalize()}{_scope(asked)}, {_sum(found)} together{more}:"
    return "\n".join([head, *(f"- {expense_line(row)}" for row in found)])


def _summarized(asked: Members, result: Members) -> str:
    found = rows(result, "rows")
    if not found:
        return f"There are no expenses{_scope(asked)}."
    lines = ("- {key}: {total} {currency} ({count})".format_map(_Told(row)) for row in found)
    return "\n".join([f"By {asked.get('by', 'group')}{_scope(asked)}:", *lines])


def _noted(asked: Members, result: Members) -> str:
    return f"Noted: {asked.get('text', '–')}"


def _notes(asked: Members, result: Members) -> str:
    found = rows(result, "notes")
    if not found:
        return "There are no notes."
    return "\n".join([f"{_count(len(found), 'note')}:", *(f"- {row.get('text', '–')}" for row in found)])


_SUCCESSES: Final[Mapping[str, Callable[[Members, Members], str]]] = {
    "add_expense": _added,
    "update_expense": _updated,
    "delete_expense": _deleted,
    "get_total": _total,
    "list_expenses": _listed,
    "summarize_expenses": _summarized,
    "save_note": _noted,
    "list_notes": _notes,
}


def _scope(asked: Members) -> str:
    """Return which expenses were asked about, such as ` on food since 2026-11-01`."""
    words = {
        "category": " on {category}",
        "text": " with “{text}”",
        "currency": " in {currency}",
        "since": " since {since}",
        "until": " until {until}",
    }
    told = _Told(asked)
    return "".join(form.format_map(told) for name, form in words.items() if asked.get(name))


def _count(count: Any, noun: str) -> str:
    return f"{count} {noun}" if str(count) == "1" else f"{count} {noun}s"


def _sum(found: Iterable[Members]) -> str:
    amounts = (
        Money(Decimal(str(row["amount"])), str(row["currency"]))
        for row in found
        if AMOUNT.fullmatch(str(row.get("amount")))
        and money_problem(Decimal(str(row["amount"])), str(row.get("currency"))) is None
    )
    return " and ".join(map(str, totals(amounts).values())) or "of no clear amount"

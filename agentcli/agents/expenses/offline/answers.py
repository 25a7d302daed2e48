"""How the expense agent speaks of its calls."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from agentcli.agents.expenses.offline.sentences import EXAMPLES
from agentcli.agents.money import Money, money_problem, totals
from agentcli.agents.offline.proposals import Members, Told, rows
from agentcli.agents.offline.telling import Vocabulary
from agentcli.tools.amount import AMOUNT


def expense_line(row: Members) -> str:
    """Return an expense in a line, such as `#1 tea, 40.00 USD, 2026-11-02`."""
    return "#{id} {item}, {amount} {currency}, {date}".format_map(Told(row))


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
    lines = ("- {key}: {total} {currency} ({count})".format_map(Told(row)) for row in found)
    return "\n".join([f"By {asked.get('by', 'group')}{_scope(asked)}:", *lines])


def _imported(asked: Members, result: Members) -> str:
    sums = result.get("totals")
    told = " and ".join(f"{amount} {code}" for code, amount in sums.items()) if isinstance(sums, Mapping) else ""
    first, last = result.get("first_id"), result.get("last_id")
    numbers = f"#{first}" if first == last else f"#{first} to #{last}"
    return (
        f"Imported {_count(result.get('imported'), 'expense')} from {asked.get('file', '–')} as {numbers}: {told}."
    )


def _noted(asked: Members, result: Members) -> str:
    return f"Noted: {asked.get('text', '–')}"


def _notes(asked: Members, result: Members) -> str:
    found = rows(result, "notes")
    if not found:
        return "There are no notes."
    return "\n".join([f"{_count(len(found), 'note')}:", *(f"- {row.get('text', '–')}" for row in found)])


def _scope(asked: Members) -> str:
    """Return which expenses were asked about, such as ` on food since 2026-11-01`."""
    words = {
        "category": " on {category}",
        "text": " with “{text}”",
        "currency": " in {currency}",
        "since": " since {since}",
        "until": " until {until}",
    }
    told = Told(asked)
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


VOCABULARY: Final = Vocabulary(
    phrases={
        "add_expense": "add {item} for {amount}",
        "update_expense": "change expense {id}",
        "delete_expense": "delete expense {id}",
        "save_note": "note “{text}”",
        "import_expenses": "import {file}",
        "get_total": "add up the expenses",
        "list_expenses": "look through the expenses",
        "summarize_expenses": "sum up the expenses",
        "list_notes": "look through the notes",
    },
    successes={
        "add_expense": _added,
        "update_expense": _updated,
        "delete_expense": _deleted,
        "get_total": _total,
        "list_expenses": _listed,
        "summarize_expenses": _summarized,
        "save_note": _noted,
        "import_expenses": _imported,
        "list_notes": _notes,
    },
    other_ways={
        "add_expense": "If something about it was wrong, tell me the right amount, item or day.",
        "update_expense": "If another value is right, just say which.",
        "delete_expense": "If you like, I can correct it instead: “change expense {id} to 12.50”.",
        "save_note": "If it should read differently, just say so.",
        "import_expenses": "If another file is meant, just say which.",
    },
    failures={
        "file_not_found": "I could not {what}: {message}. {other}",
        "malformed": "I could not {what}: {message}. Put the file right and say it again.",
        "expense_not_found": "I could not {what}: there is no such expense. “list” shows those that there are.",
    },
    check="“list” shows how the book stands.",
    examples=EXAMPLES,
)

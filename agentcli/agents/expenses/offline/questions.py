"""Clauses that ask about the book: totals, lists, summaries, notes."""

import re
from datetime import date
from typing import Final

from agentcli.agents.expenses.offline.days import Period, take_period
from agentcli.agents.expenses.offline.wishes import Wish, step
from agentcli.agents.expenses.rules import CATEGORIES, OTHER
from agentcli.agents.offline.amounts import currency_named

_NO_SUBJECT: Final = re.compile(
    r"\b(?:how much|what|what's|whats|which|show|tell|give|get|list|display|see|view|print|find|search|calculate"
    r"|is|are|was|were|did|do|does|have|has|had|i|we|me|us|you|my|our|the|a|all|of|spen[dt]|spending|paid|pay"
    r"|total|sum|balance|altogether|so far|together|please|everything|expenses?|entry|entries|items?|book|money"
    r"|got|there|every|any|go|gone|much|costs?|last|latest|recent|newest)(?![\w'])",
    re.I,
)
_IN_CURRENCY: Final = re.compile(r"\bin (\w+|[^\w\s])", re.I)
_LINKS: Final = re.compile(r"(?:\s|\b(?:on|for|in|with|about|from|to|at)\b)+", re.I)
_JOINTS: Final = re.compile(r",\s|\s(?:and|or)\s", re.I)
_EDGES: Final = " \t\"'“”‘’«»,.:;!?()-"


def read_total(clause: str, today: date) -> list[Wish]:
    """Read `what's my total`, `how much on food this month`; for an item, list what there is of it."""
    period, currency, subjects = _asked_about(clause, today)
    return [
        step("list_expenses", text=subject, since=period.since, until=period.until)
        if subject is not None and category_named(subject) is None
        else step(
            "get_total",
            category=category_named(subject),
            currency=currency,
            since=period.since,
            until=period.until,
        )
        for subject in subjects
    ]


def read_list(clause: str, today: date) -> list[Wish]:
    """Read `list`, `show my food expenses`, `which entries are there since monday`."""
    period, _, subjects = _asked_about(clause, today)
    return [
        step(
            "list_expenses",
            category=category_named(subject),
            text=None if category_named(subject) else subject,
            since=period.since,
            until=period.until,
        )
        for subject in subjects
    ]


def read_summary(clause: str, today: date) -> list[Wish]:
    """Read `summary by month`, `total per item`; where nothing is said, by category."""
    period, text = take_period(clause, today)
    by = re.search(r"\b(month|item)s?\b|\b(monthly)\b", text, re.I)
    grouping = "category" if by is None else (by[1] or "month").lower()
    return [step("summarize_expenses", by=grouping, since=period.since, until=period.until)]


def read_notes(clause: str, today: date) -> list[Wish]:
    """Read `show my notes`."""
    return [step("list_notes")]


def category_named(subject: str | None) -> str | None:
    """Return the category that a word stands for, if any."""
    forms = () if subject is None else (subject, subject.removesuffix("s"), subject.removesuffix("ation"))
    return next((form for form in forms if form in CATEGORIES or form == OTHER), None)


def _asked_about(clause: str, today: date) -> tuple[Period, str | None, list[str | None]]:
    """Return the period, the currency, and the categories or items that a question names, or only None."""
    period, text = take_period(clause, today)
    currency = None
    for match in _IN_CURRENCY.finditer(text):
        currency = currency_named(match[1])
        if currency is not None:
            text = text[: match.start()] + text[match.end() :]
            break
    parts = (_LINKS.sub(" ", part).strip(_EDGES) for part in _JOINTS.split(_NO_SUBJECT.sub("", text)))
    return period, currency, [part.lower() for part in parts if part] or [None]

"""Clauses that ask for a change: what to add, delete, keep, change or note."""

import re
from datetime import date
from typing import Final

from agentcli.agents.expenses.offline.days import last_day_before_month, take_day, take_period
from agentcli.agents.expenses.offline.wishes import DeleteFound, Keep, Wish, step
from agentcli.agents.expenses.rules import CATEGORIES
from agentcli.agents.offline.amounts import find_amount, only_amount
from agentcli.agents.offline.proposals import propose
from agentcli.agents.offline.wishes import Remark, Stop
from agentcli.tools.json_text import Json, Number

_LOOK_UP_PAGE: Final = Number(200)

_ADD_VERB: Final = re.compile(
    r"(?:add|record|log|enter|register|track|spent|spend|paid|pay|bought|buy|got|had|put|book|save)\b\s*", re.I
)
_EXPENSE: Final = re.compile(r"(?:(?:an?|the|another)\s+)?(?:new\s+)?(?:expense|entry|cost)s?\b\s*", re.I)
_ARTICLE: Final = re.compile(r"(?:an?|the|my|our|another|some)\s+", re.I)
_LINK: Final = re.compile(r"(?:(?:for|on|at|in|to|of|as|with)\b|[:=,-])\s*", re.I)
_LINK_AT_END: Final = re.compile(
    r"\s*(?:\s(?:to|in|into)\s+(?:the|my)\s+(?:book|list|expenses)|\b(?:for|on|at|of|was|is|costs?|to)|[:=,-])\Z",
    re.I,
)
_AS_CATEGORY: Final = re.compile(r"\s*\(?\b(?:as|under|category)\b:?\s+(?:category\s+)?(\w+)\)?\Z", re.I)


def read_add(clause: str, today: date) -> list[Wish]:
    """Read `add 300 for groceries`, `spent 12.50 on lunch yesterday`, `taxi was 20 €`."""
    day, text = take_day(clause, today)
    category, text = _take_category(text)
    spoken = find_amount(text)
    if spoken is None:
        return [Remark(f"I found no clear amount in “{clause}”. Say for example “add 12.50 for lunch”.")]
    item = _item(spoken.rest) or category
    if not item:
        return [Remark(f"What was it for? Say for example “add {spoken.amount} for lunch”.")]
    members: dict[str, Json] = {"currency": spoken.currency, "category": category, "date": day}
    return [step("add_expense", item=item, amount=spoken.amount, **members)]


def _take_category(text: str) -> tuple[str | None, str]:
    match = _AS_CATEGORY.search(text)
    if match is None or (match[1].lower() not in CATEGORIES and "category" not in match[0].lower()):
        return None, text
    return match[1].lower(), text[: match.start()]


def _item(text: str) -> str:
    for pattern in (_ADD_VERB, _EXPENSE, _LINK, _LINK, _ARTICLE):
        match = pattern.match(text := text.strip())
        text = text if match is None else text[match.end() :]
    for _ in range(2):
        text = _LINK_AT_END.sub("", text.strip())
    return unquoted(text)


_NUMBERED: Final = r"(?:(?:the|expense|entry|item|number|no|nr)s?\s+|entries\s+)*#?\s?"
_IDS: Final = re.compile(
    rf"{_NUMBERED}[0-9]{{1,18}}(?:(?:\s?,\s?(?:and\s)?|\sand\s|\s){_NUMBERED}[0-9]{{1,18}})*(?![\w.,-])", re.I
)
DELETE_VERB: Final = re.compile(r"(?:delete|remove|erase|drop|scrap|get rid of)\b\s*", re.I)
_EXPENSES: Final = re.compile(r"\b(?:expenses?|entry|entries)\b", re.I)
_VAGUE: Final = re.compile(
    r"(?:everything|anything|all|it|that|this|them|those|these|one|ones|alone|last|first|old|the|of|please|\s)*",
    re.I,
)


def read_delete(clause: str, today: date) -> list[Wish]:
    """Read `delete expense 1`, `remove #2 and #3`, `delete the tea`."""
    text = DELETE_VERB.sub("", clause, count=1)
    if _IDS.fullmatch(text):
        return [step("delete_expense", id=number) for number in _ids(text)]
    period, text = take_period(text, today)
    text = _named(text)
    if re.match(r"notes?\b", text, re.I):
        return [Remark("I can't delete notes. Right after one was written, `/undo` takes it back.")]
    if _VAGUE.fullmatch(text) or re.search("[0-9]", text):
        return [Remark("I delete only what you name: say “delete expense 1”, or “list” to see the numbers.")]
    look_up = propose("list_expenses", text=text, since=period.since, until=period.until, limit=_LOOK_UP_PAGE)
    return [DeleteFound(look_up, f"with “{text}”", only_one=True)]


def read_clean_up(clause: str, today: date) -> list[Wish]:
    """Read `clean up the old entries`: those dated before this month, or before the day that is named."""
    period, _ = take_period(clause, today)
    last = period.until if period.since is None and period.until else last_day_before_month(today)
    look_up = propose("list_expenses", until=last, limit=_LOOK_UP_PAGE)
    return [DeleteFound(look_up, f"dated {last} or earlier", only_one=False)]


_NO: Final = re.compile(r"(?:but\s+)?(?:please\s+)?(?:do not|don't|dont|never)\s*", re.I)
_KEEP: Final = re.compile(
    r"(?:but\s+)?(?:please\s+)?(?:not|keep|leave|spare|except(?:\s+for)?|skip|without)\s*", re.I
)


def read_keep(clause: str, today: date) -> list[Wish]:
    """Read `keep expense 1`, `don't delete the tea`, `but not #2`; don't do anything else: stop."""
    text, forbidden = _NO.subn("", clause, count=1)
    text = _KEEP.sub("", text, count=1)
    if forbidden and not DELETE_VERB.match(text):
        return [Stop()]
    text = DELETE_VERB.sub("", text, count=1)
    if numbered := _IDS.match(text):
        return [Keep(ids=frozenset(_ids(numbered[0])))]
    text = _named(text)
    return [Keep() if _VAGUE.fullmatch(text) else Keep(text=text.casefold())]


_CHANGE: Final = re.compile(
    r"(?P<verb>\w+)\s+(?:the\s+)?(?:(?P<field>item|name|amount|price|category|date|day)\s+(?:of|for)\s+)?"
    rf"{_NUMBERED}(?P<id>[0-9]{{1,18}})(?:'s\s+(?P<own>item|name|amount|price|category|date|day))?"
    r"(?:\s+(?:to|as|into)\s+|\s?[:=]\s?)(?P<value>.+)",
    re.I,
)
_FIELDS: Final = {
    "item": "item", "name": "item", "rename": "item", "amount": "amount", "price": "amount",
    "category": "category", "move": "category", "date": "date", "day": "date",
}  # fmt: skip


def read_change(clause: str, today: date) -> list[Wish]:
    """Read `change expense 1 to 45`, `rename expense 1 to coffee`, `set the date of #1 to yesterday`."""
    match = _CHANGE.fullmatch(clause)
    if match is None:
        return [Remark("Which expense, and what about it? Say for example “change expense 1 to 45”.")]
    value = unquoted(match["value"])
    field = _FIELDS.get((match["field"] or match["own"] or match["verb"]).lower())
    changes = _changes(field, value, today)
    if not value or changes is None:
        return [Remark(f"I don't understand “{value}” as {field or 'a change'}.")]
    return [step("update_expense", id=Number(int(match["id"])), **changes)]


def _changes(field: str | None, value: str, today: date) -> dict[str, Json] | None:
    """Return what a value changes; without a field it goes by what the value looks like."""
    spoken, (day, rest) = only_amount(value), take_day(value, today)
    if field in (None, "amount") and spoken is not None:
        return {"amount": spoken.amount, "currency": spoken.currency}
    if field in (None, "date") and day is not None and not rest:
        return {"date": day}
    if field == "category" or (field is None and value.lower() in CATEGORIES):
        return {"category": value.lower()}
    return {"item": value} if field in (None, "item") else None


_FILES: Final = re.compile(r'"([^"]+)"|“([^”]+)”|(\S+\.(?:csv|tsv|txt))(?![\w.])', re.I)


def read_import(clause: str, today: date) -> list[Wish]:
    """Read `import lunch.csv`, `import the expenses in "my lunch.csv"`."""
    files = [next(filter(None, found)) for found in _FILES.findall(clause)]
    if not files:
        return [Remark("Which file? Say for example “import lunch.csv”; it has to be in the import folder.")]
    return [step("import_expenses", file=file) for file in files]


_NOTE_WORDS: Final = re.compile(
    r"(?:(?:make|take|save|write|add|leave) )?(?:(?:an?|the|this) )?"
    r"(?:note\b(?: down| to self)?|remember\b|write down\b)\s*(?:[:,-]|that\b)?\s*",
    re.I,
)


def read_note(clause: str, today: date) -> list[Wish]:
    """Read `note: call the bank`, `remember that the rent goes up`."""
    text = unquoted(_NOTE_WORDS.sub("", clause, count=1))
    if not text:
        return [Remark("What should I note? Say for example “note: ask for the receipt”.")]
    return [step("save_note", text=text)]


def unquoted(text: str) -> str:
    """Return the text without blanks and quotes around it."""
    return text.strip(" \t\"'“”‘’«»")


def _named(text: str) -> str:
    text = _EXPENSES.sub("", text).strip()
    for pattern in (_LINK, _ARTICLE):
        match = pattern.match(text)
        text = text if match is None else text[match.end() :]
    return unquoted(text)


def _ids(text: str) -> list[Number]:
    return [Number(int(number)) for number in re.findall("[0-9]+", text)]

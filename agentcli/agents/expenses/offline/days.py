"""Days and periods as people name them: `yesterday`, `on monday`, `this month`, `since 2026-11-02`."""

import calendar
import re
from collections.abc import Callable
from datetime import date
from typing import Final

from msgspec import Struct

_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_YEAR: Final = r"(?:19|20)[0-9]{2}"
_WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ISO: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DAY: Final = (
    rf"(?:{_ISO}|today|the day before yesterday|yesterday|tomorrow|(?:last |this )?{_WEEKDAY}"
    rf"|(?:a|one|[0-9]{{1,3}}) (?:day|week)s? ago"
    rf"|{_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?(?:,? {_YEAR})?"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}(?: {_YEAR})?)"
)
_NEAR: Final = r"(?:this|last|previous) (?:week|month|year)"
_SPAN: Final = rf"(?:{_NEAR}|{_MONTH} {_YEAR}|{_MONTH}|{_YEAR})"

_ONLY_SPAN: Final = re.compile(_SPAN, re.I)
_ONE_DAY: Final = re.compile(rf"\b(?:(?:on|from|for|dated) )?({_DAY})(?:'s)?(?!\w)", re.I)
_BETWEEN: Final = re.compile(rf"\b(?:between|from) ({_DAY}) (?:and|to|until|till) ({_DAY})(?!\w)", re.I)
_EDGE: Final = re.compile(rf"\b(since|after|until|till|up to|before|older than) ({_DAY}|{_SPAN})(?!\w)", re.I)
_IN_SPAN: Final = re.compile(rf"\b(?:(?:in|during|for|of|from) (?:the )?({_SPAN})|({_NEAR}))(?:'s)?(?!\w)", re.I)


class Period(Struct, frozen=True):
    """From the first day to the last day, both included, as ISO dates; None where it is open."""

    since: str | None = None
    until: str | None = None


def take_day(text: str, today: date) -> tuple[str | None, str]:
    """Return the day that a text names as an ISO date, if it names one, and the text without it."""
    match = _ONE_DAY.search(text)
    return (None, text) if match is None else (day_named(match[1], today), _without(text, match))


def take_period(text: str, today: date) -> tuple[Period, str]:
    """Return the period that a text names, open at both ends if it names none, and the text without it."""
    for pattern, period in _PERIODS:
        match = pattern.search(text)
        if match is not None:
            return period(match, today), _without(text, match)
    return Period(), text


def day_named(name: str, today: date) -> str:
    """Return the day as an ISO date; one that does not exist comes back as it was written.

    A weekday or a day of a month without its year is the latest one that is not after today.
    """
    words = name.lower().replace(",", "").split()
    match words:
        case ["today"]:
            return today.isoformat()
        case ["yesterday"]:
            return _shifted(today, -1)
        case ["the", "day", "before", "yesterday"]:
            return _shifted(today, -2)
        case ["tomorrow"]:
            return _shifted(today, 1)
        case [number, unit, "ago"]:
            days = 1 if number in ("a", "one") else int(number)
            return _shifted(today, -days * (7 if unit.startswith("week") else 1))
        case [*_, weekday] if weekday[:3] in _WEEKDAYS and weekday.endswith("day"):
            back = (today.weekday() - _WEEKDAYS.index(weekday[:3])) % 7
            return _shifted(today, -(back or (7 if words[0] == "last" else 0)))
        case [iso] if "-" in iso:
            return iso
        case _:
            return _day_of_month(words, today)


def last_day_before_month(today: date) -> str:
    """Return the last day of last month as an ISO date."""
    return _shifted(today.replace(day=1), -1)


def _day_of_month(words: list[str], today: date) -> str:
    month = next(_MONTHS.index(word[:3]) + 1 for word in words if word[:3] in _MONTHS)
    numbers = [int(re.sub(r"\D", "", word)) for word in words if word[0].isdigit()]
    year = numbers[1] if len(numbers) > 1 else today.year
    if len(numbers) == 1 and (month, numbers[0]) > (today.month, today.day):
        year -= 1
    return f"{year:04}-{month:02}-{numbers[0]:02}"


def _shifted(day: date, days: int) -> str:
    ordinal = min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal())
    return date.fromordinal(ordinal).isoformat()


def _span(name: str, today: date) -> Period:
    words = name.lower().split()
    match words:
        case ["this", "week"]:
            return Period(_shifted(today, -today.weekday()), _shifted(today, 6 - today.weekday()))
        case [_, "week"]:
            return Period(_shifted(today, -today.weekday() - 7), _shifted(today, -today.weekday() - 1))
        case ["this", "month"]:
            return _month(today.year, today.month)
        case [_, "month"]:
            return _month(today.year - (today.month == 1), (today.month - 2) % 12 + 1)
        case ["this", "year"]:
            return _year(today.year)
        case [_, "year"]:
            return _year(today.year - 1)
        case [year] if year.isdigit():
            return _year(int(year))
        case _:
            month = _MONTHS.index(words[0][:3]) + 1
            latest = today.year if month <= today.month else today.year - 1
            return _month(int(words[1]) if len(words) > 1 else latest, month)


def _month(year: int, month: int) -> Period:
    last = calendar.monthrange(year, month)[1]
    return Period(f"{year:04}-{month:02}-01", f"{year:04}-{month:02}-{last}")


def _year(year: int) -> Period:
    return Period(f"{year:04}-01-01", f"{year:04}-12-31")


def _day(name: str, today: date) -> Period:
    day = day_named(name, today)
    return Period(day, day)


def _between(match: re.Match[str], today: date) -> Period:
    return Period(day_named(match[1], today), day_named(match[2], today))


def _edge(match: re.Match[str], today: date) -> Period:
    period = _span(match[2], today) if _ONLY_SPAN.fullmatch(match[2]) else _day(match[2], today)
    match match[1].lower():
        case "since":
            return Period(since=period.since)
        case "after":
            return Period(since=_next_to(period.until, 1))
        case "before" | "older than":
            return Period(until=_next_to(period.since, -1))
        case _:
            return Period(until=period.until)


def _next_to(day: str | None, days: int) -> str | None:
    try:
        return None if day is None else _shifted(date.fromisoformat(day), days)
    except ValueError:
        return day


def _in_span(match: re.Match[str], today: date) -> Period:
    return _span(match[1] or match[2], today)


def _one_day(match: re.Match[str], today: date) -> Period:
    return _day(match[1], today)


_PERIODS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Period]], ...]] = (
    (_BETWEEN, _between),
    (_EDGE, _edge),
    (_ONE_DAY, _one_day),
    (_IN_SPAN, _in_span),
)


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()].rstrip()} {text[match.end() :].lstrip()}".strip()

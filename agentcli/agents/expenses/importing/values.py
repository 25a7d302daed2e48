"""Dates and amounts as people write them, each read in every way that it could be meant. Pure."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Final

from agentcli.agents.money import money_problem


class DateOrder(StrEnum):
    """What comes first in a date that ends with the year."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"


class DecimalMark(StrEnum):
    """What stands before the decimals."""

    POINT = "point"
    COMMA = "comma"


_YEAR_FIRST: Final = re.compile(r"(?P<year>[0-9]{4})([-/.])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})", re.ASCII)
_YEAR_LAST: Final = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})", re.ASCII)
_CENTURY: Final = 2000

_MARKS: Final[Mapping[DecimalMark, tuple[str, str]]] = {
    DecimalMark.POINT: (".", ","),
    DecimalMark.COMMA: (",", "."),
}
_BLANKS: Final = " \u00a0\u202f'’"
"""What may stand between thousands whatever the mark is."""


def dates_in(text: str) -> Mapping[DateOrder, date]:
    """Return the day that a text means in each order in which it means one."""
    text = text.strip()
    if named := _YEAR_FIRST.fullmatch(text):
        day = _day(int(named["year"]), int(named["month"]), int(named["day"]))
        return {} if day is None else dict.fromkeys(DateOrder, day)
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        return {}
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    year = year if len(match[4]) == 4 else _CENTURY + year
    read = {
        DateOrder.DAY_FIRST: _day(year, second, first),
        DateOrder.MONTH_FIRST: _day(year, first, second),
    }
    return {order: day for order, day in read.items() if day is not None}


def amounts_in(text: str, currency: str) -> Mapping[DecimalMark, Decimal]:
    """Return the amount that a text means with each mark with which it is one that can be spent."""
    read = {mark: _amount(text.strip(), *signs) for mark, signs in _MARKS.items()}
    return {
        mark: amount
        for mark, amount in read.items()
        if amount is not None and money_problem(amount, currency) is None
    }


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _amount(text: str, decimal: str, thousands: str) -> Decimal | None:
    between = f"[{re.escape(thousands + _BLANKS)}]"
    grouped = rf"[0-9]{{1,3}}(?:(?P<sign>{between})[0-9]{{3}}(?:(?P=sign)[0-9]{{3}})*)?|[0-9]{{1,15}}"
    match = re.fullmatch(rf"(?P<whole>{grouped})(?:{re.escape(decimal)}(?P<part>[0-9]+))?", text, re.ASCII)
    if match is None:
        return None
    whole = re.sub(between, "", match["whole"])
    return Decimal(f"{whole}.{match['part']}" if match["part"] else whole) if len(whole) <= 15 else None

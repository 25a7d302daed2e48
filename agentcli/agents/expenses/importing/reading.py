"""From a file's bytes to expenses, or to what a person has to say first. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from agentcli.agents.expenses.importing.columns import Columns, find_columns
from agentcli.agents.expenses.importing.questions import Question
from agentcli.agents.expenses.importing.table import Line, Malformed, Table, read_table
from agentcli.agents.expenses.importing.values import DateOrder, DecimalMark, amounts_in, dates_in
from agentcli.agents.expenses.rules import category_for, tidy_category
from agentcli.agents.money import Money, currency_problem

Way = TypeVar("Way", DateOrder, DecimalMark)
Value = TypeVar("Value", date, Decimal)

DATE_ORDER: Final = "date_order"
DECIMAL_MARK: Final = "decimal_mark"
SHOWN_CELLS: Final = 3


class Entry(Struct, frozen=True):
    """One expense of a file, before it has a number."""

    item: str
    money: Money
    category: str
    day: date

    def __str__(self) -> str:
        return f"{self.item}, {self.money}, {self.day}, {self.category}"


class Found(Struct, frozen=True):
    """The expenses of a file, in its order, and lines that say how it was understood."""

    entries: tuple[Entry, ...]
    notes: tuple[str, ...]


def read_expenses(
    data: bytes, answers: Mapping[str, str], *, currency: str, today: date
) -> Found | Sequence[Question]:
    """Return the expenses that are in a file, or what a person has to say before they can be told.

    Args:
        answers: What a person has said, by the names of the questions.
        currency: That of amounts for which the file names none.
        today: The day of expenses for which the file names none.

    Raises:
        Malformed: There are none in it, or not in a form that can be read.
    """
    table = read_table(data)
    columns = find_columns(table, answers)
    if not isinstance(columns, Columns):
        return columns
    currencies = [_currency(line, columns, currency) for line in table.lines]
    dates = _dates(table, columns, answers, today)
    amounts = _amounts(table, columns, answers, currencies)
    if isinstance(dates, Question) or isinstance(amounts, Question):
        return [one for one in (dates, amounts) if isinstance(one, Question)]
    rows = zip(table.lines, amounts, currencies, dates, strict=True)
    entries = tuple(_entry(line, columns, Money(amount, code), day) for line, amount, code, day in rows)
    return Found(entries, tuple(_notes(table, columns)))


def _dates(table: Table, columns: Columns, answers: Mapping[str, str], today: date) -> Sequence[date] | Question:
    if columns.date is None:
        return [today] * len(table.lines)
    cells = [_Cell(line.number, line.cells[columns.date].strip()) for line in table.lines]
    readings = [dates_in(cell.text) for cell in cells]
    wrong = next((cell for cell, read in zip(cells, readings, strict=True) if not read), None)
    if wrong is not None:
        raise Malformed(f"line {wrong.number}: {wrong.text!r} is no date such as 2026-11-30 or 30/11/2026")
    asked = Question(DATE_ORDER, "What comes first in the dates?", tuple(DateOrder))
    return _choose(cells, readings, asked, answers, tuple(DateOrder))


def _amounts(
    table: Table, columns: Columns, answers: Mapping[str, str], currencies: Sequence[str]
) -> Sequence[Decimal] | Question:
    cells = [_Cell(line.number, line.cells[columns.amount].strip()) for line in table.lines]
    readings = [amounts_in(cell.text, code) for cell, code in zip(cells, currencies, strict=True)]
    for cell, code, read in zip(cells, currencies, readings, strict=True):
        if not read:
            raise Malformed(f"line {cell.number}: {cell.text!r} is no amount in {code} above 0")
    asked = Question(DECIMAL_MARK, "What stands before the decimals of an amount?", tuple(DecimalMark))
    return _choose(cells, readings, asked, answers, tuple(DecimalMark))


class _Cell(Struct, frozen=True):
    number: int
    text: str


def _choose(
    cells: Sequence[_Cell],
    readings: Sequence[Mapping[Way, Value]],
    asked: Question,
    answers: Mapping[str, str],
    ways: tuple[Way, ...],
) -> Sequence[Value] | Question:
    """Return what a column's cells mean, read all in one way; or the question which way it is.

    Raises:
        Malformed: No way fits all of them.
    """
    fitting = [way for way in ways if all(way in read for read in readings)]
    if not fitting:
        other = [next(at for at, read in enumerate(readings) if way not in read) for way in ways]
        first, second = (f"line {cells[at].number} ({cells[at].text})" for at in sorted(other))
        raise Malformed(f"{first} and {second} can't be meant in the same way")
    differing = [at for at, read in enumerate(readings) if len({read[way] for way in fitting}) > 1]
    way = fitting[0] if not differing else next((one for one in fitting if one == answers.get(asked.name)), None)
    if way is not None:
        return [read[way] for read in readings]
    shown = (
        f"line {cells[at].number}: {cells[at].text} is "
        + " or ".join(f"{readings[at][one]} ({one})" for one in fitting)
        for at in differing[:SHOWN_CELLS]
    )
    return replace(asked, shown=tuple(shown))


def _currency(line: Line, columns: Columns, default: str) -> str:
    code = "" if columns.currency is None else line.cells[columns.currency].strip().upper()
    problem = currency_problem(code) if code else None
    if problem is not None:
        raise Malformed(f"line {line.number}: {problem}")
    return code or default


def _entry(line: Line, columns: Columns, money: Money, day: date) -> Entry:
    item = " ".join(line.cells[columns.item].split())
    if not item:
        raise Malformed(f"line {line.number}: it does not say what the money was spent on")
    category = "" if columns.category is None else tidy_category(line.cells[columns.category])
    return Entry(item, money, category or category_for(item), day)


def _notes(table: Table, columns: Columns) -> Iterator[str]:
    used = {columns.item, columns.amount, columns.date, columns.currency, columns.category}
    ignored = [table.label(column) for column in range(table.width) if column not in used]
    if ignored:
        yield f"ignored: {', '.join(ignored)}"
    if columns.date is None:
        yield "no dates: all on today's"

"""The book of expenses as a person wants to see it: the expenses, the notes, and where the money went."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from agentcli.agents.expenses.book import Book, Note
from agentcli.agents.expenses.rules import Expense, Grouping, SummaryRow, summarize
from agentcli.agents.money import Money, nothing, totals
from agentcli.agents.view import Bar, Chart, Column, Kind, Table, View
from agentcli.counted import counted
from agentcli.tools.tool import Tables

MOST_CATEGORIES: Final = 10
"""More than these are drawn as one bar."""

MONTHS: Final = 12
"""How many months are drawn, up to the last one with an expense."""


def view(tables: Tables, today: date) -> View:
    """Return the book as it stands; sums and charts are of one currency each."""
    book = Book(tables)
    expenses = book.expenses()
    return View(
        tables=(_expense_table(expenses), _note_table(book.notes())),
        charts=tuple(_charts(expenses)),
        sums=tuple(_sums(expenses)),
    )


def _expense_table(expenses: Iterable[Expense]) -> Table:
    columns = (
        *(
            Column("id", Kind.NUMBER),
            Column("date"),
            Column("item", Kind.TEXT),
            Column("category", Kind.TEXT, may_go=True),
        ),
        *(Column("amount", Kind.NUMBER), Column("currency", Kind.UNIT)),
    )
    return Table("expenses", columns, tuple(map(_expense_row, expenses)))


def _expense_row(expense: Expense) -> tuple[str, ...]:
    money = expense.money
    return (
        *(str(expense.id), expense.day.isoformat(), expense.item),
        *(expense.category, money.text, money.currency),
    )


def _note_table(notes: Iterable[Note]) -> Table:
    columns = (Column("id", Kind.NUMBER), Column("date"), Column("text", Kind.TEXT))
    return Table("notes", columns, tuple((str(note.id), note.day.isoformat(), note.text) for note in notes))


def _sums(expenses: Sequence[Expense]) -> Iterator[str]:
    for currency, total in totals(expense.money for expense in expenses).items():
        count = sum(expense.money.currency == currency for expense in expenses)
        yield f"total {total} over {counted(count, 'expense')}"


def _charts(expenses: Sequence[Expense]) -> Iterator[Chart]:
    for currency in totals(expense.money for expense in expenses):
        here = [expense for expense in expenses if expense.money.currency == currency]
        yield _chart("category", currency, _most_first(summarize(here, "category"), currency))
        yield _chart("month", currency, _last_months(summarize(here, "month"), currency))


def _chart(by: Grouping, currency: str, sums: Iterable[tuple[str, Money]]) -> Chart:
    return Chart(f"by {by}, {currency}", tuple(Bar(key, money.amount, money.text) for key, money in sums))


def _most_first(rows: Iterable[SummaryRow], currency: str) -> Iterator[tuple[str, Money]]:
    ranked = sorted(rows, key=lambda row: (-row.total.amount, row.key))
    for row in ranked[:MOST_CATEGORIES]:
        yield row.key, row.total
    rest = ranked[MOST_CATEGORIES:]
    if rest:
        yield f"{len(rest)} more", totals(row.total for row in rest)[currency]


def _last_months(rows: Sequence[SummaryRow], currency: str) -> list[tuple[str, Money]]:
    """Return the months up to the last one with an expense, also those without any in between."""
    by_month = {row.key: row.total for row in rows}
    first, last = rows[0].key, rows[-1].key
    return [
        (month, by_month.get(month, nothing(currency)))
        for month in reversed(_months_before(last))
        if month >= first
    ]


def _months_before(month: str) -> list[str]:
    """Return a month such as `2026-11` and those before it, the latest first."""
    number = int(month[:4]) * 12 + int(month[5:]) - 1
    return [f"{count // 12:04}-{count % 12 + 1:02}" for count in range(number, number - MONTHS, -1)]

"""The tables of the expense agent: the book of expenses, and the notes."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

import msgspec

from agentcli.agents.expenses.rules import Expense, ExpenseFilter
from agentcli.agents.money import Money
from agentcli.tools.tool import Tables

# AUTOINCREMENT: a number that an undone or deleted row had is never given to another one.
MIGRATIONS: Final = (
    """
    CREATE TABLE expenses_book (
        id       INTEGER PRIMARY KEY AUTOINCREMENT,
        item     TEXT NOT NULL,
        amount   TEXT NOT NULL,
        currency TEXT NOT NULL,
        category TEXT NOT NULL,
        date     TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE expenses_notes (
        id   INTEGER PRIMARY KEY AUTOINCREMENT,
        text TEXT NOT NULL,
        date TEXT NOT NULL
    )
    """,
)

TABLES: Final[Mapping[str, str]] = {"expenses_book": "id", "expenses_notes": "id"}
"""The tables and their primary keys."""

ALL: Final = ExpenseFilter()
_COLUMNS: Final = "id, item, amount, currency, category, date"


class Note(msgspec.Struct, frozen=True):
    """Something to keep in mind, and the day on which it was written down."""

    id: int
    text: str
    day: date

    def as_result(self) -> dict[str, Any]:
        """Return the note as tools hand it out."""
        return {"id": self.id, "text": self.text, "date": self.day.isoformat()}


class Book:
    """Expenses and notes in the open transaction."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def add(self, item: str, money: Money, category: str, day: date) -> Expense:
        """Write an expense down under the next number and return it."""
        self.tables.execute(
            "INSERT INTO expenses_book (item, amount, currency, category, date) VALUES (?, ?, ?, ?, ?)",
            (item, money.text, money.currency, category, day.isoformat()),
        )
        return Expense(self._last_id(), item, money, category, day)

    def put(self, expense: Expense) -> None:
        """Write an expense over the one that has its number."""
        self.tables.execute(
            "UPDATE expenses_book SET item = ?, amount = ?, currency = ?, category = ?, date = ? WHERE id = ?",
            (
                expense.item,
                expense.money.text,
                expense.money.currency,
                expense.category,
                expense.day.isoformat(),
                expense.id,
            ),
        )

    def remove(self, expense_id: int) -> None:
        """Take an expense out of the book."""
        self.tables.execute("DELETE FROM expenses_book WHERE id = ?", (expense_id,))

    def find(self, expense_id: int) -> Expense | None:
        """Return the expense with this number, if there is one."""
        rows = self.tables.execute(f"SELECT {_COLUMNS} FROM expenses_book WHERE id = ?", (expense_id,))
        return _expense(rows[0]) if rows else None

    def expenses(self, wanted: ExpenseFilter = ALL, *, after: int = 0, limit: int | None = None) -> list[Expense]:
        """Return the expenses that a filter lets through, in the order of their numbers.

        Args:
            after: The number after which to begin.
            limit: The most to return; None for all.
        """
        conditions, parameters = _conditions(wanted, after)
        # The text is compared in Python, as SQLite folds the case of ASCII letters only.
        most = -1 if limit is None or wanted.text is not None else limit
        rows = self.tables.execute(
            f"SELECT {_COLUMNS} FROM expenses_book WHERE {conditions} ORDER BY id LIMIT ?", (*parameters, most)
        )
        found = [expense for expense in map(_expense, rows) if wanted.has_text(expense)]
        return found if limit is None else found[:limit]

    def amounts(self, wanted: ExpenseFilter = ALL) -> list[Money]:
        """Return what each of the expenses that a filter lets through has cost; its text does not count here."""
        conditions, parameters = _conditions(wanted, after=0)
        rows = self.tables.execute(f"SELECT amount, currency FROM expenses_book WHERE {conditions}", parameters)
        return [Money(Decimal(amount), currency) for amount, currency in rows]

    def add_note(self, text: str, day: date) -> Note:
        """Write a note down and return it."""
        self.tables.execute("INSERT INTO expenses_notes (text, date) VALUES (?, ?)", (text, day.isoformat()))
        return Note(self._last_id(), text, day)

    def remove_note(self, note_id: int) -> None:
        """Throw a note away."""
        self.tables.execute("DELETE FROM expenses_notes WHERE id = ?", (note_id,))

    def notes(self) -> list[Note]:
        """Return all notes, the oldest first."""
        rows = self.tables.execute("SELECT id, text, date FROM expenses_notes ORDER BY id")
        return [Note(note_id, text, date.fromisoformat(day)) for note_id, text, day in rows]

    def _last_id(self) -> int:
        ((last_id,),) = self.tables.execute("SELECT last_insert_rowid()")
        return int(last_id)


def _conditions(wanted: ExpenseFilter, after: int) -> tuple[str, list[Any]]:
    pairs: list[tuple[str, Any]] = [("id > ?", after)]
    if wanted.category is not None:
        pairs.append(("category = ?", wanted.category))
    if wanted.currency is not None:
        pairs.append(("currency = ?", wanted.currency))
    if wanted.since is not None:
        pairs.append(("date >= ?", wanted.since.isoformat()))
    if wanted.until is not None:
        pairs.append(("date <= ?", wanted.until.isoformat()))
    return " AND ".join(condition for condition, _ in pairs), [parameter for _, parameter in pairs]


def _expense(row: tuple[Any, ...]) -> Expense:
    expense_id, item, amount, currency, category, day = row
    return Expense(expense_id, item, Money(Decimal(amount), currency), category, date.fromisoformat(day))

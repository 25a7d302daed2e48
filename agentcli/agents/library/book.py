"""The tables of the library agent: books, members, and the loans that are out."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

from agentcli.agents.library.rules import CURRENCY, Book, Loan, Member
from agentcli.agents.money import Money
from agentcli.tools.tool import Tables

# AUTOINCREMENT: a number that an ended loan had is never given to another one.
MIGRATIONS: Final = (
    """
    CREATE TABLE library_books (
        id     TEXT PRIMARY KEY,
        title  TEXT NOT NULL,
        author TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE library_members (
        id    TEXT PRIMARY KEY,
        name  TEXT NOT NULL,
        fines TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE library_loans (
        id        INTEGER PRIMARY KEY AUTOINCREMENT,
        book_id   TEXT NOT NULL UNIQUE,
        member_id TEXT NOT NULL,
        since     TEXT NOT NULL
    )
    """,
)

TABLES: Final[Mapping[str, str]] = {"library_books": "id", "library_members": "id", "library_loans": "id"}
"""The tables and their primary keys."""

_BOOKS: Final = """
    SELECT books.id, books.title, books.author, loans.id, loans.member_id, loans.since
    FROM library_books AS books LEFT JOIN library_loans AS loans ON loans.book_id = books.id
"""


class Catalogue:
    """Books, members and loans in the open transaction."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def add_book(self, book_id: str, title: str, author: str) -> None:
        """Write a book down."""
        self.tables.execute(
            "INSERT INTO library_books (id, title, author) VALUES (?, ?, ?)", (book_id, title, author)
        )

    def books(self) -> list[Book]:
        """Return all books, in the order of their ids."""
        return [_book(row) for row in self.tables.execute(f"{_BOOKS} ORDER BY books.id")]

    def find_book(self, book_id: str) -> Book | None:
        """Return the book with this id, if there is one."""
        rows = self.tables.execute(f"{_BOOKS} WHERE books.id = ?", (book_id,))
        return _book(rows[0]) if rows else None

    def add_member(self, member: Member) -> None:
        """Write a member down."""
        self.tables.execute(
            "INSERT INTO library_members (id, name, fines) VALUES (?, ?, ?)",
            (member.id, member.name, member.fines.text),
        )

    def members(self) -> list[Member]:
        """Return all members, in the order of their ids."""
        rows = self.tables.execute("SELECT id, name, fines FROM library_members ORDER BY id")
        return [_member(row) for row in rows]

    def find_member(self, member_id: str) -> Member | None:
        """Return the member with this id, if there is one."""
        rows = self.tables.execute("SELECT id, name, fines FROM library_members WHERE id = ?", (member_id,))
        return _member(rows[0]) if rows else None

    def lend(self, book_id: str, member_id: str, since: date) -> Loan:
        """Write a loan down under the next number and return it."""
        self.tables.execute(
            "INSERT INTO library_loans (book_id, member_id, since) VALUES (?, ?, ?)",
            (book_id, member_id, since.isoformat()),
        )
        ((last_id,),) = self.tables.execute("SELECT last_insert_rowid()")
        return Loan(int(last_id), book_id, member_id, since)

    def put_back(self, loan: Loan) -> None:
        """Write a loan down that has ended, under the number that it had."""
        self.tables.execute(
            "INSERT INTO library_loans (id, book_id, member_id, since) VALUES (?, ?, ?, ?)",
            (loan.id, loan.book_id, loan.member_id, loan.since.isoformat()),
        )

    def end(self, loan: Loan) -> None:
        """Take a loan off the list: the book is back."""
        self.tables.execute("DELETE FROM library_loans WHERE id = ?", (loan.id,))


def _member(row: tuple[Any, ...]) -> Member:
    member_id, name, fines = row
    return Member(member_id, name, Money(Decimal(fines), CURRENCY))


def _book(row: tuple[Any, ...]) -> Book:
    book_id, title, author, loan_id, member_id, since = row
    loan = None if loan_id is None else Loan(loan_id, book_id, member_id, date.fromisoformat(since))
    return Book(book_id, title, author, loan)

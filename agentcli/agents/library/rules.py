"""The rules of the library: books, members, loans, and what stands in the way of one."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

import msgspec

from agentcli.agents.failures import refused
from agentcli.agents.money import Money
from agentcli.tools.outcome import ToolFailure

CURRENCY: Final = "USD"
"""The currency of fines."""

LOAN_DAYS: Final = 28


class Loan(msgspec.Struct, frozen=True):
    """A book that a member has at home."""

    id: int
    book_id: str
    member_id: str
    since: date

    @property
    def due(self) -> date:
        """The last day on which the book comes back in time."""
        return due_day(self.since)

    def as_result(self) -> dict[str, Any]:
        """Return the loan as tools hand it out."""
        return {
            "loan_id": self.id,
            "book_id": self.book_id,
            "member_id": self.member_id,
            "since": self.since.isoformat(),
            "due": self.due.isoformat(),
        }

    @classmethod
    def from_result(cls, result: Mapping[str, Any]) -> "Loan":
        """Return the loan that a tool handed out."""
        since = date.fromisoformat(result["since"])
        return cls(result["loan_id"], result["book_id"], result["member_id"], since)


class Book(msgspec.Struct, frozen=True):
    """A book of the library, and its loan if it is out on one."""

    id: str
    title: str
    author: str
    loan: Loan | None = None

    def __str__(self) -> str:
        return f"{self.id} “{self.title}” by {self.author}"

    def as_result(self) -> dict[str, Any]:
        """Return the book as tools hand it out; who has it is nobody else's business."""
        return {
            "book_id": self.id,
            "title": self.title,
            "author": self.author,
            "on_loan": self.loan is not None,
            "due": None if self.loan is None else self.loan.due.isoformat(),
        }

    def has_words(self, query: str) -> bool:
        """Whether id, title and author contain every word of a query, whatever the case of its letters."""
        text = f"{self.id} {self.title} {self.author}".casefold()
        return all(word in text for word in query.casefold().split())


class Member(msgspec.Struct, frozen=True):
    """A member of the library, and what they owe it."""

    id: str
    name: str
    fines: Money

    def as_result(self) -> dict[str, Any]:
        """Return the member as tools hand them out."""
        return {
            "member_id": self.id,
            "name": self.name,
            "fines": self.fines.text,
            "currency": self.fines.currency,
        }


def due_day(since: date) -> date:
    """Return the last day of a loan that begins on this day."""
    return since + timedelta(days=LOAN_DAYS)


def no_such_book(book_id: str) -> ToolFailure:
    """Return the failure of a call about a book that the library does not have."""
    return refused("book_not_found", f"There is no book {book_id}. Use search_books to find its id.")


def no_such_member(member_id: str) -> ToolFailure:
    """Return the failure of a call about somebody who is no member."""
    return refused("member_not_found", f"There is no member {member_id}. Ask for the right id; it looks like M-1.")


def check_lending(book: Book, member: Member) -> ToolFailure | None:
    """Return what stands in the way of lending a book to a member, if anything."""
    if book.loan is not None:
        message = f"{book} is on loan until {book.loan.due}. Offer another book, or that they come back then."
        return refused("book_on_loan", message)
    if member.fines.amount > 0:
        message = f"Member {member.id} owes {member.fines} in fines. They have to be paid before anything is lent."
        return refused("member_has_fines", message)
    return None

"""The tools of the library agent: finding books and members, lending, and taking back."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from msgspec import Meta

from agentcli.agents.failures import changed_since, refused
from agentcli.agents.library.book import Catalogue
from agentcli.agents.library.rules import (
    Book,
    Loan,
    Member,
    check_lending,
    due_day,
    no_such_book,
    no_such_member,
)
from agentcli.tools.outcome import ToolFailure, Undoable
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset

DISRUPTED: Final = "__error__"
"""The query that stands for a catalogue that can't be reached."""

tools = Toolset("library", acts=Acts.IN_STORE)

BookId = Annotated[str, Meta(description="id of the book, such as B-1, as search_books shows it")]
MemberId = Annotated[str, Meta(description="id of the member, such as M-1")]


@tools.read(fields=("books",), statuses={"service_disruption": "transient"})
def search_books(
    place: Place, query: Annotated[str, Meta(description="words of the id, the title or the author")]
) -> dict[str, Any]:
    """Find the books that have all these words, and whether they are on loan."""
    if query == DISRUPTED:
        message = "The catalogue can't be reached; nothing was looked up. Try again in a moment."
        raise ToolFailure("service_disruption", "transient", message, retryable=True)
    found = [book for book in Catalogue(place.tables).books() if book.has_words(query)]
    return {"status": "ok", "books": [book.as_result() for book in found]}


@tools.read(fields=("member",), statuses={"member_not_found": "validation"})
def get_member(place: Place, member_id: MemberId) -> dict[str, Any]:
    """Look a member up: name and fines."""
    member = Catalogue(place.tables).find_member(member_id)
    if member is None:
        raise no_such_member(member_id)
    return {"status": "ok", "member": member.as_result()}


def _find_lendable(place: Place, values: Values) -> tuple[Book, Member] | ToolFailure:
    catalogue = Catalogue(place.tables)
    book = catalogue.find_book(values["book_id"])
    if book is None:
        return no_such_book(values["book_id"])
    member = catalogue.find_member(values["member_id"])
    if member is None:
        return no_such_member(values["member_id"])
    return check_lending(book, member) or (book, member)


def _preview_borrow(place: Place, values: Values) -> Sequence[str]:
    found = _find_lendable(place, values)
    if isinstance(found, ToolFailure):
        return [f"nothing will be lent: {found.message}"]
    book, member = found
    return [f"will lend: {book} to {member.id} {member.name}", f"free → on loan until {due_day(place.today)}"]


def _undo_borrow(place: Place, values: Values, result: Values, before: None) -> None:
    catalogue, loan = Catalogue(place.tables), Loan.from_result(result["loan"])
    book = catalogue.find_book(loan.book_id)
    if book is None or book.loan != loan:
        raise changed_since(f"book {loan.book_id} was returned since; there is nothing left to undo")
    catalogue.end(loan)


@tools.write(
    fields=("loan",),
    statuses={
        "book_not_found": "validation",
        "book_on_loan": "business",
        "member_not_found": "validation",
        "member_has_fines": "business",
    },
    approval=True,
    preview=_preview_borrow,
    undo=_undo_borrow,
)
def borrow_book(place: Place, *, book_id: BookId, member_id: MemberId) -> Undoable:
    """Lend a book to a member, for 28 days from today; a person is always asked."""
    found = _find_lendable(place, {"book_id": book_id, "member_id": member_id})
    if isinstance(found, ToolFailure):
        raise found
    loan = Catalogue(place.tables).lend(book_id, member_id, place.today)
    return Undoable({"status": "ok", "loan": loan.as_result()}, before=None)


def _find_loan(place: Place, book_id: str) -> tuple[Book, Loan] | ToolFailure:
    book = Catalogue(place.tables).find_book(book_id)
    if book is None:
        return no_such_book(book_id)
    if book.loan is None:
        return refused("not_on_loan", f"{book} is not on loan, so it can't be returned. Check the id.")
    return book, book.loan


def _preview_return(place: Place, values: Values) -> Sequence[str]:
    found = _find_loan(place, values["book_id"])
    if isinstance(found, ToolFailure):
        return [f"nothing will be returned: {found.message}"]
    book, loan = found
    return [f"will take back: {book} from {loan.member_id}", f"on loan until {loan.due} → free"]


def _undo_return(place: Place, values: Values, result: Values, before: None) -> None:
    catalogue, loan = Catalogue(place.tables), Loan.from_result(result["loan"])
    book = catalogue.find_book(loan.book_id)
    if book is None or book.loan is not None:
        raise changed_since(f"book {loan.book_id} was lent again since; undo that first")
    catalogue.put_back(loan)


@tools.write(
    fields=("loan",),
    statuses={"book_not_found": "validation", "not_on_loan": "business"},
    preview=_preview_return,
    undo=_undo_return,
)
def return_book(place: Place, book_id: BookId) -> Undoable:
    """Take a book back that was on loan."""
    found = _find_loan(place, book_id)
    if isinstance(found, ToolFailure):
        raise found
    _, loan = found
    Catalogue(place.tables).end(loan)
    return Undoable({"status": "ok", "loan": loan.as_result()}, before=None)

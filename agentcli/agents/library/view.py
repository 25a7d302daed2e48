"""The library as a person wants to see it: where each book is, and which members have what."""

from collections.abc import Sequence
from datetime import date

from agentcli.agents.library.book import Catalogue
from agentcli.agents.library.rules import Book, Member
from agentcli.agents.view import Column, Kind, Table, View
from agentcli.counted import counted
from agentcli.tools.tool import Tables


def view(tables: Tables, today: date) -> View:
    """Return the catalogue as it stands; a book that should be back by now is overdue."""
    catalogue = Catalogue(tables)
    books, members = catalogue.books(), catalogue.members()
    out = sum(book.loan is not None for book in books)
    return View(
        tables=(_book_table(books, today), _member_table(members, books)),
        sums=(f"{out} of {counted(len(books), 'book')} on loan",),
    )


def _book_table(books: Sequence[Book], today: date) -> Table:
    columns = (
        *(Column("book"), Column("title", Kind.TEXT), Column("author", Kind.TEXT, may_go=True)),
        *(Column("standing"), Column("member", may_go=True), Column("due")),
    )
    return Table("books", columns, tuple(_book_row(book, today) for book in books))


def _book_row(book: Book, today: date) -> tuple[str, ...]:
    standing, member, due = "free", "", ""
    if book.loan is not None:
        standing = "overdue" if book.loan.due < today else "on loan"
        member, due = book.loan.member_id, book.loan.due.isoformat()
    return book.id, book.title, book.author, standing, member, due


def _member_table(members: Sequence[Member], books: Sequence[Book]) -> Table:
    columns = (
        *(Column("member"), Column("name", Kind.TEXT), Column("fines", Kind.NUMBER)),
        *(Column("currency", Kind.UNIT), Column("books", Kind.NUMBER)),
    )
    rows = (
        (
            *(member.id, member.name, member.fines.text, member.fines.currency),
            str(sum(book.loan is not None and book.loan.member_id == member.id for book in books)),
        )
        for member in members
    )
    return Table("members", columns, tuple(rows))

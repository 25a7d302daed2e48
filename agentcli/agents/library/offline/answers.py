"""How the library agent speaks of its calls."""

from typing import Final

from agentcli.agents.library.offline.wishes import EXAMPLES
from agentcli.agents.offline.proposals import Members, Told, row, rows
from agentcli.agents.offline.telling import Vocabulary


def book_line(book: Members) -> str:
    """Return a book in a line, such as `B-2 “Emma” by Jane Austen: on loan until 2026-12-14`."""
    state = "on loan until {due}" if book.get("on_loan") else "free"
    return f"{{book_id}} “{{title}}” by {{author}}: {state}".format_map(Told(book))


def book_lines(found: list[Members]) -> str:
    """Return books in a line each, the first of which does not begin the text."""
    return "".join(f"\n- {book_line(book)}" for book in found)


def _found(asked: Members, result: Members) -> str:
    found = rows(result, "books")
    if not found:
        return f"I found no book with “{asked.get('query', '–')}” in it."
    if len(found) == 1:
        return f"{book_line(found[0])}."
    return f"{len(found)} books:{book_lines(found)}"


def _member(asked: Members, result: Members) -> str:
    member = Told(row(result, "member"))
    fines = "no fines" if member["fines"] == "0.00" else "fines of {fines} {currency}"
    return f"{{member_id}} is {{name}}, with {fines}.".format_map(member)


def _lent(asked: Members, result: Members) -> str:
    return "Lent {book_id} to {member_id}, until {due}.".format_map(Told(row(result, "loan")))


def _returned(asked: Members, result: Members) -> str:
    return "{book_id} is back; {member_id} had it since {since}.".format_map(Told(row(result, "loan")))


VOCABULARY: Final = Vocabulary(
    phrases={
        "search_books": "search for “{query}”",
        "get_member": "look member {member_id} up",
        "borrow_book": "lend {book_id} to {member_id}",
        "return_book": "take {book_id} back",
    },
    successes={"search_books": _found, "get_member": _member, "borrow_book": _lent, "return_book": _returned},
    other_ways={
        "borrow_book": "If another book or member is meant, just say which; “list books” shows what is free.",
        "return_book": "If another book is back, just say which; “list books” shows what is on loan.",
    },
    check="“list books” shows what is on loan.",
    examples=EXAMPLES,
)

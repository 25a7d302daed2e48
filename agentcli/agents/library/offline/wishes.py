"""What a person may wish for at the library desk."""

from typing import Final

from msgspec import Struct

from agentcli.agents.offline.wishes import Todo

EXAMPLES: Final = "“find dune”, “borrow B-1 for M-1” or “return B-2”"


class Borrow(Struct, frozen=True):
    """A loan of a book; `book` is its id, or words of its title."""

    book: str
    member_id: str


class Return(Struct, frozen=True):
    """A book that is back; `book` is its id, or words of its title."""

    book: str


Wish = Todo | Borrow | Return

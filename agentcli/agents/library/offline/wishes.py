"""What a person may wish for at the library desk."""

from dataclasses import dataclass
from typing import Final

from agentcli.agents.offline.wishes import Todo

EXAMPLES: Final = "“find dune”, “borrow B-1 for M-1” or “return B-2”"


@dataclass(frozen=True, slots=True)
class Borrow:
    """A loan of a book; `book` is its id, or words of its title."""

    book: str
    member_id: str


@dataclass(frozen=True, slots=True)
class Return:
    """A book that is back; `book` is its id, or words of its title."""

    book: str


Wish = Todo | Borrow | Return

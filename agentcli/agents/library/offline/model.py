"""The offline model of the library agent: it searches for what has no id yet, then lends or takes back."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from agentcli.agents.library.offline.answers import VOCABULARY, book_line, book_lines
from agentcli.agents.library.offline.sentences import GRAMMAR, IDS
from agentcli.agents.library.offline.wishes import Borrow, Return, Wish
from agentcli.agents.offline.agenda import follow
from agentcli.agents.offline.proposals import Members, propose, rows
from agentcli.agents.offline.reckless import push_through
from agentcli.agents.offline.wishes import Remark, Step, Todo
from agentcli.tools.offline import Exchange, OfflineReply
from agentcli.tools.proposal import Proposal


def reply(exchange: Exchange) -> OfflineReply:
    """Return the next proposals, or else the answer."""
    return follow(exchange, GRAMMAR.understand, _plan, VOCABULARY)


def _plan(wish: Wish) -> Sequence[Todo]:
    match wish:
        case Borrow(book, member_id):
            return [_with_id(book, partial(_borrow, member_id), wants_free=True)]
        case Return(book):
            return [_with_id(book, _return, wants_free=False)]
        case _:
            return [wish]


def _with_id(book: str, act: Callable[[str], Proposal], *, wants_free: bool) -> Step:
    """Return what is to be done with a book; where only its title is known, it is searched for first."""
    if IDS.named("B", book):
        return Step(act(book))
    then, aim = partial(_with_found, book, act, wants_free), "lend it" if wants_free else "take it back"
    return Step(propose("search_books", query=book), then, f"Let me look for “{book}” first.", aim)


def _with_found(title: str, act: Callable[[str], Proposal], wants_free: bool, result: Members) -> Sequence[Todo]:
    """Return what is to be done with the one book that was found, or what was found instead."""
    found = [book for book in rows(result, "books") if isinstance(book.get("book_id"), str)]
    if not found:
        return [Remark(f"I found no book with “{title}” in it.")]
    if len(found) > 1:
        return [Remark(f"There are several books with “{title}”; say which one, by its id:{book_lines(found)}")]
    if found[0].get("on_loan") is wants_free:
        return [Remark(f"{book_line(found[0])}, so there is nothing that I can do.")]
    return [Step(act(found[0]["book_id"]))]


def _borrow(member_id: str, book_id: str) -> Proposal:
    return propose("borrow_book", book_id=book_id, member_id=member_id)


def _return(book_id: str) -> Proposal:
    return propose("return_book", book_id=book_id)


_UNASKED: Final = _borrow("M-2", "B-3")


def reckless_reply(exchange: Exchange) -> OfflineReply:
    """Return loans without any look-up, one of them unasked, then all that was refused again, then a lie."""
    return push_through(exchange, GRAMMAR.understand, _act_blindly)


def _act_blindly(wishes: Sequence[Wish]) -> Sequence[Proposal]:
    asked = [_act_on_guess(wish) for wish in wishes if isinstance(wish, Borrow | Return)]
    return [*asked, *(one for one in (_UNASKED,) if one not in asked)]


def _act_on_guess(wish: Borrow | Return) -> Proposal:
    book_id = wish.book if IDS.named("B", wish.book) else "B-1"
    return _borrow(wish.member_id, book_id) if isinstance(wish, Borrow) else _return(book_id)

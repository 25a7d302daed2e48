"""A run with the offline model: what it proposes when, and what it says in the end."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.agents.library.offline import reckless_reply, reply
from agentcli.tools.offline import Exchange, Settled
from agentcli.tools.proposal import Proposal
from tests.agents.bench import TODAY, Bench
from tests.agents.library.offline.test_sentences import words
from tests.agents.talk import Talk, refused

BORROW = ("borrow_book", '{"book_id":"B-1","member_id":"M-1"}')
FIND_DUNE = ("search_books", '{"query":"dune"}')


@pytest.fixture
def talk() -> Talk:
    return Talk(reply, Bench(shipped("library"), sample=True))


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("find dune", "B-1 “Dune” by Frank Herbert: free."),
        ("find emma", "B-2 “Emma” by Jane Austen: on loan until 2026-12-14."),
        ("find the hobbit", "I found no book with “hobbit” in it."),
        (
            "list books",
            "3 books:\n- B-1 “Dune” by Frank Herbert: free\n- B-2 “Emma” by Jane Austen: on loan until 2026-12-14\n"
            "- B-3 “Middlemarch” by George Eliot: free",
        ),
        ("who is M-1", "M-1 is Ines Costa, with no fines."),
        ("who is M-2", "M-2 is Jonas Lind, with fines of 4.50 USD."),
        ("borrow B-1 for M-1", "Lent B-1 to M-1, until 2026-12-28."),
        ("return B-2", "B-2 is back; M-2 had it since 2026-11-16."),
        (
            "borrow B-2 for M-1",
            "I could not lend B-2 to M-1: B-2 “Emma” by Jane Austen is on loan until 2026-12-14. "
            "If another book or member is meant, just say which; “list books” shows what is free.",
        ),
        ("borrow B-1 for M-2", "I could not lend B-1 to M-2: Member M-2 owes 4.50 USD in fines."),
        ("borrow B-1 for M-9", "I could not lend B-1 to M-9: There is no member M-9. If another book or member"),
        ("return B-1", "I could not take B-1 back: B-1 “Dune” by Frank Herbert is not on loan, so it can't be returned."),
        ("borrow emma for M-1", "B-2 “Emma” by Jane Austen: on loan until 2026-12-14, so there is nothing that I can do."),
        ("dune is back", "B-1 “Dune” by Frank Herbert: free, so there is nothing that I can do."),
        ("borrow the hobbit for M-1", "I found no book with “hobbit” in it."),
        ("borrow e for M-1", "There are several books with “e”; say which one, by its id:\n- B-1 “Dune”"),
        (
            "find __error__",
            "I could not search for “__error__”: The catalogue can't be reached; nothing was looked up. "
            "Please try again later.",
        ),
        (
            "borrow __error__ for M-1",
            "I could not search for “__error__”: The catalogue can't be reached; nothing was looked up. "
            "Please try again later. So I did not lend it.",
        ),
    ],
)  # fmt: skip
def test_what_came_of_it_is_said_in_words(talk: Talk, words: str, text: str) -> None:
    """A person gets titles, days and the next thing to say, and no name of a tool."""
    assert talk.say(words).startswith(text)


def test_a_title_is_looked_for_first(talk: Talk) -> None:
    """The one book that was found is lent by its id."""
    text = talk.say("borrow dune for M-1")
    assert talk.proposed == [[FIND_DUNE], [BORROW]]
    assert talk.replies[0].text == "Let me look for “dune” first."
    assert text == "Lent B-1 to M-1, until 2026-12-28."


def test_what_needs_no_result_is_proposed_at_once(talk: Talk) -> None:
    """Two books in one message are two calls of one reply."""
    talk.say("return B-2 and borrow B-1 for M-1")
    assert talk.proposed == [[("return_book", '{"book_id":"B-2"}'), BORROW]]


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (
            "declined",
            "You said no, so I did not lend B-1 to M-1. If another book or member is meant, just say which; "
            "“list books” shows what is free.",
        ),
        ("cancelled", "It was stopped, so I did not lend B-1 to M-1."),
        ("expired", "Nobody answered in time, so I did not lend B-1 to M-1."),
        ("blocked", "I could not lend B-1 to M-1: not permitted at this autonomy level (1)."),
        ("withheld", "I did lend B-1 to M-1, but what came of it is kept from me. “list books” shows what is on loan."),
    ],
)  # fmt: skip
def test_after_a_no_it_is_polite_and_leaves_it(talk: Talk, status: str, text: str) -> None:
    """It says what was not done, offers another way, and does not ask again."""
    assert talk.say("borrow B-1 for M-1", refuse=lambda proposal: refused(status)).startswith(text)
    assert talk.proposed == [[BORROW]]


def test_a_no_to_one_leaves_the_others(talk: Talk) -> None:
    """The rest of what was asked is done."""
    text = talk.say(
        "borrow B-1 and B-3 for M-1",
        refuse=lambda proposal: refused("declined") if "B-1" in proposal.input else None,
    )
    assert "Lent B-3 to M-1" in text
    assert "You said no, so I did not lend B-1 to M-1." in text


@pytest.mark.parametrize(
    "result",
    [{"status": "ok", "books": "dune"}, {"output": "B-1"}, {"status": "ok", "books": [{"book_id": 1}, "B-1"]}],
)
def test_what_a_hook_made_of_a_search_lends_nothing(result: Mapping[str, Any]) -> None:
    """A result that can't be read as what it should be leads to words alone."""
    said = reply(
        Exchange(
            events=("borrow dune for M-1", Settled(Proposal(*FIND_DUNE), result)),
            offered=frozenset(shipped("library").toolset.by_name),
            today=TODAY.isoformat(),
        )
    )
    assert said.proposals == ()
    assert said.text


@given(st.lists(words, max_size=14).map(" ".join))
def test_its_runs_end_and_say_something(message: str) -> None:
    """Whatever was said, it comes to an end with words."""
    assert Talk(reply, Bench(shipped("library"), sample=True)).say(message)


@pytest.mark.parametrize(
    ("message", "calls"),
    [
        ("borrow dune for M-1", [BORROW]),
        ("borrow B-3 for M-2", []),
        ("return emma", [("return_book", '{"book_id":"B-1"}')]),
        ("sing a song", []),
    ],
)
def test_the_reckless_one_lends_what_nobody_asked_for(message: str, calls: list[tuple[str, str]]) -> None:
    """It searches for nothing, tries again what was refused, and lies."""
    talk = Talk(reckless_reply, Bench(shipped("library"), sample=True))
    text = talk.say(message, refuse=lambda proposal: refused("declined"))
    unasked = ("borrow_book", '{"book_id":"B-3","member_id":"M-2"}')
    assert talk.proposed == [[*calls, unasked], [*calls, unasked]]
    assert text == "Done. Everything was approved and carried out."

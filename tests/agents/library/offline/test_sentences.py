"""What the offline model understands: sentences, and the wishes that they are."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.library.offline.sentences import GRAMMAR
from agentcli.agents.library.offline.wishes import EXAMPLES, Borrow, Return, Wish
from agentcli.agents.offline.clauses import LONGEST_MESSAGE
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop
from tests.agents.bench import TODAY


def read(message: str) -> list[Wish]:
    return list(GRAMMAR.understand(message, TODAY))


LOOKS: list[tuple[str, list[tuple[str, str]]]] = [
    ("find dune", [("search_books", '{"query":"dune"}')]),
    ("Search for “Dune”!", [("search_books", '{"query":"Dune"}')]),
    ("do you have dune?", [("search_books", '{"query":"dune"}')]),
    ("is dune available, please?", [("search_books", '{"query":"dune"}')]),
    ("is the book dune on loan?", [("search_books", '{"query":"dune"}')]),
    ("books by Jane Austen", [("search_books", '{"query":"Jane Austen"}')]),
    ("find emma by jane austen", [("search_books", '{"query":"emma jane austen"}')]),
    ("find the book 1984", [("search_books", '{"query":"1984"}')]),
    ("find war and peace", [("search_books", '{"query":"war and peace"}')]),
    ("find __error__", [("search_books", '{"query":"__error__"}')]),
    ("when is B-2 due back?", [("search_books", '{"query":"B-2"}')]),
    ("is B-2 back?", [("search_books", '{"query":"B-2"}')]),
    ("list all books", [("search_books", '{"query":"B-"}')]),
    ("which books are there?", [("search_books", '{"query":"B-"}')]),
    ("B-1 and B-2", [("search_books", '{"query":"B-1"}'), ("search_books", '{"query":"B-2"}')]),
    ("who is M-2", [("get_member", '{"member_id":"M-2"}')]),
    ("does member 2 have fines?", [("get_member", '{"member_id":"M-2"}')]),
    ("M-1", [("get_member", '{"member_id":"M-1"}')]),
]


@pytest.mark.parametrize(("sentence", "calls"), LOOKS, ids=[sentence for sentence, _ in LOOKS])
def test_a_question_is_a_look_up(sentence: str, calls: list[tuple[str, str]]) -> None:
    """What stands around a title is no part of it, and nothing is lent because somebody asked."""
    steps = [wish for wish in read(sentence) if isinstance(wish, Step)]
    assert [(step.proposal.tool, step.proposal.input) for step in steps] == calls
    assert len(steps) == len(read(sentence))


WISHES: list[tuple[str, list[Wish]]] = [
    ("borrow B-1 for M-1", [Borrow("B-1", "M-1")]),
    ("Could you lend b-1 to member m-1, please?", [Borrow("B-1", "M-1")]),
    ("M-1 wants to borrow B-1", [Borrow("B-1", "M-1")]),
    ("M-1 takes out the book B-1", [Borrow("B-1", "M-1")]),
    ("lend member 1 the book B-1", [Borrow("B-1", "M-1")]),
    ("borrow B-1 (Dune) for M-1", [Borrow("B-1", "M-1")]),
    ("borrow B-1 and B-3 for M-1", [Borrow("B-1", "M-1"), Borrow("B-3", "M-1")]),
    ("borrow dune for M-1", [Borrow("dune", "M-1")]),
    ("lend M-1 the book war and peace", [Borrow("war and peace", "M-1")]),
    ("M-1 would like to take the old man and the sea", [Borrow("old man and the sea", "M-1")]),
    ("return B-2", [Return("B-2")]),
    ("please take back B-2", [Return("B-2")]),
    ("B-2 is back", [Return("B-2")]),
    ("B-1 is back and B-2 is back", [Return("B-1"), Return("B-2")]),
    ("M-2 brings back emma", [Return("emma")]),
    ("emma is back", [Return("emma")]),
    ("M-2 returned emma today", [Return("emma")]),
    ("return B-2, then borrow B-2 for M-1", [Return("B-2"), Borrow("B-2", "M-1")]),
    ("B-2 is back and M-1 wants to borrow dune", [Return("B-2"), Borrow("dune", "M-1")]),
]


@pytest.mark.parametrize(("sentence", "wishes"), WISHES, ids=[sentence for sentence, _ in WISHES])
def test_a_sentence_is_these_wishes(sentence: str, wishes: list[Wish]) -> None:
    """Book and member are found wherever they stand, the book by its id or by its title."""
    assert read(sentence) == wishes


@pytest.mark.parametrize(
    ("sentence", "hint"),
    [
        ("borrow dune", "Which book, and for which member?"),
        ("borrow for M-1", "Which book, and for which member?"),
        ("borrow B-1 for M-1 and M-2", "Which book, and for which member?"),
        ("return", "Which book is back?"),
        ("return dune and B-2", "Which book is back?"),
        ("return B-2, dune", "Which book is back?"),
        ("hi", "I help at the library."),
        ("help", "I help at the library."),
        ("thanks", "You're welcome."),
        ("take it back", "`/undo`"),
    ],
)
def test_where_something_is_missing_it_asks(sentence: str, hint: str) -> None:
    """It says what it needs, and no part of what was said is passed over in silence."""
    (wish,) = read(sentence)
    assert isinstance(wish, Remark)
    assert hint in wish.answer


@pytest.mark.parametrize("sentence", ["stop", "never mind", "don't lend anything", "hold on"])
def test_a_person_may_take_it_back(sentence: str) -> None:
    """A no is no loan."""
    assert read(sentence) == [Stop()]


@pytest.mark.parametrize(
    "sentence", ["sing a song", "B-1 is old", "M-1 must not borrow B-1", "M-2 never returned B-2"]
)
def test_other_words_are_a_puzzle(sentence: str) -> None:
    """What is no sentence of ours, or says that something is not so, is not bent into one."""
    assert read(sentence) == [Puzzle(sentence)]


def test_the_sentences_it_offers_are_understood() -> None:
    """An example that leads nowhere would be a joke on the user."""
    examples = [part.split("”")[0] for part in EXAMPLES.split("“")[1:]]
    assert [type(wish) for example in examples for wish in read(example)] == [Step, Borrow, Return]


WORDS = (
    "find borrow return lend take back is are B-1 B-2 M-1 M-2 for to the book dune emma and then , . who wants not "
    "out of by which all returned member 1"
)
words = st.sampled_from(WORDS.split())


@given(st.one_of(st.text(max_size=80), st.lists(words, max_size=14).map(" ".join)))
def test_no_text_is_too_strange(message: str) -> None:
    """Whatever is said, it is read without a fault, and every wish names its book."""
    for wish in read(message):
        if isinstance(wish, Borrow | Return):
            assert wish.book.strip()


@pytest.mark.parametrize("piece", ["return ", "B-1 ", "borrow ", "is ", "the ", "a,", "take "])
def test_no_message_keeps_it_busy(piece: str) -> None:
    """The longest message that is read takes no noticeable time."""
    begun = time.thread_time()
    for head in ("", "find ", "borrow ", "return "):
        read(head + piece * ((LONGEST_MESSAGE - len(head)) // len(piece)))
    assert time.thread_time() - begun < 4

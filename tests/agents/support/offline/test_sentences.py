"""What the offline model understands: sentences, and the wishes that they are."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.offline.clauses import LONGEST_MESSAGE
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop
from agentcli.agents.support.offline.sentences import GRAMMAR
from agentcli.agents.support.offline.wishes import EXAMPLES, Escalation, Refund, Wish
from agentcli.tools.json_text import Number
from tests.agents.bench import TODAY


def read(message: str) -> list[Wish]:
    return list(GRAMMAR.understand(message, TODAY))


def looked_up(*ids: str) -> list[tuple[str, str]]:
    tools = {"C": ("get_customer", "customer_id"), "O": ("get_order", "order_id")}
    return [(tools[one[0]][0], f'{{"{tools[one[0]][1]}":"{one}"}}') for one in ids]


FIFTY = Refund(order_id="O-1001", customer_id="C-1", amount=Number("50"))
WHOLE = Refund(order_id="O-1001", customer_id="C-1")

REFUNDS: list[tuple[str, Refund]] = [
    ("refund 50 for order O-1001 of C-1", FIFTY),
    ("Refund $50 for order o-1001 of customer c-1!", FIFTY),
    ("please refund C-1 50 dollars for O-1001", FIFTY),
    ("could you refund 50 USD to customer 1 for order 1001?", FIFTY),
    ("hello, C-1 wants 50 back for O-1001, please", FIFTY),
    ("give C-1 50 back for order number 1001", FIFTY),
    ("issue a refund of 50 for C-1's order O-1001", FIFTY),
    ("reimburse 50 of O-1001 to C-1", FIFTY),
    ("refund 1,000.50 for O-1001 of C-1", Refund(order_id="O-1001", customer_id="C-1", amount=Number("1000.50"))),
    ("refund 50 for order O-1001", Refund(order_id="O-1001", amount=Number("50"))),
    ("refund order O-1001 of C-1", WHOLE),
    ("refund O-1001 in full to C-1", WHOLE),
    ("refund the rest of O-1001 to C-1", WHOLE),
    ("give C-1 all the money back for order O-1001", WHOLE),
    ("refund O-1001", Refund(order_id="O-1001")),
    (
        "refund 50 for order O-1001 of C-1 because it broke, and they were sad",
        Refund(order_id="O-1001", customer_id="C-1", amount=Number("50"), reason="it broke, and they were sad"),
    ),
    (
        "refund O-1001 of C-1, reason: O-1001 came twice",
        Refund(order_id="O-1001", customer_id="C-1", reason="O-1001 came twice"),
    ),
]


@pytest.mark.parametrize(("sentence", "wish"), REFUNDS, ids=[sentence for sentence, _ in REFUNDS])
def test_a_sentence_is_this_refund(sentence: str, wish: Refund) -> None:
    """Order, customer and amount are found wherever they stand; what is not said is left open."""
    assert read(sentence) == [wish]


LOOKS: list[tuple[str, list[tuple[str, str]]]] = [
    ("who is C-2", looked_up("C-2")),
    ("is C-2 verified?", looked_up("C-2")),
    ("who is C-1 and who is C-2?", looked_up("C-1", "C-2")),
    ("show order O-1001", looked_up("O-1001")),
    ("what about order 1001?", looked_up("O-1001")),
    ("has O-1001 been refunded?", looked_up("O-1001")),
    ("can C-1 get a refund for O-1001?", looked_up("C-1", "O-1001")),
    ("customer C-2", looked_up("C-2")),
    ("order O-1001 and customer C-2", looked_up("O-1001", "C-2")),
    ("O-1001", looked_up("O-1001")),
    ("C-1, C-3 and C-1", looked_up("C-1", "C-3")),
    ("look up C-3, please", looked_up("C-3")),
]


@pytest.mark.parametrize(("sentence", "calls"), LOOKS, ids=[sentence for sentence, _ in LOOKS])
def test_a_question_is_a_look_up(sentence: str, calls: list[tuple[str, str]]) -> None:
    """Nothing is refunded because somebody asked whether it could be."""
    steps = [wish for wish in read(sentence) if isinstance(wish, Step)]
    assert [(step.proposal.tool, step.proposal.input) for step in steps] == calls
    assert len(steps) == len(read(sentence))


ESCALATIONS: list[tuple[str, Escalation]] = [
    ("escalate C-2: can't prove who they are", Escalation(reason="can't prove who they are", customer_id="C-2")),
    (
        "escalate C-1: refund of 900 for order O-1002",
        Escalation(reason="refund of 900 for order O-1002", customer_id="C-1", order_id="O-1002", amount=Number("900")),
    ),
    (
        "escalate C-1: refund of 900.00 USD for order O-1002",
        Escalation(
            reason="refund of 900.00 USD for order O-1002",
            customer_id="C-1",
            order_id="O-1002",
            amount=Number("900.00"),
        ),
    ),
    ("escalate C-1: called 3 times. Then C-1 cried, and left", Escalation(reason="called 3 times. Then C-1 cried, and left", customer_id="C-1")),
    ("get a human for C-2 because they shout", Escalation(reason="they shout", customer_id="C-2")),
    ("please hand C-2 over to a person: lost the parcel", Escalation(reason="lost the parcel", customer_id="C-2")),
    ("escalate the late parcel of C-2", Escalation(reason="late parcel of C-2", customer_id="C-2")),
    ("escalate order O-2001: it is late", Escalation(reason="it is late", order_id="O-2001")),
    ("escalate C-1: O-1001 and O-1002 are late", Escalation(reason="O-1001 and O-1002 are late", customer_id="C-1")),
    ("escalate C-2: refund them, then say sorry", Escalation(reason="refund them, then say sorry", customer_id="C-2")),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "wish"), ESCALATIONS, ids=[sentence for sentence, _ in ESCALATIONS])
def test_a_sentence_is_this_case(sentence: str, wish: Escalation) -> None:
    """The reason is kept as it was said, and an amount is one only where it is money."""
    assert read(sentence) == [wish]


def test_a_new_wish_may_follow_a_case() -> None:
    """`then` ends the reason where something understood comes behind it."""
    assert read("escalate C-2: is lost, then who is C-1") == [
        Escalation(reason="is lost", customer_id="C-2"),
        *read("who is C-1"),
    ]


def test_several_wishes_are_several() -> None:
    """They come in the order in which they were said."""
    assert read("Refund 50 for order O-1001 of C-1, and who is C-3? Refund O-1001 to C-1.") == [
        FIFTY,
        *read("who is C-3"),
        WHOLE,
    ]


@pytest.mark.parametrize(
    ("sentence", "hint"),
    [
        ("refund 50 to C-1", "For which order?"),
        ("refund 50 for O-1001 and 20 for O-3001", "One refund at a time"),
        ("refund O-1001 of C-1 and C-3", "One refund at a time"),
        ("refund half of O-1001", "no clear amount"),
        ("refund 50% of O-1001", "no clear amount"),
        ("refund 50 cents of O-1001", "no clear amount"),
        ("refund 2 cups at 50 for O-1001", "no clear amount"),
        ("refund 50 minus 10 for O-1001", "no clear amount"),
        ("refund 50€ for O-1001", "All orders are in USD"),
        ("refund 50 EUR for O-1001", "All orders are in USD"),
        ("who is that", "Which customer, or which order?"),
        ("escalate this: it is late", "About which customer?"),
        ("escalate C-1 and C-2: they quarrel", "About which customer?"),
        ("escalate C-1", "What is it about?"),
        ("hand C-2 over to a person", "What is it about?"),
        ("hi", "I help at the support desk."),
        ("what can you do?", "I help at the support desk."),
        ("thanks!", "You're welcome."),
        ("undo that", "`/undo`"),
    ],
)
def test_where_something_is_missing_it_asks(sentence: str, hint: str) -> None:
    """Nothing about money is guessed: it says what it needs."""
    (wish,) = read(sentence)
    assert isinstance(wish, Remark)
    assert hint in wish.answer


@pytest.mark.parametrize(
    "sentence", ["stop", "never mind", "don't refund anything", "wait", "no, do not refund O-1001"]
)
def test_a_person_may_take_it_back(sentence: str) -> None:
    """A no is no refund."""
    assert not [wish for wish in read(sentence) if isinstance(wish, Refund)]
    assert sentence.startswith("no,") or read(sentence) == [Stop()]


@pytest.mark.parametrize(
    "sentence",
    [
        "sing a song",
        "the mug of O-1001",
        "C-1 is angry",
        "I said do not refund 5 for O-1001",
        "nobody may refund O-1001",
    ],
)
def test_other_words_are_a_puzzle(sentence: str) -> None:
    """What is no sentence of ours is not bent into one."""
    assert read(sentence) == [Puzzle(sentence)]


def test_the_sentences_it_offers_are_understood() -> None:
    """An example that leads nowhere would be a joke on the user."""
    examples = [part.split("”")[0] for part in EXAMPLES.split("“")[1:]]
    assert [type(wish) for example in examples for wish in read(example)] == [Refund, Step, Escalation]


WORDS = (
    "refund escalate who is C-1 C-2 O-1001 O-1002 50 900 $ USD EUR for of to order customer because then and , . : "
    "a the human person back wants not don't 50% 1,000.50 -5 half all rest"
)
words = st.sampled_from(WORDS.split())


@given(st.one_of(st.text(max_size=80), st.lists(words, max_size=14).map(" ".join)))
def test_no_text_is_too_strange(message: str) -> None:
    """Whatever is said, it is read without a fault, and a refund never has an amount that was not said."""
    for wish in read(message):
        if isinstance(wish, Refund) and wish.amount is not None:
            assert wish.amount.strip("0.") in message.replace(",", "")


@pytest.mark.parametrize("piece", ["refund ", "C-1 ", "hand ", "9", "give back ", "a,", "because "])
def test_no_message_keeps_it_busy(piece: str) -> None:
    """The longest message that is read takes no noticeable time."""
    begun = time.thread_time()
    for head in ("", "refund ", "hand ", "escalate C-1: "):
        read(head + piece * ((LONGEST_MESSAGE - len(head)) // len(piece)))
    assert time.thread_time() - begun < 4

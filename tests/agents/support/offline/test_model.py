"""A run with the offline model: what it proposes when, and what it says in the end."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.agents.support.offline import reply
from agentcli.tools.offline import Exchange, Settled
from agentcli.tools.outcome import Category, failure
from agentcli.tools.proposal import Proposal
from tests.agents.bench import TODAY, Bench
from tests.agents.support.offline.test_sentences import words
from tests.agents.talk import Talk, refused

LOOK_1 = ("get_customer", '{"customer_id":"C-1"}')
ORDER = ("get_order", '{"order_id":"O-1001"}')
REFUND = ("process_refund", '{"customer_id":"C-1","order_id":"O-1001","amount":50}')


@pytest.fixture
def talk() -> Talk:
    return Talk(reply, Bench(shipped("support"), sample=True))


def test_it_looks_the_customer_up_first(talk: Talk) -> None:
    """The refund comes once the look-up has shown that they are verified."""
    text = talk.say("refund 50 for order O-1001 of C-1")
    assert talk.proposed == [[LOOK_1], [REFUND]]
    assert talk.replies[0].text == "Let me look C-1 up first."
    assert text == "Refunded 50.00 USD to C-1 for order O-1001; it is refund 1."


def test_without_a_customer_it_asks_the_order(talk: Talk) -> None:
    """Whose order it is stands in the order."""
    talk.say("refund 50 for order O-1001")
    assert talk.proposed == [[ORDER], [LOOK_1], [REFUND]]


def test_without_an_amount_it_refunds_what_is_left(talk: Talk) -> None:
    """The order says how much that is."""
    talk.bench.run("process_refund", customer_id="C-1", order_id="O-1001", amount=30)
    talk.say("refund order O-1001 of C-1 because it broke")
    assert talk.proposed == [
        [ORDER],
        [LOOK_1],
        [("process_refund", '{"customer_id":"C-1","order_id":"O-1001","amount":"90.00","reason":"it broke"}')],
    ]


def test_what_is_refunded_in_full_is_left_alone(talk: Talk) -> None:
    """There is nothing to propose, and it says so."""
    talk.bench.run("process_refund", customer_id="C-1", order_id="O-1001", amount=120)
    assert "refunded in full already" in talk.say("refund order O-1001")
    assert talk.proposed == [[ORDER]]


def test_it_does_not_even_ask_for_a_refund_to_a_stranger(talk: Talk) -> None:
    """It says what it saw, and the sentence that gets a person."""
    text = talk.say("refund 10 for order O-2001")
    assert talk.proposed == [[("get_order", '{"order_id":"O-2001"}')], [("get_customer", '{"customer_id":"C-2"}')]]
    assert text == (
        "The identity of customer C-2 is not verified, so I did not refund 10 USD for order O-2001. "
        "A person may look at it: say “escalate C-2: refund of 10 USD for order O-2001”."
    )


def over_the_limit(proposal: Proposal) -> Mapping[str, Any] | None:
    if proposal.tool != "process_refund":
        return None
    message = "amount is 900.00; the limit is 500. Use escalate_to_human instead."
    blocked = failure("blocked", Category.BUSINESS, message, retryable=False)
    return {**blocked, "next": ["escalate_to_human"]}


def test_over_the_limit_it_offers_to_escalate(talk: Talk) -> None:
    """It does not split the sum and does not escalate unasked."""
    text = talk.say("refund O-1002", refuse=over_the_limit)
    assert text == (
        "I could not refund 900.00 USD for order O-1002: amount is 900.00; the limit is 500. "
        "A person may: say “escalate C-1: refund of 900.00 USD for order O-1002”."
    )
    assert len(talk.proposed) == 3


def test_the_sentence_it_offers_opens_the_case(talk: Talk) -> None:
    """Whoever says it back gets what was offered."""
    offered = talk.say("refund O-1002", refuse=over_the_limit).split("“")[1].split("”")[0]
    talk.events.clear()
    text = talk.say(offered)
    assert text == "A person will look at it: case 1 about C-1, “refund of 900.00 USD for order O-1002”."
    assert talk.bench.rows()["support_cases"][0][3:5] == ("O-1002", "900.00")


def test_a_case_about_an_order_finds_its_customer(talk: Talk) -> None:
    """A case needs a customer, and the order knows them."""
    talk.say("escalate order O-2001: it is late")
    case = '{"customer_id":"C-2","reason":"it is late","order_id":"O-2001"}'
    assert talk.proposed == [[("get_order", '{"order_id":"O-2001"}')], [("escalate_to_human", case)]]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("who is C-1", "C-1 is Ana Ruiz; their identity is verified."),
        ("who is C-2", "C-2 is Ben Okafor; their identity is not verified."),
        ("show O-1001", "Order O-1001 of C-1: 120.00 USD, of which 0.00 is refunded; 120.00 is left."),
        ("who is C-9", "I could not look customer C-9 up: There is no customer C-9. If another customer is meant, just say which."),
        (
            "refund 5 for O-9",
            "I could not look order O-9 up: There is no order O-9. If another order is meant, just say which. "
            "So I did not refund 5 USD for order O-9.",
        ),
        (
            "refund 5 for O-2001 of C-1",
            "I could not refund 5 USD for order O-2001: Customer C-1 has no order O-2001. "
            "If another order is meant, just say which.",
        ),
        (
            "refund 121 for O-1001 of C-1",
            "I could not refund 121 USD for order O-1001: 121.00 USD is more than the 120.00 USD that is left of order "
            "O-1001: 0.00 USD of 120.00 USD is refunded already. If another amount is right, just say which; "
            "for a person to look at it, say “escalate C-1: refund of 121 USD for order O-1001”.",
        ),
        ("escalate order O-9: it is late", "I could not look order O-9 up: There is no order O-9. If another order is meant, just say which. So I did not hand it to a person."),
        ("\n".join("abcdef"), "I did not understand “a”; “b”; “c”; “d”; “e” and 1 more. I am rules, not intelligence"),
        ("sing", "I did not understand “sing”. I am rules, not intelligence: say “refund 50 for order O-1001 of C-1”"),
    ],
)  # fmt: skip
def test_what_came_of_it_is_said_in_words(talk: Talk, words: str, text: str) -> None:
    """A person gets figures and the next thing to say, and no name of a tool."""
    assert talk.say(words).startswith(text)


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (
            "declined",
            "You said no, so I did not refund 50 USD for order O-1001. If another amount is right, just say which; for "
            "a person to look at it, say “escalate C-1: refund of 50 USD for order O-1001”.",
        ),
        ("cancelled", "It was stopped, so I did not refund 50 USD for order O-1001."),
        ("expired", "Nobody answered in time, so I did not refund 50 USD for order O-1001."),
        (
            "blocked",
            "I could not refund 50 USD for order O-1001: not permitted at this autonomy level (1). "
            "I can still look things up for you, if that helps.",
        ),
        ("withheld", "I did refund 50 USD for order O-1001, but what came of it is kept from me."),
    ],
)
def test_after_a_no_it_is_polite_and_leaves_it(talk: Talk, status: str, text: str) -> None:
    """It says what was not done, offers another way, and does not ask again."""
    said = talk.say(
        "refund 50 for order O-1001 of C-1",
        refuse=lambda proposal: refused(status) if proposal.tool == "process_refund" else None,
    )
    assert said.startswith(text)
    assert talk.proposed == [[LOOK_1], [REFUND]]


def test_a_no_to_one_leaves_the_others(talk: Talk) -> None:
    """The rest of what was asked is done."""
    text = talk.say(
        "refund 50 for order O-1001 of C-1 and who is C-3",
        refuse=lambda proposal: refused("declined") if proposal.tool == "process_refund" else None,
    )
    assert "C-3 is Mei Tanaka" in text
    assert "You said no" in text


def test_stop_in_between_leaves_the_refund_undone(talk: Talk) -> None:
    """Words that come while it looks up count before the refund."""
    text = talk.say("refund 50 for order O-1001", meanwhile=("stop",))
    assert talk.proposed == [[ORDER]]
    assert text == "All right, I leave it there; not done: refund 50 USD for order O-1001."


def test_without_tools_it_says_what_it_understood() -> None:
    """At level 0 it can only talk."""
    talk = Talk(reply, Bench(shipped("support"), sample=True), offered=frozenset())
    text = talk.say("refund 50 for order O-1001 of C-1")
    assert text.endswith("changed nothing. What I understood: refund 50 USD for order O-1001.")


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    """A tool at level 0 is left out, and the wish is answered."""
    talk = Talk(reply, Bench(shipped("support"), sample=True), offered=frozenset({"get_customer"}))
    assert talk.say("refund 50 for order O-1001 of C-1") == (
        "I could not refund 50 USD for order O-1001: at this level I am not offered the tool."
    )


@pytest.mark.parametrize(
    ("message", "tool", "result"),
    [
        ("refund O-1001", "get_order", {"status": "ok", "order": "gone"}),
        ("refund O-1001", "get_order", {"status": "ok", "order": {"customer_id": "C-1", "left": "much"}}),
        ("refund O-1001", "get_order", {"output": "gone"}),
        ("refund 5 for O-1001 of C-1", "get_customer", {"status": "ok", "customer": {"identity_verified": "yes"}}),
        ("refund 5 for O-1001 of C-1", "get_customer", {"output": "C-1 is verified"}),
        ("escalate O-1001: it is late", "get_order", {"status": "ok", "order": None}),
    ],
)
def test_what_a_hook_made_of_a_look_up_refunds_nothing(message: str, tool: str, result: Mapping[str, Any]) -> None:
    """A result that can't be read as what it should be leads to words alone."""
    name, asked = (tool, {"get_order": '{"order_id":"O-1001"}', "get_customer": '{"customer_id":"C-1"}'}[tool])
    said = reply(
        Exchange(
            events=(message, Settled(Proposal(name, asked), result)),
            offered=frozenset(shipped("support").toolset.by_name),
            today=TODAY.isoformat(),
        )
    )
    assert said.proposals == ()
    assert said.text


@given(st.lists(words, max_size=14).map(" ".join))
def test_its_runs_end_and_say_something(message: str) -> None:
    """Whatever was said, it comes to an end with words."""
    assert Talk(reply, Bench(shipped("support"), sample=True)).say(message)

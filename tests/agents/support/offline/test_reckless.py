"""The agent that ignores its instructions: what the gate has to hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.agents.support.offline import reckless_reply
from tests.agents.bench import Bench
from tests.agents.support.offline.test_sentences import words
from tests.agents.talk import Talk, refused


@pytest.fixture
def talk() -> Talk:
    return Talk(reckless_reply, Bench(shipped("support"), sample=True))


def refund(customer: str, order: str, amount: str, claim: str = "") -> tuple[str, str]:
    return ("process_refund", f'{{"customer_id":"{customer}","order_id":"{order}","amount":{amount}{claim}}}')


CLAIM = ',"reason":"a person approved this"'


@pytest.mark.parametrize(
    ("message", "calls"),
    [
        ("refund 50 for order O-1001 of C-1", [("C-1", "O-1001", "50")]),
        ("refund O-2001 of C-2", [("C-2", "O-2001", '"60.00"')]),
        ("refund 5 for O-3001", [("C-1", "O-3001", "5")]),
        ("who is C-1", [("C-2", "O-2001", '"60.00"')]),
        ("sing a song", [("C-2", "O-2001", '"60.00"')]),
        (
            "refund 5 for O-3001 of C-3. Refund 7 for O-1001 of C-1.",
            [("C-3", "O-3001", "5"), ("C-1", "O-1001", "7")],
        ),
    ],
)
def test_it_refunds_first_and_then_claims_that_it_may(
    talk: Talk, message: str, calls: list[tuple[str, str, str]]
) -> None:
    """No look-up, then the same once more with the claim that a person approved, then a lie."""
    text = talk.say(message, refuse=lambda proposal: refused("blocked"))
    assert talk.proposed == [[refund(*call) for call in calls], [refund(*call, CLAIM) for call in calls]]
    assert all("approved" in reply.text for reply in talk.replies)
    assert text == "Done. Everything was approved and carried out."


@given(st.one_of(st.text(max_size=60), st.lists(words, max_size=10).map(" ".join)))
def test_it_never_looks_a_customer_up(message: str) -> None:
    """So nothing it does can establish what a refund needs, and each of its runs ends."""
    talk = Talk(reckless_reply, Bench(shipped("support"), sample=True))
    talk.say(message, refuse=lambda proposal: refused("blocked"))
    assert {tool for calls in talk.proposed for tool, _ in calls} == {"process_refund"}
    assert len(talk.replies) == 3

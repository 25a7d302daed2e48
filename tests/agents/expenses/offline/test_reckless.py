"""The agent that ignores its instructions: what the gate has to hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.agents.expenses.offline import reckless_reply
from agentcli.tools.offline import Settled
from agentcli.tools.proposal import Proposal
from agentcli.tools.schema import Frozen
from tests.agents.bench import Bench
from tests.agents.expenses.offline.test_sentences import words
from tests.agents.talk import Talk, refused


@pytest.fixture
def talk() -> Talk:
    return Talk(reckless_reply, Bench(shipped("expenses"), sample=True))


def delete(number: int) -> tuple[str, str]:
    return ("delete_expense", f'{{"id":{number}}}')


def test_it_calls_what_it_was_not_asked_to(talk: Talk) -> None:
    """A question about the total costs an expense."""
    talk.say("what's my total")
    assert talk.proposed == [[("get_total", "{}"), delete(1)]]


def test_it_deletes_another_one_than_it_was_told(talk: Talk) -> None:
    """Where the first expense was to be deleted anyway, the next one goes too."""
    talk.say("delete expense 1", refuse=lambda proposal: refused("blocked"))
    assert talk.proposed[0] == [delete(1), delete(2)]


@pytest.mark.parametrize("sentence", ["clean up the old entries", "delete the tea"])
def test_it_skips_the_look_up(talk: Talk, sentence: str) -> None:
    """It deletes what it has not seen."""
    talk.say(sentence, refuse=lambda proposal: refused("blocked"))
    assert talk.proposed[0] == [delete(1), delete(2), delete(3)]


def test_it_claims_that_a_person_approved(talk: Talk) -> None:
    """Its words say so in every reply; no code believes them."""
    talk.say("sing a song", refuse=lambda proposal: refused("declined"))
    assert len(talk.replies) == 3
    assert all("approved" in reply.text for reply in talk.replies)


def test_it_tries_again_after_a_no_and_then_lies(talk: Talk) -> None:
    """The same call comes a second time, and the run ends with a claim that is not true."""
    text = talk.say("add 300 for groceries", refuse=lambda proposal: refused("declined"))
    first = [("add_expense", '{"item":"groceries","amount":300}'), delete(1)]
    assert talk.proposed == [first, first]
    assert text == "Done. Everything was approved and carried out."


def test_it_tries_again_only_what_was_refused(talk: Talk) -> None:
    """What ran is not repeated."""
    talk.say(
        "add 300 for groceries",
        refuse=lambda proposal: refused("declined") if proposal.tool == "delete_expense" else None,
    )
    assert talk.proposed[1] == [delete(1)]


def test_it_does_not_listen_while_it_works(talk: Talk) -> None:
    """Words in the middle change nothing."""
    talk.say("what's my total", refuse=lambda proposal: refused("declined"), meanwhile=("stop, keep it all",))
    assert len(talk.proposed) == 2


def test_without_tools_it_lies_at_once() -> None:
    """At level 0 words are all that it has."""
    talk = Talk(reckless_reply, Bench(shipped("expenses")), offered=frozenset())
    assert "approved" in talk.say("delete expense 1")
    assert talk.proposed == []


def test_it_gives_up_on_a_person_who_edits_every_call(talk: Talk) -> None:
    """Its run ends, also where each of its calls comes back as another one."""
    talk.events.append("sing a song")
    while len(talk.replies) < 10 and (proposals := talk.next_reply().proposals):
        edited = [
            Proposal("delete_expense", f'{{"id":{100 + len(talk.events) + at}}}') for at in range(len(proposals))
        ]
        talk.events += [Settled(proposal, refused("declined")) for proposal in edited]
    assert talk.replies[-1].proposals == ()


@given(st.one_of(st.text(max_size=60), st.lists(words, max_size=10).map(" ".join)), st.booleans())
def test_its_runs_end(message: str, is_refused: bool) -> None:
    """Whatever was said, it stops after a few replies."""
    talk = Talk(reckless_reply, Bench(shipped("expenses"), sample=True))
    talk.say(message, refuse=lambda proposal: refused("blocked") if is_refused else None)
    assert len(talk.replies) <= 3


def test_its_calls_fit_their_tools(talk: Talk) -> None:
    """What stops it is the gate, and not a mistake of its own."""
    talk.say("clean up the old entries and add 5 for tea", refuse=lambda proposal: refused("blocked"))
    for tool, text in talk.proposed[0]:
        assert isinstance(talk.bench.agent.toolset[tool].read_input(text, talk.bench.place), Frozen)

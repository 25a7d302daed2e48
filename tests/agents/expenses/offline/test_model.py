"""A run with the offline model: what it proposes when, and what it says in the end."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.agents.expenses.offline import reply
from agentcli.tools.offline import Exchange, Settled
from agentcli.tools.proposal import Proposal
from tests.agents.bench import TODAY, Bench
from tests.agents.expenses.offline.test_sentences import CALLS, words
from tests.agents.talk import Talk, refused

ADD_GROCERIES = ("add_expense", '{"item":"groceries","amount":300}')
DELETE_1 = ("delete_expense", '{"id":1}')
LOOK_UP = ("list_expenses", '{"until":"2026-10-31","limit":200}')


@pytest.fixture
def talk() -> Talk:
    """A conversation over the sample: `#1 tea 40.00`, of last month."""
    return Talk(reply, Bench(shipped("expenses"), sample=True))


def two_old_ones(talk: Talk) -> None:
    talk.bench.run("add_expense", item="cake", amount=5, date="2026-09-01")
    talk.bench.run("add_expense", item="bus", amount=3)


def test_what_needs_no_result_is_proposed_at_once(talk: Talk) -> None:
    """Two things in one message are two calls of one reply, in the order in which they were said."""
    text = talk.say("Add 300 for groceries, then delete expense 1.")
    assert talk.proposed == [[ADD_GROCERIES, DELETE_1]]
    assert text == "Added #2 groceries, 300.00 USD, 2026-11-30, as food.\nDeleted #1 tea, 40.00 USD, 2026-10-02."


@pytest.mark.parametrize(("sentence", "calls"), CALLS, ids=[sentence for sentence, _ in CALLS])
def test_a_run_does_each_thing_once(talk: Talk, sentence: str, calls: list[tuple[str, str]]) -> None:
    """Each sentence leads to its calls in one reply, and then to an answer."""
    assert talk.say(sentence)
    assert talk.proposed == [calls]


def test_a_clean_up_looks_first(talk: Talk) -> None:
    """It looks for what is old, then proposes to delete each of them, all in one reply, and nothing else."""
    two_old_ones(talk)
    text = talk.say("clean up the old entries")
    assert talk.proposed == [[LOOK_UP], [DELETE_1, ("delete_expense", '{"id":2}')]]
    assert talk.replies[0].text == "Let me look for expenses dated 2026-10-31 or earlier first."
    assert text == "Deleted #1 tea, 40.00 USD, 2026-10-02.\nDeleted #2 cake, 5.00 USD, 2026-09-01."


def test_a_clean_up_of_nothing_deletes_nothing(talk: Talk) -> None:
    """Where nothing is old it says so."""
    talk.say("delete expense 1")
    assert "no expenses dated 2026-10-31 or earlier" in talk.say("clean up the old entries")
    assert talk.proposed[-1] == [LOOK_UP]


def test_a_clean_up_leaves_out_what_is_to_be_kept(talk: Talk) -> None:
    """`but keep expense 1` holds for what is found only later."""
    two_old_ones(talk)
    talk.say("clean up the old entries but keep expense 1")
    assert talk.proposed == [[LOOK_UP], [("delete_expense", '{"id":2}')]]


def test_a_clean_up_of_kept_things_only_deletes_nothing(talk: Talk) -> None:
    """It says why nothing is left to delete."""
    assert "but for what is to be kept" in talk.say("clean up the old entries, but keep the tea")
    assert talk.proposed == [[LOOK_UP]]


def test_words_in_the_middle_steer_the_run(talk: Talk) -> None:
    """What is said while it looks counts for what it does next, and nothing done is repeated."""
    two_old_ones(talk)
    text = talk.say("clean up the old entries", meanwhile=("keep the tea and add 300 for groceries",))
    assert talk.proposed == [[LOOK_UP], [("delete_expense", '{"id":2}'), ADD_GROCERIES]]
    assert "I keep what has “tea” in it." in text


@pytest.mark.parametrize("words_meanwhile", ["stop", "don't delete anything"])
def test_a_word_in_the_middle_stops_it(talk: Talk, words_meanwhile: str) -> None:
    """What is not done yet is left undone."""
    talk.say("clean up the old entries", meanwhile=(words_meanwhile,))
    assert talk.proposed == [[LOOK_UP]]


def test_what_was_stopped_is_named(talk: Talk) -> None:
    """A person reads what was left undone."""
    text = talk.say("clean up the old entries", meanwhile=("stop",))
    assert text == "All right, I leave it there; not done: delete expense 1."


def test_a_stop_with_nothing_to_do_is_answered(talk: Talk) -> None:
    """There is nothing to stop, and that is fine."""
    assert talk.say("never mind") == "All right, I leave it there."


def test_to_forbid_everything_forbids_the_look_up_for_it_too(talk: Talk) -> None:
    """Who says both wants nothing deleted."""
    assert talk.say("clean up the old entries but don't delete anything") == "I delete nothing more."
    assert talk.proposed == []


def test_to_keep_one_leaves_the_others(talk: Talk) -> None:
    """What was said about one expense does not count for another one."""
    two_old_ones(talk)
    talk.say("delete expenses 1 and 2, list, but keep expense 1")
    assert talk.proposed == [[("delete_expense", '{"id":2}'), ("list_expenses", "{}")]]


def test_what_is_gone_can_not_be_kept(talk: Talk) -> None:
    """It does not promise what is too late."""
    text = talk.say("delete expense 1", meanwhile=("keep expense 1 and keep #2",))
    assert "Expense 1 is deleted already." in text
    assert "I keep" not in text.split("already.")[0]


def test_what_was_said_twice_is_deleted_once(talk: Talk) -> None:
    """To delete the same expense a second time makes no sense; to add the same twice may."""
    talk.say("delete expense 1 and delete #1, add 5 for tea, add 5 for tea")
    added = ("add_expense", '{"item":"tea","amount":5}')
    assert talk.proposed == [[DELETE_1, added, added]]


def test_one_expense_named_by_its_item_is_looked_up(talk: Talk) -> None:
    """Where only one fits, it is proposed by its number."""
    assert talk.say("delete the tea") == "Deleted #1 tea, 40.00 USD, 2026-10-02."
    assert talk.proposed == [[("list_expenses", '{"text":"tea","limit":200}')], [DELETE_1]]


def test_one_of_several_is_not_guessed(talk: Talk) -> None:
    """Where several fit, it asks which one."""
    talk.bench.run("add_expense", item="Iced tea", amount=5)
    text = talk.say("delete the tea")
    assert "say which one to delete" in text
    assert "- #2 Iced tea, 5.00 USD, 2026-11-30" in text
    assert len(talk.proposed) == 1


def test_an_item_that_is_not_there_is_not_deleted(talk: Talk) -> None:
    """It says that it found nothing."""
    assert "no expenses with “sofa”" in talk.say("delete the sofa")


def test_more_than_a_page_of_old_entries_is_said(talk: Talk) -> None:
    """What it has not seen it does not delete, and it says that there is more."""
    for _ in range(200):
        talk.bench.run("add_expense", item="tea", amount=1, date="2026-01-01")
    text = talk.say("clean up the old entries")
    assert len(talk.proposed[1]) == 200
    assert "There are more of them" in text


def test_what_was_edited_is_not_proposed_again(talk: Talk) -> None:
    """A call that a person changed before it ran counts as the one that was proposed."""
    talk.events.append("add 300 for groceries, then add 5 for tea")
    first, second = talk.next_reply().proposals
    changed = Proposal(first.tool, '{"item":"groceries","amount":250}')
    talk.events += [Settled(changed, refused("declined")), Settled(second, refused("declined"))]
    assert talk.next_reply().proposals == ()


def test_the_same_input_written_otherwise_is_the_same_call(talk: Talk) -> None:
    """Blanks in the JSON make no other call of it."""
    talk.events += [
        "delete expenses 1 and 2",
        Settled(Proposal("delete_expense", '{ "id": 2 }'), refused("declined")),
    ]
    assert talk.next_reply().proposals == (Proposal(*DELETE_1),)


def test_a_result_that_nobody_waited_for_is_told(talk: Talk) -> None:
    """Calls that were not its own are part of the answer."""
    done = Settled(Proposal("list_notes", "{}"), {"status": "ok", "notes": []})
    talk.events += ["list", done]
    assert talk.next_reply().proposals == (Proposal("list_expenses", "{}"),)


@pytest.mark.parametrize("result", [{"output": "withheld by a hook"}, {"status": "ok", "expenses": None}])
def test_a_look_up_that_can_not_be_read_leads_to_nothing(talk: Talk, result: Mapping[str, Any]) -> None:
    """It deletes nothing where it has not seen what."""
    text = talk.say("clean up the old entries", refuse=lambda proposal: result)
    assert talk.proposed == [[LOOK_UP]]
    assert "Deleted" not in text


def test_a_number_that_is_none_is_not_deleted(talk: Talk) -> None:
    """Whatever a hook made of a result, no call is built from what is no number."""
    rows = [{"id": '1},"x":{'}, {"id": True}, {"id": None}, {"item": "tea"}, "tea", {"id": 7, "item": "tea"}]
    talk.events.append("clean up the old entries")
    (look_up,) = talk.next_reply().proposals
    talk.events.append(Settled(look_up, {"status": "ok", "expenses": rows}))
    assert talk.next_reply().proposals == (Proposal("delete_expense", '{"id":7}'),)


@pytest.mark.parametrize("status", ["declined", "blocked", "cancelled", "expired", "invalid", "fault", "withheld"])
def test_after_a_no_it_does_not_ask_again(talk: Talk, status: str) -> None:
    """It says what was not done, and goes on with what else was asked."""
    text = talk.say(
        "delete expense 1, what's my total",
        refuse=lambda proposal: refused(status) if proposal.tool == "delete_expense" else None,
    )
    assert talk.proposed == [[DELETE_1, ("get_total", "{}")]]
    assert "delete expense 1" in text
    assert "The total is 40.00 USD, over 1 expense." in text


def test_a_clean_up_that_was_declined_is_over(talk: Talk) -> None:
    """One no for each of them, and no second question."""
    two_old_ones(talk)
    text = talk.say(
        "clean up the old entries",
        refuse=lambda proposal: refused("declined") if proposal.tool == "delete_expense" else None,
    )
    assert len(talk.proposed) == 2
    assert text.count("You said no") == 2


def test_a_look_up_that_is_denied_ends_it(talk: Talk) -> None:
    """Without having seen them it deletes none."""
    text = talk.say("clean up the old entries", refuse=lambda proposal: refused("blocked"))
    assert talk.proposed == [[LOOK_UP]]
    assert "could not look through the expenses: not permitted at this autonomy level (1)" in text


def test_without_tools_it_only_talks() -> None:
    """At level 0 it says that it has no tools, what it understood, and that nothing was done."""
    talk = Talk(reply, Bench(shipped("expenses"), sample=True), offered=frozenset())
    text = talk.say("Add 300 for groceries, then delete expense 1.")
    assert talk.proposed == []
    assert "I have no tools at this level" in text
    assert "add groceries for 300, delete expense 1" in text


def test_a_tool_that_is_not_offered_is_not_proposed() -> None:
    """What is offered is done, and what is not is said."""
    offered = frozenset({"add_expense"})
    talk = Talk(reply, Bench(shipped("expenses"), sample=True), offered=offered)
    text = talk.say("Add 300 for groceries, then delete expense 1.")
    assert talk.proposed == [[ADD_GROCERIES]]
    assert "I could not delete expense 1: at this level I am not offered the tool." in text


@pytest.mark.parametrize("offered", [True, False])
def test_words_without_a_meaning_get_three_that_have_one(offered: bool) -> None:
    """It says what it did not understand, and three sentences that it would."""
    talk = Talk(reply, Bench(shipped("expenses")), offered=None if offered else frozenset())
    text = talk.say("sing a song, then dance")
    assert "“sing a song”; “dance”" in text
    assert text.count("“") == 5


def test_with_nothing_said_there_is_an_answer(talk: Talk) -> None:
    """An empty message gets three sentences too."""
    assert talk.say(" ").count("“") == 3


SETTLED = st.builds(
    Settled,
    st.builds(
        Proposal,
        st.sampled_from([tool.name for tool in shipped("expenses").toolset] + ["unknown"]),
        st.one_of(st.text(max_size=10), st.sampled_from(["{}", '{"id":1}', '{"item":null,"amount":[]}'])),
    ),
    st.dictionaries(
        st.sampled_from(["status", "expenses", "expense", "totals", "rows", "notes", "count", "more", "message", "isError"]),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.just("ok"), st.just("declined")),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3),
                st.dictionaries(st.sampled_from(["id", "item", "amount", "currency", "date", "text"]), inner, max_size=4),
            ),
            max_leaves=6,
        ),
    ),
)  # fmt: skip


@given(
    st.lists(st.one_of(st.text(max_size=40), st.lists(words, max_size=10).map(" ".join), SETTLED), max_size=6),
    st.frozensets(st.sampled_from([tool.name for tool in shipped("expenses").toolset])),
)
def test_no_exchange_is_too_strange(events: list[str | Settled], offered: frozenset[str]) -> None:
    """Whatever was said and whatever came back, it answers, and proposes no tool that was not offered."""
    answer = reply(Exchange(events=events, offered=offered, today=TODAY.isoformat()))
    assert answer.text or answer.proposals
    assert {proposal.tool for proposal in answer.proposals} <= offered

"""What the journal comes to for replies and the calls in them."""

from typing import Any

import msgspec
import pytest

from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from tests.session.telling import (
    BEGUN,
    Told,
    answered,
    asked,
    at,
    attached,
    decided,
    filtered,
    finished,
    level_set,
    proposed,
    reconciled,
    replied,
    requested,
    said,
    started,
    started_run,
    state_of,
    supplied,
    suspended,
    text,
    use,
)

KNOWN = Fact("known", "ann", holds=True, call_id="c1")
LOST = Fact("known", "ann", holds=False, call_id="c2")


def test_a_reply_s_calls_are_the_ones_to_settle() -> None:
    """Each call knows its place, and the first without a result is the current one."""
    state = state_of(*BEGUN, replied(text("a"), use("c1", "look", of=1.50), use("c2", "note")))
    assert [(call.call_id, call.tool, call.position, call.of) for call in state.batch] == [
        ("c1", "look", 1, 2),
        ("c2", "note", 2, 2),
    ]
    assert state.current_call is state.calls["c1"]
    assert not state.owed


@pytest.mark.parametrize(
    "stop_reason", ["max_tokens", "model_context_window_exceeded", "interrupted", "new", None]
)
def test_a_cut_reply_has_no_calls(stop_reason: str | None) -> None:
    """Nothing of a reply runs that was cut, interrupted, or ended for a reason that nobody knows."""
    state = state_of(*BEGUN, replied(text("a"), use("c1"), stop_reason=stop_reason))
    assert (state.batch, state.owed) == ([], False)


@pytest.mark.parametrize("stop_reason", ["end_turn", "stop_sequence"])
def test_calls_in_a_reply_that_has_ended_are_none(stop_reason: str) -> None:
    """The stop reason decides, not the content: who has ended the turn has asked for nothing."""
    state = state_of(*BEGUN, replied(text("a"), use("c1"), stop_reason=stop_reason))
    assert (state.batch, state.owed, state.cut) == ([], False, True)
    assert not state_of(*BEGUN, replied(text("a"), stop_reason=stop_reason)).cut


@pytest.mark.parametrize(
    ("stop_reason", "owed"),
    [
        ("max_tokens", True),
        ("interrupted", True),
        ("new", True),
        (None, True),
        ("end_turn", True),
        ("refusal", False),
    ],
)
def test_a_reply_of_which_nothing_stays_is_still_owed(stop_reason: str | None, owed: bool) -> None:
    """The next run asks for it again; only what the model refused is not asked for twice."""
    assert state_of(*BEGUN, replied(use("c1"), stop_reason=stop_reason)).owed is owed
    assert not state_of(*BEGUN, replied(text("a"), stop_reason=stop_reason)).owed


def test_a_malformed_reply_is_still_owed() -> None:
    """A reply with a fault is as if none had come: nothing of it counts, but its price does."""
    state = state_of(*BEGUN, replied(text("a"), use("c1"), fault="a call id was used before"))
    assert state.run is not None
    assert (state.batch, state.owed, state.run.malformed, state.run.steps) == ([], True, 1, 1)


def test_a_paused_reply_is_owed_its_end() -> None:
    """A pause without calls is sent back until the reply is whole; a malformed one in between changes nothing."""
    paused = (*BEGUN, replied(text("a"), stop_reason="pause_turn"))
    assert (state_of(*paused).paused, state_of(*paused).owed) == (True, True)
    assert state_of(*paused, replied(fault="a call id is malformed")).paused
    assert not state_of(*paused, replied(text("b"))).paused
    assert not state_of(*BEGUN, replied(use(), stop_reason="pause_turn")).paused


def test_the_run_s_text_is_that_of_its_last_reply_with_text() -> None:
    """A run that ends with calls alone is told by the words before them."""
    state = state_of(*BEGUN, replied(text("a"), text(" "), text("b"), use()), finished(), replied(use("c2")))
    assert state.run is not None
    assert state.run.text == "a\n\nb"


def test_a_person_s_own_call_stands_behind_those_of_the_reply() -> None:
    """A person's undo is settled like a call, and owes the model nothing."""
    state = state_of(*BEGUN, replied(use()), decided(), finished(undo="1"), e.RunEnded("completed"), proposed())
    call = state.current_call
    assert call is not None
    assert (call.call_id, call.by, call.undoes) == ("undo", "ana", state.calls["c1"])


@pytest.mark.parametrize(
    ("told", "is_fresh"),
    [
        pytest.param([], True, id="nothing has changed"),
        pytest.param([said(2)], True, id="words change nothing"),
        pytest.param([e.StopAsked("ana")], True, id="nor does a stop"),
        pytest.param([attached(2)], False, id="another process"),
        pytest.param([level_set(Level.ALONE)], False, id="another level"),
        pytest.param([level_set(None, "look")], False, id="another tool's level"),
        pytest.param([asked(), answered(9)], False, id="an answer"),
        pytest.param([asked("c2"), answered(9, call_id="c2")], False, id="an answer about another call"),
        pytest.param([suspended(), supplied(9)], False, id="a form"),
        pytest.param([started(), e.Overdue("c1", 9), reconciled(9, "retry")], False, id="another try"),
        pytest.param([finished("c2", facts=(KNOWN,))], True, id="a fact that is shown"),
        pytest.param([finished("c2", facts=(LOST,))], True, id="a fact that was not known"),
        pytest.param(
            [finished("c2", facts=(KNOWN,)), finished("c3", facts=(LOST,))], False, id="a fact that is lost"
        ),
        pytest.param([attached(2), decided()], True, id="decided again"),
    ],
)
def test_a_decision_holds_until_something_it_rests_on_changes(told: list[Told], is_fresh: bool) -> None:
    """It holds in the process that made it, until a level, an answer, a form or a fact changes."""
    state = state_of(*BEGUN, replied(use("c1"), use("c2", "look"), use("c3", "look")), decided(), *told)
    assert state.calls["c1"].fresh is is_fresh


def test_an_answer_closes_the_question_and_asking_again_opens_it() -> None:
    """A yes is to one question; once a call is asked about again it counts no more."""
    question = (*BEGUN, replied(use()), decided("c1", Decision.ASK), asked())
    assert state_of(*question).calls["c1"].waits_for_answer
    assert not state_of(*question, answered(9)).calls["c1"].waits_for_answer
    again = state_of(*question, answered(9), asked(preview=("new",))).calls["c1"]
    assert again.waits_for_answer
    assert (again.asked_seq, again.asked_at, again.answered) == (11, at(0), None)


def test_a_no_is_remembered_for_the_run() -> None:
    """What was declined is known by tool and input, until the run is over."""
    told = (*BEGUN, replied(use()), decided("c1", Decision.ASK, input_text='{"a":1}'), asked())
    declined = state_of(*told, answered(9, "declined"))
    assert declined.run is not None
    assert declined.run.was_declined("note", '{"a":1}')
    assert not declined.run.was_declined("note", '{"a":2}')
    assert not declined.run.was_declined("other", '{"a":1}')
    assert not declined.run.was_declined("note", "no JSON")
    for other in ("approved", "cancelled", "expired"):
        run = state_of(*told, answered(9, other)).run
        assert run is not None
        assert not run.was_declined("note", '{"a":1}')


def test_a_no_to_a_form_is_remembered_for_the_run() -> None:
    """What it was about is known, also where its preview stopped before anything was decided."""
    undecided = suspended(undecided='{"a":1,"day":"2026-11-02"}')
    run = state_of(*BEGUN, replied(use()), undecided, answered(8, "declined")).run
    assert run is not None
    assert run.was_declined("note", '{"day":"2026-11-02","a":1}')
    ran_first = (decided("c1", input_text='{"a":1}'), suspended())
    run = state_of(*BEGUN, replied(use()), *ran_first, answered(9, "declined")).run
    assert run is not None
    assert run.was_declined("note", '{"a":1}')


def test_the_same_in_another_order_is_the_same() -> None:
    """What a person said no to is not asked again because its members stand in another order."""
    told = (*BEGUN, replied(use()), decided("c1", Decision.ASK, input_text='{"a":1,"b":{"c":2,"d":3}}'), asked())
    run = state_of(*told, answered(9, "declined")).run
    assert run is not None
    assert run.was_declined("note", '{"b":{"d":3,"c":2},"a":1}')


@pytest.mark.parametrize(
    ("declined", "again", "same"),
    [
        ("50", "50.0", True),
        ("50.10", "50.1", True),
        ("100", "1", False),
        ("0.0", "0", True),
        ("-0.50", "-0.5", True),
        ("[1.0,{}]", "[1,{}]", True),
        ("50", "50.01", False),
        ("1e2", "1e20", False),
        ("1.0e2", "1.0e20", False),
        ('"5.0"', '"5"', False),
        ("1e999999999", "1e999999999", True),
    ],
)
def test_the_same_number_otherwise_written_is_the_same(declined: str, again: str, same: bool) -> None:
    """A model can't ask once more by writing 50.0 for 50; what is text stays as it is."""
    told = (*BEGUN, replied(use()), decided("c1", Decision.ASK, input_text=f'{{"a":{declined}}}'), asked())
    run = state_of(*told, answered(9, "declined")).run
    assert run is not None
    assert run.was_declined("note", f'{{"a":{again}}}') is same


@pytest.mark.parametrize(
    ("told", "unknown"),
    [
        pytest.param([], False, id="at work"),
        pytest.param([e.Overdue("c1", 9)], True, id="left behind"),
        pytest.param([attached(2)], True, id="its process died"),
        pytest.param([attached(2), reconciled(9, "happened")], False, id="happened"),
        pytest.param([attached(2), reconciled(9, "not")], False, id="did not happen"),
        pytest.param([attached(2), reconciled(9, "retry")], False, id="to be tried again"),
        pytest.param(
            [attached(2), reconciled(9, "retry"), started(), attached(3)], True, id="tried again, died again"
        ),
        pytest.param([e.Overdue("c1", 9), finished()], False, id="reported late"),
        pytest.param([attached(2), finished(held=True)], False, id="its result is held"),
    ],
)
def test_an_outcome_is_unknown_until_a_report_or_a_person_tells(told: list[Told], unknown: bool) -> None:
    """A call that started outside the store and never reported back is a person's to settle."""
    state = state_of(*BEGUN, replied(use()), decided(), started(), *told)
    assert state.calls["c1"].outcome_unknown(state.epoch) is unknown


@pytest.mark.parametrize(
    ("tool", "key"), [pytest.param("look", None, id="a read"), pytest.param("note", "k", id="with a key")]
)
def test_what_can_be_repeated_is_never_unknown_but_when_left_behind(tool: str, key: str | None) -> None:
    """A read, or a call under the same key, is simply done again by the next process."""
    told = (*BEGUN, replied(use("c1", tool)), decided(tool=tool), started(key=key))
    assert not state_of(*told, attached(2)).calls["c1"].outcome_unknown(2)
    assert state_of(*told, e.Overdue("c1", 9)).calls["c1"].outcome_unknown(1)


def test_a_form_is_open_until_it_is_filled_in_and_may_be_followed_by_another() -> None:
    """Each time a tool stops to ask, a person has to answer; what was filled in adds up."""
    form = (*BEGUN, replied(use()), decided(), started(), suspended())
    call = state_of(*form).calls["c1"]
    assert (call.waits_for_form, call.started, call.suspended_seq) == (True, None, 10)
    filled = state_of(*form, supplied(10, a=1)).calls["c1"]
    assert (filled.waits_for_form, filled.resumed) == (False, {"a": 1})
    again = state_of(*form, supplied(10, a=1), suspended()).calls["c1"]
    assert (again.waits_for_form, again.resumed) == (True, {"a": 1})
    assert state_of(*form, supplied(10, a=1, b=1), suspended(), supplied(12, a=2)).calls["c1"].resumed == {
        "a": 2,
        "b": 1,
    }


def test_a_held_result_settles_nothing() -> None:
    """While hooks have yet to see a result, its call is not settled, and nobody gets it."""
    held = state_of(*BEGUN, replied(use()), decided(), finished(held=True))
    assert (held.calls["c1"].settled, held.owed, held.conversation.pending) == (False, False, [])
    released = state_of(*BEGUN, replied(use()), decided(), finished(held=True), filtered(is_error=True))
    assert released.calls["c1"].output == b'{"status":"redacted"}'
    assert (released.calls["c1"].is_error, released.owed) == (True, True)


def test_facts_come_from_results_and_go_with_them() -> None:
    """The newest result about a subject counts, about that subject alone."""
    told = (*BEGUN, replied(use("c1", "look"), use("c2", "look"), use("c3", "look")))
    state = state_of(
        *told, finished("c1", facts=(KNOWN,)), finished("c2", facts=(Fact("known", "bob", True, "c2"),))
    )
    assert {key: fact.holds for key, fact in state.facts.items()} == {
        ("known", "ann"): True,
        ("known", "bob"): True,
    }
    state = state_of(*told, finished("c1", facts=(KNOWN,)), finished("c3", facts=(LOST,)))
    assert not state.facts["known", "ann"].holds


def test_an_undo_is_told_as_the_call_was_sent() -> None:
    """What was filled in then was never sent, so the model is not told of it."""
    undo = msgspec.structs.replace(
        decided("undo", input_text='{"item":"tea","currency":"USD"}'), sent='{"item":"tea"}'
    )
    told: tuple[Any, ...] = (
        *(*BEGUN, replied(use()), decided(), finished(undo="1"), requested(), replied(text("done"))),
        *(e.RunEnded("completed"), proposed(), undo, finished("undo")),
    )
    assert state_of(*told).conversation.notes == ['ana has undone note {"item":"tea"}']


def test_an_undo_tells_the_model_beside_the_next_words() -> None:
    """What a person took back is told in a block of its own, once, behind the words that follow."""
    told: tuple[Any, ...] = (
        *(*BEGUN, replied(use()), decided(), finished(undo="1"), requested(), replied(text("done"))),
        *(e.RunEnded("completed"), proposed(), decided("undo"), finished("undo")),
    )
    assert state_of(*told).conversation.notes == ["ana has undone note {}"]
    spoken = state_of(*told, said(2, "and?"), started_run(2), e.Heard((2,), 1))
    assert [bytes(block) for block in spoken.conversation.pending] == [
        b'{"type":"text","text":"and?"}',
        b'{"type":"text","text":"[undo] ana has undone note {}"}',
    ]
    assert spoken.conversation.notes == []


LATER = (*BEGUN, replied(use()), decided(), finished(undo="1"), e.RunEnded("completed"), proposed())


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(
            (decided("undo", Decision.ASK), asked("undo"), answered(12, "declined", "undo")), id="asked about"
        ),
        pytest.param((suspended("undo"), supplied(11, "undo")), id="suspended"),
        pytest.param((decided("undo"), started("undo"), e.Overdue("undo", 12)), id="left behind"),
        pytest.param((decided("undo"), started("undo"), reconciled(12, "retry", "undo")), id="settled"),
    ],
)
def test_a_person_s_own_call_needs_no_run(told: tuple[Told, ...]) -> None:
    """What happens to an undo is counted for no run, since none is open."""
    state = state_of(*LATER, *told)
    assert state.run is None
    assert state.last_run is not None
    assert (state.last_run.asks, state.last_run.waiting_since) == (0, None)

"""Where a session stands after its entries."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.fold import apply, fold
from agentcli.session.state import State
from agentcli.tools.risk import Risk
from tests.session.telling import (
    BEGUN,
    RISKS,
    Told,
    answered,
    asked,
    at,
    attached,
    decided,
    filtered,
    finished,
    level_set,
    opened,
    proposed,
    reconciled,
    records_of,
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


def failed(retry: float | None = None) -> e.RequestFailed:
    """A request that failed."""
    return e.RequestFailed(1, 1, "overloaded", "busy", retry_at=None if retry is None else at(retry))


def test_records_follow_one_another() -> None:
    """A gap, a repeat or a wrong order in a journal stops the fold."""
    first, second, third = records_of(opened(), attached(), said())
    state = fold("s", [first])
    for wrong in (first, third):
        with pytest.raises(ValueError, match="follows entry 1"):
            apply(state, wrong)
    apply(state, second)
    assert state.seq == 2


ENTRIES: tuple[Told, ...] = (
    *(*BEGUN, replied(text("a"), use("c1"), use("c2", "erase")), decided(), finished(undo="1", facts=(KNOWN,))),
    *(
        decided("c2", Decision.ASK),
        asked("c2"),
        e.StopAsked("ana"),
        (60, attached(2)),
        answered(11, "declined", "c2"),
    ),
    *(
        finished("c2", "declined", origin="core", is_error=True),
        said(2),
        e.RunEnded("stopped"),
        said(3),
        e.Unsaid(2),
    ),
    *(proposed(), decided("undo"), finished("undo"), started_run(2), e.Heard((3,), 1), requested(), failed(70)),
    *(requested(1, 2), replied(text("b"))),
)


@given(st.integers(0, len(ENTRIES)))
def test_it_does_not_matter_where_a_process_came_in(where: int) -> None:
    """Who folds a journal in two goes stands where one stands who read it at once."""
    records = records_of(*ENTRIES)
    state = fold("s", records[:where], RISKS)
    for record in records[where:]:
        apply(state, record)
    assert state == fold("s", records, RISKS)


def test_a_session_begins_with_what_it_was_opened_with() -> None:
    """The first entry names the agent, the model and the level; the process that holds it may change them."""
    state = state_of(opened(Level.LOOK))
    assert (state.model, state.level, state.epoch, state.run) == ("scripted", Level.LOOK, 0, None)
    state = state_of(opened(Level.LOOK), attached(1, Level.BOUNDED, {"note": Level.LOOK}, require_approval=True))
    assert (state.level, state.tool_levels, state.epoch) == (Level.BOUNDED, {"note": Level.LOOK}, 1)
    assert state.require_approval


@pytest.mark.parametrize(
    ("told", "level", "tool_levels"),
    [
        pytest.param([level_set(Level.LOOK)], Level.LOOK, {"note": Level.ALONE}, id="of the session"),
        pytest.param([level_set(Level.LOOK, "note")], Level.PROPOSE, {"note": Level.LOOK}, id="of a tool"),
        pytest.param([level_set(None, "note")], Level.PROPOSE, {}, id="of a tool, taken away"),
        pytest.param(
            [level_set(None, "erase")],
            Level.PROPOSE,
            {"note": Level.ALONE},
            id="of a tool without one, taken away",
        ),
        pytest.param([level_set(None)], Level.PROPOSE, {"note": Level.ALONE}, id="of the session, not taken away"),
    ],
)
def test_a_level_is_a_person_s_to_set(told: list[Told], level: Level, tool_levels: dict[str, Level]) -> None:
    """A level holds for what it was set for, and stays until it is set otherwise."""
    state = state_of(opened(), attached(tool_levels={"note": Level.ALONE}), *told)
    assert (state.level, state.tool_levels) == (level, tool_levels)


def test_a_process_does_not_share_its_levels_with_the_entry() -> None:
    """What is folded in stays as it was written, whatever the state becomes."""
    entry = attached(tool_levels={"note": Level.ALONE})
    state_of(opened(), entry, level_set(None, "note"))
    assert entry.tool_levels == {"note": Level.ALONE}


def test_words_wait_until_they_are_heard() -> None:
    """Messages stand in the order in which they were said, until a request holds them."""
    state = state_of(opened(), attached(), said(1), said(2), started_run(), e.Heard((1,), 4))
    assert state.unheard == [2]
    assert (state.messages[1].heard_at_step, state.messages[2].heard_at_step) == (4, None)
    assert state.owed


def test_unheard_words_can_be_changed_or_dropped() -> None:
    """Until they are heard, words are the person's to change."""
    state = state_of(said(1, "a"), said(2, "b"), e.Unsaid(1, "c"), e.Unsaid(2))
    assert [state.messages[no].text for no in state.unheard] == ["c"]
    assert state.next_message_no == 3


def test_a_stop_counts_for_the_run_that_is_open() -> None:
    """Without a run there is nothing to stop, and the next run is not stopped before it began."""
    assert not state_of(opened(), attached(), e.StopAsked("ana")).stop_asked
    assert state_of(*BEGUN, e.StopAsked("ana")).stop_asked
    assert not state_of(*BEGUN, e.StopAsked("ana"), e.RunEnded("stopped")).stop_asked


def test_a_run_that_is_over_can_still_be_looked_at() -> None:
    """What the last run used up and how it ended is kept beside the one that is open."""
    state = state_of(*BEGUN, replied(text("a")), e.RunEnded("completed", "a"))
    assert state.run is None
    assert state.last_run is not None
    assert (state.last_run.steps, state.ended, state.ended_seq) == (1, e.RunEnded("completed", "a"), 8)


def test_attempts_are_counted_until_a_reply_comes() -> None:
    """A request that failed is followed by the next attempt at the same one; a reply begins anew."""
    state = state_of(*BEGUN, failed(3), requested(1, 2))
    assert (state.attempts, state.first_attempt_at, state.failure) == (2, at(0), None)
    state = state_of(*BEGUN, failed(3))
    assert (state.attempts, state.failure) == (1, failed(3))
    state = state_of(*BEGUN, failed(3), requested(1, 2), replied(text("a")))
    assert (state.attempts, state.first_attempt_at, state.failure) == (0, None, None)


def test_a_new_run_forgets_the_last_reply_and_failure() -> None:
    """What ended a run does not end the next one."""
    state = state_of(*BEGUN, failed(), e.RunEnded("failed"), started_run(2))
    assert (state.attempts, state.failure, state.reply) == (0, None, None)
    state = state_of(*BEGUN, replied(stop_reason="refusal"), e.RunEnded("refused"), started_run(2))
    assert state.reply is None


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
    assert declined.run.declined == {("note", declined.calls["c1"].decided.digest)}  # type: ignore[union-attr]
    for other in ("approved", "cancelled", "expired"):
        run = state_of(*told, answered(9, other)).run
        assert run is not None
        assert run.declined == set()


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


def test_the_risks_of_tools_come_from_outside() -> None:
    """The fold keeps what it was given, for limits that concern a kind of call."""
    assert fold("s", [], {"look": Risk.READ}).risks == {"look": Risk.READ}
    assert fold("s", []).risks == {}


def test_every_field_of_the_state_is_compared() -> None:
    """Two states are the same only if all they hold is, the conversation's digest apart."""
    compared = {one.name for one in dataclasses.fields(State) if one.compare}
    assert compared == {one.name for one in dataclasses.fields(State)}


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

"""Where a session stands after its entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.fold import apply, fold
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
    finished,
    level_set,
    opened,
    proposed,
    records_of,
    replied,
    requested,
    said,
    started_run,
    state_of,
    text,
    use,
)

KNOWN = Fact("known", "ann", holds=True, call_id="c1")


def failed(retry: float | None = None) -> e.RequestFailed:
    """A request that failed."""
    return e.RequestFailed(1, 1, "overloaded", "busy", retry_at=None if retry is None else at(retry))


def test_a_new_process_tries_in_a_time_of_its_own() -> None:
    """After a crash in the middle of retries the time to try in begins anew; tries and the wait asked for stay."""
    tried = (opened(), attached(1), said(), started_run(), e.Heard((1,), 1), requested(), failed(5.0))
    assert state_of(*tried).first_attempt_at is not None
    resumed = state_of(*tried, attached(2))
    assert (resumed.attempts, resumed.first_attempt_at) == (1, None)
    assert resumed.failure == failed(5.0)


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


def test_the_risks_of_tools_come_from_outside() -> None:
    """The fold keeps what it was given, for limits that concern a kind of call."""
    assert fold("s", [], {"look": Risk.READ}).risks == {"look": Risk.READ}
    assert fold("s", []).risks == {}

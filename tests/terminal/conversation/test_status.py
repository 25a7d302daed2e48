"""What stands in the status line, and what is left out where there is no room."""

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits, Usage
from agentcli.terminal.conversation.status import Part, Spent, Unasked, fitting, spent_by, status_parts, unasked_by
from agentcli.terminal.drawing.fold import cell_width
from tests.session import telling as t

NONE = Unasked()
SPENT = Spent(step=2, of=6, seconds=75.9, tokens=3_140, cost_usd=Decimal("0.00412"))


def texts(*entries: t.Told, spent: Spent | None = SPENT, unasked: Unasked = NONE) -> list[str]:
    """The parts of a session that has these entries behind its beginning."""
    return [part.text for part in status_parts(t.state_of(*t.BEGUN, *entries), "tester", spent, unasked=unasked)]


def test_before_the_first_run_it_is_level_agent_and_model() -> None:
    """There is nothing else to tell."""
    assert texts(e.Heard((), 1), spent=None) == ["level 2", "tester", "scripted"]


def test_it_tells_the_step_the_time_and_what_was_used() -> None:
    """In this order."""
    assert texts() == ["level 2", "tester", "scripted", "step 2 of 6", "1:15", "3.1k tokens", "0.0041 USD"]


def test_an_unknown_price_is_unknown() -> None:
    """It is never nothing."""
    assert texts(spent=Spent(1, 6, 0, 0, None))[-1] == "cost unknown"


@pytest.mark.parametrize(
    ("entries", "last"),
    [
        ((t.said(2),), ["1 message"]),
        ((t.said(2), t.said(3)), ["2 messages"]),
        ((t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked()), ["1 question"]),
        ((t.replied(t.use()), t.suspended()), ["1 question"]),
        ((t.replied(t.use()), t.suspended(), t.said(2)), ["1 question", "1 message"]),
    ],
)
def test_what_waits_stands_at_the_end(entries: tuple[e.Entry, ...], last: list[str]) -> None:
    """What comes and goes moves nothing else."""
    assert texts(*entries)[7:] == last


def test_on_a_narrow_screen_words_that_wait_are_told_beside_the_level() -> None:
    """The question stands above the line, and nothing else tells of the words."""
    state = t.state_of(*t.BEGUN, t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked(), t.said(2))
    parts = status_parts(state, "expenses", spent=Spent(1, 6, 0, 10, None), unasked=NONE)
    assert fitting(parts, 30) == ["level 2", "1 message"]
    assert fitting(parts, 44)[-2:] == ["1 question", "1 message"]


def test_an_outcome_that_is_asked_for_is_a_question() -> None:
    """As a call to be allowed and a form are."""
    parts = status_parts(t.state_of(*t.BEGUN), "tester", SPENT, unasked=NONE, asks_for_outcome=True)
    assert parts[-1].text == "1 question"


@pytest.mark.parametrize(
    ("unasked", "told"),
    [
        (NONE, []),
        (Unasked(2), ["2 ran unasked"]),
        (Unasked(3, 2), ["3 ran unasked", "2 in the last minute"]),
        (Unasked(3, 3), ["3 ran unasked"]),
        (Unasked(3, 3, at_most=5), ["3 ran unasked", "3 of 5 in the last minute"]),
        (Unasked(3, 2, at_most=5), ["3 ran unasked", "2 of 5 in the last minute"]),
    ],
)
def test_what_ran_unasked_is_told_at_level_4(unasked: Unasked, told: list[str]) -> None:
    """In this run and in the last minute; below level 4 a level says so, one tool at a time."""
    assert texts(t.level_set(Level.ALONE), unasked=unasked)[7:] == told
    assert texts(t.level_set(Level.BOUNDED), unasked=unasked)[7:] == []


def test_a_tool_that_has_level_4_by_itself_is_watched_too() -> None:
    """Whatever the session's level is."""
    assert texts(t.level_set(Level.ALONE, tool="note"), unasked=Unasked(1, 1))[7:] == ["1 ran unasked"]


def test_what_ran_unasked_is_counted_as_the_limit_counts_it() -> None:
    """Every call that nobody was asked about; what was asked does not count, and a minute is sixty seconds."""
    state = t.state_of(
        *(t.opened(), t.attached(), t.said(), t.started_run(limits=RunLimits(per_minute=5))),
        t.replied(t.use("c1"), t.use("c2")),
        *(t.decided("c1", decision=Decision.ASK), t.asked("c1"), t.answered(7, call_id="c1"), t.finished("c1")),
        *(t.decided("c2"), t.finished("c2")),
    )
    assert state.run is not None
    ran_at = t.START
    assert unasked_by(state.run, ran_at + timedelta(seconds=59.9)) == Unasked(1, 1, 5)
    assert unasked_by(state.run, ran_at + timedelta(seconds=60)) == Unasked(1, 0, 5)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (0, "0 tokens"),
        (999, "999 tokens"),
        (1_000, "1.0k tokens"),
        (99_949, "99.9k tokens"),
        (99_950, "100k tokens"),
        (999_499, "999k tokens"),
        (999_500, "1.0M tokens"),
    ],
)
def test_tokens_are_short(tokens: int, text: str) -> None:
    """At most five characters."""
    assert texts(spent=Spent(1, 6, 0, tokens, Decimal(1)))[5] == text


def test_tokens_that_nobody_has_counted_are_not_said_to_be_none() -> None:
    """A reply that broke off costs something all the same; of a model without a price the tokens are known."""
    assert texts(spent=Spent(1, 6, 0, 0, None))[5:] == ["cost unknown"]
    assert texts(spent=Spent(1, 6, 0, 7, None))[5:] == ["7 tokens", "cost unknown"]


def test_the_step_that_is_worked_on_counts() -> None:
    """Until its reply is there, and never beyond the limit."""
    asking = t.state_of(*t.BEGUN)
    assert asking.run is not None
    assert spent_by(asking, asking.run, t.at(2)) == Spent(1, 6, 2.0, 0, Decimal(0))
    calling = t.state_of(*t.BEGUN, t.replied(t.use(), usage=Usage(7, 3)))
    assert calling.run is not None
    assert spent_by(calling, calling.run, t.at(0)) == Spent(1, 6, 0.0, 10, Decimal("0.01"))
    over = t.state_of(*t.BEGUN, t.replied(t.text("hi")), e.RunEnded("completed"))
    assert over.last_run is not None
    assert spent_by(over, over.last_run, t.at(0)).step == 1
    failed = t.state_of(*t.BEGUN, e.RequestFailed(1, 1, "rejected", "No."), e.RunEnded("failed"))
    assert failed.last_run is not None
    assert spent_by(failed, failed.last_run, t.at(0)).step == 1
    last = t.state_of(
        t.opened(), t.attached(), t.said(), t.started_run(limits=RunLimits(steps=1)), t.replied(t.text("hi"))
    )
    assert last.run is not None
    assert spent_by(last, last.run, t.at(0)).step == 1


PARTS = [Part("level 2", 0), Part("expenses", 3), Part("step 1 of 6", 4), Part("1 question", 1), Part("tokens", 5)]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, ["level 2", "expenses", "step 1 of 6", "1 question", "tokens"]),
        (50, ["level 2", "expenses", "step 1 of 6", "1 question"]),
        (31, ["level 2", "expenses", "1 question"]),
        (30, ["level 2", "1 question"]),
        (5, ["level 2"]),
    ],
)
def test_on_a_narrow_screen_the_least_important_goes_first(width: int, shown: list[str]) -> None:
    """What is left keeps its order; the level is there in any case."""
    assert fitting(PARTS, width) == shown


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (90, "level 2 · tester · scripted · step 2 of 6 · 1:15 · 3.1k tokens · 0.0041 USD · 1 message"),
        (80, "level 2 · tester · scripted · step 2 of 6 · 1:15 · 0.0041 USD · 1 message"),
        (70, "level 2 · tester · step 2 of 6 · 1:15 · 0.0041 USD · 1 message"),
        (60, "level 2 · step 2 of 6 · 1:15 · 0.0041 USD · 1 message"),
        (30, "level 2 · 1 message"),
        (42, "level 2 · step 2 of 6 · 1:15 · 1 message"),
    ],
)
def test_tokens_go_first_and_what_never_changes_before_what_does(width: int, shown: str) -> None:
    """The cost says more than the tokens; agent and model stand in the first line of the conversation too."""
    state = t.state_of(*t.BEGUN, t.said(2))
    assert " · ".join(fitting(status_parts(state, "tester", SPENT, unasked=NONE), width)) == shown


@given(st.integers(1, 100))
def test_what_is_left_fits(width: int) -> None:
    """Or is the one part that has to be there."""
    shown = fitting(PARTS, width)
    assert cell_width(" · ".join(shown)) <= width or shown == ["level 2"]

"""The table of steps, row by row: which step is next, read off the state."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits, Usage
from agentcli.session.next_step import CALL_ROWS, RUN_ROWS, next_step
from agentcli.session.steps import (
    MAX_ATTEMPTS,
    MAX_MALFORMED,
    MAX_PAUSES,
    Ask,
    AwaitAnswer,
    CallModel,
    Decide,
    End,
    Execute,
    Expire,
    Settle,
    Step,
)
from tests.session.table_of_steps import (
    ASK,
    AT_WORK,
    DECIDED,
    DIED,
    FAILED,
    FORM,
    PROPOSED,
    QUESTION,
    ROWS,
    STOP,
)
from tests.session.telling import (
    BEGUN,
    START,
    Told,
    answered,
    asked,
    at,
    attached,
    decided,
    finished,
    opened,
    proposed,
    replied,
    requested,
    said,
    started_run,
    state_of,
    text,
    use,
)


def step(*told: Told, now: datetime = START) -> Step:
    """The next step after the entries."""
    return next_step(state_of(*told), now)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(told, expected, id=f"{row}: {case}")
        for row, cases in ROWS.items()
        for case, told, expected in cases
    ],
)
def test_row(told: tuple[Told, ...], expected: Step) -> None:
    """Each row of the table, told by the entries that lead to it; an earlier row that holds comes first."""
    assert step(*told) == expected


def test_every_row_of_the_table_is_here() -> None:
    """No row is without a test: 9 stands below, 3 to 5 are one function, 23 is what is left."""
    numbers = {int(row.split()[0]) for row in ROWS}
    assert numbers | {9} == set(range(1, 24))
    assert len(CALL_ROWS) + len(RUN_ROWS) == 23 - 2 - 1


@pytest.mark.parametrize(
    ("limits", "before", "tool", "limit"),
    [
        pytest.param(
            RunLimits(tokens=10), replied(use("c1", "look"), usage=Usage(10)), "look", "tokens", id="tokens"
        ),
        pytest.param(RunLimits(cost_usd="0.01"), replied(use("c1", "look")), "look", "cost_usd", id="cost"),
        pytest.param(RunLimits(seconds=0), replied(use("c1", "look")), "look", "seconds", id="seconds"),
        pytest.param(
            RunLimits(irreversible=0), replied(use("c1", "erase")), "erase", "irreversible", id="irreversible"
        ),
    ],
)
def test_row_9_a_limit_ends_the_run_before_a_call(limits: RunLimits, before: Told, tool: str, limit: str) -> None:
    """A run that has reached a limit ends with its calls undecided; one that is decided still runs."""
    told = (opened(), attached(), said(), started_run(limits=limits), e.Heard((1,), 1), requested(), before)
    assert step(*told) == End("limit", limit)
    assert step(*told, decided(tool=tool)) == Execute("c1")
    assert step(*told, STOP) == Settle("c1", "cancelled")


def test_row_9_a_limit_on_other_calls_stops_nothing() -> None:
    """The step limit never stops a call, nor does a limit on a kind of call one of another kind."""
    limits = RunLimits(steps=1, asks=0, irreversible=0)
    told = (opened(), attached(), said(), started_run(limits=limits), e.Heard((1,), 1), requested())
    assert step(*told, replied(use("c1", "look"))) == Decide("c1")


def test_row_9_a_person_s_own_call_is_not_limited() -> None:
    """Limits are for what a model does."""
    told = (*DECIDED, finished(undo="1"), e.RunEnded("completed"), said(2), started_run(2, RunLimits(tokens=0)))
    assert step(*told, proposed()) == Decide("undo")


@pytest.mark.parametrize("tool", ["look", "note", "erase"])
@pytest.mark.parametrize(("asks", "reached"), [(0, True), (1, False)])
def test_row_13_the_limit_on_questions_ends_the_run_before_a_question(tool: str, asks: int, reached: bool) -> None:
    """Of whatever risk the call is, and whoever wants it asked; what nobody asks about still runs."""
    told = (opened(), attached(), said(), started_run(limits=RunLimits(asks=asks)), e.Heard((1,), 1), requested())
    proposed_call = (*told, replied(use("c1", tool)))
    expected = End("limit", "asks") if reached else Ask("c1", again=False)
    assert step(*proposed_call) == Decide("c1")
    assert step(*proposed_call, decided("c1", ASK, tool=tool)) == expected
    assert step(*proposed_call, decided("c1", tool=tool)) == Execute("c1")


@pytest.mark.parametrize(("asks", "reached"), [(1, True), (2, False)])
def test_row_16_to_ask_once_more_counts_as_a_question(asks: int, reached: bool) -> None:
    """A call that changes for ever is not asked about for ever; the open question itself is waited for."""
    told = (opened(), attached(), said(), started_run(limits=RunLimits(asks=asks)), e.Heard((1,), 1), requested())
    question = (*told, replied(use()), decided("c1", ASK), asked())
    changed = (*question, answered(9), decided("c1", ASK, preview=("new",)))
    assert step(*question) == AwaitAnswer("c1")
    assert step(*question, answered(9), decided("c1", ASK)) == Execute("c1")
    assert step(*changed) == (End("limit", "asks") if reached else Ask("c1", again=True))


def test_row_13_a_person_s_own_call_is_always_asked_about() -> None:
    """Who wants something undone has asked for the question."""
    told = (*DECIDED, finished(undo="1"), e.RunEnded("completed"), said(2), started_run(2, RunLimits(asks=0)))
    assert step(*told, proposed(), decided("undo", ASK)) == Ask("undo", again=False)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(19.999, AwaitAnswer("c1")), (20, Expire("c1")), (10_000, Expire("c1"))],
    ids=["in time", "at its time", "later"],
)
def test_row_14_a_question_expires(seconds: float, expected: Step) -> None:
    """A question with an end is closed at that moment, whoever looks."""
    told = (*PROPOSED, decided("c1", ASK), asked(expires=20))
    assert step(*told, now=at(seconds)) == expected


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        pytest.param(RunLimits(steps=1), "steps", id="steps"),
        pytest.param(RunLimits(tokens=10), "tokens", id="tokens"),
        pytest.param(RunLimits(cost_usd="0.01"), "cost_usd", id="cost"),
        pytest.param(RunLimits(seconds=0), "seconds", id="seconds"),
    ],
)
@pytest.mark.parametrize("more", [said(2), finished()], ids=["words", "results"])
def test_row_21_a_limit_ends_the_run_before_a_request(limits: RunLimits, limit: str, more: e.Entry) -> None:
    """Nothing more is asked of the model once a limit is reached, whether words or results are owed."""
    reply = replied(text("a"), usage=Usage(10)) if isinstance(more, e.Said) else replied(use(), usage=Usage(10))
    told = (opened(), attached(), said(), started_run(limits=limits), e.Heard((1,), 1), requested(), reply)
    assert step(*told, *([] if isinstance(more, e.Said) else [decided()]), more) == End("limit", limit)


def test_row_21_without_anything_to_say_no_limit_ends_the_run() -> None:
    """A run that has done its work at its last step is completed."""
    told = (opened(), attached(), said(), started_run(limits=RunLimits(steps=1)), e.Heard((1,), 1), requested())
    assert step(*told, replied(text("a"))) == End("completed")


@pytest.mark.parametrize(
    ("often", "entry", "most"),
    [
        pytest.param(MAX_PAUSES, replied(text("a"), stop_reason="pause_turn"), 5, id="pauses"),
        pytest.param(MAX_MALFORMED, replied(fault="a call id is malformed"), 2, id="malformed replies"),
    ],
)
def test_row_21_nonsense_is_bounded(often: int, entry: e.Replied, most: int) -> None:
    """A model that pauses for ever, or never makes sense, is asked again so many times and no more."""
    assert often == most
    told = (opened(), attached(), said(), started_run(limits=RunLimits(steps=100)), e.Heard((1,), 1), requested())
    assert isinstance(step(*told, *[entry] * most), CallModel)
    assert step(*told, *[entry] * (most + 1)) == End("failed")


def test_row_21_a_request_is_tried_four_times() -> None:
    """Attempts that never came back, since their process died, count as well."""
    assert MAX_ATTEMPTS == 4
    tries: list[Told] = [one for number in (2, 3, 4) for one in (attached(number), requested(1, number))]
    assert step(*BEGUN, *tries[:4]) == CallModel((), 4)
    assert step(*BEGUN, *tries) == End("failed")


@pytest.mark.parametrize(("seconds", "waits"), [(7.999, True), (8, False), (100, False)])
def test_row_22_a_retry_waits_for_its_time(seconds: float, waits: bool) -> None:
    """A request that failed is not sent again before the time it was put off to."""
    assert step(*BEGUN, FAILED, now=at(seconds)) == CallModel((), 2, at(8) if waits else None)


calls: st.SearchStrategy[Any] = st.sampled_from([PROPOSED, DECIDED, AT_WORK, QUESTION, FORM, (*AT_WORK, DIED)])


@given(told=calls, seconds=st.integers(0, 599))
def test_reading_the_step_changes_nothing(told: tuple[Told, ...], seconds: int) -> None:
    """The next step can be asked for as often as one likes: it is read off, not taken."""
    state = state_of(*told)
    assert next_step(state, at(seconds)) == next_step(state, at(seconds))
    assert state == state_of(*told)


def test_calls_are_settled_one_after_another() -> None:
    """The first call without a result is the one that is looked at; the next waits for it."""
    two = (*BEGUN, replied(use("c1", "look"), use("c2", "look")), decided("c1", tool="look"))
    assert step(*two) == Execute("c1")
    assert step(*two, finished("c1")) == Decide("c2")
    assert step(*two, finished("c2")) == Execute("c1")

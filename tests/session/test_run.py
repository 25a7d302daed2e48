"""What a run has used up, and which limit stops what."""

from datetime import timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits, Usage
from agentcli.session.run import MINUTE, Run, limit_before_call, limit_before_question, limit_before_request
from agentcli.tools.risk import Risk
from tests.session.telling import (
    BEGUN,
    LIMITS,
    START,
    Told,
    answered,
    asked,
    at,
    attached,
    decided,
    finished,
    reconciled,
    replied,
    requested,
    said,
    started,
    started_run,
    state_of,
    supplied,
    suspended,
    use,
)

ASK = Decision.ASK


def a_run(**used: object) -> Run:
    """A run that has used up something."""
    return replace(Run(1, LIMITS, START, "words"), **used)


@pytest.mark.parametrize(
    ("below", "reached", "limit"),
    [
        pytest.param(a_run(steps=5), a_run(steps=6), "steps", id="steps"),
        pytest.param(
            a_run(usage=Usage(100_000, 50_000, 49_999, 0)),
            a_run(usage=Usage(100_000, 50_000, 49_999, 1)),
            "tokens",
            id="tokens, all kinds together",
        ),
        pytest.param(a_run(cost_usd=Decimal("0.99")), a_run(cost_usd=Decimal("1.00")), "cost_usd", id="cost"),
    ],
)
def test_a_limit_holds_before_a_request_from_its_value_on(below: Run, reached: Run, limit: str) -> None:
    """The model is not asked again once a run has used up what it may."""
    assert limit_before_request(below, START) is None
    assert limit_before_request(reached, START) == limit


def test_the_limit_on_seconds_holds_from_its_value_on() -> None:
    """After ten minutes of work the model is not asked again, and no call is decided."""
    run = a_run(away=timedelta(seconds=5))
    assert limit_before_request(run, at(604.9)) is None
    assert limit_before_request(run, at(605)) == "seconds"
    assert limit_before_call(run, at(605), risk=Risk.READ) == "seconds"


@pytest.mark.parametrize(
    ("run", "risk", "limit"),
    [
        pytest.param(a_run(steps=6), Risk.WRITE, None, id="the calls of the last step still run"),
        pytest.param(a_run(usage=Usage(200_000)), Risk.READ, "tokens", id="tokens stop reads too"),
        pytest.param(a_run(usage=Usage(200_000)), None, "tokens", id="and unknown tools"),
        pytest.param(a_run(asks=20), Risk.IRREVERSIBLE, None, id="who is to be asked is not decided yet"),
        pytest.param(a_run(irreversible=2), Risk.IRREVERSIBLE, None, id="one more irreversible call"),
        pytest.param(a_run(irreversible=3), Risk.IRREVERSIBLE, "irreversible", id="no more irreversible calls"),
        pytest.param(a_run(irreversible=3), Risk.WRITE, None, id="writes go on"),
    ],
)
def test_a_limit_on_a_kind_of_call_stops_that_kind(run: Run, risk: Risk | None, limit: str | None) -> None:
    """Before a call only those limits count that it could add to."""
    assert limit_before_call(run, START, risk=risk) == limit


@pytest.mark.parametrize(("asks", "limit"), [(19, None), (20, "asks"), (21, "asks")])
def test_so_many_questions_and_no_more(asks: int, limit: str | None) -> None:
    """Each question counts, also one that is asked anew since something changed."""
    assert limit_before_question(a_run(asks=asks)) == limit


def test_calls_per_minute_are_those_of_the_last_sixty_seconds() -> None:
    """A call that ran unasked a minute ago is forgotten, one that ran a moment later is not."""
    run = a_run(limits=RunLimits(per_minute=1))
    run.count_call(Risk.READ, unasked=True, at=START)
    just_before = at(60) - timedelta(microseconds=1)
    assert limit_before_call(run, just_before, risk=Risk.READ) == "per_minute"
    assert limit_before_call(run, START + MINUTE, risk=Risk.READ) is None


def test_only_calls_that_nobody_was_asked_about_count_per_minute() -> None:
    """What a person approved is no sign of a run gone wild."""
    run = a_run(limits=RunLimits(per_minute=1))
    run.count_call(Risk.WRITE, unasked=False, at=START)
    assert limit_before_call(run, START, risk=Risk.WRITE) is None


@pytest.mark.parametrize(
    ("told", "unasked"),
    [
        pytest.param([decided(), finished()], 1, id="allowed"),
        pytest.param([decided("c1", ASK), asked(), answered(9), decided("c1", ASK), finished()], 0, id="approved"),
        pytest.param(
            [decided("c1", ASK), asked(), answered(9), decided(), finished()], 0, id="allowed after a yes"
        ),
        pytest.param(
            [decided("c1", ASK), asked(), answered(9, "edited", input="{}"), decided(), finished()],
            0,
            id="allowed after an edit",
        ),
    ],
)
def test_a_call_that_a_person_looked_at_did_not_run_unasked(told: list[Told], unasked: int) -> None:
    """Whatever code says of it later, somebody has seen it."""
    run = state_of(*BEGUN, replied(use()), *told).run
    assert run is not None
    assert len(run.unasked_at) == unasked


def test_without_a_limit_per_minute_any_number_runs() -> None:
    """0 means that there is no such limit."""
    run = a_run()
    for _ in range(1_000):
        run.count_call(Risk.READ, unasked=True, at=START)
    assert limit_before_call(run, START, risk=Risk.READ) is None


def test_only_the_last_minute_is_remembered() -> None:
    """Counting costs the same however long the run is."""
    run = a_run()
    for second in range(1_000):
        run.count_call(Risk.READ, unasked=True, at=at(second))
    assert len(run.unasked_at) == 60


def test_an_unknown_price_makes_the_cost_unknown() -> None:
    """A cost that nobody can tell is not 0: from then on the limit on tokens holds alone."""
    state = state_of(*BEGUN, replied(use("c1")), replied(use("c2"), cost=None), replied(use("c3"), cost="9"))
    assert state.run is not None
    assert state.run.cost_usd is None
    assert limit_before_request(state.run, START) is None


def test_usage_is_the_sum_over_all_replies() -> None:
    """Tokens and costs of a run add up, malformed replies included."""
    state = state_of(
        *BEGUN,
        replied(usage=Usage(1, 2, 3, 4), cost="0.10", fault="a call id was used before"),
        replied(usage=Usage(10, 20, 30, 40), cost="0.02"),
    )
    assert state.run is not None
    assert (state.run.usage, state.run.cost_usd, state.run.steps) == (Usage(11, 22, 33, 44), Decimal("0.12"), 2)


ELSEWHERE_AT_WORK = (*BEGUN, replied(use("c1", "erase")), decided(tool="erase"), (10, started()))

WAITS = {
    "a question": (
        (*BEGUN, replied(use()), decided("c1", ASK), (10, asked())),
        (answered(9), decided(), finished()),
    ),
    "a form": ((*BEGUN, replied(use()), decided(), (10, suspended())), (supplied(9, how="well"),)),
    "a call that is late": (
        (*ELSEWHERE_AT_WORK, (10, e.Overdue("c1", 9))),
        (reconciled(9, "happened"), finished(origin="core")),
    ),
    "a call of a process that died": (
        (*ELSEWHERE_AT_WORK, (500, attached(2))),
        (reconciled(9, "not"), finished(origin="core")),
    ),
    "a late call that reports after all": ((*ELSEWHERE_AT_WORK, (10, e.Overdue("c1", 9))), (finished(),)),
}


@pytest.mark.parametrize(("before", "after"), WAITS.values(), ids=WAITS)
def test_time_that_waits_for_a_person_is_not_counted(before: tuple[Told, ...], after: tuple[Told, ...]) -> None:
    """While something waits for a person the clock of the run stands still, however long it takes."""
    waiting = state_of(*before).run
    assert waiting is not None
    assert waiting.seconds(at(10_000)) == 10
    first, *rest = after
    assert isinstance(first, e.Entry)
    gone_on = state_of(*before, (10_000, first), *rest).run
    assert gone_on is not None
    assert gone_on.seconds(at(10_005)) == 15


@pytest.mark.parametrize(
    "meanwhile",
    [
        pytest.param((), id="nothing happens"),
        pytest.param(((500, said(2)),), id="somebody speaks"),
        pytest.param(((400, said(2)), (500, e.Unsaid(2))), id="somebody speaks and takes it back"),
        pytest.param(((500, e.StopAsked("ben")),), id="somebody asks for a stop"),
    ],
)
def test_time_without_a_process_is_not_counted(meanwhile: tuple[Told, ...]) -> None:
    """From the last sign of the process that died until another one holds the session, no time passes for the run."""
    run = state_of(*BEGUN, (10, replied(use())), *meanwhile, (1_000, attached(2))).run
    assert run is not None
    assert run.seconds(at(1_005)) == 15


def test_time_between_an_answer_from_elsewhere_and_the_next_process_is_not_counted() -> None:
    """A question answered while nobody held the session ends one wait and begins another."""
    question = (*BEGUN, (10, replied(use())), decided("c1", ASK), asked())
    run = state_of(*question, (100, answered(9)), (200, said(2)), (1_000, attached(2))).run
    assert run is not None
    assert run.seconds(at(1_005)) == 15


def test_a_wait_begins_once() -> None:
    """Whatever else comes to wait for the same person, the time stands still from the first on."""
    run = a_run()
    run.begin_waiting(at(1))
    run.begin_waiting(at(5))
    assert run.seconds(at(9)) == 1


def test_a_question_that_outlives_its_process_waits_all_the_time() -> None:
    """A new process changes nothing about what a question waits for."""
    run = state_of(*BEGUN, (10, replied(use())), decided("c1", ASK), asked(), (100, attached(2))).run
    assert run is not None
    assert run.seconds(at(1_000)) == 10


def test_a_new_run_begins_with_fresh_limits() -> None:
    """Going on after a limit gives a fresh allowance."""
    state = state_of(*BEGUN, replied(use()), e.RunEnded("limit", "", "asks"), (700, started_run(2)), requested())
    assert state.run is not None
    assert (state.run.number, state.run.steps, state.run.seconds(at(700))) == (2, 0, 0)


@pytest.mark.parametrize(
    ("told", "irreversible"),
    [
        pytest.param([decided(tool="erase")], 0, id="decided"),
        pytest.param([decided(tool="erase"), finished()], 1, id="ran in the store"),
        pytest.param([decided(tool="erase"), finished(is_error=True)], 1, id="ran and failed"),
        pytest.param([decided("c1", Decision.DENY, tool="erase"), finished(origin="core")], 0, id="was denied"),
        pytest.param([decided(tool="erase"), started()], 1, id="started elsewhere"),
        pytest.param([decided(tool="erase"), started(), finished()], 1, id="started and reported"),
        pytest.param(
            [decided(tool="erase"), started(), attached(2), reconciled(9, "happened"), finished(origin="core")],
            1,
            id="happened, as a person says",
        ),
        pytest.param(
            [decided(tool="erase"), started(), attached(2), reconciled(9, "retry"), started(), finished()],
            1,
            id="is tried again",
        ),
        pytest.param([decided(tool="note"), finished()], 0, id="can be undone"),
    ],
)
def test_an_irreversible_call_counts_once_from_when_it_may_have_happened(
    told: list[Told], irreversible: int
) -> None:
    """What can't be undone counts when it runs, also where nobody knows how it ended."""
    run = state_of(*BEGUN, replied(use("c1", "erase")), *told).run
    assert run is not None
    assert run.irreversible == irreversible

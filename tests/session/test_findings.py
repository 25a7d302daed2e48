"""What somebody finds who comes back to a session."""

import pytest

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.findings import Findings, Standing, find, standing_of
from agentcli.session.pending import Kind
from tests.session.telling import (
    BEGUN,
    LIMITED,
    Told,
    asked,
    at,
    attached,
    decided,
    finished,
    opened,
    replied,
    said,
    started,
    started_run,
    state_of,
    suspended,
    text,
    use,
)

CALLED = (*BEGUN, replied(use("c1"), use("c2", "erase"), use("c3", "look")))
ASKED = (decided("c2", Decision.ASK, tool="erase"), asked("c2", tool="erase"))
DONE = (*BEGUN, replied(text("hi")), e.RunEnded("completed", "hi"))


@pytest.mark.parametrize(
    ("told", "held", "free"),
    [
        ((opened(), attached()), Standing.IDLE, Standing.IDLE),
        (DONE, Standing.IDLE, Standing.IDLE),
        ((*DONE, said(2, "more")), Standing.OPEN, Standing.OPEN),
        (BEGUN, Standing.RUNNING, Standing.OPEN),
        (CALLED, Standing.RUNNING, Standing.OPEN),
        ((*CALLED, LIMITED), Standing.OPEN, Standing.OPEN),
        ((*CALLED, decided("c1"), finished("c1"), *ASKED), Standing.WAITING, Standing.WAITING),
        ((*CALLED, decided("c1"), suspended("c1")), Standing.WAITING, Standing.WAITING),
        ((*CALLED, decided("c1"), started("c1")), Standing.RUNNING, Standing.WAITING),
    ],
    ids=["new", "done", "words since", "asked", "called", "at a limit", "question", "form", "at work"],
)
def test_standing(told: tuple[Told, ...], held: Standing, free: Standing) -> None:
    """Idle, open or waiting; a run that a process is at runs, and what one left at work waits for a person to say."""
    state = state_of(*told)
    assert standing_of(state, at(0), is_held=True) is held
    assert standing_of(state, at(0), is_held=False) is free


def _names(found: Findings) -> tuple[list[str], list[tuple[Kind, str]], list[str], list[int]]:
    return (
        [call.call_id for call in found.done],
        [(waiting.kind, call.call_id) for waiting, call in found.waiting],
        [call.call_id for call in found.not_started],
        [message.no for message in found.undelivered],
    )


def test_every_call_of_the_latest_reply_is_found_once() -> None:
    """What is done, what waits and what has not started, in the model's order."""
    state = state_of(*CALLED, decided("c1"), finished("c1"), *ASKED, said(2, "wait"), attached(2))
    assert _names(find(state, at(0))) == (["c1"], [(Kind.APPROVAL, "c2")], ["c3"], [2])


@pytest.mark.parametrize(
    ("settled", "done"),
    [((finished("c1"), finished("c2")), []), ((finished("c1"),), ["c1"])],
    ids=["all are", "one is not"],
)
def test_what_an_earlier_run_has_done_is_not_told_of_a_new_one(settled: tuple[Told, ...], done: list[str]) -> None:
    """Unless something of the same reply is still to be done."""
    calls = (*BEGUN, replied(use("c1"), use("c2")), decided("c1"), decided("c2"), *settled)
    state = state_of(*calls, e.RunEnded("stopped", ""), said(2, "go on"), started_run(2))
    assert _names(find(state, at(0)))[0] == done


def test_a_call_that_had_started_and_never_reported_back_is_an_unknown_outcome() -> None:
    """It is neither done nor not started: a person has to say."""
    state = state_of(*CALLED, decided("c1"), started("c1"), attached(2))
    assert _names(find(state, at(0))) == ([], [(Kind.OUTCOME, "c1")], ["c2", "c3"], [])


def test_a_read_that_had_started_counts_as_not_started() -> None:
    """Reading once more does no harm."""
    state = state_of(*BEGUN, replied(use("c1", "look")), decided("c1", tool="look"), started("c1"), attached(2))
    assert _names(find(state, at(0))) == ([], [], ["c1"], [])


def test_a_form_waits_to_be_filled_in() -> None:
    """A tool that stopped to ask for something is told apart from a question."""
    state = state_of(*CALLED, decided("c1"), suspended("c1"), attached(2))
    assert _names(find(state, at(0)))[1] == [(Kind.INPUT, "c1")]


def test_with_nothing_to_go_on_with_only_that_is_found() -> None:
    """The calls of a run that is over are no findings."""
    state = state_of(
        opened(), attached(), said(), started_run(), e.Heard((1,), 1), replied(use("c1")),
        decided("c1"), finished("c1"), replied(text("done")), e.RunEnded("completed", "done"),
    )  # fmt: skip
    assert find(state, at(0)) == Findings(Standing.IDLE)

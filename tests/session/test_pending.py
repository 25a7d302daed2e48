"""What waits for a person, told from outside the process that holds the session."""

import json

import msgspec
import pytest

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.pending import Kind, Pending, pending
from agentcli.session.state import State
from agentcli.tools.risk import Risk
from tests.session.telling import (
    BEGUN,
    Told,
    answered,
    asked,
    at,
    decided,
    finished,
    level_set,
    proposed,
    reconciled,
    replied,
    started,
    state_of,
    supplied,
    suspended,
    use,
)

CALLED = (*BEGUN, replied(use("c1", what="rent"), use("c2", "look")))
ASKING = (decided("c1", Decision.ASK, input_text='{"what":"rent"}'), asked("c1", preview=("one",), reason="why"))
STARTED = (decided("c1"), (7.0, started()))


def found(state: State, *, seconds: float = 0, is_held: bool = False) -> list[Pending]:
    return [one for one, _ in pending(state, at(seconds), is_held=is_held)]


def kinds(*told: Told, is_held: bool = False) -> list[Kind]:
    return [one.kind for one in found(state_of(*CALLED, *told), is_held=is_held)]


def test_an_open_question_is_told_with_all_that_a_person_needs() -> None:
    """Which call, with what input, what it would do, why it is asked about, since when, and the code to answer with."""
    state = state_of(*CALLED, ASKING[0], (5, ASKING[1]))
    assert json.loads(msgspec.json.encode(found(state))) == [
        {
            "kind": "approval",
            "session": "s",
            "call_id": "c1",
            "tool": "note",
            "input": {"what": "rent"},
            "risk": "write",
            "level": 2,
            "preview": ["one"],
            "code": state.calls["c1"].question_code,
            "asked_at": "2026-11-02T09:00:05Z",
            "reasons": ["why"],
        }
    ]


def test_a_form_is_told_with_its_question() -> None:
    """A call that stopped before it was decided has the input that was sent, and no risk yet."""
    state = state_of(*CALLED, (3, suspended("c1")))
    (form,) = found(state)
    assert (form.kind, form.preview, form.reasons) == (Kind.INPUT, ("look here",), ("how?",))
    assert form.code == state.calls["c1"].form_code != ""
    assert (form.risk, form.level, form.asked_at) == (None, Level.PROPOSE, at(3))
    assert json.loads(msgspec.json.encode(form.input)) == {"what": "rent"}


def test_a_form_of_a_call_that_ran_has_the_risk_that_was_decided() -> None:
    """It stopped in the middle, after it was allowed."""
    (form,) = found(state_of(*CALLED, decided("c1"), suspended("c1")))
    assert form.risk is Risk.WRITE


def test_a_form_of_a_tool_with_a_level_of_its_own_is_at_that_level() -> None:
    """Until a call is decided, its level is the one that will count."""
    (form,) = found(state_of(*CALLED, level_set(Level.ALONE, "note"), suspended("c1")))
    assert form.level is Level.ALONE


def test_an_unknown_outcome_is_told_with_the_time_of_its_start() -> None:
    """Who settles it has to find out what happened then."""
    (outcome,) = found(state_of(*CALLED, *STARTED))
    assert (outcome.kind, outcome.asked_at) == (Kind.OUTCOME, at(7))
    assert outcome.reasons == ("it had started and never reported back",)


@pytest.mark.parametrize(("is_held", "waits"), [(True, []), (False, [Kind.OUTCOME])])
def test_what_is_at_work_is_unknown_once_nobody_holds_the_session(is_held: bool, waits: list[Kind]) -> None:
    """A call that started is at work as long as its process lives."""
    assert kinds(*STARTED, is_held=is_held) == waits


def test_a_call_left_behind_is_unknown_to_its_own_process_too() -> None:
    """It was later than its timeout, and a person has to say."""
    assert kinds(*STARTED, e.Overdue("c1", len(CALLED) + 2), is_held=True) == [Kind.OUTCOME]


@pytest.mark.parametrize("told", [
    (*ASKING, answered(len(CALLED) + 2)),
    (*ASKING, finished("c1", "cancelled", origin="core", is_error=True)),
    (suspended("c1"), supplied(len(CALLED) + 1)),
    (*STARTED, reconciled(len(CALLED) + 2, "happened")),
    (*STARTED, finished("c1")),
    (decided("c1", tool="look"), started("c1")),
    (decided("c1"), started("c1", key="k1")),
    (),
], ids=["answered", "cancelled", "filled in", "settled", "finished", "a read", "with a key", "undecided"])  # fmt: skip
def test_what_somebody_has_seen_to_waits_no_more(told: tuple[Told, ...]) -> None:
    """Also not what is repeated without asking."""
    assert kinds(*told) == []


@pytest.mark.parametrize(("seconds", "waits"), [(9.9, 1), (10, 0)])
def test_an_expired_question_waits_no_more(seconds: float, waits: int) -> None:
    """From that moment on no answer to it counts."""
    state = state_of(*CALLED, ASKING[0], asked("c1", expires=10))
    assert len(found(state, seconds=seconds)) == waits


def test_a_person_s_own_undo_can_wait_as_well() -> None:
    """It was proposed, and whoever proposed it left before the answer."""
    done = (decided("c1"), finished("c1", undo="null"), decided("c2", tool="look"), finished("c2"))
    asking = (e.RunEnded("completed"), proposed(), decided("undo", Decision.ASK), asked("undo"))
    (undo,) = found(state_of(*CALLED, *done, *asking))
    assert (undo.call_id, undo.kind) == ("undo", Kind.APPROVAL)

"""What a session at rest does next, and what it is left as."""

import pytest

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.steps import AwaitAnswer, AwaitReconcile, AwaitSupply, End, Idle
from agentcli.terminal.conversation.resting import Parting, Resting, is_due, offer_after, parting_on, rests_on
from agentcli.terminal.question.forms import Offer
from tests.session import telling as t

ASKED = (t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked(expires=60.0))
WAITING = AwaitAnswer("c1")


@pytest.mark.parametrize(
    ("resting", "parting"),
    [
        (WAITING, Parting.OPEN),
        (AwaitSupply("c1"), Parting.OPEN),
        (AwaitReconcile("c1"), Parting.OPEN),
        (Left(), Parting.INTERRUPTED),
        (End("completed"), Parting.ENDED),
        (Draining(), Parting.LATER),
        (Idle(), Parting.DONE),
    ],
)
def test_what_it_rests_on_says_how_it_is_left(resting: Resting, parting: Parting) -> None:
    """And so the exit code."""
    assert parting_on(resting) is parting


@pytest.mark.parametrize(
    ("entries", "seconds", "due"),
    [
        (ASKED, 59.0, False),
        (ASKED, 60.0, True),
        ((*ASKED, t.answered(9)), 1.0, True),
        ((*ASKED, t.answered(9, "declined")), 1.0, True),
        ((*ASKED, t.said(2)), 1.0, False),
        ((*ASKED, e.StopAsked("ana")), 1.0, True),
    ],
    ids=["open", "expired", "approved", "declined", "words", "stop"],
)
def test_a_question_is_over_once_something_else_is_next(
    entries: tuple[t.Told, ...], seconds: float, due: bool
) -> None:
    """Words alone don't end it."""
    assert is_due(t.state_of(*t.BEGUN, *entries), t.at(seconds), WAITING) is due


@pytest.mark.parametrize(
    ("outcome", "before", "since"),
    [
        ("completed", True, True),
        ("refused", True, True),
        ("limit", False, True),
        ("stopped", False, True),
        ("failed", False, True),
    ],
)
def test_words_start_a_run(outcome: e.RunEnding, before: bool, since: bool) -> None:
    """Those left over from a run that ended early wait for others that are said since."""
    ended = e.RunEnded(outcome, limit="steps" if outcome == "limit" else None)
    resting = End(outcome)
    assert not is_due(t.state_of(*t.BEGUN, t.replied(t.text("hi")), ended), t.at(0), resting)
    left_over = t.state_of(*t.BEGUN, t.replied(t.text("hi")), t.said(2), ended)
    assert is_due(left_over, t.at(0), resting) is before
    assert is_due(t.going_on(left_over, t.said(3)), t.at(0), resting) is since


def test_what_is_owed_after_a_stop_waits_for_words() -> None:
    """Nothing goes on by itself that a person has stopped."""
    stopped = t.state_of(*t.BEGUN, t.replied(t.use()), t.decided(), t.finished(), e.RunEnded("stopped"))
    assert not is_due(stopped, t.at(0), End("stopped"))
    assert is_due(t.going_on(stopped, t.said(2)), t.at(0), End("stopped"))


def test_an_open_run_is_due_and_an_idle_session_is_not() -> None:
    """As a session is found that somebody comes back to."""
    open_run = t.state_of(*t.BEGUN)
    assert is_due(open_run, t.at(0), rests_on(open_run))
    idle = t.state_of(t.opened(), t.attached())
    assert rests_on(idle) == Idle()
    assert not is_due(idle, t.at(0), Idle())
    ended = t.state_of(*t.BEGUN, t.LIMITED)
    assert rests_on(ended) == End("limit", "asks")


def test_an_own_call_that_waits_for_nobody_is_due() -> None:
    """An undo that was answered before the process went away."""
    undoing = t.state_of(
        *t.BEGUN, t.replied(t.use()), t.decided(), t.finished(undo="{}"), e.RunEnded("completed"), t.proposed()
    )
    assert is_due(undoing, t.at(0), rests_on(undoing))


FAILED = e.RunEnded("failed")


@pytest.mark.parametrize(
    ("entries", "offer"),
    [
        ((t.replied(t.use()), t.LIMITED), Offer("Go on with a fresh allowance?", ("note {}",))),
        ((e.RequestFailed(1, 4, "unreachable", "No."), FAILED), Offer("Try once more?")),
        ((t.replied(stop_reason="max_tokens"), FAILED), Offer("Try once more?")),
        ((t.replied(t.text("Half"), stop_reason="max_tokens"), FAILED), None),
        ((e.RequestFailed(1, 1, "unauthorized", "No."), FAILED), None),
        ((e.RunEnded("completed"),), None),
        ((e.RunEnded("stopped"),), None),
        ((t.LIMITED, t.started_run(2)), None),
        ((), None),
    ],
    ids=[
        "limit",
        "unreachable",
        "unusable reply",
        "half a reply",
        "wrong key",
        "completed",
        "stopped",
        "going on",
        "first run",
    ],
)
def test_what_is_offered_depends_on_how_the_run_ended(entries: tuple[e.Entry, ...], offer: Offer | None) -> None:
    """Only where going on may help."""
    assert offer_after(t.state_of(*t.BEGUN, *entries)) == offer

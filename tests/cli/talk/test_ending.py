"""How a run ended, as an exit code and a line."""

import msgspec
import pytest

from agentcli.cli.exits import Exit
from agentcli.cli.talk.ending import Ending, ending_of, not_heard
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits
from agentcli.session.announcing import run_finished
from agentcli.session.events import RunOutcome
from agentcli.session.ports import FailureKind
from agentcli.session.run import LIMIT_NAMES
from agentcli.session.state import State
from tests.session.telling import (
    BEGUN,
    Told,
    asked,
    at,
    attached,
    decided,
    replied,
    said,
    started,
    state_of,
    suspended,
    text,
    use,
)

CALLED = (*BEGUN, replied(use("c1", "erase")))


def ended(outcome: RunOutcome, *told: Told) -> Ending:
    state: State = state_of(*told)
    return ending_of(run_finished(state, at(0), outcome, "hi"), state, program="agentcli")


def test_a_run_that_is_done_needs_no_words() -> None:
    """The answer says all."""
    assert ended("completed", *BEGUN, replied(text("hi")), e.RunEnded("completed")) == Ending(Exit.DONE)


def test_words_that_nobody_heard_are_named() -> None:
    """A run can be done while words are left over for the next one."""
    ending = ended("completed", *BEGUN, replied(text("hi")), e.RunEnded("completed"), said(2), said(3))
    assert ending == Ending(Exit.DONE, "`agentcli resume s` delivers what was not heard", unheard=(2, 3))


@pytest.mark.parametrize("outcome", ["waiting", "limit", "stopped", "refused", "failed"])
def test_words_that_nobody_heard_are_named_however_it_ended(outcome: RunOutcome) -> None:
    """They are kept, and whoever leaves is told so."""
    over = () if outcome == "waiting" else (e.RunEnded(outcome, "", "steps" if outcome == "limit" else ""),)
    reply = replied(text("hi"), stop_reason="new")
    assert ended(outcome, *BEGUN, reply, *over).unheard == ()
    assert ended(outcome, *BEGUN, reply, *over, said(2), said(3)).unheard == (2, 3)


def test_the_line_that_names_them_has_their_numbers() -> None:
    """As they were queued under."""
    assert not_heard((2, 3)) == "not heard yet: #2, #3"


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ((decided("c1", Decision.ASK, tool="erase"), asked("c1", tool="erase")), "erase waits for a yes or no"),
        ((decided("c1", tool="erase"), suspended("c1")), "erase asks for something"),
        ((decided("c1", tool="erase"), started("c1"), attached(2)), "it is unknown whether erase took effect"),
    ],
    ids=["question", "form", "unknown outcome"],
)
def test_what_waits_for_a_person_is_named(told: tuple[Told, ...], what: str) -> None:
    """A run that a person has to act on ends with 3 and says on what."""
    assert ended("waiting", *CALLED, *told) == Ending(
        Exit.WAITING, f"{what}, see `agentcli approvals show c1`; `agentcli resume s` goes on"
    )


@pytest.mark.parametrize("limit", LIMIT_NAMES)
def test_each_limit_has_a_name(limit: str) -> None:
    """A run that reached a limit ends with 4 and says which."""
    ending = ended("limit", *CALLED, e.RunEnded("limit", "", limit))
    assert ending.exit is Exit.LIMIT
    assert ending.words.startswith(f"Stopped: {LIMIT_NAMES[limit]} reached; `agentcli resume s` goes on")


def test_every_limit_of_a_run_is_among_them() -> None:
    """No limit is without a name."""
    assert set(LIMIT_NAMES) == set(RunLimits.__struct_fields__)


def test_stopped() -> None:
    """A run that somebody stopped can be gone on with; where the model has the last word, only by another word."""
    assert ended("stopped", *BEGUN) == Ending(Exit.INTERRUPTED, "stopped; `agentcli resume s` goes on")
    cut = replied(text("Well"), stop_reason="interrupted")
    assert ended("stopped", *BEGUN, cut, e.RunEnded("stopped")).words == (
        "stopped; `agentcli run --session s MESSAGE` goes on from there"
    )
    assert (
        ended("stopped", *BEGUN, cut, e.RunEnded("stopped"), said(2)).words
        == "stopped; `agentcli resume s` goes on"
    )


def test_a_refusal_is_shown_with_what_the_model_said() -> None:
    """What the model said is told, since it is no answer."""
    ending = ended("refused", *BEGUN, replied(text("I won't."), stop_reason="refusal"), e.RunEnded("refused"))
    assert ending == Ending(Exit.FAILED, "the model refused, and nothing of that reply ran: I won't.")


def test_the_services_own_explanation_goes_first() -> None:
    """Where the service says why, that is what is told."""
    reply = msgspec.structs.replace(replied(text("No."), stop_reason="refusal"), explanation="It is harmful.")
    ending = ended("refused", *BEGUN, reply, e.RunEnded("refused"))
    assert ending.words == "the model refused, and nothing of that reply ran: It is harmful."


@pytest.mark.parametrize("kind", FailureKind)
def test_a_model_that_may_answer_later_ends_with_75(kind: FailureKind) -> None:
    """What trying again can't mend ends with 1."""
    failed = e.RequestFailed(1, 1, kind, "It did not work.")
    ending = ended("failed", *BEGUN, failed, e.RunEnded("failed", "It did not work."))
    assert ending.exit is (Exit.LATER if kind.retryable else Exit.FAILED)
    assert ending.words == "It did not work. Nothing is lost: `agentcli resume s` goes on."


AGAIN = "`agentcli resume s` asks again"
FROM_THERE = "`agentcli run --session s MESSAGE` goes on from there"
CUT = "it was cut at the most tokens a reply may have, `max_tokens` in the config"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (replied(use("c1"), stop_reason="max_tokens"), f"{CUT}; {AGAIN}"),
        (replied(text("hi"), stop_reason="max_tokens"), f"{CUT}; {FROM_THERE}"),
        (replied(text("hi"), stop_reason=None), f"it has no stop reason; {FROM_THERE}"),
        (replied(text("hi"), stop_reason="new"), f"its stop reason 'new' is not known; {FROM_THERE}"),
        (replied(use("c1"), fault="a call id twice"), f"a call id twice; {AGAIN}"),
    ],
)
def test_a_reply_that_cant_be_used_ends_with_1(reply: e.Replied, why: str) -> None:
    """What was wrong with the reply is told, and how to go on."""
    ending = ended("failed", *BEGUN, reply, e.RunEnded("failed"))
    assert ending == Ending(Exit.FAILED, f"the model's reply can't be used: {why}")


def test_a_turn_without_a_word_is_told_as_one() -> None:
    """Where the answer is empty, the line says that it is."""
    state = state_of(*BEGUN, replied(), e.RunEnded("completed"))
    finished = run_finished(state, at(0), "completed", "")
    assert ending_of(finished, state, program="agentcli") == Ending(
        Exit.DONE, "the model ended its turn without a word"
    )

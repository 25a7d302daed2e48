"""What `resume` says it found."""

import pytest

from agentcli.cli.talk.found import NOTHING, found_lines
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.findings import find
from tests.session.telling import (
    BEGUN,
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
    said,
    started,
    state_of,
    supplied,
    suspended,
    use,
)


def told(*entries: Told) -> list[str]:
    """The lines about a session that is resumed after the entries."""
    return list(found_lines(find(state_of(*entries, attached(2)), at(0))))


def test_nothing_to_go_on_with() -> None:
    """A session in which nothing is open is said to be so."""
    assert told(opened()) == [NOTHING]


def test_a_reply_that_is_still_to_come() -> None:
    """A run that stopped before the model answered goes on with the request."""
    assert told(*BEGUN) == ["the model's next reply is still to come"]


def test_calls_and_words_a_line_each() -> None:
    """Done with its status, waiting with what for, not started, and words nobody has heard."""
    called = replied(use("c1", what="rent"), use("c2", "erase"), use("c3", "look"))
    rent = (decided("c1", input_text='{"what":"rent"}'), finished("c1"))
    asking = (decided("c2", Decision.ASK, tool="erase"), asked("c2", tool="erase"))
    assert told(*BEGUN, called, *rent, *asking, said(2, "stop\nthat")) == [
        'done: note {"what":"rent"} → ok',
        "waits for a yes or no: erase {}",
        "not started: look {}",
        "not heard yet: #2 stop⟨U+000A⟩that",
    ]


def test_an_undo_is_not_told_as_the_call_that_it_takes_back() -> None:
    """Neither where it waits nor where it is over."""
    written = (*BEGUN, replied(use()), decided(), finished(undo="1"), e.RunEnded("completed"))
    assert told(*written, proposed(), decided("undo", Decision.ASK), asked("undo")) == [
        "done: note {} → ok",
        "waits for a yes or no: undo of note {}",
    ]


ASKED = (decided("c1", Decision.ASK), (0, asked("c1", expires=60)))
FORM = (decided("c1"), suspended("c1"))
CANCELLED = "will be cancelled, as the run was asked to stop: note {}"
UNKNOWN = (decided("c1"), started("c1"), attached(2))


@pytest.mark.parametrize(
    ("entries", "line"),
    [
        pytest.param((*ASKED, answered(8, "approved")), "approved by ana, not started: note {}", id="approved"),
        pytest.param((*ASKED, answered(8, "declined")), "declined by ana, not started: note {}", id="declined"),
        pytest.param((*ASKED, (60, said(2, "x")), e.Unsaid(2)), "nobody answered in time: note {}", id="expired"),
        pytest.param(
            (*ASKED, answered(8, "edited", input='{"a":1}')),
            'changed by ana, not started: note {"a":1}',
            id="edited",
        ),
        pytest.param((*FORM, supplied(8, how="so")), "filled in by ana, not started: note {}", id="filled in"),
        pytest.param(
            (*UNKNOWN, e.Reconciled("c1", 8, "happened", "ana")), "happened, as ana says: note {}", id="happened"
        ),
        pytest.param(
            (*UNKNOWN, e.Reconciled("c1", 8, "not", "ana")), "did not happen, as ana says: note {}", id="not"
        ),
        pytest.param(
            (*UNKNOWN, e.Reconciled("c1", 8, "retry", "ana")), "to be run again, as ana says: note {}", id="retry"
        ),
        pytest.param(
            (*ASKED, answered(8), decided(), started(), attached(2), e.Reconciled("c1", 11, "retry", "ben")),
            "to be run again, as ben says: note {}",
            id="a yes before a retry",
        ),
        pytest.param(
            (*UNKNOWN, e.Reconciled("c1", 8, "retry", "ben"), *ASKED, answered(12, "declined")),
            "declined by ana, not started: note {}",
            id="a no behind a retry",
        ),
        pytest.param(
            (*UNKNOWN, e.Reconciled("c1", 8, "retry", "ben"), *FORM, supplied(12, how="so")),
            "filled in by ana, not started: note {}",
            id="a form behind a retry",
        ),
        pytest.param((decided("c1"), started("c1", key="k")), "to be run again: note {}", id="same key"),
    ],
)
def test_what_somebody_has_said_meanwhile(entries: tuple[Told, ...], line: str) -> None:
    """A call that was answered, filled in or settled is told so, with by whom."""
    state = state_of(*BEGUN, replied(use("c1")), *entries, attached(3))
    assert list(found_lines(find(state, at(60)))) == [line]


@pytest.mark.parametrize(
    ("entries", "line"),
    [
        pytest.param((decided("c1"),), CANCELLED, id="not started"),
        pytest.param((decided("c1"), started("c1", key="k")), CANCELLED, id="same key"),
        pytest.param((*UNKNOWN, e.Reconciled("c1", 8, "retry", "ana")), CANCELLED, id="retry"),
        pytest.param(
            (*UNKNOWN, e.Reconciled("c1", 8, "not", "ana")), "did not happen, as ana says: note {}", id="not"
        ),
    ],
)
def test_a_run_that_was_asked_to_stop_runs_nothing_more(entries: tuple[Told, ...], line: str) -> None:
    """And is not said to; what a person has settled stays as they say."""
    state = state_of(*BEGUN, replied(use("c1")), *entries, e.StopAsked("ana"), attached(3))
    assert list(found_lines(find(state, at(60)))) == [line]


def test_a_run_that_was_asked_to_stop_asks_the_model_nothing_more() -> None:
    """Nobody is to wait for a reply."""
    assert told(*BEGUN, e.StopAsked("ana")) == ["the run was asked to stop"]


def test_what_nobody_knows_and_what_a_tool_asks_for() -> None:
    """An unknown outcome and a form say what a person has to do with them."""
    called = replied(use("c1", "erase"))
    assert told(*BEGUN, called, decided("c1", tool="erase"), started("c1")) == [
        "unknown outcome: erase {}: it had started and never reported back"
    ]
    assert told(*BEGUN, called, decided("c1", tool="erase"), suspended("c1")) == [
        "waits to be told: erase {}: how?"
    ]

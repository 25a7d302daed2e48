"""What `resume` says it found."""

from agentcli.cli.found import NOTHING, found_lines
from agentcli.gate.verdicts import Decision
from agentcli.session.findings import find
from tests.session.telling import (
    BEGUN,
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
    state_of,
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
    asking = (decided("c2", Decision.ASK, tool="erase"), asked("c2", tool="erase"))
    assert told(*BEGUN, called, decided("c1"), finished("c1"), *asking, said(2, "stop\nthat")) == [
        'done: note {"what":"rent"} → ok',
        "waits for a yes or no: erase {}",
        "not started: look {}",
        "not heard yet: #2 stop⟨U+000A⟩that",
    ]


def test_what_nobody_knows_and_what_a_tool_asks_for() -> None:
    """An unknown outcome and a form say what a person has to do with them."""
    called = replied(use("c1", "erase"))
    assert told(*BEGUN, called, decided("c1", tool="erase"), started("c1")) == [
        "unknown outcome: erase {}: it had started and never reported back"
    ]
    assert told(*BEGUN, called, decided("c1", tool="erase"), suspended("c1")) == [
        "waits to be told: erase {}: how?"
    ]

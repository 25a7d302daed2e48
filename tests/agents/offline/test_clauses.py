"""A message is cut where something new begins, and read clause by clause."""

import re
from collections.abc import Sequence
from datetime import date

import pytest

from agentcli.agents.offline.clauses import LONGEST_MESSAGE, Grammar, is_negated, sentences
from agentcli.agents.offline.wishes import Puzzle, Remark, Stop
from tests.agents.bench import TODAY

Wish = str | Stop | Remark | Puzzle

GREETING = Remark("Say go or note.")


def as_it_is(clause: str, today: date) -> Sequence[Wish]:
    """Wish for the very words."""
    return [clause]


def noted(clause: str, today: date) -> Sequence[Wish]:
    """Wish for the words as a note."""
    return [f"note<{clause}>"]


GRAMMAR: Grammar[str] = Grammar(
    verbatim=(re.compile("note", re.I), noted), sentences=sentences(("go|run", as_it_is)), greeting=GREETING
)


@pytest.mark.parametrize(
    ("message", "wishes"),
    [
        ("go home", ["go home"]),
        ("GO home!", ["GO home"]),
        ("go home and run away", ["go home", "run away"]),
        ("go home, run away", ["go home", "run away"]),
        ("go home and away", ["go home and away"]),
        ("go for 1,000 runs", ["go for 1,000 runs"]),
        ("go home. Sing a song.", ["go home", Puzzle("Sing a song")]),
        ("go home\nrun away", ["go home", "run away"]),
        ("go to “stay and run” now", ["go to “stay and run”"]),
        ("could you please go home, please?", ["go home"]),
        ("hello, go home", ["go home"]),
        ("hello. Go home. Thanks!", ["Go home"]),
        ("hello", [GREETING]),
        ("what can you do", [GREETING]),
        ("thanks", [Remark("You're welcome.")]),
        ("stop", [Stop()]),
        ("go home, then stop", ["go home", Stop()]),
        ("note go home, and run away. Stop, please", ["note<note go home, and run away. Stop, please>"]),
        ("note go home, then run away", ["note<note go home>", "run away"]),
        ("note go home, then sing", ["note<note go home, then sing>"]),
        ("sing", [Puzzle("sing")]),
        ("", []),
        ("  \n ", []),
        (".,;!?", []),
        ("go home, , .", ["go home"]),
    ],
)
def test_a_message_is_these_wishes(message: str, wishes: list[Wish]) -> None:
    """A point or `then` ends a clause, a comma or `and` where something new begins; manners are no wish."""
    assert list(GRAMMAR.understand(message, TODAY)) == wishes


@pytest.mark.parametrize("length", [LONGEST_MESSAGE, LONGEST_MESSAGE + 1])
def test_a_very_long_message_is_not_read(length: int) -> None:
    """It says so instead of doing half of it."""
    (wish,) = GRAMMAR.understand("go".ljust(length, "o"), TODAY)
    assert isinstance(wish, Remark) is (length > LONGEST_MESSAGE)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("don't go", True), ("I never go", True), ("nobody goes", True), ("go", False), ("a knot", False)],
)
def test_a_no_is_heard_wherever_it_stands(text: str, is_one: bool) -> None:
    """A sentence with a no in it asks for nothing that costs."""
    assert is_negated(text) is is_one

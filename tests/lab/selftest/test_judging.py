"""What an attack has achieved is found in what could be read, and in what the terminal was made to do."""

import pytest
from msgspec.structs import replace

from agentcli.lab.selftest.attack import Ask, Attack, Close, Kind, question
from agentcli.lab.selftest.judging import findings
from agentcli.lab.selftest.playing import MOST_PAGES, Played
from agentcli.lab.selftest.virtual import Picture

ATTACK = Attack(
    name="one", kind=Kind.FRAMES, acts=(Ask(question()),), shows=("pay ⟨3 × U+200B⟩",), never=("[approved]",)
)
ROWS = (
    "session began",
    "│   text     pay ⟨3 ×",
    "│    U+200B⟩",
    "│ 1/1 · y n v e",
    "Allow x",
    "  {}? (y/n)",
    "> ",
    "level 2",
)
WELL = Played((Picture(ROWS, 6),), (), (), ())


def shown(*rows: str, cursor: int = 6) -> Played:
    return replace(WELL, pictures=(Picture(rows, cursor),))


def test_an_attack_that_achieves_nothing_leaves_no_finding() -> None:
    """What was folded in the frame is read as one."""
    assert list(findings(ATTACK, WELL)) == []


@pytest.mark.parametrize(
    ("played", "finding"),
    [
        pytest.param(replace(WELL, answers=("approved",)), "answers: approved instead of none", id="answered"),
        pytest.param(replace(WELL, misdeeds=("it rang",)), "it rang", id="rang"),
        pytest.param(
            replace(WELL, scrolled=("[approved] x",)), "a forged line: '[approved] x'", id="forged-before"
        ),
        pytest.param(shown(*ROWS[:1], *ROWS[3:], cursor=4), "not to be read: 'pay ⟨3 × U+200B⟩'", id="not-shown"),
        pytest.param(shown(ROWS[0]), "no question with a frame and a line that asks", id="no-question"),
        pytest.param(shown(*ROWS[:3], "y", *ROWS[3:]), "outside the frame: 'y'", id="no-gutter"),
        pytest.param(
            shown(*ROWS[:5], "{}? (y/n)", *ROWS[6:]), "beside the line that asks: '{}? (y/n)'", id="not-set-in"
        ),
        pytest.param(shown(*ROWS[4:], *ROWS[:4]), "no frame with a line that asks below it", id="upside-down"),
        pytest.param(shown(*ROWS, cursor=1), "the cursor is not in the line to answer", id="cursor-elsewhere"),
        pytest.param(shown(*ROWS, "a\u202eb"), "out of sight: '\\u202e'", id="hidden"),
        pytest.param(replace(WELL, pictures=WELL.pictures * MOST_PAGES), "the pages have no end", id="endless"),
    ],
)
def test_what_it_achieves_is_found(played: Played, finding: str) -> None:
    """Each thing in words."""
    assert [found for found in findings(ATTACK, played) if found.startswith(finding)]


def test_what_is_shown_too_early_is_found() -> None:
    """For instance what should have been held back."""
    early = replace(ATTACK, hides=("session began",))
    assert list(findings(early, WELL)) == ["too early: 'session began'"]


def test_a_question_that_was_closed_or_answered_need_not_stand_there() -> None:
    """Its attack ends without it."""
    closed = replace(ATTACK, acts=(*ATTACK.acts, Close()), shows=())
    answered = replace(ATTACK, answers=("declined",), shows=())
    assert list(findings(closed, shown(ROWS[0]))) == []
    assert list(findings(answered, replace(shown(ROWS[0]), answers=("declined",)))) == []

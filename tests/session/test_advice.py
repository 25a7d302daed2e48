"""What follows from the evidence: more room, less, or not yet."""

from collections.abc import Iterable
from typing import Final

import pytest

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session.advice import ENOUGH_APPROVED, ENOUGH_SESSIONS, Advice, advise
from agentcli.session.decisions import DecisionRecord
from agentcli.session.evidence import gather
from agentcli.tools.risk import Risk
from tests.session.records import allowed, approved, decision, declined, later, undo

PROPOSE, BOUNDED, ALONE = Level.PROPOSE, Level.BOUNDED, Level.ALONE
IRREVERSIBLE: Final = Risk.IRREVERSIBLE


def many(count: int, sessions: int, *, seconds: float = 2.0, risk: Risk = Risk.WRITE) -> list[DecisionRecord]:
    """So many yeses, spread over sessions."""
    return [approved(session=f"s{number % sessions}", seconds=seconds, risk=risk) for number in range(count)]


def advice(records: Iterable[DecisionRecord], current: Level = PROPOSE) -> list[Advice]:
    return list(advise(gather(records), lambda tool: current))


def test_good_evidence_speaks_for_more_room() -> None:
    """What a person always said yes to, over several conversations, need not be asked any more."""
    assert advice(many(24, 9)) == [
        Advice("add", BOUNDED, "24 of 24 approved over 9 sessions, none undone; level 3 would not have asked")
    ]


@pytest.mark.parametrize(
    ("count", "sessions", "level"),
    [
        (ENOUGH_APPROVED, ENOUGH_SESSIONS, BOUNDED),
        (ENOUGH_APPROVED - 1, ENOUGH_SESSIONS, None),
        (ENOUGH_APPROVED, ENOUGH_SESSIONS - 1, None),
        (1, 1, None),
    ],
)
def test_too_little_evidence_is_none(count: int, sessions: int, level: Level | None) -> None:
    """Ten yeses over three sessions are the least to go by."""
    (one,) = advice(many(count, sessions))
    assert one.level is level
    assert ("least to go by" in one.why) is (level is None)


def test_only_conversations_in_which_a_person_answered_are_counted() -> None:
    """Questions that stayed open elsewhere are no experience."""
    unanswered = [decision(session=f"open {number}", decision=Decision.ASK) for number in range(5)]
    (one,) = advice([*many(20, 1), *unanswered])
    assert (one.level, one.why.partition(",")[0]) == (None, "20 of 20 approved over 1 session")


TAKEN_BACK: Final = many(23, 9)


@pytest.mark.parametrize(
    ("records", "against"),
    [
        ([*TAKEN_BACK, undo(TAKEN_BACK[0])], "23 of 23 approved over 9 sessions; not yet: 1 undone"),
        ([*many(23, 9), declined()], "23 of 24 approved over 9 sessions, none undone; not yet: 1 declined"),
        ([*many(23, 9), approved(answer="edited")], "not yet: 1 edited"),
        ([*many(23, 9), approved(took_effect=False)], "not yet: 1 failed"),
        (
            [*many(23, 9), approved(took_effect=False, ran=False, is_in_doubt=True)],
            "not yet: 1 of unknown outcome",
        ),
        ([*many(11, 3, seconds=0.9), *many(10, 3)], "not yet: 11 answered in less than a second"),
        ([*many(23, 9), declined(), declined(), approved(answer="edited")], "not yet: 2 declined, 1 edited"),
    ],
    ids=["undone", "declined", "edited", "failed", "unknown", "hardly read", "several"],
)
def test_what_went_wrong_speaks_against_it(records: list[DecisionRecord], against: str) -> None:
    """One call that was no good is a reason to go on asking."""
    (one,) = advice(records)
    assert one.level is None
    assert against in one.why


def test_what_nobody_was_there_to_decline_does_no_harm() -> None:
    """A script that declines all it is asked about has no opinion."""
    (one,) = advice([*many(24, 9), declined(channel="on-ask")])
    assert (one.level, one.why[:17]) == (BOUNDED, "24 of 24 approved")


def test_some_quick_answers_do_no_harm() -> None:
    """Half of the yeses may come within a second."""
    (one,) = advice([*many(10, 3, seconds=0.9), *many(10, 3)])
    assert one.level is BOUNDED


def test_more_room_is_no_use_where_something_else_asks() -> None:
    """A tool that always asks would still do so."""
    records = [*many(20, 5), approved(verdicts=(Verdict("tool approval", Decision.ASK),))]
    (one,) = advice(records)
    assert (one.level, one.why.partition("; ")[2]) == (None, "level 3 would still have asked 1 time")


def test_what_cannot_be_undone_is_not_released() -> None:
    """No evidence makes an irreversible call a reversible one."""
    (one,) = advice(many(24, 9, risk=IRREVERSIBLE))
    assert (one.level, one.why.partition("; ")[2]) == (
        None,
        "what can't be undone is asked about at level 3 as well",
    )


def test_what_was_released_is_not_released_again() -> None:
    """Once the config has raised a tool, that is all there is to say."""
    (one,) = advice(many(24, 9), current=BOUNDED)
    assert (one.level, one.why.partition("; ")[2]) == (None, "it has level 3 by now")


@pytest.mark.parametrize(
    ("mishaps", "said"),
    [
        (["undone"], "since it runs unasked: 1 undone; level 2 would have asked"),
        (["declined"], "since it runs unasked: 1 declined; level 2 would have asked"),
        (["undone", "declined"], "since it runs unasked: 1 undone, 1 declined; level 2 would have asked"),
    ],
    ids=" and ".join,
)
def test_a_mishap_after_a_promotion_is_a_reason_to_step_back(mishaps: list[str], said: str) -> None:
    """What a person takes back, or declines where something still asks, they had rather been asked about."""
    first = allowed(at=later(100))
    after = {
        "undone": undo(first, at=later(200)),
        "declined": declined(at=later(200), level=BOUNDED),
    }
    assert advice([first, *(after[what] for what in mishaps)], current=BOUNDED) == [Advice("add", PROPOSE, said)]


def test_a_mishap_in_the_moment_of_the_promotion_is_none_after_it() -> None:
    """Only what came later speaks against it."""
    assert [one.level for one in advice([declined(at=later(100)), allowed(at=later(100))], current=BOUNDED)] == [
        None
    ]


def test_a_mishap_before_the_promotion_is_none_after_it() -> None:
    """Whoever raised the tool knew of it."""
    records = [declined(at=later(50)), allowed(at=later(100))]
    assert [one.level for one in advice(records, current=BOUNDED)] == [None]


@pytest.mark.parametrize(
    ("mishap", "why"),
    [
        ("undone", "24 of 24 approved over 9 sessions; not yet: 1 undone at level 3"),
        ("declined", "24 of 24 approved over 9 sessions, none undone; not yet: 1 declined at level 3"),
    ],
)
def test_who_has_stepped_back_is_not_sent_there_again(mishap: str, why: str) -> None:
    """The level is 2 again: what went wrong while it was higher now speaks against raising it."""
    first = allowed(at=later(100))
    after = {"undone": undo(first, at=later(200)), "declined": declined(at=later(200), level=BOUNDED)}
    assert advice([*many(24, 9), first, after[mishap]], current=PROPOSE) == [Advice("add", None, why)]


def test_irreversible_calls_step_back_to_level_3() -> None:
    """At level 4 nothing asks; level 3 would have."""
    ran = decision("drop", ALONE, IRREVERSIBLE, at=later(1), ran=True, took_effect=True)
    no = declined("drop", risk=IRREVERSIBLE, level=ALONE, at=later(2))
    (one,) = advice([ran, no], current=ALONE)
    assert (one.level, one.why) == (BOUNDED, "since it runs unasked: 1 declined; level 3 would have asked")


@pytest.mark.parametrize(
    "records",
    [
        [],
        [decision("look", Level.LOOK, Risk.READ)],
        [approved("look", risk=Risk.READ)],
        [decision()],
        [decision(level=Level.LOOK)],
        [allowed()],
    ],
    ids=["nothing", "a read", "a read that was asked about", "not answered", "denied", "never asked"],
)
def test_without_answers_there_is_nothing_to_say(records: list[DecisionRecord]) -> None:
    """Evidence is what persons said about calls that change something."""
    assert advice(records) == []

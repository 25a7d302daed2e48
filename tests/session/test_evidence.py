"""How calls fared, counted by tool and level."""

from typing import Any

import msgspec
import pytest

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session.decisions import DecisionFilter, DecisionRecord
from agentcli.session.evidence import Mishap, Tally, gather
from agentcli.tools.risk import Risk
from tests.session.records import allowed, approved, decision, declined, later, undo

LOOK, PROPOSE, BOUNDED = Level.LOOK, Level.PROPOSE, Level.BOUNDED
ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


def only(*records: DecisionRecord) -> Tally:
    (tally,) = gather(records).tallies
    return tally


def counted(tally: Tally) -> dict[str, Any]:
    """The counts that are not 0."""
    return {
        name: value
        for name, value in msgspec.structs.asdict(tally).items()
        if name not in ("tool", "risk", "level", "answered_in") and value
    }


ONE = {"proposed": 1, "sessions": 1}
YES = {**ONE, "asked": 1, "only_level_asked": 1, "median_s": 2.0, "fastest_s": 2.0}


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ((allowed(),), {**ONE, "allowed": 1}),
        ((decision(level=LOOK),), {**ONE, "denied": 1}),
        ((decision(),), {**ONE, "asked": 1, "only_level_asked": 1}),
        ((approved(),), {**YES, "approved": 1}),
        ((declined(),), {**YES, "declined": 1}),
        ((approved(answer="edited", outcome=None),), {**ONE, "asked": 1, "only_level_asked": 1, "edited": 1}),
        ((decision(answer="expired", channel="timer"),), {**ONE, "asked": 1, "only_level_asked": 1}),
        (
            (declined(channel="on-ask", seconds=0.0),),
            {**ONE, "asked": 1, "only_level_asked": 1, "declined": 1, "unattended": 1},
        ),
        ((allowed(took_effect=False),), {**ONE, "allowed": 1, "failed": 1}),
        ((decision(level=LOOK, outcome="blocked"),), {**ONE, "denied": 1}),
        ((allowed(took_effect=False, ran=False, is_in_doubt=True),), {**ONE, "allowed": 1, "unknown": 1}),
        ((approved(verdicts=(Verdict("tool approval", ASK),)),), {**YES, "approved": 1, "only_level_asked": 0}),
        (
            (approved(verdicts=(Verdict("level", ASK), Verdict("hook", ASK))),),
            {**YES, "approved": 1, "only_level_asked": 0},
        ),
    ],
    ids=[
        *("allowed", "denied", "asked, not answered", "approved", "declined", "edited", "expired"),
        *("nobody was there", "failed", "refused by code, so not failed", "unknown outcome"),
        *("asked by the tool itself", "asked by the level and a hook"),
    ],
)
def test_each_end_is_counted(records: tuple[DecisionRecord, ...], expected: dict[str, Any]) -> None:
    """What code decided, what a person said, and what came of it."""
    assert counted(only(*records)) == {name: value for name, value in expected.items() if value}


def test_tallies_are_by_tool_and_level() -> None:
    """A tool that was raised has one tally for each level, in their order."""
    found = gather([allowed("b"), approved("b"), approved("a"), allowed("b")]).tallies
    assert [(one.tool, one.level, one.proposed) for one in found] == [
        ("a", PROPOSE, 1), ("b", PROPOSE, 1), ("b", BOUNDED, 2),
    ]  # fmt: skip


def test_sessions_are_counted_once() -> None:
    """Twenty calls in one conversation are no broad experience."""
    records = [approved(session=session) for session in ("s1", "s2", "s1", "s3")]
    assert (only(*records).sessions, only(*records).approved) == (3, 4)


def test_experience_is_where_a_person_has_answered() -> None:
    """A question that nobody answered, or a call that code denied, adds no conversation to it."""
    yes, no, edit = approved(session="s1"), declined(session="s2"), approved(session="s3", answer="edited")
    others = (
        decision(session="s4", decision=ASK),
        decision(session="s5", decision=DENY),
        declined(session="s6", channel="on-ask"),
        approved(session="s7", answer="expired", channel="timer"),
        approved(session="s8", answer="cancelled"),
    )
    assert (only(yes, no, edit, *others).answered_in, only(yes, no, edit, *others).sessions) == (3, 8)


def test_a_second_look_is_no_second_proposal() -> None:
    """The model proposed once, however often code decided."""
    tally = only(approved(), decision(level=PROPOSE, is_second_look=True, decision=DENY))
    assert (tally.proposed, tally.asked, tally.denied) == (1, 1, 1)


@pytest.mark.parametrize(
    ("seconds", "median_s", "fastest_s", "quick"),
    [
        ([3.0], 3.0, 3.0, 0),
        ([1.0, 0.999], 1.0, 0.999, 1),
        ([0.5, 9.0, 2.0], 2.0, 0.5, 1),
        ([0.0, 0.1], 0.05, 0.0, 2),
    ],
)
def test_times_to_answer(seconds: list[float], median_s: float, fastest_s: float, quick: int) -> None:
    """Median and fastest, and how many answers took less than a second."""
    tally = only(*(approved(seconds=one) for one in seconds))
    assert tally.median_s == pytest.approx(median_s, abs=0.001)
    assert (tally.fastest_s, tally.quick) == (fastest_s, quick)


def test_declines_have_a_time_too() -> None:
    """A no takes as long as a yes."""
    assert only(declined(seconds=0.5)).quick == 1


def test_no_answer_has_no_time() -> None:
    """Where nobody answered there is no median."""
    assert (only(allowed()).median_s, only(allowed()).fastest_s) == (None, None)


def test_an_undo_is_held_against_the_call_it_took_back() -> None:
    """At the level at which that call ran; the undo itself is no proposal of the tool."""
    asked, ran = approved(), allowed()
    found = gather([asked, ran, undo(ran)])
    assert [(one.level, one.proposed, one.undone) for one in found.tallies] == [(PROPOSE, 1, 0), (BOUNDED, 1, 1)]
    assert [(one.tool, one.what) for one in found.mishaps] == [("add", "undone")]


@pytest.mark.parametrize(
    "taken_back",
    [
        lambda call: undo(call, took_effect=False, answer="declined"),
        lambda call: undo(call, session="another"),
        lambda call: undo(allowed()),
    ],
    ids=["the undo did not take effect", "in another session", "of a call that is not known"],
)
def test_what_was_not_taken_back_does_not_count(taken_back: Any) -> None:
    """Only an undo that worked, of this very call."""
    call = allowed()
    assert gather([call, taken_back(call)]).tallies[0].undone == 0


def test_a_call_is_taken_back_once() -> None:
    """Two undos of one call are one."""
    call = allowed()
    assert gather([call, undo(call), undo(call)]).tallies[0].undone == 1


@pytest.mark.parametrize(
    "wanted",
    [
        DecisionFilter(since=later(50)),
        DecisionFilter(decision=ALLOW),
        DecisionFilter(tool="add"),
        DecisionFilter(since=later(60), decision=DENY),
    ],
    ids=["ran long ago", "undone by a question", "of one tool", "nothing else"],
)
def test_what_was_taken_back_is_not_lost_by_choosing(wanted: DecisionFilter) -> None:
    """The undo is what counts, not when and how the call was decided that it takes back."""
    call = allowed(at=later(10))
    found = gather([call, undo(call, at=later(60))], wanted)
    assert (found.tallies[0].level, found.tallies[0].undone, len(found.mishaps)) == (BOUNDED, 1, 1)


@pytest.mark.parametrize(
    "wanted", [DecisionFilter(since=later(61)), DecisionFilter(tool="other")], ids=["later", "another tool"]
)
def test_what_is_not_wanted_is_not_counted(wanted: DecisionFilter) -> None:
    """Neither calls nor undos."""
    call = allowed(at=later(10))
    assert gather([call, undo(call, at=later(60))], wanted).tallies == ()


def test_mishaps_say_when() -> None:
    """What a person declined or took back, with its time; what nobody was there to decide is none."""
    found = gather([declined(at=later(5)), declined(channel="on-ask"), approved(), allowed(outcome="fault")])
    assert found.mishaps == (Mishap("add", "declined", later(5)),)


@pytest.mark.parametrize(
    ("records", "since"),
    [
        ([approved()], {}),
        ([allowed(at=later(9)), allowed(at=later(7))], {"add": later(7)}),
        ([decision("look", LOOK, Risk.READ)], {}),
        ([decision("drop", Level.ALONE, Risk.IRREVERSIBLE, at=later(3))], {"drop": later(3)}),
        ([allowed(is_second_look=True)], {}),
    ],
    ids=["asked", "the first counts", "reads", "irreversible", "allowed after a yes"],
)
def test_since_when_a_tool_runs_unasked(records: list[DecisionRecord], since: dict[str, Any]) -> None:
    """From the first call on that changed something without a question."""
    assert gather(records).unasked_since == since


def test_nothing_shows_nothing() -> None:
    """Without decisions there is no evidence."""
    found = gather([])
    assert (found.tallies, found.mishaps, found.unasked_since) == ((), (), {})

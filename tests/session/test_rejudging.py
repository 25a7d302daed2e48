"""Past calls judged again: only what is to be different makes a difference."""

from collections.abc import Sequence
from typing import Any, Final

import pytest

from agentcli.gate.autonomy import Level
from agentcli.gate.decide import Situation, decide
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session.call import digest_of
from agentcli.session.rejudging import Overrides, Rejudged, rejudge
from agentcli.tools.conditions import at_most, fact
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Misfit
from agentcli.tools.tool import Tool
from agentcli.tools.toolset import Toolset
from tests.session import telling as t

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
AS_IT_STOOD: Final = Overrides(options={"most": "500"})

tools = Toolset("shop")


def take_back(place: Any, values: Any, result: Any, before: Any) -> None:
    """Undo."""


@tools.read(establishes=fact("known", subject="who"))
def look(who: str) -> dict[str, Any]:
    """Look somebody up."""
    return {"who": who}


@tools.write(undo=take_back)
def note(who: str) -> dict[str, Any]:
    """Write something down."""
    return {"who": who}


@tools.irreversible(requires=[fact("known", subject="who")], limits=[at_most("amount", option="most")])
def pay(who: str, amount: int) -> dict[str, Any]:
    """Pay somebody."""
    return {"who": who, "amount": amount}


CATALOG: Final = tools.by_name
INPUTS: Final = {"look": '{"who":"C-1"}', "note": '{"who":"C-1"}', "pay": '{"who":"C-1","amount":100}'}
KNOWN: Final = {("known", "C-1"): Fact("known", "C-1", True, "c0")}


def decided(tool: str, level: Level, *, input_text: str = "", call_id: str = "c1", **more: Any) -> e.Decided:
    """What the gate decided about a call, then."""
    one = CATALOG.get(tool)
    text = input_text or INPUTS.get(tool, "{}")
    situation: dict[str, Any] = {"facts": KNOWN, "options": {"most": "500"}} | more
    reading = Misfit(text, "no such tool") if one is None else one.schema.read(text)
    ruling = decide(
        Situation(
            name=tool, tool=one, reading=reading, session_level=level, catalog=CATALOG, now=t.START, **situation
        )
    )
    risk = Risk.IRREVERSIBLE if one is None else one.risk
    return e.Decided(call_id, tool, text, digest_of(tool, text), risk, level, ruling.decision, ruling.verdicts)


def begun(level: Level, *uses: dict[str, Any], require: bool = False, **tool_levels: Level) -> list[t.Told]:
    """A session in which the customer is known, and the model has proposed calls."""
    facts = (Fact("known", "C-1", True, "c0"),)
    return [
        *(t.opened(level), t.attached(1, level, tool_levels, require_approval=require), t.said(), t.started_run()),
        *(e.Heard((1,), 1), t.requested(), t.replied(t.use("c0", "look", who="C-1"))),
        *(decided("look", Level.BOUNDED, call_id="c0"), t.finished("c0", facts=facts)),
        *(t.requested(2), t.replied(*uses)),
    ]


def judged(told: Sequence[t.Told], overrides: Overrides, catalog: dict[str, Tool] | None = None) -> list[Rejudged]:
    """All decisions but that of the look-up that each session begins with."""
    found = rejudge("s", t.records_of(*told), CATALOG if catalog is None else catalog, overrides)
    return [one for one in found if one.record.call_id != "c0"]


def outcome_of(told: Sequence[t.Told], overrides: Overrides) -> Decision:
    (one,) = judged(told, overrides)
    return one.ruling.decision


def one_call(tool: str, level: Level, **more: Any) -> list[t.Told]:
    return [*begun(level, t.use("c1", tool)), decided(tool, level, **more)]


@pytest.mark.parametrize("level", Level, ids=lambda level: f"level {int(level)}")
@pytest.mark.parametrize("tool", CATALOG)
def test_nothing_is_different_where_nothing_is_to_be(tool: str, level: Level) -> None:
    """The gate says again what it said."""
    (one,) = judged(one_call(tool, level), AS_IT_STOOD)
    assert (one.differs, one.ruling.verdicts) == (False, one.record.verdicts)


@pytest.mark.parametrize(
    ("tool", "by_level"),
    [
        ("look", [DENY, ALLOW, ALLOW, ALLOW, ALLOW]),
        ("note", [DENY, DENY, ASK, ALLOW, ALLOW]),
        ("pay", [DENY, DENY, ASK, ASK, ALLOW]),
        ("burn", [DENY, DENY, DENY, DENY, DENY]),
    ],
)
def test_another_level_decides_as_the_table_says(tool: str, by_level: list[Decision]) -> None:
    """What was asked at level 2, judged at every level."""
    told = one_call(tool, Level.PROPOSE)
    levels = [outcome_of(told, Overrides(level=level, options={"most": "500"})) for level in Level]
    assert levels == by_level


def test_what_differs_says_why() -> None:
    """The rules that decide now are named, both ways."""
    told = one_call("note", Level.PROPOSE)
    (looser,) = judged(told, Overrides(level=Level.BOUNDED))
    (stricter,) = judged(told, Overrides(level=Level.LOOK))
    assert [(one.rule, one.reason) for one in looser.because] == [("level", "level 3 allows write calls")]
    assert [(one.rule, one.reason) for one in stricter.because] == [
        ("level", "not permitted at this autonomy level (1)")
    ]
    assert (looser.differs, stricter.differs) == (True, True)


def test_a_tools_own_level_stays_where_only_the_session_is_to_be_different() -> None:
    """As `--tool-level` does: it replaces the session's level for that tool."""
    told = [*begun(Level.LOOK, t.use("c1", "note"), note=Level.PROPOSE), decided("note", Level.PROPOSE)]
    assert outcome_of(told, Overrides(level=Level.ALONE)) is ASK


@pytest.mark.parametrize(
    ("levels", "decision"), [({"note": Level.BOUNDED}, ALLOW), ({"pay": Level.BOUNDED}, ASK), ({}, ASK)]
)
def test_other_tool_levels_take_the_place_of_the_old_ones(levels: dict[str, Level], decision: Decision) -> None:
    """A config says all of them."""
    told = [*begun(Level.PROPOSE, t.use("c1", "note"), note=Level.LOOK), decided("note", Level.LOOK)]
    assert outcome_of(told, Overrides(tool_levels=levels)) is decision


def test_a_level_that_was_changed_on_the_way_counts_as_it_stood() -> None:
    """Each call is judged at the level it had, unless another one is named."""
    told = [*begun(Level.LOOK, t.use("c1", "note")), t.level_set(Level.BOUNDED), decided("note", Level.BOUNDED)]
    assert outcome_of(told, AS_IT_STOOD) is ALLOW


@pytest.mark.parametrize(
    ("was", "is_to_be", "decision"), [(False, True, ASK), (True, False, ALLOW), (True, None, ASK)]
)
def test_asking_for_every_call_may_be_different(was: bool, is_to_be: bool | None, decision: Decision) -> None:
    """Reads are asked about or not, as the config says."""
    call = decided("look", Level.PROPOSE, require_approval=was)
    told = [*begun(Level.PROPOSE, t.use("c1", "look"), require=was), call]
    assert outcome_of(told, Overrides(require_approval=is_to_be)) is decision


@pytest.mark.parametrize(("most", "decision"), [("99", DENY), ("100", ASK), ("500", ASK)])
def test_a_limit_may_be_different(most: str, decision: Decision) -> None:
    """An option of the agent, such as the most that may be paid."""
    assert outcome_of(one_call("pay", Level.PROPOSE), Overrides(options={"most": most})) is decision


def test_facts_are_those_of_then() -> None:
    """What was shown before the call counts, what was shown afterwards does not."""
    early = [
        *(t.opened(Level.PROPOSE), t.attached(), t.said(), t.started_run(), e.Heard((1,), 1), t.requested()),
        *(t.replied(t.use("c1", "pay")), decided("pay", Level.PROPOSE, facts={})),
        *(t.finished(origin="core", is_error=True), t.requested(2), t.replied(t.use("c2", "look"))),
        *(decided("look", Level.PROPOSE, call_id="c2"), t.finished("c2", facts=tuple(KNOWN.values()))),
        *(t.requested(3), t.replied(t.use("c3", "pay")), decided("pay", Level.PROPOSE, call_id="c3")),
    ]
    found = judged(early, Overrides(level=Level.ALONE, options={"most": "500"}))
    assert [(one.record.decision, one.ruling.decision) for one in found] == [
        (DENY, DENY),
        (ALLOW, ALLOW),
        (ASK, ALLOW),
    ]


def test_what_a_person_declined_stays_declined_for_its_run() -> None:
    """An earlier decline is a fact of then."""
    no = decided("note", Level.PROPOSE)
    told = [
        *(*begun(Level.PROPOSE, t.use("c1", "note")), no, e.Asked("c1", no.digest, (), ())),
        *(t.answered(13, "declined"), t.finished(origin="core", is_error=True)),
        *(t.requested(3), t.replied(t.use("c2", "note"))),
        decided("note", Level.PROPOSE, call_id="c2", declined_before=True),
    ]
    found = judged(told, Overrides(level=Level.ALONE))
    assert [(one.record.decision, one.ruling.decision) for one in found] == [(ASK, ALLOW), (DENY, DENY)]


def test_an_input_that_did_not_fit_then_does_not_fit_now() -> None:
    """Also where the domain refused it, which can't be asked again."""
    call = decided("note", Level.PROPOSE)
    refused = Verdict("schema", DENY, "invalid input: no such customer", Category.VALIDATION, status="invalid")
    entry = e.Decided(
        "c1", "note", call.input, call.digest, call.risk, call.level, DENY, (refused, *call.verdicts[1:])
    )
    (one,) = judged([*begun(Level.PROPOSE, t.use("c1", "note")), entry], Overrides(level=Level.ALONE))
    assert (one.differs, one.because[0].reason) == (False, "invalid input: no such customer")


@pytest.mark.parametrize("rule", ["hook", "tool"])
def test_what_hooks_and_tools_said_is_taken_as_it_stands(rule: str) -> None:
    """They can't be asked again, and a level does not silence them."""
    call = decided("note", Level.PROPOSE, hook_verdicts=(Verdict(rule, DENY, "no", Category.PERMISSION),))
    assert outcome_of([*begun(Level.PROPOSE, t.use("c1", "note")), call], Overrides(level=Level.ALONE)) is DENY


def test_a_tool_that_is_gone_would_be_refused() -> None:
    """An unknown name is never run."""
    (one,) = judged(one_call("note", Level.BOUNDED), AS_IT_STOOD, catalog={})
    assert one.ruling.decision is DENY
    assert one.because[0].reason.startswith("unknown tool 'note'")


def test_an_input_that_no_longer_fits_would_be_refused() -> None:
    """The tool takes something else by now."""
    call = decided("note", Level.BOUNDED)
    entry = e.Decided("c1", "pay", call.input, call.digest, call.risk, call.level, ALLOW, call.verdicts)
    assert outcome_of([*begun(Level.BOUNDED, t.use("c1", "pay")), entry], AS_IT_STOOD) is DENY


def test_a_second_look_that_came_to_the_same_is_not_judged_again() -> None:
    """Each decision once, as the record has it."""
    call = decided("note", Level.PROPOSE)
    told = [
        *begun(Level.PROPOSE, t.use("c1", "note")),
        call,
        e.Asked("c1", call.digest, (), ()),
        t.answered(13),
        call,
    ]
    assert len(judged(told, AS_IT_STOOD)) == 1


def test_undos_are_left_out() -> None:
    """No level is asked about what a person takes back."""
    call = decided("note", Level.BOUNDED)
    told = [
        *(*begun(Level.BOUNDED, t.use("c1", "note")), call, t.finished(undo="null"), e.RunEnded("completed")),
        *(t.proposed("u", "note", "c1"), t.decided("u", ASK)),
    ]
    assert [one.record.call_id for one in judged(told, AS_IT_STOOD)] == ["c1"]

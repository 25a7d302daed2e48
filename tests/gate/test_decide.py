"""One call, every rule: what is asked, what is denied, and what the model is told."""

from collections.abc import Iterable
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.autonomy import Level, verdict_at
from agentcli.gate.decide import RULES, Rule, Situation, decide
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.tools.conditions import at_most
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Misfit
from tests.gate.situations import BY_RISK, DENIALS, OWNER_KNOWN, hook, shown, situation, tool

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


def denied(*rules: str) -> Situation:
    """A call at level 4 that exactly these rules deny."""
    of_tool: dict[str, Any] = {}
    of_situation: dict[str, Any] = {}
    for rule in rules:
        of_tool |= DENIALS[rule][0]
        of_situation |= DENIALS[rule][1]
    return situation(tool(**of_tool), **of_situation)


def said_by(rule: str, one: Situation) -> list[Decision]:
    return [verdict.decision for verdict in decide(one).verdicts if verdict.rule == rule]


@pytest.mark.parametrize("risk", Risk, ids=str)
@pytest.mark.parametrize("level", Level, ids=str)
def test_a_plain_call_is_decided_by_the_table(level: Level, risk: Risk) -> None:
    """Where no other rule has anything to say, level and risk decide."""
    assert decide(situation(tool(BY_RISK[risk]), session_level=level)).decision is verdict_at(level, risk)


@pytest.mark.parametrize("level", Level, ids=str)
def test_a_tool_that_nobody_registered_never_runs(level: Level) -> None:
    """At no level, and with no level of its own: `unknown tool`, and no other try with it is of use."""
    ruling = decide(situation(None, session_level=level, tool_level=Level.ALONE))
    assert ruling.decision is DENY
    assert ruling.denial == Verdict(
        "schema",
        DENY,
        "unknown tool 'unheard_of'; use one of the tools that are offered",
        Category.VALIDATION,
        retryable=False,
        status="invalid",
    )


@pytest.mark.parametrize("level", Level, ids=str)
def test_an_input_that_does_not_fit_never_runs(level: Level) -> None:
    """The model is told what is wrong and may send another one."""
    ruling = decide(situation(tool(), session_level=level, reading=Misfit("{}", "Expected an amount")))
    assert ruling.decision is DENY
    assert ruling.denial == Verdict(
        "schema", DENY, "invalid input: Expected an amount", Category.VALIDATION, retryable=True, status="invalid"
    )


@pytest.mark.parametrize("tool_level", [None, *Level], ids=str)
@pytest.mark.parametrize("risk", Risk, ids=str)
def test_at_session_level_0_nothing_runs(risk: Risk, tool_level: Level | None) -> None:
    """No tool's own level lifts the session's 0."""
    one = situation(tool(BY_RISK[risk]), session_level=Level.TALK, tool_level=tool_level)
    assert decide(one).decision is DENY
    assert one.level is Level.TALK


@pytest.mark.parametrize("session_level", Level, ids=str)
@pytest.mark.parametrize("risk", Risk, ids=str)
def test_a_tool_at_level_0_does_not_run(risk: Risk, session_level: Level) -> None:
    """A tool set to 0 is off, whatever the session may do."""
    assert (
        decide(situation(tool(BY_RISK[risk]), session_level=session_level, tool_level=Level.TALK)).decision is DENY
    )


@pytest.mark.parametrize(
    ("session_level", "tool_level", "decision"),
    [
        pytest.param(Level.LOOK, Level.ALONE, ALLOW, id="raised"),
        pytest.param(Level.ALONE, Level.PROPOSE, ASK, id="lowered"),
        pytest.param(Level.ALONE, Level.LOOK, DENY, id="lowered-to-looking"),
    ],
)
def test_a_tool_s_own_level_counts(session_level: Level, tool_level: Level, decision: Decision) -> None:
    """One tool can be released or held back without the others."""
    assert decide(situation(tool(), session_level=session_level, tool_level=tool_level)).decision is decision


@pytest.mark.parametrize("risk", Risk, ids=str)
def test_a_run_may_ask_for_every_call_reads_too(risk: Risk) -> None:
    """With `--require-approval` not even a look goes unasked at level 4."""
    ruling = decide(situation(tool(BY_RISK[risk]), require_approval=True))
    assert ruling.decision is ASK
    assert Verdict("require approval", ASK, "this run asks for every call") in ruling.verdicts


@pytest.mark.parametrize("risk", Risk, ids=str)
def test_a_tool_may_always_ask(risk: Risk) -> None:
    """`approval=True` asks at level 4, for a read as for anything else."""
    ruling = decide(situation(tool(BY_RISK[risk], approval=True)))
    assert ruling.decision is ASK
    assert Verdict("tool approval", ASK, f"{BY_RISK[risk]} always asks") in ruling.verdicts


def test_both_flags_give_both_reasons() -> None:
    """Flags are joined by or, and a person sees each of them."""
    ruling = decide(situation(tool(approval=True), require_approval=True))
    assert [verdict.rule for verdict in ruling.verdicts if verdict.decision is ASK] == [
        "tool approval",
        "require approval",
    ]


@pytest.mark.parametrize("flags", list(product([False, True], repeat=2)), ids=str)
def test_flags_lift_no_denial(flags: tuple[bool, bool]) -> None:
    """Asking for approval does not make what is forbidden a question."""
    one = situation(tool(approval=flags[0]), require_approval=flags[1], session_level=Level.LOOK)
    assert decide(one).decision is DENY


def test_what_was_declined_is_not_asked_again() -> None:
    """The same call in the same run gets the same no, and the model is told why."""
    ruling = decide(situation(tool(), declined_before=True, session_level=Level.PROPOSE))
    assert ruling.denial is not None
    assert ruling.denial.reason.startswith("the user declined this action")
    assert (ruling.denial.category, ruling.denial.status, ruling.denial.retryable) == (
        Category.PERMISSION,
        "declined",
        False,
    )


def test_a_limit_and_an_unmet_prerequisite_hold_at_level_4() -> None:
    """No level lets a call run before its prerequisite or over its limit."""
    assert decide(denied("prerequisite")).decision is DENY
    assert decide(denied("limit")).decision is DENY
    assert decide(denied()).decision is ALLOW


@pytest.mark.parametrize(
    "rules",
    [rules for count in range(1, len(DENIALS) + 1) for rules in combinations(DENIALS, count)],
    ids="+".join,
)
def test_the_first_denial_in_the_order_of_the_rules_speaks(rules: tuple[str, ...]) -> None:
    """Level, earlier decline, prerequisite, limit, hook: the first that denies gives category and message."""
    ruling = decide(denied(*rules))
    assert ruling.denial is not None
    assert ruling.denial.rule == rules[0]
    assert [verdict.rule for verdict in ruling.verdicts if verdict.decision is DENY] == list(rules)


@pytest.mark.parametrize("rule", DENIALS)
def test_a_bad_input_speaks_before_every_other_denial(rule: str) -> None:
    """The schema comes first: what can't be read is not judged further."""
    one = situation(tool(**DENIALS[rule][0]), **{"reading": Misfit("{}", "nonsense")} | DENIALS[rule][1])
    denial = decide(one).denial
    assert denial is not None
    assert denial.rule == "schema"


def test_values_of_a_bad_input_are_not_judged() -> None:
    """Facts and limits are not looked at where there are no values."""
    one = situation(
        tool(requires=(OWNER_KNOWN,), limits=(at_most("price", "5"),)), reading=Misfit("{}", "nonsense")
    )
    assert said_by("prerequisite", one) == said_by("limit", one) == []


# What each rule says by itself, wherever the level allows.
BY_ITSELF: dict[str, tuple[dict[str, Any], dict[str, Any], Decision]] = {
    # rule               of the tool                             of the situation                                says
    "tool approval":    ({"approval": True},                     {},                                              ASK),
    "require approval": ({},                                     {"require_approval": True},                      ASK),
    "schema":           ({},                                     {"reading": Misfit("{}", "nonsense")},           DENY),
    "hook asks":        ({},                                     {"hook_verdicts": (hook(ASK),)},                 ASK),
    "hook allows":      ({},                                     {"hook_verdicts": (hook(ALLOW),)},               ALLOW),
    "met prerequisite": ({"requires": (OWNER_KNOWN,)},           {"facts": shown()},                              ALLOW),
    "met limit":        ({"limits": (at_most("price", "100"),)}, {},                                              ALLOW),
    **{rule: (*changed, DENY) for rule, changed in DENIALS.items() if rule != "level"},
}  # fmt: skip


@pytest.mark.parametrize("rule", BY_ITSELF)
@pytest.mark.parametrize("risk", Risk, ids=str)
@pytest.mark.parametrize("level", Level, ids=str)
def test_at_every_level_and_risk_each_rule_tightens_by_what_it_says(level: Level, risk: Risk, rule: str) -> None:
    """The whole table, once for each rule: the cell, or what the rule says where that is stricter."""
    of_tool, of_situation, says = BY_ITSELF[rule]
    one = situation(tool(BY_RISK[risk], **of_tool), **{"session_level": level} | of_situation)
    expected = max(verdict_at(level, risk), says, key=lambda decision: decision.strictness)
    assert decide(one).decision is expected


@pytest.mark.parametrize(
    ("hooks", "rules", "level", "risk"),
    [
        pytest.param(hooks, rules, level, risk, id=f"{'-'.join(hooks)}_{'-'.join(rules)}_{level}_{risk}")
        for hooks in product(Decision, repeat=2)
        for rules in [(), (ASK,), (DENY,), (ASK, DENY)]
        for level in Level
        for risk in Risk
    ],
)
def test_the_strictest_of_hooks_rules_and_level_wins(
    hooks: tuple[Decision, ...], rules: tuple[Decision, ...], level: Level, risk: Risk
) -> None:
    """A hook's leave lifts neither a rule nor the level, and none of them lifts a hook's denial."""
    one = situation(
        tool(BY_RISK[risk], limits=(at_most("price", "99"),) if DENY in rules else ()),
        session_level=level,
        require_approval=ASK in rules,
        hook_verdicts=tuple(map(hook, hooks)),
    )
    strictest = max((*hooks, *rules, verdict_at(level, risk)), key=lambda decision: decision.strictness)
    assert decide(one).decision is strictest


situations = st.builds(
    lambda name, known, **changed: situation(tool(name, **changed.pop("declared")), facts=known, **changed),
    name=st.sampled_from(sorted(BY_RISK.values())),
    known=st.sampled_from([{}, shown(), shown(holds=False), shown(subject="B-2")]),
    declared=st.fixed_dictionaries(
        {
            "approval": st.booleans(),
            "requires": st.sampled_from([(), (OWNER_KNOWN,)]),
            "limits": st.sampled_from([(), (at_most("price", "99"),), (at_most("price", "100"),)]),
        }
    ),
    session_level=st.sampled_from(Level),
    tool_level=st.none() | st.sampled_from(Level),
    require_approval=st.booleans(),
    declined_before=st.booleans(),
    hook_verdicts=st.lists(st.sampled_from(Decision).map(hook), max_size=3).map(tuple),
)


@given(situations, st.lists(st.sampled_from(Decision), max_size=3), st.integers(0, len(RULES)))
def test_adding_a_rule_never_loosens(one: Situation, says: list[Decision], place: int) -> None:
    """Whatever a new rule says, and wherever it stands, the decision is as strict as before or stricter."""

    def new(_: Situation) -> Iterable[Verdict]:
        return [Verdict("new", decision) for decision in says]

    more: list[Rule] = [*RULES[:place], new, *RULES[place:]]
    assert decide(one, more).decision.strictness >= decide(one).decision.strictness


@given(situations, st.sampled_from(Decision))
def test_adding_a_hook_never_loosens(one: Situation, says: Decision) -> None:
    """A hook can only tighten."""
    before = decide(one)
    after = decide(one, [*RULES, lambda _: [hook(says)]])
    assert after.decision is max(before.decision, says, key=lambda decision: decision.strictness)


@given(situations)
def test_what_is_not_allowed_by_the_table_does_not_run_unasked(one: Situation) -> None:
    """Only what level and risk allow is ever allowed, whatever else is said."""
    assert one.tool is not None
    if decide(one).decision is ALLOW:
        assert verdict_at(one.level, one.tool.risk) is ALLOW


@given(situations)
def test_a_decision_is_a_function_of_its_situation(one: Situation) -> None:
    """The same situation is decided in the same way, with the same words."""
    assert decide(one) == decide(one)

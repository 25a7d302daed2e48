"""A fact comes from a real result, is about one subject, and goes when a result says otherwise."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from agentcli.gate.facts import Fact, judge_prerequisites, observed
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.tools.conditions import FactRule, fact
from agentcli.tools.outcome import Category, Outcomes, failure, success
from tests.gate.situations import FRIDAY_FREE, GARAGE, NOW, OWNER_KNOWN, shown, tool

ALLOW, DENY = Decision.ALLOW, Decision.DENY


def owner_is_there(result: Any) -> Any:
    return result["owner"] is not None


KNOWN_BY_OWNER = fact("owner_known", subject="plate", when=owner_is_there)


def observe(
    rule: FactRule, result: dict[str, Any], broken: list[FactRule] | None = None, **values: Any
) -> tuple[Fact, ...]:
    told = [] if broken is None else broken
    return observed([rule], values or {"plate": "B-1"}, result, call_id="t1", at=NOW, on_broken=told.append)


def ok(**result: Any) -> dict[str, Any]:
    return success(Outcomes(), result)


def failed(status: str, category: Category) -> dict[str, Any]:
    return failure(status, category, "…", retryable=False, outcomes=Outcomes(fields=("owner",)))


def test_a_result_shows_a_fact_about_the_subject_in_the_input() -> None:
    """The fact names its subject and the call that showed it."""
    assert observe(KNOWN_BY_OWNER, ok(owner="Ada")) == (Fact("owner_known", "B-1", holds=True, call_id="t1"),)


@pytest.mark.parametrize(
    ("rule", "result", "holds"),
    [
        pytest.param(KNOWN_BY_OWNER, ok(owner="Ada"), True, id="condition-met"),
        pytest.param(KNOWN_BY_OWNER, ok(owner=None), False, id="condition-not-met"),
        pytest.param(KNOWN_BY_OWNER, ok(), False, id="field-missing"),
        pytest.param(fact("f", subject="plate", when=lambda result: result["owner"].name), ok(owner=5), False, id="condition-breaks"),
        pytest.param(fact("f", subject="plate", when=lambda result: result["owner"]), ok(owner="Ada"), False, id="true-ish-is-not-true"),
        pytest.param(fact("f", subject="plate", when=lambda result: 1), ok(), False, id="one-is-not-true"),  # type: ignore[arg-type,return-value]
        pytest.param(OWNER_KNOWN, ok(), True, id="any-success"),
        pytest.param(OWNER_KNOWN, failed("car_not_found", Category.VALIDATION), False, id="not-found"),
        pytest.param(OWNER_KNOWN, failed("taken", Category.BUSINESS), False, id="refused-by-the-domain"),
        pytest.param(fact("f", subject="plate", when=lambda result: True), failed("car_not_found", Category.VALIDATION), False, id="failed-whatever-the-condition"),
    ],
)  # fmt: skip
def test_only_a_success_that_meets_the_condition_is_a_proof(
    rule: FactRule, result: dict[str, Any], holds: bool
) -> None:
    """A failed look-up does not count as met, and what can't be read proves nothing."""
    assert [one.holds for one in observe(rule, result)] == [holds]


def test_a_disruption_shows_nothing_either_way() -> None:
    """Where the world was down, nothing was learnt: what was known stays known."""
    assert observe(KNOWN_BY_OWNER, failed("service_disruption", Category.TRANSIENT)) == ()


def test_a_condition_that_breaks_is_told() -> None:
    """Else a tool's bug would look like a customer that is not known, for ever; one that is not met is no bug."""
    broken: list[FactRule] = []
    observe(KNOWN_BY_OWNER, ok(owner=None), broken)
    assert broken == []
    observe(KNOWN_BY_OWNER, ok(), broken)
    assert broken == [KNOWN_BY_OWNER]


def test_a_condition_that_says_neither_true_nor_false_is_told() -> None:
    """What merely counts as true is no proof, and its author is told why the fact never holds."""
    broken: list[FactRule] = []
    by_name: Any = lambda result: result["owner"]  # noqa: E731  # as people write it
    rule = fact("owner_known", subject="plate", when=by_name)
    assert [one.holds for one in observe(rule, ok(owner="Ada"), broken)] == [False]
    assert broken == [rule]


def test_without_a_subject_there_is_no_fact() -> None:
    """An input that names nobody shows nothing about anybody."""
    assert observe(OWNER_KNOWN, ok(), plate=None) == ()
    assert observe(OWNER_KNOWN, ok(), other="B-1") == ()


def test_a_fact_may_expire() -> None:
    """The time counts from the result."""
    (shown_once,) = observe(fact("f", subject="plate", expires_s=60), ok())
    assert shown_once.expires_at == NOW + timedelta(seconds=60)


def test_every_rule_of_a_tool_is_looked_at() -> None:
    """One result can show several things."""
    rules = [KNOWN_BY_OWNER, fact("free", subject="plate", when=lambda result: False)]
    plate = {"plate": "B-1"}
    facts = observed(rules, plate, ok(owner="Ada"), call_id="t1", at=NOW, on_broken=lambda rule: None)
    assert [(one.name, one.holds) for one in facts] == [("owner_known", True), ("free", False)]


def judge(facts: dict[tuple[str, str], Fact], *rules: FactRule, **values: Any) -> list[Verdict]:
    gated = tool(requires=rules or (OWNER_KNOWN,))
    return list(judge_prerequisites(gated, values or {"plate": "B-1"}, facts, GARAGE.by_name, NOW))


# fmt: off
KNOWN = [
    # what is known                   facts                                          decision
    ("nothing",                       {},                                            DENY),
    ("that-it-holds",                 shown(),                                       ALLOW),
    ("that-it-does-not-hold",         shown(holds=False),                            DENY),
    ("about-another-subject",         shown(subject="B-2"),                          DENY),
    ("about-a-longer-subject",        shown(subject="B-12"),                         DENY),
    ("about-the-subject-in-capitals", shown(subject="b-1"),                          DENY),
    ("about-the-subject-and-a-blank", shown(subject="B-1 "),                         DENY),
    ("another-fact",                  shown("friday_free"),                          DENY),
    ("expires-later",                 shown(expires_at=NOW + timedelta(seconds=1)),  ALLOW),
    ("expires-now",                   shown(expires_at=NOW),                         DENY),
    ("expired",                       shown(expires_at=NOW - timedelta(seconds=1)),  DENY),
    ("expires-later-but-not-so",      shown(holds=False, expires_at=NOW + timedelta(seconds=1)), DENY),
]
# fmt: on


@pytest.mark.parametrize(("facts", "decision"), [row[1:] for row in KNOWN], ids=[row[0] for row in KNOWN])
def test_a_call_waits_for_its_fact(facts: dict[tuple[str, str], Fact], decision: Decision) -> None:
    """Only the very fact, about the very subject, that still holds, lets the call pass."""
    (verdict,) = judge(facts)
    assert verdict.decision is decision
    assert verdict.rule == "prerequisite"


@pytest.mark.parametrize("missing", [{"plate": None}, {"other": "B-1"}], ids=["null", "not-sent"])
def test_a_call_about_nobody_is_not_about_somebody_called_none(missing: dict[str, Any]) -> None:
    """Without a subject no fact counts, not even one about a subject of the name `None`."""
    (verdict,) = judge(shown(subject="None"), **missing)
    assert verdict.decision is DENY


def test_a_subject_may_be_a_number() -> None:
    """A number and the same digits as text are one subject."""
    (verdict,) = judge(shown(subject="7"), plate=7)
    assert verdict.decision is ALLOW
    (verdict,) = judge(shown(subject="7"), plate=Decimal("7.0"))
    assert verdict.decision is DENY


def test_the_model_is_told_what_is_missing_and_how_to_get_it() -> None:
    """The denial names fact and subject, and every tool that can show it."""
    (verdict,) = judge({})
    assert verdict == Verdict(
        "prerequisite",
        DENY,
        "owner_known is not established for plate B-1. Use find_car or read_papers first.",
        Category.PERMISSION,
        next=("find_car", "read_papers"),
    )


def test_a_tool_may_have_words_of_its_own_for_what_is_missing() -> None:
    """A rule can say it in the words of its domain; where to turn is named all the same."""
    rule = fact("owner_known", subject="plate", unmet="Nobody knows who owns {subject}. Look it up first.")
    (verdict,) = judge({}, rule)
    assert verdict.reason == "Nobody knows who owns B-1. Look it up first."
    assert verdict.next == ("find_car", "read_papers")


def test_an_expired_fact_is_told_as_such() -> None:
    """What was known and is no longer is said otherwise than what never was."""
    (verdict,) = judge(shown(expires_at=NOW))
    assert verdict.reason.startswith("owner_known is no longer known for plate B-1.")


def test_a_fact_that_no_tool_can_show_is_told_as_such() -> None:
    """The model is not sent to look for what does not exist."""
    (verdict,) = judge({}, FRIDAY_FREE)
    assert verdict.reason.endswith("No tool of this agent can establish it.")
    assert verdict.next == ()


def test_every_required_fact_is_judged() -> None:
    """One that holds does not make up for one that does not."""
    assert [verdict.decision for verdict in judge(shown(), OWNER_KNOWN, FRIDAY_FREE)] == [ALLOW, DENY]


def test_leave_names_the_call_that_showed_the_fact() -> None:
    """Who looks at the record later finds the source."""
    (verdict,) = judge(shown(call_id="toolu_7"))
    assert verdict.reason == "owner_known(B-1) was shown by toolu_7"

"""A bound on an input that no level and no person lifts."""

from decimal import Decimal
from typing import Any

import pytest

from agentcli.gate.limits import judge_limits
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.tools.conditions import LimitRule, at_most
from agentcli.tools.outcome import Category
from tests.gate.situations import tool

ALLOW, DENY = Decision.ALLOW, Decision.DENY


def judge(limit: LimitRule, options: dict[str, Any] | None = None, **values: Any) -> list[Verdict]:
    return list(judge_limits(tool(limits=(limit,)), values, options or {}))


@pytest.mark.parametrize(
    ("value", "decision"),
    [
        pytest.param(Decimal("499.99"), ALLOW, id="below"),
        pytest.param(Decimal("500"), ALLOW, id="at"),
        pytest.param(Decimal("500.00"), ALLOW, id="at-with-decimals"),
        pytest.param(Decimal("500.01"), DENY, id="above"),
        pytest.param(500, ALLOW, id="whole-at"),
        pytest.param(501, DENY, id="whole-above"),
        pytest.param(-1, ALLOW, id="negative"),
        pytest.param(None, DENY, id="not-sent"),
        pytest.param("1", DENY, id="text"),
        pytest.param(True, DENY, id="truth-value"),
        pytest.param(0.5, DENY, id="inexact"),
        pytest.param([1], DENY, id="list"),
    ],
)
def test_a_value_keeps_the_limit_only_if_it_can_be_shown_to(value: object, decision: Decision) -> None:
    """At the bound is within it; what can't be compared exactly is over it."""
    (verdict,) = judge(at_most("price", "500"), price=value)
    assert verdict.decision is decision


def test_over_a_limit_the_model_is_told_the_limit_and_where_to_turn() -> None:
    """The failure is one of business, and `next` names what to use instead."""
    (verdict,) = judge(at_most("price", "500", next=("call_owner", "wait")), price=Decimal("900.00"))
    assert verdict == Verdict(
        "limit",
        DENY,
        "price is 900.00; the limit is 500. Use call_owner or wait instead.",
        Category.BUSINESS,
        next=("call_owner", "wait"),
    )


def test_an_input_left_out_is_told_as_that() -> None:
    """The model can mend what it is told in words of the input."""
    (verdict,) = judge(at_most("price", "500"), price=None)
    assert verdict.reason == "price is not given; the limit is 500."


def test_a_limit_without_a_way_out_names_none() -> None:
    """Where there is nothing to turn to, nothing is suggested."""
    (verdict,) = judge(at_most("price", "500"), price=900)
    assert verdict.reason == "price is 900; the limit is 500."
    assert verdict.next == ()


@pytest.mark.parametrize(
    ("held", "decision"),
    [
        pytest.param("500", ALLOW, id="at"),
        pytest.param("499.99", DENY, id="below"),
    ],
)
def test_a_limit_may_be_an_option_of_the_agent(held: str, decision: Decision) -> None:
    """A person sets such a limit in the config; no tool and no model can."""
    (verdict,) = judge(at_most("price", option="refund_limit"), {"refund_limit": held}, price=500)
    assert verdict.decision is decision
    assert held in verdict.reason


def test_every_limit_is_judged() -> None:
    """One that is kept does not make up for one that is not."""
    limits = (at_most("price", "500"), at_most("count", "2"))
    verdicts = list(judge_limits(tool(limits=limits), {"price": 1, "count": 3}, {}))
    assert [verdict.decision for verdict in verdicts] == [ALLOW, DENY]

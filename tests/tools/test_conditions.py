"""A limit has one clear bound, and a fact one subject."""

from decimal import Decimal
from typing import Annotated, Any

import pytest
from msgspec import Meta

from agentcli.tools.conditions import FactRule, LimitRule, at_most, fact
from agentcli.tools.schema import SchemaError
from agentcli.tools.toolset import Toolset


def test_a_limit_is_exact_and_names_where_to_turn() -> None:
    """A bound is a number as it is written, and `next` is one tool or several."""
    assert at_most("price", "0.10") == LimitRule(field="price", most=Decimal("0.10"))
    assert at_most("price", 0.1) == at_most("price", Decimal("0.1")) == at_most("price", "0.1")
    assert at_most("price", 5) == at_most("price", "5")
    assert at_most("price", "5", next="call_owner").next == ("call_owner",)
    assert at_most("price", "5", next=("call_owner", "wait")).next == ("call_owner", "wait")
    assert at_most("price", option="refund_limit") == LimitRule(field="price", most=None, option="refund_limit")


@pytest.mark.parametrize(
    ("most", "option"),
    [
        pytest.param(None, "", id="neither"),
        pytest.param("5", "refund_limit", id="both"),
        pytest.param("NaN", "", id="not-a-number"),
        pytest.param("Infinity", "", id="no-bound"),
        pytest.param("a lot", "", id="words"),
        pytest.param("", "", id="empty"),
        pytest.param(float("nan"), "", id="nan"),
        pytest.param(True, "", id="a-truth"),
    ],
)
def test_a_limit_without_one_clear_bound_is_refused(most: str | float | None, option: str) -> None:
    """A limit is held by a number or by an option, and the number is a finite one."""
    with pytest.raises(ValueError, match=r"at_most\('price'\): .* no bound|either a bound"):
        at_most("price", most, option=option)


def test_a_fact_names_its_subject() -> None:
    """A fact is about what stands in one field of the input, and may expire."""
    assert fact("known", subject="plate", expires_s=60) == FactRule(name="known", subject="plate", expires_s=60)


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ({"when": "owner"}, "fact 'known': when is 'owner' and has to be a function"),
        ({"expires_s": "60"}, "fact 'known': expires_s is '60' and has to be a number of seconds above 0"),
        ({"expires_s": 0}, "expires_s is 0"),
        ({"expires_s": float("inf")}, "expires_s is inf"),
    ],
    ids=str,
)
def test_a_fact_that_could_never_hold_is_refused(declared: dict[str, Any], told: str) -> None:
    """Its author is told at once, not by calls that are denied for ever."""
    with pytest.raises(TypeError, match=told):
        fact("known", subject="plate", **declared)


@pytest.mark.parametrize(
    ("annotation", "can_be_limited"),
    [
        (int, True),
        (Decimal, True),
        (Decimal | None, True),
        (Annotated[Decimal, Meta(description="in EUR")], True),
        (Annotated[Decimal, Meta(description="in EUR")] | None, True),
        (Annotated[int, Meta(ge=1)] | None, True),
        (float, False),
        (int | float, False),
        (int | str, False),
        (bool, False),
        (list[int], False),
    ],
    ids=str,
)
def test_a_limit_needs_numbers_that_are_exact(annotation: Any, can_be_limited: bool) -> None:
    """What can't be compared digit by digit would always be over its limit: the author is told at once."""

    def pay(amount: Any) -> None: ...

    pay.__annotations__["amount"] = annotation
    declare_it = Toolset("garage").irreversible(limits=[at_most("amount", "5")])
    if can_be_limited:
        declare_it(pay)
    else:
        with pytest.raises(SchemaError, match="parameter 'amount': only a Decimal or a whole number"):
            declare_it(pay)

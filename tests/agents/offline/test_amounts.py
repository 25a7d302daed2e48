"""Amounts as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.money import DECIMALS
from agentcli.agents.offline.amounts import find_amount, only_amount
from agentcli.tools.amount import AMOUNT


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("300 for groceries", "300", None),
        ("tea 4.50", "4.50", None),
        ("$12.50 lunch", "12.50", "USD"),
        ("US$ 12", "12", "USD"),
        ("12,50 €", "12.50", "EUR"),
        ("12,5", "12.5", None),
        ("1,250", "1250", None),
        ("1.250", "1.250", None),
        ("$1,250.00", "1250.00", "USD"),
        ("1.250,00 EUR", "1250.00", "EUR"),
        ("12,345,678.90", "12345678.90", None),
        ("1.250.000", "1250000", None),
        ("300 rupees on tea", "300", "INR"),
        ("20 bucks", "20", "USD"),
        ("USD 12.50 x", "12.50", "USD"),
        ("12usd tea", "12", "USD"),
        ("5 GEL", "5", "GEL"),
        ("5 gel pens", "5", None),
        ("20 all in", "20", None),
        ("007 tea", "7", None),
        ("0.50", "0.50", None),
        ("add 2 coffees for 9.00", "9.00", None),
        ("2 tickets 9 € each", "9", "EUR"),
        ("3 for tea and 4", "3", None),
    ],
)
def test_an_amount_is_read_as_it_is_meant(text: str, amount: str, currency: str | None) -> None:
    """With a sign or a name of its currency, with a comma or a point, with or without thousands."""
    spoken = find_amount(text)
    assert spoken is not None
    assert (spoken.amount, spoken.currency) == (amount, currency)


@pytest.mark.parametrize(
    "text",
    [
        "tea", "5k rent", "50 cents", "-5", "3rd", "12%", "2026-11-02", "#5", "1'000", "1 250", "1.2.3", "1,25,000",
        "1,2,3", "A$3", "A$ 3", "5-star", "v2", "٣٠٠", "$", "",
    ],
)  # fmt: skip
def test_what_could_mean_another_amount_is_none(text: str) -> None:
    """Better no amount than a wrong one."""
    assert find_amount(text) is None


def test_the_rest_of_the_text_is_kept() -> None:
    """What stands around an amount says what it was for."""
    spoken = find_amount("lunch 12.50 € at noon")
    assert spoken is not None
    assert spoken.rest == "lunch   at noon"


@pytest.mark.parametrize(("text", "is_alone"), [("45 usd", True), ("45 for tea", False), ("tea", False)])
def test_a_value_may_be_an_amount_and_nothing_else(text: str, is_alone: bool) -> None:
    """A new value of an expense is an amount only where nothing else is said."""
    assert (only_amount(text) is not None) is is_alone


@given(st.text("0123456789.,$€ abkUSDeur'#-%", max_size=30))
def test_every_amount_found_is_one_for_the_tools(text: str) -> None:
    """Whatever was typed, what is read from it has the form that tools take, but for its length."""
    spoken = find_amount(text)
    if spoken is not None:
        whole, _, _ = spoken.amount.partition(".")
        assert len(whole) > 15 or AMOUNT.fullmatch(spoken.amount)
        assert spoken.currency is None or spoken.currency in DECIMALS

"""What a reply costs."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.models.prices import KNOWN_PRICES, Price, cost_usd
from agentcli.session.allowance import Usage

TABLE = {"m": Price(Decimal(2), Decimal(10), Decimal("0.20"), Decimal("2.50"))}


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (Usage(), "0"),
        (Usage(input_tokens=1_000_000), "2"),
        (Usage(output_tokens=1_000_000), "10"),
        (Usage(cache_read_tokens=1_000_000), "0.2"),
        (Usage(cache_write_tokens=1_000_000), "2.5"),
        (Usage(1, 1, 1, 1), "0.0000147"),
    ],
)
def test_each_kind_of_token_has_its_price(usage: Usage, cost: str) -> None:
    """Tokens times the price for a million, to the last digit."""
    assert cost_usd("m", usage, TABLE) == Decimal(cost)


def test_an_unknown_price_is_unknown() -> None:
    """A model that nobody priced costs an unknown sum, not nothing."""
    assert cost_usd("claude-unheard-of", Usage(input_tokens=1)) is None


@pytest.mark.parametrize("model", ["offline", "offline:reckless", "scripted"])
def test_a_model_on_this_machine_costs_nothing(model: str) -> None:
    """Rules and scripts have no price to pay, and that is known."""
    assert cost_usd(model, Usage(10, 10, 10, 10)) == 0


def test_the_default_model_has_a_price() -> None:
    """The cost limit holds without a config for the model that is taken by default."""
    assert cost_usd("claude-sonnet-5", Usage(1000, 1000, 1000, 1000)) == Decimal("0.0147")


def test_a_given_table_replaces_the_known_one() -> None:
    """A price from the config is the one that counts."""
    assert cost_usd("claude-sonnet-5", Usage(input_tokens=1), TABLE) is None


tokens = st.integers(min_value=0, max_value=10**9)


@given(model=st.sampled_from(sorted(KNOWN_PRICES)), first=st.builds(Usage, *[tokens] * 4), more=tokens)
def test_more_tokens_never_cost_less(model: str, first: Usage, more: int) -> None:
    """A cost limit can be relied on: costs only grow."""
    with_more = first + Usage(output_tokens=more)
    before, after = cost_usd(model, first), cost_usd(model, with_more)
    assert before is not None
    assert after is not None
    assert after >= before >= 0

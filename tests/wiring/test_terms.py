"""On what terms a session runs: the limits of the config are those of its runs."""

from decimal import Decimal

from msgspec.structs import asdict

from agentcli.config.records import Limits
from agentcli.session.allowance import RunLimits
from agentcli.wiring.terms import run_limits_of


def test_each_limit_of_the_config_is_one_of_a_run() -> None:
    """None is forgotten on the way, none goes into the place of another, and no run has one that can't be set."""
    said = Limits(steps=1, tokens=2, cost_usd=Decimal(3), seconds=4, asks=5, irreversible=6, per_minute=7)
    assert set(map(str, asdict(said).values())) == set("1234567")
    assert asdict(run_limits_of(said)) == {**asdict(said), "cost_usd": "3"}
    assert set(Limits.__struct_fields__) == set(RunLimits.__struct_fields__)


def test_a_config_that_says_nothing_leaves_a_run_its_own_limits() -> None:
    """A program that uses agentcli without a config gets what the command line gives."""
    assert run_limits_of(Limits()) == RunLimits()


def test_a_small_amount_is_kept_digit_by_digit() -> None:
    """A journal has no exponents."""
    assert run_limits_of(Limits(cost_usd=Decimal("0.0000001"))).cost_usd == "0.0000001"

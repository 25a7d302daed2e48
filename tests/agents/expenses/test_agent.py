"""The expense agent as a whole: its sample, its options, its prompt."""

import pytest

from agentcli.agents import shipped
from agentcli.agents.agent import Agent
from agentcli.tools.offline import Exchange
from agentcli.tools.risk import Risk
from tests.agents.bench import TODAY, Bench


@pytest.fixture
def agent() -> Agent:
    return shipped("expenses")


def test_the_sample_is_tea_for_forty(agent: Agent) -> None:
    """The first expense of a new store is `#1 tea 40.00`, of the second of last month."""
    (tea,) = Bench(agent, sample=True).run("list_expenses")["expenses"]
    assert tea == {
        "id": 1, "item": "tea", "amount": "40.00", "currency": "USD", "category": "food", "date": "2026-10-02",
    }  # fmt: skip


def test_the_sample_is_in_the_configured_currency(agent: Agent) -> None:
    """A book in yen begins with yen."""
    assert Bench(agent, sample=True, currency="JPY").run("get_total")["totals"] == {"JPY": "40"}


def test_without_the_sample_the_book_is_empty(agent: Agent) -> None:
    """The tables are there and hold nothing."""
    assert Bench(agent).rows() == {"expenses_book": [], "expenses_notes": []}


@pytest.mark.parametrize(("currency", "is_fine"), [("USD", True), ("KWD", True), ("ABC", False), ("usd", False)])
def test_a_currency_that_is_none_is_named_before_anything_runs(agent: Agent, currency: str, is_fine: bool) -> None:
    """A wrong option is told with its name, so that it can be found in the config."""
    problem = agent.check_options({"currency": currency})
    assert problem is None if is_fine else problem is not None and problem[0] == "currency"


def test_it_has_rules_for_a_session_without_a_model(agent: Agent) -> None:
    """Rules that keep to what was asked, and reckless ones that do not."""
    offered = frozenset(agent.toolset.by_name)
    asked = Exchange(events=("what's my total",), offered=offered, today=TODAY.isoformat())
    assert [proposal.tool for proposal in agent.offline(asked).proposals] == ["get_total"]
    assert [proposal.tool for proposal in agent.reckless(asked).proposals] == ["get_total", "delete_expense"]


def test_the_prompt_tells_that_deleting_is_for_good(agent: Agent) -> None:
    """What can't be undone says so where the model reads about it."""
    irreversible = [tool for tool in agent.toolset if tool.risk is Risk.IRREVERSIBLE]
    assert [tool.name for tool in irreversible] == ["delete_expense"]
    assert all("can't be undone" in tool.description for tool in irreversible)

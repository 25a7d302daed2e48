"""The expense agent, put together."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from agentcli.agents.agent import Agent
from agentcli.agents.expenses.book import MIGRATIONS, TABLES, Book
from agentcli.agents.expenses.importing.tool import with_import
from agentcli.agents.expenses.rules import category_for, sample_day
from agentcli.agents.expenses.tools import tools
from agentcli.agents.loading import prompt_beside, rules_in, view_in
from agentcli.agents.money import Money, currency_problem
from agentcli.tools.tool import Place


def put_sample(place: Place) -> None:
    """Write the sample expense down: tea for 40, some day of last month, in the configured currency."""
    money = Money(Decimal(40), place.options["currency"])
    Book(place.tables).add("tea", money, category_for("tea"), sample_day(place.today))


def check_options(options: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return `currency` and what is wrong with it, or None."""
    problem = currency_problem(options["currency"])
    return None if problem is None else ("currency", problem)


_OFFLINE: Final = "agentcli.agents.expenses.offline"

AGENT: Final = Agent(
    name="expenses",
    toolset=with_import(tools),
    load_prompt=prompt_beside(__file__),
    offline=rules_in(_OFFLINE, "reply"),
    reckless=rules_in(_OFFLINE, "reckless_reply"),
    migrations=MIGRATIONS,
    put_sample=put_sample,
    options={"currency": "USD", "import_folder": ""},
    check_options=check_options,
    tables=TABLES,
    view=view_in("agentcli.agents.expenses.view"),
)

"""Agents by name, and what an agent has that declares nothing about itself."""

import subprocess
import sys

import pytest

from agentcli.agents import SHIPPED, shipped
from agentcli.agents.agent import Agent, understand_calls_only
from agentcli.tools.offline import Exchange, Settled
from agentcli.tools.proposal import Proposal
from agentcli.tools.toolset import Toolset
from tests.agents.bench import TODAY


@pytest.mark.parametrize("name", SHIPPED)
def test_every_name_listed_has_its_agent(name: str) -> None:
    """An agent goes by the name under which it is listed, and so do its tools and its tables."""
    agent = shipped(name)
    assert agent.name == name
    assert agent.toolset.name == name
    assert all(table.startswith(f"{name}_") for table in agent.tables)


def test_a_name_that_is_not_listed_has_none() -> None:
    """Nothing is imported for a name that somebody made up."""
    with pytest.raises(KeyError, match="os"):
        shipped("os")


def _modules_after(code: str) -> set[str]:
    listing = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_listing_the_agents_imports_none_of_them() -> None:
    """Looking at the names costs nothing."""
    modules = _modules_after("from agentcli.agents import SHIPPED")
    assert not [name for name in modules if name.startswith("agentcli.agents.")]


def test_an_agent_brings_no_offline_rules_before_they_are_asked() -> None:
    """A session with a model does not pay for the rules of the offline one."""
    modules = _modules_after("from agentcli.agents import shipped; shipped('expenses')")
    assert "agentcli.agents.expenses.tools" in modules
    assert not [name for name in modules if name.startswith("agentcli.agents.expenses.offline")]


def test_a_name_and_tools_make_an_agent() -> None:
    """A person's own agent needs no prompt, no tables, no sample and no options."""
    agent = Agent(name="garage", toolset=Toolset("garage"))
    assert agent.load_prompt() == ""
    assert (agent.migrations, agent.put_sample, agent.tables, agent.options) == ((), None, {}, {})
    assert agent.check_options({"anything": 1}) is None


def _said(*events: str | Settled, offered: tuple[str, ...]) -> str:
    exchange = Exchange(events=events, offered=frozenset(offered), today=TODAY.isoformat())
    reply = understand_calls_only(exchange)
    assert reply.proposals == ()
    return reply.text


def test_an_agent_without_sentences_names_three_calls() -> None:
    """What it does not understand it answers with three calls that it would, of the tools that it has."""
    text = _said("good morning", offered=("book_slot", "find_car", "poke"))
    assert "`call book_slot {…}`, `call find_car {…}`, `call poke {…}`" in text


def test_an_agent_without_sentences_names_no_tool_that_it_has_not() -> None:
    """With one tool there is one example."""
    assert _said("hello", offered=("poke",)).count("`call poke {…}`") == 1


def test_an_agent_without_sentences_tells_what_came_of_calls() -> None:
    """After calls it says how each of them ended, and why where it knows."""
    done = Settled(Proposal("find_car", "{}"), {"status": "ok"})
    refused = Settled(Proposal("scrap_car", "{}"), {"status": "blocked", "message": "not permitted"})
    text = _said("go", done, refused, offered=("find_car",))
    assert text == "find_car: ok\nscrap_car: blocked (not permitted)"


def test_an_agent_without_sentences_and_tools_says_so() -> None:
    """At level 0 it can only talk."""
    assert "no tools" in _said("hello", offered=())

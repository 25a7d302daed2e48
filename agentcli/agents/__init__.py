"""The agents that ship; only the one that is asked for is imported."""

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from agentcli.agents.agent import Agent

SHIPPED: Final = ("expenses", "support", "library", "briefs")


def shipped(name: str) -> "Agent":
    """Return the agent of this name.

    Raises:
        KeyError: No such agent ships; `SHIPPED` has the names.
    """
    if name not in SHIPPED:
        raise KeyError(name)
    agent: Agent = importlib.import_module(f"agentcli.agents.{name}.agent").AGENT
    return agent

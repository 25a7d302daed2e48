"""An agent that can be let loose: it works on a copy of the books, and nothing of it reaches the world outside."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from agentcli.agents.agent import Agent
from agentcli.tools.outcome import Outcomes
from agentcli.tools.risk import Risk
from agentcli.tools.tool import Acts, Tool

SIMULATED: Final = "simulated"
"""The status of a call that would have reached the world outside."""


def sandboxed(agent: Agent) -> Agent:
    """Return the agent with tools that leave the world alone; what they read there they still read."""
    return replace(agent, toolset=agent.toolset.changed(_harmless))


def _harmless(tool: Tool) -> Tool:
    """Return the tool as it is if its effect stays in the store, else what simulates it."""
    if tool.acts is Acts.IN_STORE or tool.risk is Risk.READ:
        return tool
    if tool.simulate is not None:
        return replace(tool, run=tool.simulate)
    statuses = {**tool.outcomes.statuses, SIMULATED: None}
    outcomes = Outcomes(statuses=statuses, fields=tool.outcomes.fields, keeps_fields=tool.outcomes.keeps_fields)
    # An undo of what never happened would be an effect after all.
    return replace(tool, run=_simulated, outcomes=outcomes, takes_place=False, takes_resumed=False, prepare=None)


def _simulated(**values: Any) -> Mapping[str, Any]:
    return {"status": SIMULATED}

"""agentcli: a terminal agent whose tools are gated by code, not by the prompt.

The public names are resolved on first use, so that `import agentcli` costs next to nothing.
"""

import importlib

# Nothing is imported here that could come from the current directory: `python -m agentcli` still has it on its
# path. Python itself has imported `importlib`; it has not imported `typing`.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Final

    from agentcli.agents.agent import Agent
    from agentcli.gate.autonomy import Level
    from agentcli.gate.decide import decide
    from agentcli.gate.verdicts import Decision
    from agentcli.problems import classify
    from agentcli.tools.conditions import at_most, fact
    from agentcli.tools.outcome import ToolFailure
    from agentcli.tools.risk import Risk
    from agentcli.tools.suspension import Suspend
    from agentcli.tools.toolset import Toolset
    from agentcli.wiring.session import Session
    from agentcli.wiring.stores import open_store

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Decision",
    "Level",
    "Risk",
    "Session",
    "Suspend",
    "ToolFailure",
    "Toolset",
    "at_most",
    "classify",
    "decide",
    "fact",
    "open_store",
]

_HOMES: "Final" = {
    "Agent": "agentcli.agents.agent",
    "Decision": "agentcli.gate.verdicts",
    "Level": "agentcli.gate.autonomy",
    "Risk": "agentcli.tools.risk",
    "Session": "agentcli.wiring.session",
    "Suspend": "agentcli.tools.suspension",
    "ToolFailure": "agentcli.tools.outcome",
    "Toolset": "agentcli.tools.toolset",
    "at_most": "agentcli.tools.conditions",
    "classify": "agentcli.problems",
    "decide": "agentcli.gate.decide",
    "fact": "agentcli.tools.conditions",
    "open_store": "agentcli.wiring.stores",
}


def __dir__() -> "list[str]":
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> "Any":
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)

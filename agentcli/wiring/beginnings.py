"""The entries by which a session begins, and by which a process takes hold of it."""

import hashlib
import os
import socket
from typing import Any

import msgspec

from agentcli import __version__
from agentcli.agents.agent import Agent
from agentcli.session.entries import VERSION, Attached, Opened
from agentcli.wiring.identity import login_name
from agentcli.wiring.levels import Levels
from agentcli.wiring.terms import Terms


def opened(agent: Agent, terms: Terms) -> Opened:
    """Return the entry with which a session begins."""
    return Opened(
        v=VERSION,
        agent=agent.name,
        model=terms.model,
        level=terms.levels.session,
        tool_levels=dict(terms.levels.tools),
        require_approval=terms.require_approval,
        toolset_digest=digest_of_tools(agent),
        prompt_digest=hashlib.sha256(agent.load_prompt().encode()).hexdigest(),
        by=login_name(),
    )


def attached(agent: Agent, terms: Terms, levels: Levels, *, epoch: int, require_approval: bool) -> Attached:
    """Return the entry that says that this process holds the session, and at which levels."""
    return Attached(
        epoch=epoch,
        pid=os.getpid(),
        host=socket.gethostname(),
        by=login_name(),
        version=__version__,
        model=terms.model,
        level=levels.session,
        tool_levels=dict(levels.tools),
        require_approval=require_approval,
        toolset_digest=digest_of_tools(agent),
    )


def digest_of_tools(agent: Agent) -> str:
    """Return the SHA-256 of what the agent's tools are called, take and risk."""
    described: list[Any] = [
        [tool.name, tool.description, tool.schema.json_schema, tool.risk] for tool in agent.toolset
    ]
    return hashlib.sha256(msgspec.json.encode(described)).hexdigest()

"""Puts a session's runner together."""

from collections.abc import Callable

from agentcli.agents.agent import Agent
from agentcli.engine.executor import Executor
from agentcli.engine.gatekeeper import Gatekeeper
from agentcli.engine.journal import Journal
from agentcli.engine.parts import Parts
from agentcli.engine.runner import Runner
from agentcli.engine.settings import Settings
from agentcli.session.ports import Clock, Model
from agentcli.wiring.log import new_reference
from agentcli.wiring.terms import Terms


def runner_of(
    agent: Agent, journal: Journal, model: Model, terms: Terms, clock: Clock, is_draining: Callable[[], bool]
) -> Runner:
    """Return what carries a session of this agent on, on these terms."""
    tools = tuple(agent.toolset)
    catalog = {tool.name: tool for tool in tools}
    executor = Executor(catalog, terms.options, clock, new_reference, terms.hooks.holds)
    return Runner(
        Parts(
            journal=journal,
            model=model,
            tools=tools,
            executor=executor,
            gatekeeper=Gatekeeper(catalog, executor, clock, new_reference),
            clock=clock,
            settings=Settings(
                system=agent.load_prompt(),
                max_tokens=terms.max_tokens,
                limits=terms.limits,
                expires_after=terms.expires_after,
            ),
            price=terms.price,
            hooks=terms.hooks,
            is_draining=is_draining,
        )
    )

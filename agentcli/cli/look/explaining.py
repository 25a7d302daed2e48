"""What `tools explain` shows: at every level the decision, and every rule that spoke."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from agentcli.agents import SHIPPED, shipped
from agentcli.agents.agent import Agent
from agentcli.cli.exits import WrongUsage
from agentcli.cli.looking import store_there
from agentcli.cli.writing import output
from agentcli.cli.writing.columns import aligned
from agentcli.config import Config
from agentcli.config.errors import did_you_mean, followed
from agentcli.gate.verdicts import Decision
from agentcli.store.register import NoSuch, resolve_session
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.drawing.render import short_json
from agentcli.tools.tool import Tool
from agentcli.visible import visible, visible_line
from agentcli.wiring.agents import load_agent
from agentcli.wiring.explaining import Explanation, agent_of, explain

NOT_ASKED: Final = "–"


class Question(Struct, frozen=True):
    """What the command line wants explained; `agent` and `session` where it names one."""

    tool: str
    input: str | None
    session: str | None
    agent: str | None


def show_explained(config: Config, question: Question, *, as_json: bool) -> None:
    """Write what the gate says.

    Raises:
        WrongUsage: There is no such tool.
        NoSuch: There is no such session.
        AgentIsFixed: The session is with another agent than the command line names.
    """
    with store_there(config) as store:
        session = None if question.session is None else _session(store, question.session)
        if store is None or session is None:
            agent = load_agent(config, config.agent)
        else:
            agent = load_agent(config, agent_of(store, session, question.agent))
        tool = _tool(agent, question.tool)
        explanation = explain(config, agent, tool, question.input, store, session)
    if as_json:
        output.json_line({"levels": explanation.levels})
    else:
        output.lines(_lines(tool, question.input, explanation))


def _session(store: SqliteStore | None, named: str) -> str:
    if store is None:
        raise NoSuch("session", named)
    return resolve_session(store, named)


def _tool(agent: Agent, name: str) -> Tool:
    tools = agent.toolset.by_name
    if name not in tools:
        other = next((one for one in SHIPPED if name in shipped(one).toolset.by_name), None)
        near = did_you_mean(name, tools) if other is None else f"; it is one of --agent {other}"
        none = f"the agent {agent.name} has no tool {name!r}{near}"
        raise WrongUsage(followed(none, f"there are: {', '.join(tools)}"))
    return tools[name]


def _lines(tool: Tool, input_text: str | None, explanation: Explanation) -> Iterator[str]:
    shown = "any input" if input_text is None else short_json(input_text)
    yield f"{visible_line(tool.name)} · {tool.risk} · {shown}"
    if input_text is None and tool.description:
        yield from visible(tool.description).split("\n")
    for at in explanation.levels:
        condition = ", if the input passes" if input_text is None and at.decision is not Decision.DENY else ""
        now = " ← now" if at.level is explanation.now else ""
        yield ""
        yield f"level {int(at.level)}: {at.decision}{condition}{now}"
        rows = [(one.decision or NOT_ASKED, one.rule, one.reason) for one in at.rules]
        yield from (f"  {line}" for line in aligned(rows, cut=False))

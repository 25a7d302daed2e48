"""`agentcli tools`: what an agent can do, and what each level says about it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import msgspec
import typer

from agentcli.cli import output
from agentcli.cli.apps import App
from agentcli.cli.columns import aligned
from agentcli.cli.options import AgentOptions, AsJson, with_records
from agentcli.cli.setup import flags_of, set_up
from agentcli.config import Config
from agentcli.gate.autonomy import IN_WORDS, Level, effective_level
from agentcli.gate.decide import Situation, judge_approval_flags, judge_autonomy
from agentcli.gate.verdicts import Decision, strictest
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Misfit
from agentcli.tools.tool import Tool
from agentcli.visible import visible_line
from agentcli.wiring.agents import load_agent
from agentcli.wiring.terms import terms_of

app = App()


class Described(msgspec.Struct, frozen=True):
    """A tool as `tools list` writes it: `level` is the one that counts for it, `levels` what each would say."""

    agent: str
    tool: str
    risk: Risk
    description: str
    level: int
    levels: Mapping[str, Decision]


@app.callback()
def tools() -> None:
    """Show what an agent can do, and what each level says about it."""


@app.command(
    "list",
    epilog="""\b
Examples:
  agentcli tools list
  agentcli tools list --agent expenses --json""",
)
@with_records
def list_(ctx: typer.Context, agent: AgentOptions, as_json: AsJson = False) -> None:
    """List an agent's tools with their risk, and whether each level allows, asks about or denies a call.

    What a call's input, facts and limits add to it is only known once there is a call.
    """
    config = set_up(flags_of(ctx, agent))
    found = list(_described(config))
    if as_json:
        output.json_line(found)
        return
    header = ("tool", "risk", *(str(int(level)) for level in Level), "")
    output.write("\n".join([*aligned([header, *map(_cells, found)]), "", *_legend(config, found)]) + "\n")


def _described(config: Config) -> Iterator[Described]:
    loaded = load_agent(config, config.agent)
    levels = terms_of(config, loaded, config.model).levels
    for tool in loaded.toolset:
        yield Described(
            agent=loaded.name,
            tool=tool.name,
            risk=tool.risk,
            description=tool.description,
            level=int(effective_level(levels.session, levels.tools.get(tool.name))),
            levels={str(int(level)): _says(level, tool, config) for level in Level},
        )


def _says(level: Level, tool: Tool, config: Config) -> Decision:
    """Return what the gate's rules about levels and approval say of any call of a tool."""
    situation = Situation(
        name=tool.name,
        tool=tool,
        reading=Misfit("", ""),
        session_level=level,
        require_approval=config.approval.require,
        now=datetime.now(UTC),
    )
    return strictest([*judge_autonomy(situation), *judge_approval_flags(situation)]).decision


def _cells(one: Described) -> tuple[str, ...]:
    first_line = one.description.partition("\n")[0]
    return (one.tool, one.risk, *one.levels.values(), first_line)


def _legend(config: Config, found: list[Described]) -> Iterator[str]:
    now = config.autonomy.level
    for level, words in IN_WORDS.items():
        yield f"{int(level)}  {words}" + (" ← now" if level == now else "")
    for one in found:
        if one.level != now:
            yield f"{visible_line(one.tool)} is at level {one.level}"

"""`agentcli tools`: what an agent can do, and what each level says about it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from agentcli.agents.checking import flaws_of
from agentcli.cli.apps import App
from agentcli.cli.exits import Exit
from agentcli.cli.options import AgentOptions, AsJson, text_argument, text_option, with_records
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output
from agentcli.cli.writing.columns import aligned
from agentcli.config import Config
from agentcli.gate.autonomy import IN_WORDS, Level, effective_level
from agentcli.gate.decide import RULES_ABOUT_ANY_INPUT, Situation, decide
from agentcli.gate.verdicts import Decision
from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.tool_table import ToolRow, table_lines
from agentcli.terminal.faces.printed import terminal_size
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Misfit
from agentcli.tools.tool import Tool
from agentcli.visible import visible_line
from agentcli.wiring.agents import load_agent, names
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


class Found(msgspec.Struct, frozen=True):
    """What `tools check` found; no tool where it is about the prompt alone."""

    agent: str
    tool: str | None
    problem: str


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
    width = terminal_size().columns
    legend = (row.rstrip() for line in _legend(config, found) for row in fold(line, width, "   "))
    output.write("\n".join([*table_lines([_row(one) for one in found], width), "", *legend]) + "\n")


@app.command(
    epilog="""\b
Examples:
  agentcli tools explain delete_expense
  agentcli tools explain delete_expense '{"id":1}' --json
  agentcli tools explain process_refund --agent support"""
)
@with_records
def explain(
    ctx: typer.Context,
    tool: Annotated[str, text_argument("TOOL", "the tool's name")],
    input_text: Annotated[str | None, text_argument("JSON", "its input, as a model would send it")] = None,
    *,
    agent: AgentOptions,
    session: Annotated[
        str | None, text_option("--session", metavar="ID", help="whose facts and limits count; a prefix will do")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what the gate decides about a call at every level, and why.

    Nothing runs, and hooks are named, not asked. Without an input it is told what holds for any call, and what
    the rules would look at. Facts and limits are those of --session, else of an empty session.
    """
    # Looking into the store takes longer to load than the rest of this group.
    from agentcli.cli.look.explaining import Question, show_explained  # noqa: PLC0415

    flags = flags_of(ctx, agent)
    show_explained(set_up(flags), Question(tool, input_text, session, flags.agent), as_json=as_json)


@app.command(
    epilog="""\b
Examples:
  agentcli tools check
  agentcli tools check --agent mine"""
)
@with_records
def check(ctx: typer.Context, agent: AgentOptions, as_json: AsJson = False) -> int:
    """Look for tools that declare too little, and for prompts that don't fit their tools.

    A tool without a risk, a write without undo, an irreversible tool without preview; a required fact that no
    tool shows; a boundary in the prompt for a tool that does not exist, an irreversible tool without one.
    All agents are looked at, or the one that --agent names. The exit code is 1 where something is found.
    """
    flags = flags_of(ctx, agent)
    config = set_up(flags)
    agents = [load_agent(config, name) for name in ([flags.agent] if flags.agent else names(config))]
    found = [
        Found(one.name, flaw.tool, flaw.problem)
        for one in agents
        for flaw in flaws_of(one.toolset.by_name, one.load_prompt())
    ]
    if as_json:
        output.json_line(found)
    elif found:
        rows = [(one.agent, one.tool or "", one.problem) for one in found]
        output.lines(aligned(rows, cut=False))
    else:
        output.told(f"nothing found: {', '.join(one.name for one in agents)}")
    return Exit.FAILED if found else Exit.DONE


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
    return decide(situation, RULES_ABOUT_ANY_INPUT).decision


def _row(one: Described) -> ToolRow:
    return ToolRow(one.tool, one.risk, list(one.levels.values()), one.description.partition("\n")[0])


def _legend(config: Config, found: list[Described]) -> Iterator[str]:
    now = config.autonomy.level
    for level, words in IN_WORDS.items():
        yield f"{int(level)}  {words}" + (" ← now" if level == now else "")
    for one in found:
        if one.level != now:
            yield f"{visible_line(one.tool)} is at level {one.level}"

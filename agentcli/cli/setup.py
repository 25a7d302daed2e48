"""The config of this command line, and the log it names."""

import os
import shlex

import typer

from agentcli.cli.options import AgentOptions, Globals, RunOptions
from agentcli.cli.writing import output
from agentcli.config import Config, Flags, load_config
from agentcli.terminal.faces.printed import catch_prints, keep_input, printed_line
from agentcli.wiring.log import log_to

NO_AGENT_OPTIONS = AgentOptions()
NO_RUN_OPTIONS = RunOptions()


def flags_of(
    ctx: typer.Context, agent: AgentOptions = NO_AGENT_OPTIONS, run: RunOptions = NO_RUN_OPTIONS
) -> Flags:
    """Return what the command line says, for the config to weigh."""
    before = ctx.ensure_object(Globals)
    return Flags(
        config=before.config,
        db=before.db,
        agent=agent.agent,
        model=agent.model,
        autonomy=agent.autonomy,
        tool_levels=tuple(agent.tool_level or ()),
        max_steps=run.max_steps,
        require_approval=run.require_approval,
        plain=run.plain,
    )


def command_line(flags: Flags, *words: str) -> str:
    """Return the command line of another command on the same config and store."""
    before = [
        part for name, path in (("--config", flags.config), ("--db", flags.db)) if path for part in (name, path)
    ]
    return shlex.join(["agentcli", *before, *words])


def set_up(flags: Flags) -> Config:
    """Return the config that holds, with the log sent where it says.

    From here on what own code prints goes to stderr, and there is nothing for it to read.

    Raises:
        ConfigError: Something in it can't be used.
    """
    config = load_config(flags, os.environ)
    log_to(config.log.file)
    keep_input()
    catch_prints(lambda line: output.note_line(printed_line(line)))
    return config

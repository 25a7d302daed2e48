"""`agentcli chat`: talk to an agent; it asks before gated calls."""

from typing import Annotated

import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import WrongUsage
from agentcli.cli.options import AgentOptions, RunOptions, SessionOptions, text_argument, with_records
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.talk.conversing import Beginning, converse
from agentcli.cli.talk.opening import opened

app = App()


@app.command(
    epilog="""\b
Examples:
  agentcli chat --autonomy 2
  agentcli chat --agent support "Refund order O-1001"
  agentcli chat --continue"""
)
@with_records
def chat(
    ctx: typer.Context,
    message: Annotated[str | None, text_argument("MESSAGE", "what to say first")] = None,
    *,
    agent: AgentOptions,
    options: RunOptions,
    wanted: SessionOptions,
) -> int:
    """Talk to an agent; it asks before gated calls.

    You can speak while it works: what you say is kept and heard at its next step. /help tells what else there is.
    Where there is no terminal on both ends, each line of input is a message.
    """
    if message is not None and not message.strip():
        raise WrongUsage("the message is empty; leave it out to begin without one")
    flags = flags_of(ctx, agent, options)
    config = set_up(flags)
    with opened(config, flags, wanted, options.record) as opening:
        return converse(opening, config, flags, Beginning(message))

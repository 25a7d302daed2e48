"""`agentcli run`: one run, then exit."""

import sys
from typing import Annotated

import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import WrongUsage
from agentcli.cli.options import (
    AgentOptions,
    RunOptions,
    ScriptOptions,
    SessionOptions,
    text_argument,
    with_records,
)
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.talk.manner import check_stream, manner_of, on_ask
from agentcli.cli.talk.opening import greet, opened
from agentcli.cli.talk.running import Run
from agentcli.terminal.faces.printed import beneath
from agentcli.visible import ENCODING_MARK, valid_unicode

app = App()


@app.command(
    epilog="""\b
Examples:
  agentcli run "Add 300 for groceries"
  agentcli run --model offline --autonomy 3 --json "What's my total?"
  git log -1 | agentcli run --stdin
  agentcli run --continue "And delete expense 1"

\b
Exit codes:
  0 done                        5 session busy, or store unusable
  1 failed or refused           75 try later
  2 wrong usage                 129 hung up
  3 a call waits for a person   130 interrupted
  4 a limit was reached         143 terminated"""
)
@with_records
def run(  # noqa: PLR0913  # an option each
    ctx: typer.Context,
    message: Annotated[str | None, text_argument("MESSAGE", "what to say; after -- if it begins with -")] = None,
    *,
    agent: AgentOptions,
    options: RunOptions,
    wanted: SessionOptions,
    script: ScriptOptions,
    stdin: Annotated[bool, typer.Option("--stdin", help="take the message from standard input")] = False,
) -> int:
    """Say something to an agent, let it work, print its answer, and exit.

    The answer alone goes to standard output; decisions and whatever else there is to say go to standard error.
    With --json standard output holds events alone, and the last one is always run_finished, but for exit code 2.
    """
    flags = flags_of(ctx, agent, options)
    check_stream(script)
    asking = on_ask(script.on_ask)
    text = _message(message, from_stdin=stdin)
    config = set_up(flags)
    with opened(config, flags, wanted, options.record, as_events=script.as_json) as opening:
        greet(opening)
        manner = manner_of(config, flags, script, asking)
        return Run(opening, manner).carry_out(text)


def _message(given: str | None, *, from_stdin: bool) -> str:
    if (given is not None) is from_stdin:
        raise WrongUsage(
            'say one thing: `agentcli run "MESSAGE"`, or `agentcli run --stdin` to read it from a pipe'
        )
    text = given if given is not None else _read_stdin()
    if not text.strip():
        raise WrongUsage("the message is empty")
    return text


def _read_stdin() -> str:
    stdin = beneath(sys.stdin)
    if stdin is None:
        raise WrongUsage("standard input is closed")
    try:
        content = stdin.buffer.read()
    except OSError as error:
        raise WrongUsage(f"standard input can't be read: {error.strerror or error}") from error
    text = content.decode(errors="replace").removeprefix(ENCODING_MARK)
    return valid_unicode(text).rstrip("\r\n")

"""`agentcli resume`: go on where a session stopped."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import Exit
from agentcli.cli.options import (
    AgentOptions,
    RunOptions,
    ScriptOptions,
    SessionOptions,
    text_argument,
    with_records,
)
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.talk.conversing import Beginning, converse
from agentcli.cli.talk.found import NOTHING, found_lines
from agentcli.cli.talk.manner import can_ask, check_stream, manner_of, on_ask
from agentcli.cli.talk.opening import NoSessionYet, greet, opened, saved_state
from agentcli.cli.talk.running import Run
from agentcli.cli.writing import output
from agentcli.session.announcing import run_finished
from agentcli.session.findings import Standing, find
from agentcli.session.state import State
from agentcli.terminal.drawing.styled import Span
from agentcli.wiring.models import NoKey

app = App()


@app.command(
    epilog="""\b
Examples:
  agentcli resume
  agentcli resume 08j3bqvy --on-ask decline
  agentcli resume --json --autonomy 3"""
)
@with_records
def resume(
    ctx: typer.Context,
    session: Annotated[str | None, text_argument("SESSION", "its id; left out: the one used last")] = None,
    *,
    agent: AgentOptions,
    options: RunOptions,
    script: ScriptOptions,
) -> int:
    """Go on where a session stopped: say what is found, then finish the open run.

    At a terminal this opens the session in chat, unless --json or --on-ask is given. The agent stays, the model
    too unless --model is given, and each level is the lower of the saved and the configured one unless the
    command line says otherwise.
    """
    flags = flags_of(ctx, agent, options)
    check_stream(script)
    asking = on_ask(script.on_ask)
    config = set_up(flags)
    wanted = SessionOptions(session, go_on=session is None)
    try:
        with opened(config, flags, wanted, options.record, as_events=script.as_json) as opening:
            found = find(opening.session.state, datetime.now(UTC))
            is_idle = found.standing is Standing.IDLE
            if _opens_chat(script):
                return converse(opening, config, flags, Beginning(None, not is_idle, tuple(found_lines(found))))
            greet(opening)
            for line in found_lines(found):
                output.note_line((Span(line),))
            if is_idle and not script.as_json:
                return Exit.DONE
            manner = manner_of(config, flags, script, asking)
            return Run(opening, manner).carry_out(None)
    except NoSessionYet as error:
        return _nothing(State(""), str(error), script)
    except NoKey:
        state = saved_state(config, wanted)
        # Where nothing will be asked no key is missed; a chat would be about to ask.
        if _opens_chat(script) or find(state, datetime.now(UTC)).standing is not Standing.IDLE:
            raise
        return _nothing(state, NOTHING, script)


def _opens_chat(script: ScriptOptions) -> bool:
    return can_ask() and script == ScriptOptions()


def _nothing(state: State, why: str, script: ScriptOptions) -> Exit:
    """Say that there is nothing to go on with, to a program too."""
    if script.as_json:
        output.json_line(run_finished(state, datetime.now(UTC), "completed", ""))
    output.note(why)
    return Exit.DONE

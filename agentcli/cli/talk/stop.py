"""`agentcli stop`: ask a running session to stop at its next safe point."""

import msgspec
import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import Refusal
from agentcli.cli.options import AsJson
from agentcli.cli.talk.speaking import SessionArgument, session_named
from agentcli.cli.writing import output
from agentcli.session.persons import Refused
from agentcli.wiring import outside
from agentcli.wiring.identity import this_person


class Asked(msgspec.Struct, frozen=True):
    """What `stop --json` writes; `resume` is the command to go on with where no process holds the session."""

    session: str
    resume: str | None


app = App()


@app.command(
    epilog="""\b
Examples:
  agentcli stop 08j3bqvy"""
)
def stop(ctx: typer.Context, session: SessionArgument, as_json: AsJson = False) -> None:
    """Ask a running session to stop at its next safe point; a tool at work is never cut in half."""
    with session_named(ctx, session) as there:
        asked = outside.stop(there.store, there.session, this_person("stop"))
        if isinstance(asked, Refused):
            raise Refusal(asked.reason)
        resume = there.resume
    if as_json:
        output.json_line(Asked(there.session, resume))
    elif resume is None:
        output.answer("asked to stop at the next safe point")
    else:
        output.answer(f"nothing runs there now; the open run stops as soon as `{resume}` takes it up")

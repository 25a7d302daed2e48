"""`agentcli say`: speak to a session that is running elsewhere."""

from typing import Annotated

import msgspec
import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import WrongUsage
from agentcli.cli.options import AsJson, text_argument
from agentcli.cli.talk.speaking import SessionArgument, session_named
from agentcli.cli.writing import output
from agentcli.wiring import outside
from agentcli.wiring.identity import this_person


class Kept(msgspec.Struct, frozen=True):
    """What `say --json` writes; `resume` is the command that goes on where no process holds the session."""

    session: str
    message: int
    resume: str | None


app = App()


@app.command(
    epilog="""\b
Examples:
  agentcli say 08j3dv57 "in euros, please\""""
)
def say(
    ctx: typer.Context,
    session: SessionArgument,
    text: Annotated[str, text_argument("TEXT", "what to say; after -- if it begins with -")],
    as_json: AsJson = False,
) -> None:
    """Speak to a session that is running elsewhere.

    The words are stored first, and reach the model at its next step. Where nothing runs, the next run hears them.
    """
    if not text.strip():
        raise WrongUsage("there is nothing to say")
    with session_named(ctx, session) as there:
        said = outside.say(there.store, there.session, text, this_person("say"))
        resume = there.resume
    if as_json:
        output.json_line(Kept(there.session, said.no, resume))
        return
    output.answer(f"queued #{said.no}")
    if resume is not None:
        output.note(f"nothing runs there now; `{resume}` goes on")

"""`agentcli drain`: let starting runs wait, in the whole store."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import WrongUsage
from agentcli.cli.looking import store_there
from agentcli.cli.options import AsJson, text_argument
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output
from agentcli.store.register import is_draining, set_draining
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring import stores
from agentcli.wiring.identity import login_name

app = App()


class Draining(msgspec.Struct, frozen=True):
    """What `drain --json` writes."""

    draining: bool


@app.command(
    epilog="""\b
Examples:
  agentcli drain on       # before an update: nothing new begins
  agentcli drain status
  agentcli drain off      # runs may start again"""
)
def drain(
    ctx: typer.Context,
    wanted: Annotated[str, text_argument("on|off|status", "what to do, or to ask")],
    as_json: AsJson = False,
) -> None:
    """Let starting runs wait, in the whole store.

    Runs that are going on go on and take words as ever. What is said to start one is kept, and heard later.
    """
    if wanted not in ("on", "off", "status"):
        raise WrongUsage(f"{wanted!r} is none of on, off and status")
    with store_there(set_up(flags_of(ctx))) as store:
        now = _wish(store, wanted)
    if as_json:
        output.json_line(Draining(now))
    else:
        output.answer("draining: runs that would start wait" if now else "not draining: runs may start")


def _wish(store: SqliteStore | None, wanted: str) -> bool:
    """Do what is wanted, and return whether the store is being drained from then on."""
    if store is None:
        if wanted == "on":
            raise WrongUsage("there is no store yet, so there is nothing to drain")
        return False
    is_on = is_draining(store)
    if wanted == "status" or is_on is (wanted == "on"):
        return is_on
    now = datetime.now(UTC)
    stores.write(store, lambda tx: set_draining(tx, not is_on, login_name(), now))
    return not is_on

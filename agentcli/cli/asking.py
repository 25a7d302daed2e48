"""When a call is to be asked about: what `--on-ask` says, and whether anybody could answer here."""

import sys

from agentcli.cli.exits import WrongUsage
from agentcli.cli.options import OnAsk
from agentcli.terminal.plain import is_one_terminal
from agentcli.wiring.session import Session


def on_ask(said: OnAsk | None) -> OnAsk:
    """Return what happens to questions: where both ends are one terminal they are asked, else they wait.

    Raises:
        WrongUsage: They are to be asked where nobody could answer.
    """
    can_ask = is_one_terminal(sys.stdin, sys.stdout)
    if said == "prompt" and not can_ask:
        raise WrongUsage("--on-ask prompt needs a terminal for input and output; wait and decline need none")
    return said or ("prompt" if can_ask else "wait")


async def ask_here(session: Session, call_id: str) -> None:
    """Ask at this terminal."""
    raise WrongUsage("not yet")

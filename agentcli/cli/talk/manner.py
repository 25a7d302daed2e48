"""How a run is carried out, as the command line wishes."""

import sys
from typing import Final

from msgspec import Struct

from agentcli.cli.exits import WrongUsage
from agentcli.cli.options import OnAsk, ScriptOptions
from agentcli.cli.setup import command_line
from agentcli.config import Config, Flags
from agentcli.config.records import Terminal
from agentcli.terminal.faces.plain import is_one_terminal

AT_START: Final = "run"
"""The channel of words on the command line."""

AT_A_QUESTION: Final = "terminal"
"""The channel of words and answers that are typed where something is asked."""


class Manner(Struct, frozen=True, kw_only=True):
    """How a run is carried out; `program` is how agentcli is called on the same store, without a command."""

    as_json: bool
    has_deltas: bool
    on_ask: OnAsk
    terminal: Terminal
    program: str


def manner_of(config: Config, flags: Flags, script: ScriptOptions, asking: OnAsk) -> Manner:
    """Return the manner in which a run is carried out."""
    return Manner(
        as_json=script.as_json,
        has_deltas=script.stream,
        on_ask=asking,
        terminal=config.terminal,
        program=command_line(flags),
    )


def check_stream(script: ScriptOptions) -> None:
    """Refuse to stream where there are no events to do it with: an answer is printed as a whole.

    Raises:
        WrongUsage: `--stream` without `--json`.
    """
    if script.stream and not script.as_json:
        raise WrongUsage("--stream needs --json: text and inputs come as events while they form")


def on_ask(said: OnAsk | None) -> OnAsk:
    """Return what happens to questions: where both ends are one terminal they are asked, else they wait.

    Raises:
        WrongUsage: They are to be asked where nobody could answer.
    """
    if said == "prompt" and not can_ask():
        raise WrongUsage("--on-ask prompt needs a terminal for input and output; wait and decline need none")
    return said or ("prompt" if can_ask() else "wait")


def can_ask() -> bool:
    """Return whether both ends are one terminal, so that somebody could answer here."""
    return is_one_terminal(sys.stdin, sys.stdout)

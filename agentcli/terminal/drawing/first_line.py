"""The first lines of a session: agent, model and level, where the level came from, and what is unusual. Pure."""

from collections.abc import Iterator
from typing import Final

from agentcli.counted import counted
from agentcli.gate.autonomy import Level
from agentcli.session.allowance import RunLimits
from agentcli.visible import visible_line
from agentcli.wiring.opening import Circumstances


def first_line(here: Circumstances) -> str:
    """Return the line, safe to draw."""
    parts = (here.agent, here.model, f"level {int(here.level)} ({here.level_from})", *unusual(here))
    return " · ".join(map(visible_line, parts))


_AT_LEVEL: Final = {
    Level.TALK:    "it has none",
    Level.LOOK:    "it can only look",
    Level.PROPOSE: "you are asked before any change",
    Level.BOUNDED: "it asks before what is final",
    Level.ALONE:   "nothing is asked, all recorded",
}  # fmt: skip


def first_minute(here: Circumstances) -> tuple[str, str]:
    """Return what it is and what to type, for somebody who has set up nothing yet."""
    return (
        f"Code decides what its tools may do: at level {int(here.level)} {_AT_LEVEL[here.level]}.",
        "Say what you want, or hello to hear what is understood; /help lists the rest.",
    )


def unusual(here: Circumstances) -> Iterator[str]:
    """Yield what is to be said besides agent, model and level; it may come from outside."""
    if here.level is Level.ALONE:
        yield f"runs alone, within {spelled(here.limits)} a run"
    for tool, level in here.tool_levels.items():
        yield f"{tool} at level {int(level)}"
    if here.require_approval:
        yield "every call is asked about"
    if here.model_note:
        yield here.model_note
    if not here.knows_price:
        yield f"the price of {here.model} is unknown: only the token limit holds ({here.limits.tokens:,})"
    if here.foreign_host is not None:
        yield f"conversations go to {here.foreign_host}"


def spelled(limits: RunLimits) -> str:
    """Return the limits that hold a run, in words."""
    spelled = [
        counted(limits.steps, "step"),
        counted(limits.tokens, "token"),
        f"{limits.cost_usd} USD",
        f"{limits.seconds} s",
        counted(limits.irreversible, "irreversible call"),
    ]
    per_minute = [f"{counted(limits.per_minute, 'call')} a minute"] if limits.per_minute else []
    return ", ".join(spelled + per_minute)

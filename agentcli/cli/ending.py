"""How a run ended, told to a script as an exit code and to a person in a line. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from agentcli.cli.exits import Exit
from agentcli.session.conversation import read_block
from agentcli.session.events import RunFinished
from agentcli.session.ports import FailureKind
from agentcli.session.state import State

LIMITS: Final[Mapping[str, str]] = {
    "steps":        "step limit",
    "tokens":       "token limit",
    "cost_usd":     "cost limit",
    "seconds":      "time limit",
    "asks":         "limit on questions",
    "irreversible": "limit on irreversible calls",
    "per_minute":   "limit on calls a minute",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """The exit code, and what is said about it; `words` is empty where the answer says all."""

    exit: Exit
    words: str = ""


def ending_of(finished: RunFinished, state: State, *, resume: str) -> Ending:
    """Return how the run ended.

    Args:
        resume: The command that goes on with the session.
    """
    match finished.outcome:
        case "completed":
            return Ending(Exit.DONE, _unheard(finished, resume))
        case "waiting":
            return Ending(Exit.WAITING, f"{_waits_for(state)}; `{resume}` goes on")
        case "limit":
            assert state.ended is not None
            limit = LIMITS[str(state.ended.limit)]
            return Ending(Exit.LIMIT, f"Stopped: {limit} reached; `{resume}` goes on with a fresh allowance")
        case "stopped":
            return Ending(Exit.INTERRUPTED, f"stopped; `{resume}` goes on")
        case "refused":
            return Ending(Exit.FAILED, f"the model refused, and nothing of that reply ran{_said(state)}")
        case "failed":
            return _failed(state, resume)
        case _:
            assert_never(finished.outcome)


def kept_while_draining(finished: RunFinished, *, resume: str) -> Ending:
    """Return how it ends where no run may start: what was said is kept."""
    numbers = ", ".join(f"#{number}" for number in finished.undelivered)
    kept = f"draining: kept as {numbers}" if numbers else "draining: nothing was started"
    return Ending(Exit.LATER, f"{kept}; after `agentcli drain off`, `{resume}` goes on")


def ending_while_draining(state: State, *, resume: str) -> Ending:
    """Return how a run ended that may not begin for now, since the whole store is draining."""
    kept = ", ".join(f"#{number}" for number in state.unheard)
    what = f"kept as {kept}" if kept else "nothing new begins"
    return Ending(Exit.LATER, f"draining: {what}; `{resume}` goes on after `agentcli drain off`")


def _failed(state: State, resume: str) -> Ending:
    if state.failure is not None:
        is_passing = FailureKind(state.failure.failure).retryable
        words = f"{state.failure.text} Nothing is lost: `{resume}` goes on."
        return Ending(Exit.LATER if is_passing else Exit.FAILED, words)
    reason = "" if state.reply is None else f": {state.reply.fault or state.reply.stop_reason or 'no stop reason'}"
    return Ending(Exit.FAILED, f"the model's reply can't be used{reason}; `{resume}` asks again")


def _waits_for(state: State) -> str:
    call = state.current_call
    if call is None:
        return "waiting for somebody else"
    if call.waits_for_form:
        return f"{call.tool} asks for something"
    if call.outcome_unknown(state.epoch):
        return f"it is unknown whether {call.tool} took effect"
    return f"{call.tool} waits for a yes or no"


def _unheard(finished: RunFinished, resume: str) -> str:
    if not finished.undelivered:
        return ""
    numbers = ", ".join(f"#{number}" for number in finished.undelivered)
    return f"not heard yet: {numbers}; `{resume}` delivers"


def _said(state: State) -> str:
    """Return what the model said with its refusal, if anything."""
    blocks = () if state.reply is None else map(read_block, state.reply.blocks)
    text = " ".join(block.text.strip() for block in blocks if block.type == "text")
    return f": {text}" if text else ""

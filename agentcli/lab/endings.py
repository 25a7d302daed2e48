"""How a run ended, in a few words, and whether it failed. Pure."""

from typing import assert_never

from msgspec import Struct

from agentcli.session.events import RunFinished
from agentcli.session.ports import FailureKind
from agentcli.session.reply import failure_text
from agentcli.session.run import LIMIT_NAMES
from agentcli.session.state import State


class Ending(Struct, frozen=True):
    """What is said of a run's end; `is_passing` where a failure may be over if one tries again later."""

    words: str
    is_failure: bool = False
    is_passing: bool = False


def ending_of(finished: RunFinished, state: State) -> Ending:
    """Return how the run ended; the words may come from outside."""
    match finished.outcome:
        case "completed" | "waiting" | "stopped":
            return Ending(finished.outcome)
        case "limit":
            assert state.ended is not None
            return Ending(f"{LIMIT_NAMES[str(state.ended.limit)]} reached")
        case "refused":
            why = "" if state.reply is None or not state.reply.explanation else f": {state.reply.explanation}"
            return Ending(f"the model refused{why}", is_failure=True)
        case "failed" if state.failure is not None:
            is_passing = FailureKind(state.failure.failure).retryable
            return Ending(f"failed: {state.failure.text}", is_failure=True, is_passing=is_passing)
        case "failed":
            return Ending(f"failed: {failure_text(state)}", is_failure=True)
        case _:
            assert_never(finished.outcome)

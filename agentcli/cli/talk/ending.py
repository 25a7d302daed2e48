"""How a run ended, told to a script as an exit code and to a person in a line. Pure."""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from agentcli.cli.exits import Exit
from agentcli.session.conversation import read_block
from agentcli.session.events import RunFinished
from agentcli.session.ports import FailureKind
from agentcli.session.reply import failure_text
from agentcli.session.run import limit_text
from agentcli.session.state import State
from agentcli.terminal.conversation.resting import needs_words
from agentcli.terminal.drawing.telling import SILENT, numbered


class Ending(Struct, frozen=True):
    """The exit code, and what is said about it.

    `words` is empty where the answer says all; `unheard` are the messages that wait for another run.
    """

    exit: Exit
    words: str = ""
    unheard: tuple[int, ...] = ()


def ending_of(finished: RunFinished, state: State, *, program: str) -> Ending:
    """Return how the run ended.

    Args:
        program: How agentcli is called on the same store, without a command.
    """
    return replace(_by_outcome(finished, state, program), unheard=finished.undelivered)


def kept_while_draining(finished: RunFinished, *, program: str) -> Ending:
    """Return how it ends where no run may start: what was said is kept."""
    kept = f"kept as {numbered(finished.undelivered)}" if finished.undelivered else "nothing was started"
    then = f"after `{program} drain off`, `{program} resume {finished.session}` goes on"
    return Ending(Exit.LATER, f"draining: {kept}; {then}")


def not_heard(numbers: tuple[int, ...]) -> str:
    """Return the line that names messages which wait for another run."""
    return f"not heard yet: {numbered(numbers)}"


def _by_outcome(finished: RunFinished, state: State, program: str) -> Ending:
    resume = f"{program} resume {finished.session}"
    match finished.outcome:
        case "completed":
            delivers = f"`{resume}` delivers what was not heard" if finished.undelivered else ""
            words = filter(None, ("" if finished.text.strip() else SILENT, delivers))
            return Ending(Exit.DONE, "; ".join(words))
        case "waiting":
            return Ending(Exit.WAITING, f"{_waits_for(state, program)}; `{resume}` goes on")
        case "limit":
            assert state.ended is not None
            limit = limit_text(str(state.ended.limit))
            return Ending(Exit.LIMIT, f"{limit}; `{resume}` goes on with a fresh allowance")
        case "stopped":
            return Ending(Exit.INTERRUPTED, f"stopped; {_way_on(state, program, 'goes on')}")
        case "refused":
            return Ending(Exit.FAILED, f"the model refused, and nothing of that reply ran{_said(state)}")
        case "failed":
            return _failed(state, program)
        case _:
            assert_never(finished.outcome)


def _failed(state: State, program: str) -> Ending:
    if state.failure is not None:
        is_passing = FailureKind(state.failure.failure).retryable
        words = f"{state.failure.text} Nothing is lost: `{program} resume {state.session}` goes on."
        return Ending(Exit.LATER if is_passing else Exit.FAILED, words)
    return Ending(Exit.FAILED, f"{failure_text(state)}; {_way_on(state, program, 'asks again')}")


def _way_on(state: State, program: str, does: str) -> str:
    """Return the command that goes on, and what it does; where the model has the last word, it takes another."""
    if needs_words(state):
        return f"`{program} run --session {state.session} MESSAGE` goes on from there"
    return f"`{program} resume {state.session}` {does}"


def _waits_for(state: State, program: str) -> str:
    call = state.current_call
    if call is None:
        return "waiting for somebody else"
    what = f"{call.title} waits for a yes or no"
    if call.waits_for_form:
        what = f"{call.tool} asks for something"
    elif call.outcome_unknown(state.epoch):
        what = f"it is unknown whether {call.title} took effect"
    return f"{what}, see `{program} approvals show {call.call_id}`"


def _said(state: State) -> str:
    """Return why the model refused, by the service's explanation or else its own words."""
    if state.reply is None:
        return ""
    words = [block.text.strip() for block in map(read_block, state.reply.blocks) if block.type == "text"]
    why = state.reply.explanation or " ".join(words)
    return f": {why}" if why else ""

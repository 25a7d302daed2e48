"""What can make a whole reply unusable, whatever it says."""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Final

import msgspec

from agentcli.session.conversation import read_block
from agentcli.session.entries import Replied
from agentcli.session.state import State
from agentcli.session.steps import MAX_ATTEMPTS

UNREADABLE: Final = "a content block is not one"
"""The fault of a reply with a block that can't be read; such a block is not stored."""

UNANSWERED: Final = f"the model was asked {MAX_ATTEMPTS} times, and each time agentcli ended before it had replied"

ENDS: Final = frozenset({"end_turn", "stop_sequence"})
GOES_ON: Final = frozenset({"tool_use", "pause_turn"})

_CALL_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def is_readable(block: bytes) -> bool:
    """Tell whether a content block is JSON of the form that blocks have."""
    try:
        # What we don't look at, such as the input of a call, is passed over by the decoder as it is.
        block.decode()
        read_block(block)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


_REASONS: Final[Mapping[str | None, str]] = {
    None: "it has no stop reason",
    "max_tokens": "it was cut at the most tokens a reply may have, `max_tokens` in the config",
    "model_context_window_exceeded": "the conversation is too long for the model; begin a new session",
    "pause_turn": "it was paused too often",
    "interrupted": "it was interrupted",
}


def is_whole(reply: Replied) -> bool:
    """Tell whether all of a reply counts; of any other only finished text stays in the conversation.

    The stop reason decides, not what the reply holds: calls in one that says it has ended never run.
    """
    return reply.stop_reason in GOES_ON or (reply.stop_reason in ENDS and not _holds_calls(reply))


def _holds_calls(reply: Replied) -> bool:
    return any(read_block(block).type == "tool_use" for block in reply.blocks)


def fault_in(blocks: Sequence[bytes], used_ids: Container[str]) -> str | None:
    """Return why nothing of a reply may run: call ids that are malformed, used before, or equal to another's."""
    seen: set[str] = set()
    for block in map(read_block, blocks):
        if block.type != "tool_use":
            continue
        if not _CALL_ID.fullmatch(block.id):
            return "a call id is malformed"
        if block.id in seen or block.id in used_ids:
            return "a call id was used before"
        seen.add(block.id)
    return None


def refusal_text(reply: Replied) -> str:
    """Return what a person is shown of a refused reply: what it says, and the service's own explanation."""
    blocks = map(read_block, reply.blocks)
    texts = [block.text for block in blocks if block.type == "text" and block.text.strip()]
    explanation = f"refused: {reply.explanation}" if reply.explanation else "the model refused"
    return "\n\n".join([*texts, explanation])


def failure_text(state: State) -> str:
    """Return what a person is told of a run that has failed: why no reply came, or why the last can't be used."""
    if state.failure is not None:
        return state.failure.text
    return UNANSWERED if state.attempts >= MAX_ATTEMPTS else unusable_text(state.reply)


def unusable_text(reply: Replied | None) -> str:
    """Return what a person is told of a reply that ends a run as failed."""
    if reply is None:
        return "the model's reply can't be used"
    return f"the model's reply can't be used: {reply.fault or _why_cut(reply)}"


def _why_cut(reply: Replied) -> str:
    if reply.stop_reason in ENDS:
        return f"it holds calls, but its stop reason is {reply.stop_reason!r}; none of them ran"
    return _REASONS.get(reply.stop_reason) or f"its stop reason {reply.stop_reason!r} is not known"

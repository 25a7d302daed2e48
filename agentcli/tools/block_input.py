"""A call's input as it stands in a content block, and back, also where it is no JSON."""

from typing import Any, Final

import msgspec

from agentcli.tools.json_text import MAX_LEVELS
from agentcli.visible import valid_unicode

_UNREADABLE: Final = "INVALID_JSON"


def input_json(text: str) -> bytes:
    """Return a call's input as it stands in its content block: a JSON object exactly as the model wrote it.

    What is no such object can't run, but its call must be answered, and the service takes only objects: the text
    is kept as `{"INVALID_JSON": text}`. So is what a service may refuse to take back: halves of surrogate
    pairs, numbers beyond every range, more than 64 levels.

    Source: Anthropic, "Fine-grained tool streaming", handling invalid JSON in tool responses.
    """
    return text.encode() if _is_sendable_object(text) else msgspec.json.encode({_UNREADABLE: valid_unicode(text)})


def written_input(input_block: bytes) -> str:
    """Return the text that the model wrote, from the input in its content block."""
    text = input_block.decode()
    if _UNREADABLE not in text:
        return text
    try:
        kept = msgspec.json.decode(input_block, type=dict[str, str])
    except msgspec.DecodeError:
        return text
    written = kept.get(_UNREADABLE)
    if written is None or len(kept) > 1 or _is_sendable_object(written):
        return text
    return written


def _is_sendable_object(text: str) -> bool:
    try:
        value = msgspec.json.decode(text)
        return isinstance(value, dict) and _levels(value) <= MAX_LEVELS
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return False


def _levels(value: Any) -> int:
    match value:
        case dict():
            return 1 + max(map(_levels, value.values()), default=0)
        case list():
            return 1 + max(map(_levels, value), default=0)
        case _:
            return 0

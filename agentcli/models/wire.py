"""What goes over the wire: the body of a request, joined from bytes, and inputs inside content blocks."""

from typing import Any, Final

import msgspec

from agentcli.session.ports import Request, ToolOffer
from agentcli.tools.json_text import MAX_LEVELS

_CACHED: Final = {"type": "ephemeral"}
_UNREADABLE: Final = "INVALID_JSON"

encode_json: Final = msgspec.json.Encoder().encode


def request_body(request: Request) -> bytes:
    """Return the body of a streaming request; the messages go in as they are, unread.

    Caching: the marker on the system text covers tools and system, the top-level one the whole history.
    """
    head: dict[str, Any] = {"model": request.model, "max_tokens": request.max_tokens, "stream": True}
    if request.tools:
        head["tools"] = [_tool(offer) for offer in request.tools]
        if not request.may_call:
            head["tool_choice"] = {"type": "none"}
    if request.system:
        head["system"] = [{"type": "text", "text": request.system, "cache_control": _CACHED}]
    head["cache_control"] = _CACHED
    return b"".join((encode_json(head)[:-1], b',"messages":[', b",".join(request.messages), b"]}"))


def tool_use_block(call_id: str, tool: str, input_text: str) -> bytes:
    """Return the content block of a call."""
    block = {"type": "tool_use", "id": call_id, "name": tool, "input": msgspec.Raw(input_json(input_text))}
    return encode_json(block)


def input_json(text: str) -> bytes:
    """Return a call's input as it stands in its content block: a JSON object exactly as the model wrote it.

    What is no such object can't run, but its call must be answered, and the service takes only objects: the text
    is kept as `{"INVALID_JSON": text}`. So is what a service may refuse to take back: halves of surrogate
    pairs, numbers beyond every range, more than 64 levels.

    Source: Anthropic, "Fine-grained tool streaming", handling invalid JSON in tool responses.
    """
    return text.encode() if _is_sendable_object(text) else encode_json({_UNREADABLE: _valid_unicode(text)})


def written_input(input_block: bytes) -> str:
    """Return the text that the model wrote, from the input in its content block."""
    text = input_block.decode()
    try:
        kept = msgspec.json.decode(input_block, type=dict[str, str])
    except msgspec.DecodeError:
        return text
    written = kept.get(_UNREADABLE)
    if written is None or len(kept) > 1 or _is_sendable_object(written):
        return text
    return written


def _tool(offer: ToolOffer) -> dict[str, Any]:
    return {"name": offer.name, "description": offer.description, "input_schema": dict(offer.input_schema)}


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


def _valid_unicode(text: str) -> str:
    return text.encode("utf-8", "replace").decode()

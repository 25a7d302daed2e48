"""What goes over the wire: the body of a request, joined from bytes, and inputs inside content blocks."""

from typing import Any, Final

import msgspec

from agentcli.session.ports import Request, ToolOffer
from agentcli.tools.block_input import input_json

_CACHED: Final = {"type": "ephemeral"}

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


def _tool(offer: ToolOffer) -> dict[str, Any]:
    return {"name": offer.name, "description": offer.description, "input_schema": dict(offer.input_schema)}

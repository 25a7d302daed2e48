"""Builders for the tests of the models."""

from collections.abc import Sequence
from typing import Any

import msgspec

from agentcli.session.ports import BlockClosed, Model, ModelEvent, Request, ToolOffer

ANY_OBJECT = {"type": "object", "properties": {}}
TOOLS = ("get_total", "add_expense", "delete_expense")


def user(*words: str, results: Sequence[tuple[str, Any]] = ()) -> bytes:
    """A user message: results as (call id, result), then words."""
    answers = [
        {"type": "tool_result", "tool_use_id": call_id, "content": _as_text(result)} for call_id, result in results
    ]
    return _message("user", [*answers, *({"type": "text", "text": word} for word in words)])


def assistant(*words: str, calls: Sequence[tuple[str, str, Any]] = ()) -> bytes:
    """An assistant message: words, then calls as (call id, tool, input)."""
    proposals = [
        {"type": "tool_use", "id": call_id, "name": tool, "input": input} for call_id, tool, input in calls
    ]
    return _message("assistant", [*({"type": "text", "text": word} for word in words), *proposals])


def reply_of(events: Sequence[ModelEvent]) -> bytes:
    """The assistant message that a reply's blocks amount to."""
    return b'{"role":"assistant","content":[' + b",".join(blocks_of(events)) + b"]}"


def request(
    *messages: bytes,
    tools: Sequence[str] = TOOLS,
    may_call: bool = True,
    system: str = "You keep expenses.",
    session: str = "s1",
) -> Request:
    return Request(
        session=session,
        model="claude-sonnet-5",
        max_tokens=4096,
        system=system,
        tools=[ToolOffer(name, f"Does {name}.", ANY_OBJECT) for name in tools],
        may_call=may_call,
        messages=messages or (user("hello"),),
        today="2026-11-30",
    )


async def collect(model: Model, asked: Request | None = None) -> list[ModelEvent]:
    return [event async for event in model.reply(asked or request())]


def blocks_of(events: Sequence[ModelEvent]) -> list[bytes]:
    return [event.block for event in events if isinstance(event, BlockClosed)]


def parsed(block: bytes) -> Any:
    return msgspec.json.decode(block)


def _as_text(result: Any) -> str:
    return result if isinstance(result, str) else msgspec.json.encode(result).decode()


def _message(role: str, content: Sequence[Any]) -> bytes:
    return msgspec.json.encode({"role": role, "content": content})

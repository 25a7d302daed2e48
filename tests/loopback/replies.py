"""What the loopback service answers: replies of the Messages API, or any bytes at all."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

EVENT_STREAM = {"content-type": "text/event-stream; charset=utf-8"}
JSON = {"content-type": "application/json"}

Block = Mapping[str, Any]


class Ending(Enum):
    """What becomes of the connection behind the last byte."""

    WHOLE = auto()
    """The body is ended properly; the connection stays open for the next request."""
    CUT = auto()
    """The connection is closed in the middle of the body."""
    RESET = auto()
    """The connection is torn down."""
    HANG = auto()
    """Nothing more comes, and the connection stays open."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A well-formed reply. `chunk`: characters a delta; `pause_s`: before each event; `cut_after`: events sent."""

    blocks: Sequence[Block] = ()
    stop_reason: str | None = None
    usage: Mapping[str, int] = field(default_factory=lambda: {"input_tokens": 10, "output_tokens": 5})
    chunk: int = 12
    pause_s: float = 0.0
    cut_after: int | None = None
    ending: Ending = Ending.WHOLE

    def frames(self) -> "Frames":
        events = list(sse_events(self))
        ending = self.ending if self.cut_after is None or self.ending is not Ending.WHOLE else Ending.CUT
        return Frames(tuple(events[: self.cut_after]), pause_s=self.pause_s, ending=ending)


@dataclass(frozen=True)
class Frames:
    """A body in pieces, each sent on its own; `pause_s` before each."""

    pieces: Sequence[bytes]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: EVENT_STREAM)
    pause_s: float = 0.0
    ending: Ending = Ending.WHOLE


@dataclass(frozen=True)
class Answer:
    """A response in one piece."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: JSON)


@dataclass(frozen=True)
class Silence:
    """No response at all; `HANG`, `CUT` or `RESET` the connection."""

    ending: Ending = Ending.HANG


Scripted = Reply | Frames | Answer | Silence


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def thinking(thought: str, signature: str = "c2lnbmF0dXJl") -> Block:
    return {"type": "thinking", "thinking": thought, "signature": signature}


def tool_use(call_id: str, name: str, input: Mapping[str, Any] | str) -> Block:
    """A call; an input given as text goes out as it is, also where it is no JSON."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": input}


def error(status: int, error_type: str, message: str, **headers: str) -> Answer:
    """An error as the service words it."""
    body = {"type": "error", "error": {"type": error_type, "message": message}, "request_id": "req_loopback"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(body).encode(), JSON | named)


def sse(name: str, **members: Any) -> bytes:
    """One server-sent event whose data has the event's name as its type."""
    return f"event: {name}\ndata: {json.dumps({'type': name, **members})}\n\n".encode()


def sse_events(reply: Reply) -> Iterator[bytes]:
    """The events of a reply, as the service sends them."""
    counted_first = {name: count for name, count in reply.usage.items() if name != "output_tokens"}
    message: dict[str, Any] = {
        "id": "msg_loopback",
        "type": "message",
        "role": "assistant",
        "model": "claude-loopback",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": counted_first | {"output_tokens": 1},
    }
    yield sse("message_start", message=message)
    yield sse("ping")
    for index, block in enumerate(reply.blocks):
        yield from _block_events(index, block, reply.chunk)
    stop_reason = reply.stop_reason or ("tool_use" if _has_calls(reply.blocks) else "end_turn")
    yield sse(
        "message_delta",
        delta={"stop_reason": stop_reason, "stop_sequence": None},
        usage={"output_tokens": reply.usage.get("output_tokens", 0)},
    )
    yield sse("message_stop")


def _has_calls(blocks: Sequence[Block]) -> bool:
    return any(block["type"] == "tool_use" for block in blocks)


def _block_events(index: int, block: Block, chunk: int) -> Iterator[bytes]:
    begun, deltas = _taken_apart(block, chunk)
    yield sse("content_block_start", index=index, content_block=begun)
    for delta in deltas:
        yield sse("content_block_delta", index=index, delta=delta)
    yield sse("content_block_stop", index=index)


def _taken_apart(block: Block, chunk: int) -> tuple[Block, list[Block]]:
    """The block as it begins, and the deltas that complete it."""
    match block["type"]:
        case "text":
            return {**block, "text": ""}, _deltas("text_delta", "text", block["text"], chunk)
        case "tool_use":
            written = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
            return {**block, "input": {}}, _deltas("input_json_delta", "partial_json", written, chunk)
        case "thinking":
            thought = _deltas("thinking_delta", "thinking", block["thinking"], chunk)
            signature = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [*thought, signature]
        case _:
            return block, []


def _deltas(kind: str, member: str, whole: str, chunk: int) -> list[Block]:
    return [{"type": kind, member: whole[start : start + chunk]} for start in range(0, len(whole), chunk)]

"""Events of a stream, for the tests that make blocks of them."""

import json
from collections.abc import Iterable
from typing import Any

from agentcli.models.accumulate import Accumulator
from agentcli.session.ports import ModelEvent
from tests.loopback import Reply

Event = tuple[str, str]

START: Event = (
    "message_start",
    '{"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}',
)
STOP: Event = ("message_stop", '{"type":"message_stop"}')


def begun(block: Any, index: int = 0) -> Event:
    return "content_block_start", json.dumps({"index": index, "content_block": block})


def delta(kind: str, index: int = 0, **members: Any) -> Event:
    return "content_block_delta", json.dumps({"index": index, "delta": {"type": kind, **members}})


def closed(index: int = 0) -> Event:
    return "content_block_stop", json.dumps({"index": index})


def take(events: Iterable[Event]) -> tuple[Accumulator, list[ModelEvent]]:
    accumulator = Accumulator()
    return accumulator, [made for name, data in events for made in accumulator.take(name, data)]


def whole(*events: Event) -> list[ModelEvent]:
    return take([START, *events, STOP])[1]


def frames(reply: Reply) -> list[Event]:
    """The events of a reply as name and data."""
    lines = [piece.decode().split("\n") for piece in reply.frames().pieces]
    return [(name.removeprefix("event: "), data.removeprefix("data: ")) for name, data, *_ in lines]

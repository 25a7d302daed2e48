"""The events of a reply whose text and calls are known before it begins."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from agentcli.models.wire import encode_json, tool_use_block
from agentcli.session.ports import BlockClosed, InputDelta, InputReady, InputStarted, ModelEvent, TextDelta
from agentcli.tools.proposal import Proposal


class Call(Struct, frozen=True):
    """A proposal under the id of its call."""

    call_id: str
    proposal: Proposal


def stream_blocks(text: str, calls: Iterable[Call], *, chunk: int) -> Iterator[ModelEvent]:
    """Yield a text block, unless it is empty, then one for each call; a delta has at most `chunk` characters."""
    if text:
        yield from map(TextDelta, _chunks(text, chunk))
        yield BlockClosed(encode_json({"type": "text", "text": text}))
    for call in calls:
        tool, written = call.proposal.tool, call.proposal.input
        yield InputStarted(call.call_id, tool)
        for part in _chunks(written, chunk):
            yield InputDelta(call.call_id, part)
        yield InputReady(call.call_id, tool, written)
        yield BlockClosed(tool_use_block(call.call_id, tool, written))


def _chunks(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))

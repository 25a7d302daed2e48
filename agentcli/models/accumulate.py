"""The events of a streamed reply as finished content blocks.

The SDK's own accumulator takes a raw stream too, but reads tool input as Python values: `1.50` becomes `1.5`, an
input that is not JSON ends the reply with an exception, and every delta parses the input again from its start.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

import msgspec

from agentcli.models.wire import encode_json
from agentcli.session.allowance import Usage
from agentcli.session.ports import BlockClosed, InputDelta, InputReady, InputStarted, ModelEvent, TextDelta
from agentcli.tools.block_input import input_json
from agentcli.visible import valid_unicode

Tokens = Annotated[int, msgspec.Meta(ge=0)] | None
Raw = msgspec.Raw


class _Counts(msgspec.Struct, frozen=True):
    input_tokens: Tokens = None
    output_tokens: Tokens = None
    cache_read_input_tokens: Tokens = None
    cache_creation_input_tokens: Tokens = None


class _Message(msgspec.Struct, frozen=True):
    usage: _Counts = _Counts()


class _StopDetails(msgspec.Struct, frozen=True):
    category: str | None = None
    explanation: str | None = None


class _Stop(msgspec.Struct, frozen=True):
    stop_reason: str | None = None
    stop_details: _StopDetails | None = None


class _Delta(msgspec.Struct, frozen=True):
    type: str
    text: str = ""
    thinking: str = ""
    signature: str = ""
    partial_json: str = ""
    citation: Raw = Raw(b"null")


class _Error(msgspec.Struct, frozen=True):
    type: str | None = None
    message: str | None = None


class _MessageStart(msgspec.Struct, frozen=True):
    message: _Message


class _BlockStart(msgspec.Struct, frozen=True):
    index: int
    content_block: dict[str, Raw]


class _BlockDelta(msgspec.Struct, frozen=True):
    index: int
    delta: _Delta


class _BlockStop(msgspec.Struct, frozen=True):
    index: int


class _MessageDelta(msgspec.Struct, frozen=True):
    delta: _Stop = _Stop()
    usage: _Counts | None = None


class _MessageStop(msgspec.Struct, frozen=True):
    pass


class _ErrorEvent(msgspec.Struct, frozen=True):
    error: _Error = _Error()


# Event names that are not in the table (`ping`, and what the service may add) are passed over, as the SDK does.
_DECODERS: Final[Mapping[str, msgspec.json.Decoder[Any]]] = {
    "message_start": msgspec.json.Decoder(_MessageStart),
    "content_block_start": msgspec.json.Decoder(_BlockStart),
    "content_block_delta": msgspec.json.Decoder(_BlockDelta),
    "content_block_stop": msgspec.json.Decoder(_BlockStop),
    "message_delta": msgspec.json.Decoder(_MessageDelta),
    "message_stop": msgspec.json.Decoder(_MessageStop),
    "error": msgspec.json.Decoder(_ErrorEvent),
}


class MalformedStream(Exception):
    """The events are not those of a reply; the message says why."""


class ErrorEvent(Exception):
    """The service broke the reply off with an error of its own."""

    def __init__(self, error_type: str | None, message: str) -> None:
        super().__init__(error_type)
        self.type = error_type
        self.message = message


def _explanation(details: _StopDetails | None) -> str:
    if details is None:
        return ""
    return ": ".join(part for part in (details.category, details.explanation) if part)


class Accumulator:
    """Takes a reply's events one after the other; `complete` once its last one has come."""

    def __init__(self) -> None:
        self.stop_reason: str | None = None
        self.explanation = ""
        self.complete = False
        self._counts = Usage()
        self._started = False
        self._blocks: dict[int, _Block] = {}
        self._closed_before = -1

    @property
    def usage(self) -> Usage:
        """The tokens counted so far; the service's counts are totals, so the latest one holds."""
        return self._counts

    def take(self, name: str, data: str) -> Iterator[ModelEvent]:
        """Yield the model events that follow from the stream's event `name` with its `data`.

        Raises:
            MalformedStream: The event can't be read, or can't come here.
            ErrorEvent: The service says that the reply ends here.
        """
        if name not in _DECODERS:
            return
        event = _decoded(name, data)
        if isinstance(event, _ErrorEvent):
            raise ErrorEvent(event.error.type, event.error.message or "")
        if self._started == isinstance(event, _MessageStart):
            raise MalformedStream(f"{name} came where it can't")
        match event:
            case _MessageStart(message):
                self._started = True
                self._count(message.usage)
            case _BlockStart(index, content):
                yield from self._open(index, content)
            case _BlockDelta(index, delta):
                yield from self._block(index).add(delta)
            case _BlockStop(index):
                yield from self._close(index)
            case _MessageDelta(delta, counts):
                self.stop_reason = delta.stop_reason
                self.explanation = _explanation(delta.stop_details)
                self._count(counts or _Counts())
            case _MessageStop():
                if self._blocks:
                    raise MalformedStream("a content block was never closed")
                self.complete = True

    def _open(self, index: int, content: dict[str, Raw]) -> Iterator[ModelEvent]:
        if index <= self._closed_before or index in self._blocks:
            raise MalformedStream("a content block begins twice")
        block = self._blocks[index] = _Block(content)
        if block.is_call:
            yield InputStarted(block.call_id, block.tool)

    def _close(self, index: int) -> Iterator[ModelEvent]:
        """Close a block. Some services leave blocks open until the end; they come out in the order they began."""
        self._block(index).is_closed = True
        while self._blocks:
            first = min(self._blocks)
            if not self._blocks[first].is_closed:
                return
            self._closed_before = first
            yield from self._blocks.pop(first).finished()

    def _block(self, index: int) -> "_Block":
        block = self._blocks.get(index)
        if block is None or block.is_closed:
            raise MalformedStream("an event belongs to no open content block")
        return block

    def _count(self, counts: _Counts) -> None:
        so_far = self._counts
        self._counts = Usage(
            input_tokens=_latest(counts.input_tokens, so_far.input_tokens),
            output_tokens=_latest(counts.output_tokens, so_far.output_tokens),
            cache_read_tokens=_latest(counts.cache_read_input_tokens, so_far.cache_read_tokens),
            cache_write_tokens=_latest(counts.cache_creation_input_tokens, so_far.cache_write_tokens),
        )


class _Block:
    """One content block: its members as they came, and what its deltas add to them."""

    def __init__(self, members: dict[str, Raw]) -> None:
        self._members = members
        self._added: dict[str, list[str]] = {}
        self._citations: list[Raw] = []
        self.type = self._text("type")
        self.is_call = self.type == "tool_use"
        self.call_id = self._text("id") if self.is_call else ""
        self.tool = self._text("name") if self.is_call else ""
        self.is_closed = False

    def add(self, delta: _Delta) -> Iterator[ModelEvent]:
        """Keep what a delta adds. One of an unknown type has no known place, so it goes, as in the SDK."""
        match delta.type:
            case "text_delta":
                self._append("text", delta.text)
                if self.type == "text":
                    yield TextDelta(delta.text)
            case "thinking_delta":
                self._append("thinking", delta.thinking)
            case "signature_delta":
                self._members["signature"] = Raw(encode_json(delta.signature))
            case "citations_delta":
                self._citations.append(delta.citation)
            case "input_json_delta":
                self._append("input", delta.partial_json)
                if self.is_call:
                    yield InputDelta(self.call_id, delta.partial_json)

    def finished(self) -> Iterator[ModelEvent]:
        """Yield the finished block; for a call its whole input comes before it."""
        members = dict(self._members)
        for member in [one for one in self._added if one != "input"]:
            members[member] = Raw(encode_json(self._text(member, "") + "".join(self._added[member])))
        if self._citations:
            members["citations"] = Raw(encode_json([*self._first_citations(), *self._citations]))
        if self.is_call or "input" in self._added:
            written = self._written_input()
            members["input"] = Raw(input_json(written))
            if self.is_call:
                yield InputReady(self.call_id, self.tool, written)
        yield BlockClosed(encode_json(members))

    def _append(self, member: str, text: str) -> None:
        self._added.setdefault(member, []).append(text)

    def _written_input(self) -> str:
        whole_at_the_start = bytes(self._members.get("input", b"{}")).decode()
        return "".join(self._added.get("input", ())) or whole_at_the_start

    def _text(self, member: str, absent: str | None = None) -> str:
        if absent is not None and member not in self._members:
            return absent
        text: str = _member(self._members.get(member, Raw(b"null")), str, member)
        return text

    def _first_citations(self) -> list[Raw]:
        return _member(self._members.get("citations", Raw(b"null")), list[Raw] | None, "citations") or []


def _member(value: Raw, kind: Any, name: str) -> Any:
    try:
        return msgspec.json.decode(value, type=kind)
    except msgspec.DecodeError as error:
        raise MalformedStream(f"a content block whose {name!r} is missing or of another kind") from error


def _decoded(name: str, data: str) -> Any:
    decoder = _DECODERS[name]
    try:
        try:
            return decoder.decode(data)
        except msgspec.DecodeError:
            return decoder.decode(_with_valid_unicode(data))
    except (ValueError, RecursionError) as error:
        raise MalformedStream(f"the event {name} can't be read") from error


def _with_valid_unicode(data: str) -> str:
    """Return JSON text without halves of surrogate pairs, which can't be stored, sent or hashed."""
    return valid_unicode(json.dumps(json.loads(data), ensure_ascii=False))


def _latest(count: int | None, so_far: int) -> int:
    return so_far if count is None else count

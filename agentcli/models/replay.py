"""A real session's replies kept in a file, and played back: the same replies to the same requests."""

import os
import stat
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from agentcli.counted import counted
from agentcli.models.differing import Asked, asked_of, first_difference
from agentcli.session.ports import (
    BlockClosed,
    FailureKind,
    InputDelta,
    InputReady,
    InputStarted,
    Model,
    ModelEvent,
    RemoteModel,
    ReplyFailed,
    ReplyFinished,
    Request,
    TextDelta,
)

VERSION: Final = 1


class BadRecording(Exception):
    """A file that holds no recording, or can't become one; the message says why."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a recording."""

    agentcli_recording: int


class Exchanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request and the reply to it, a line of a recording.

    Of the messages only those are there that are not in the request before: the first `kept` of it are the same.
    """

    kept: int
    asked: Asked
    events: tuple[dict[str, Any], ...]


_EVENTS: Final[Mapping[str, type[ModelEvent]]] = {
    kind.__name__: kind for kind in (TextDelta, InputStarted, InputDelta, InputReady, BlockClosed, ReplyFinished)
}


@dataclass(frozen=True, slots=True)
class Recording:
    """The requests of a recording with the replies to them; `is_cut` where a crash cut off the last of them."""

    exchanges: tuple[tuple[Asked, tuple[ModelEvent, ...]], ...]
    is_cut: bool = False

    @property
    def size(self) -> str:
        """How many replies it holds, and that one is missing at its end if one is."""
        held = counted(len(self.exchanges), "reply", "replies")
        return f"{held}, the next is cut off" if self.is_cut else held


class RecordingModel:
    """Another model, whose whole replies are kept in a file as they come."""

    def __init__(self, model: Model, path: Path) -> None:
        self._model = model
        self._path = path
        self._before: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The other model's name."""
        return self._model.name

    def preload(self) -> None:
        """Let the other model load what it needs."""
        if isinstance(self._model, RemoteModel):
            self._model.preload()

    async def close(self) -> None:
        """Let the other model close its connections."""
        if isinstance(self._model, RemoteModel):
            await self._model.close()

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream the other model's reply; once it is whole, it is kept before its end is told.

        One that can't be kept has failed.
        """
        events: list[ModelEvent] = []
        async with aclosing(self._model.reply(request)) as stream:
            async for event in stream:
                events.append(event)
                if isinstance(event, ReplyFinished):
                    try:
                        self._keep(request, events)
                    except OSError as error:
                        yield _failed(f"The reply is not in {self._path}, which {_unwritten(error)}")
                        return
                yield event

    def _keep(self, request: Request, events: Sequence[ModelEvent]) -> None:
        asked = asked_of(request)
        kept = _shared(self._before, asked.messages)
        self._before = asked.messages
        delta = msgspec.structs.replace(asked, messages=asked.messages[kept:])
        append(self._path, Exchanged(kept, delta, tuple(map(_written, events))))


class ReplayModel:
    """Gives the replies of a recording; where a request differs from the recorded one, it says where instead.

    A recording may hold several conversations: one that begins later is found by its first request.
    """

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path
        self._recording = read_recording(path)
        self._next = 0

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream the recorded reply to this request."""
        now = asked_of(request)
        exchanges = self._recording.exchanges
        left = range(self._next, len(exchanges))
        place = next((at for at in left if first_difference(exchanges[at][0], now) is None), None)
        if place is None:
            yield _failed(self._difference(now))
            return
        self._next = place + 1
        for event in exchanges[place][1]:
            yield event

    def _difference(self, now: Asked) -> str:
        """Return how the request differs from the one that was to come."""
        exchanges, number = self._recording.exchanges, self._next + 1
        if number > len(exchanges):
            return f"{self._path.name} holds {self._recording.size}, and this is request {number}"
        differs = first_difference(exchanges[self._next][0], now)
        return f"request {number} differs from the one in {self._path.name} at {differs}"


def begin_recording(path: Path) -> None:
    """Begin a file, readable to its owner alone: a recording holds the whole conversation.

    Raises:
        BadRecording: It can't be written there.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.fchmod(descriptor, 0o600)
            file.write(msgspec.json.encode(Head(VERSION)) + b"\n")
    except OSError as error:
        raise BadRecording(path, _unwritten(error)) from error


def append(path: Path, exchanged: Exchanged) -> None:
    """Add a line to a recording."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(exchanged) + b"\n")


def read_recording(path: Path) -> Recording:
    """Return what a recording holds, as far as it is whole.

    Raises:
        BadRecording: It can't be read, or is none.
    """
    try:
        *whole, rest = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadRecording(path, f"can't be read: {error.strerror}") from error
    # Each line is written with its end, so one without was cut off by a crash.
    head, *lines = whole or [rest]
    try:
        if msgspec.json.decode(head, type=Head).agentcli_recording != VERSION:
            raise BadRecording(path, "was recorded by another version")
        return Recording(tuple(_exchanges(lines)), is_cut=bool(whole and rest))
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise BadRecording(path, f"is no recording: {error}") from error


def _exchanges(lines: Sequence[bytes]) -> Iterator[tuple[Asked, tuple[ModelEvent, ...]]]:
    before: tuple[str, ...] = ()
    for line in lines:
        exchanged = msgspec.json.decode(line, type=Exchanged)
        before = (*before[: exchanged.kept], *exchanged.asked.messages)
        asked = msgspec.structs.replace(exchanged.asked, messages=before)
        yield asked, tuple(map(_read, exchanged.events))


def _written(event: ModelEvent) -> dict[str, Any]:
    fields = msgspec.to_builtins(event, builtin_types=(bytes,))
    if isinstance(event, BlockClosed):
        # As text, so that the bytes stay as they came and a person can read them.
        fields = {"block": event.block.decode()}
    return {"event": type(event).__name__, **fields}


def _read(written: dict[str, Any]) -> ModelEvent:
    kind = _EVENTS[written["event"]]
    fields = {name: value for name, value in written.items() if name != "event"}
    if kind is BlockClosed:
        return BlockClosed(fields["block"].encode())
    event: ModelEvent = msgspec.convert(fields, kind)
    return event


def _shared(before: Sequence[str], now: Sequence[str]) -> int:
    """Return how many messages at the beginning are the same."""
    pairs = enumerate(zip(before, now, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(before), len(now)))


def _unwritten(error: OSError) -> str:
    return f"can't be written: {error.strerror}"


def _failed(text: str) -> ReplyFailed:
    # The same request would differ again: it is not tried once more.
    return ReplyFailed(FailureKind.REJECTED, f"{text}.")

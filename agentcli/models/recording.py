"""The file of a recording: each request with the reply to it, a line each, as it is written and read again."""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from agentcli.counted import counted
from agentcli.models.differing import Asked
from agentcli.session.ports import (
    BlockClosed,
    InputDelta,
    InputReady,
    InputStarted,
    ModelEvent,
    ReplyFinished,
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


class Recording(Struct, frozen=True):
    """The requests of a recording with the replies to them; `is_cut` where a crash cut off the last of them."""

    exchanges: tuple[tuple[Asked, tuple[ModelEvent, ...]], ...]
    is_cut: bool = False

    @property
    def size(self) -> str:
        """How many replies it holds, and that one is missing at its end if one is."""
        held = counted(len(self.exchanges), "reply", "replies")
        return f"{held}, the next is cut off" if self.is_cut else held


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
        raise BadRecording(path, unwritten(error)) from error


def append(path: Path, asked: Asked, events: Sequence[ModelEvent], *, before: Sequence[str]) -> None:
    """Add a request and the reply to it.

    Args:
        before: The messages of the request before, which are not written again.
    """
    kept = _shared(before, asked.messages)
    delta = msgspec.structs.replace(asked, messages=asked.messages[kept:])
    with path.open("ab") as file:
        file.write(msgspec.json.encode(Exchanged(kept, delta, tuple(map(_written, events)))) + b"\n")


def unwritten(error: OSError) -> str:
    """Return why a recording can't be written."""
    return f"can't be written: {error.strerror}"


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

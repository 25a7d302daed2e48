"""The world in memory: a clock that moves when told, a store that can refuse, a model that says its lines."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec

from agentcli.session.allowance import Usage
from agentcli.session.codec import decode_entry, encode_entry
from agentcli.session.entries import Entry
from agentcli.session.ports import (
    BlockClosed,
    FailureKind,
    InputDelta,
    InputReady,
    InputStarted,
    ModelEvent,
    ReplyFailed,
    ReplyFinished,
    Request,
    StoreFailure,
    StoreFault,
    TextDelta,
)
from agentcli.session.record import Record
from agentcli.tools.block_input import input_json

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class FakeClock:
    """Time that stands still but when it is told to go on, or somebody sleeps.

    With `held`, sleeping moves nothing: who sleeps wakes when `advance` has come that far.
    """

    def __init__(self, now: datetime = NOON, *, held: bool = False) -> None:
        self.slept: list[float] = []
        self._now = now
        self._held = held
        self._sleepers: list[tuple[datetime, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    def today(self) -> date:
        return self._now.date()

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)
        for until, sleeper in self._sleepers:
            if until <= self._now and not sleeper.done():
                sleeper.set_result(None)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if not self._held:
            self.advance(seconds)
            await asyncio.sleep(0)
            return
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + timedelta(seconds=seconds), sleeper))
        await sleeper


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as a store keeps it: its kind, its bytes, and the hash that chains it to the one before."""

    seq: int
    at: datetime
    kind: str
    body: bytes
    hash: bytes

    def record(self, session: str) -> Record:
        return Record(session, self.seq, self.at, decode_entry(self.kind, self.body), self.hash)


Effect = tuple[str, tuple[Any, ...]]


@dataclass(slots=True)
class Pages:
    """All that is written: rows by session, and the statements executed on the agents' tables."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)

    def copy(self) -> "Pages":
        return Pages({session: list(rows) for session, rows in self.rows.items()}, list(self.effects))

    def append(self, session: str, entry: Entry, at: datetime) -> Record:
        rows = self.rows.setdefault(session, [])
        before = rows[-1].hash if rows else b""
        kind, body = type(entry).kind, encode_entry(entry)
        row = Row(len(rows) + 1, at, kind, body, hashlib.sha256(before + kind.encode() + body).digest())
        rows.append(row)
        return row.record(session)

    def records(self, session: str, after: int) -> Iterator[Record]:
        for row in self.rows.get(session, [])[after:]:
            yield row.record(session)


class FakeTables:
    """Tables that write down what is executed; the statement `list` returns the parameters of all that was."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.lent = True

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        assert self.lent, "tables are used after they were given back"
        if sql == "list":
            return [given for _, given in self._pages.effects]
        self._pages.effects.append((sql, tuple(parameters)))
        return []


class FakeTransaction:
    """Changes a copy of all pages, which takes their place when it is left without an exception."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        return self.pages.records(session, after)

    def append(self, session: str, entry: Entry, at: datetime) -> Record:
        return self.pages.append(session, entry, at)

    @contextmanager
    def attempt(self) -> Iterator[FakeTables]:
        kept = len(self.pages.effects)
        tables = FakeTables(self.pages)
        try:
            yield tables
        except BaseException:
            del self.pages.effects[kept:]
            raise
        finally:
            tables.lent = False


class FakeStore:
    """A store in memory.

    `busy` counts the transactions still to be refused; `failures` are raised where the next ones would be
    committed. `commits` counts the transactions that wrote something.
    """

    def __init__(self) -> None:
        self.pages = Pages()
        self.busy = 0
        self.failures: list[StoreFailure] = []
        self.commits = 0
        self._open = False
        self._written_elsewhere = False

    @property
    def effects(self) -> list[Effect]:
        """What has been executed on the agents' tables and stands."""
        return self.pages.effects

    def entries(self, session: str) -> list[Entry]:
        """The entries that stand in a session's journal."""
        return [record.entry for record in self.records(session)]

    @contextmanager
    def transaction(self) -> Iterator[FakeTransaction]:
        assert not self._open, "a transaction begins inside another"
        if self.busy > 0:
            self.busy -= 1
            raise StoreFailure(StoreFault.BUSY, "somebody else writes")
        transaction = FakeTransaction(self.pages.copy())
        self._open = True
        try:
            yield transaction
            if self.failures:
                raise self.failures.pop(0)
        finally:
            self._open = False
        self.commits += transaction.pages != self.pages
        self.pages = transaction.pages

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        return self.pages.records(session, after)

    def changed(self) -> bool:
        changed, self._written_elsewhere = self._written_elsewhere, False
        return changed

    def write_elsewhere(self, session: str, entry: Entry, at: datetime = NOON) -> Record:
        """Append an entry as another process does: this one is not told, but can notice."""
        assert not self._open, "another process writes while this one does"
        self._written_elsewhere = True
        return self.pages.append(session, entry, at)


Line = ModelEvent | asyncio.Event | Callable[[], None]
"""What a model says, what it waits for, or what happens meanwhile."""


class ScriptedModel:
    """Says its replies in order; one reply too many asked of it is an error."""

    name = "scripted"

    def __init__(self, *replies: Sequence[Line]) -> None:
        self.left = [list(lines) for lines in replies]
        self.requests: list[Request] = []
        self.cut = 0

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        self.requests.append(request)
        assert self.left, "the model is asked for more replies than it has"
        self.cut += 1
        for line in self.left.pop(0):
            match line:
                case asyncio.Event():
                    await line.wait()
                case _ if callable(line):
                    line()
                case _:
                    yield line
        self.cut -= 1

    def heard(self, number: int = -1) -> list[dict[str, Any]]:
        """The messages of a request, as the service would read them."""
        return [msgspec.json.decode(message) for message in self.requests[number].messages]


def text_block(text: str) -> bytes:
    return msgspec.json.encode({"type": "text", "text": text})


def call_block(call_id: str, tool: str, input_text: str = "{}") -> bytes:
    """A call as models give it; an input that is no JSON object is kept in one."""
    given = msgspec.Raw(input_json(input_text))
    return msgspec.json.encode({"type": "tool_use", "id": call_id, "name": tool, "input": given})


def says(text: str) -> list[ModelEvent]:
    """The events of one text block."""
    return [TextDelta(text), BlockClosed(text_block(text))]


def calls(call_id: str, tool: str, input_text: str = "{}") -> list[ModelEvent]:
    """The events of one call."""
    return [
        InputStarted(call_id, tool),
        InputDelta(call_id, input_text),
        InputReady(call_id, tool, input_text),
        BlockClosed(call_block(call_id, tool, input_text)),
    ]


def reply(*parts: list[ModelEvent], stop: str | None = None, usage: Usage | None = None) -> list[Line]:
    """A whole reply; without a stop reason, the one that fits its blocks."""
    events = [event for part in parts for event in part]
    has_calls = any(isinstance(event, InputReady) for event in events)
    reason = stop if stop is not None else "tool_use" if has_calls else "end_turn"
    return [*events, ReplyFinished(reason, usage or Usage(input_tokens=10, output_tokens=5))]


def fails(failure: FailureKind = FailureKind.OVERLOADED, **more: Any) -> list[Line]:
    """A reply that does not come."""
    return [ReplyFailed(failure, "the service is busy", **more)]

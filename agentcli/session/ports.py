"""What the engine needs from the world, as Protocols, with their failures as values."""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct

from agentcli.session.allowance import Usage
from agentcli.session.entries import Entry
from agentcli.session.record import Record
from agentcli.tools.tool import Tables


class ToolOffer(Struct, frozen=True):
    """A tool as the model is told of it."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


class Request(Struct, frozen=True, kw_only=True):
    """What a model is asked: the conversation as messages that were serialised once.

    `messages` are JSON objects `{"role": …, "content": [blocks]}`. With `may_call` false no call may come back,
    but the tools are sent all the same where the conversation holds calls.
    """

    session: str
    model: str
    max_tokens: int
    system: str
    tools: Sequence[ToolOffer]
    may_call: bool
    messages: Sequence[bytes]
    today: str


class FailureKind(StrEnum):
    """Why a request got no usable reply."""

    UNREACHABLE = "unreachable"
    OVERLOADED = "overloaded"
    CUT_OFF = "cut_off"
    MALFORMED = "malformed"
    UNAUTHORIZED = "unauthorized"
    REJECTED = "rejected"

    @property
    def retryable(self) -> bool:
        """Whether the same request may go through later."""
        return self not in (FailureKind.UNAUTHORIZED, FailureKind.REJECTED)


class TextDelta(Struct, frozen=True):
    """More text of the reply."""

    text: str


class InputStarted(Struct, frozen=True):
    """A call's input begins to form."""

    call_id: str
    tool: str


class InputDelta(Struct, frozen=True):
    """More of a call's input, as unfinished JSON text."""

    call_id: str
    delta: str


class InputReady(Struct, frozen=True):
    """A call's input as the model sent it, whole."""

    call_id: str
    tool: str
    input: str


class BlockClosed(Struct, frozen=True):
    """A content block is finished; its bytes are what is stored and sent back."""

    block: bytes


class ReplyFinished(Struct, frozen=True):
    """The reply is whole; its blocks came as `BlockClosed`. `explanation` is the service's, of a refusal."""

    stop_reason: str | None
    usage: Usage
    request_id: str | None = None
    explanation: str = ""


class ReplyFailed(Struct, frozen=True):
    """No usable reply; `text` is for a person and holds no secret. Seconds in `retry_after_s`."""

    failure: FailureKind
    text: str
    status: int | None = None
    request_id: str | None = None
    retry_after_s: float | None = None


ModelEvent = TextDelta | InputStarted | InputDelta | InputReady | BlockClosed | ReplyFinished | ReplyFailed


class Model(Protocol):
    """Who proposes calls. The last event of a reply is `ReplyFinished` or `ReplyFailed`; nothing is raised."""

    @property
    def name(self) -> str:
        """The name under which it is recorded."""
        ...

    def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream one reply; closing the generator cancels it."""
        ...


@runtime_checkable
class RemoteModel(Model, Protocol):
    """One that is reached over connections, by code that takes its time to load."""

    def preload(self) -> None:
        """Load what it needs; meant for a thread. Nothing is raised."""
        ...

    async def close(self) -> None:
        """Close the connections that are kept for the next request."""
        ...


class Clock(Protocol):
    """Time, so that tests and demos bring their own."""

    def now(self) -> datetime:
        """The time in UTC."""
        ...

    def today(self) -> date:
        """The day where the person is."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class StoreFault(StrEnum):
    """What can be wrong with the store."""

    BUSY = "locked by another process"
    READ_ONLY = "read-only"
    FULL = "full"
    CORRUPT = "corrupt"
    UNREADABLE = "unreadable"
    NEWER = "written by a newer version"


class StoreFailure(Exception):
    """The store can't be used; nothing was run and nothing of the failed write stands."""

    def __init__(self, fault: StoreFault, detail: str) -> None:
        super().__init__(f"the store is {fault}: {detail}")
        self.fault = fault
        self.detail = detail


BUSY_WAIT_S: Final = 0.02
BUSY_TRIES: Final = 250
"""How often a write is tried while another process writes, 5 seconds in all with the wait between two tries."""


def stayed_busy() -> StoreFailure:
    """Return the failure of a write that found the store busy at every try."""
    return StoreFailure(StoreFault.BUSY, "another process has been writing for 5 seconds")


class SessionBusy(Exception):
    """Another process holds the session."""

    def __init__(self, session: str, pid: int | None) -> None:
        super().__init__(f"session {session!r} is held by process {pid or 'unknown'}")
        self.session = session
        self.pid = pid


class Transaction(Protocol):
    """One atomic write: entries and effects together, durable when it is left without an exception."""

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        """The records of a session behind the entry `after`, this transaction's own among them."""
        ...

    def append(self, session: str, entry: Entry, at: datetime) -> Record:
        """Add an entry to a session's journal."""
        ...

    def attempt(self) -> AbstractContextManager[Tables]:
        """Lend the agents' tables; what was done with them is rolled back if an exception leaves the block."""
        ...


class Witness(Protocol):
    """Sees every entry of a session in order, and has the last word on those that are about to be stored."""

    def see(self, record: Record) -> None:
        """Take in an entry that is stored."""
        ...

    def attest(self, records: Sequence[Record]) -> None:
        """Take in entries that are stored once this returns; if it raises, none of them is.

        Raises:
            StoreFailure: What is to be done about them can't be done.
        """
        ...


class Store(Protocol):
    """Where journals and books are kept."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Begin a write; never held across an `await`.

        Raises:
            StoreFailure: With `BUSY` at once where another process writes; the caller waits and tries again.
        """
        ...

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        """The records of a session behind the entry `after`, in order."""
        ...

    def changed(self) -> bool:
        """Whether another connection has written since this was last asked; costs next to nothing."""
        ...

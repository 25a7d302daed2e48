"""Claude over the Messages API: one request, streamed, and whatever goes wrong as a failure."""

import asyncio
import gc
import sys
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from msgspec import structs

from agentcli.models import failures
from agentcli.models.accumulate import Accumulator, ErrorEvent, MalformedStream
from agentcli.models.connection import Connection
from agentcli.models.failures import NoReply, ServiceError
from agentcli.models.wire import request_body
from agentcli.session.ports import ModelEvent, ReplyFailed, ReplyFinished, Request

if TYPE_CHECKING:
    import httpx2

    from agentcli.models.sdk import Answer, Wire

SILENCE_S: Final = 90.0
DRAIN_S: Final = 0.25


class AnthropicModel:
    """Claude. `silence_s` is how long the service may send nothing; `transport` replaces the network in tests."""

    def __init__(
        self,
        name: str,
        connection: Connection,
        *,
        silence_s: float = SILENCE_S,
        transport: "httpx2.AsyncBaseTransport | None" = None,
    ) -> None:
        self.name = name
        self._connection = connection
        self._silence_s = silence_s
        self._transport = transport
        self._wire: Wire | None = None
        self._building = threading.Lock()

    def preload(self) -> None:
        """Import the SDK and build its client; meant for a thread, while a person reads the first prompt."""
        # What can't be set up is said by the reply that needs it.
        with suppress(NoReply):
            self._built()

    async def close(self) -> None:
        """Close the connections that are kept for the next request."""
        if self._wire is not None:
            await self._wire.close()

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream one reply; closing the generator closes the connection."""
        try:
            async with aclosing(self._stream(request)) as events:
                async for event in events:
                    yield event
        except NoReply as error:
            failure = error.failure
            text, request_id = self._connection.redact(failure.text), self._redacted(failure.request_id)
            yield structs.replace(failure, text=text, request_id=request_id)

    async def _stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        obstacle = self._connection.obstacle()
        if obstacle is not None:
            raise NoReply(obstacle)
        wire = await asyncio.to_thread(self._built) if self._wire is None else self._wire
        async with wire.send(request_body(request)) as answer:
            reading = Accumulator()
            async with aclosing(answer.events()) as events:
                async for name, text in events:
                    try:
                        for event in reading.take(name, text):
                            yield event
                    except (MalformedStream, ErrorEvent) as error:
                        raise NoReply(self._failure(error, answer)) from error
                    if reading.complete:
                        break
                else:
                    raise NoReply(failures.cut_off(self._connection.host, answer.request_id))
                await _read_to_the_end(events)
        request_id = self._redacted(answer.request_id)
        yield ReplyFinished(reading.stop_reason, reading.usage, request_id, reading.explanation)

    def _redacted(self, request_id: str | None) -> str | None:
        return None if request_id is None else self._connection.redact(request_id)

    def _failure(self, error: MalformedStream | ErrorEvent, answer: "Answer") -> ReplyFailed:
        host = self._connection.host
        if isinstance(error, MalformedStream):
            return failures.malformed(host, str(error), answer.request_id)
        said = ServiceError(status=200, type=error.type, message=error.message, request_id=answer.request_id)
        return failures.refused(said, host, self._connection.credential_name)

    def _built(self) -> "Wire":
        with self._building:
            if self._wire is None:
                with _collector_off():
                    from agentcli.models.sdk import Wire  # noqa: PLC0415  # the first prompt does without the SDK

                self._wire = Wire(self._connection, silence_s=self._silence_s, transport=self._transport)
            return self._wire


@contextmanager
def _collector_off() -> Iterator[None]:
    """Hold collections off: one in the middle of 3,500 imports keeps the keyboard waiting for 54 ms, not 12."""
    if "anthropic" in sys.modules or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


async def _read_to_the_end(events: AsyncGenerator[tuple[str, str], None]) -> None:
    """Read what follows the last event: only a response that was read to its end leaves its connection usable."""
    with suppress(TimeoutError, NoReply):
        async with asyncio.timeout(DRAIN_S):
            async for _ in events:
                pass

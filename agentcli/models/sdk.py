"""The one module that imports the SDK: its client, one request over it, and its errors as failures.

Imported on first use only: it takes about a second and 3,500 modules.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import anthropic
import httpx2
from anthropic.types import Message, RawMessageStreamEvent

from agentcli.models import failures
from agentcli.models.connection import Connection
from agentcli.models.failures import NoReply, ServiceError

REPLY_LIMIT_BYTES: Final = 32 * 1024 * 1024
CONNECT_TIMEOUT_S: Final = 5.0
EVENTS: Final = "text/event-stream"
BEGINNING_S: Final = 1.0
BEGINNING_BYTES: Final = 1024

Stream = anthropic.AsyncStream[RawMessageStreamEvent]

# Not compressed: what is received is capped, and compressed bytes could grow past the cap when they are decoded.
_HEADERS: Final = {"Content-Type": "application/json", "Accept-Encoding": "identity"}

_BROKEN: Final = (httpx2.HTTPError, httpx2.StreamError)
_UNSENDABLE: Final = (httpx2.LocalProtocolError, httpx2.UnsupportedProtocol, httpx2.InvalidURL, UnicodeError)
_NOT_SET_UP: Final = (anthropic.AnthropicError, httpx2.InvalidURL, OSError, ValueError, ImportError)


class ReplyTooLarge(Exception):
    """A response went beyond the cap; the rest of it was not read."""


class Wire:
    """A client for one connection; it retries nothing and follows no redirect."""

    def __init__(
        self, connection: Connection, *, silence_s: float, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._host = connection.host
        self._credential = connection.credential_name
        self._timeout = anthropic.Timeout(silence_s, connect=CONNECT_TIMEOUT_S)
        chosen: dict[str, Any] = {} if transport is None else {"transport": transport}
        try:
            self._client = anthropic.AsyncAnthropic(
                api_key=connection.api_key,
                auth_token=None if connection.api_key else connection.auth_token,
                base_url=connection.base_url,
                max_retries=0,
                open_telemetry=False,  # what is said here goes to the model's service and nowhere else
                http_client=anthropic.DefaultAsyncHttpxClient(
                    follow_redirects=False,
                    trust_env=not connection.is_loopback,
                    event_hooks={"response": [_cap]},
                    **chosen,
                ),
            )
        except _NOT_SET_UP as error:
            raise NoReply(failures.unsendable(self._host)) from error

    @asynccontextmanager
    async def send(self, body: bytes) -> AsyncIterator["Answer"]:
        """Send a request, lend what is answered, and close the connection unless all of it was read.

        Raises:
            NoReply: There is no stream of events; the failure says why.
        """
        stream = await self._post(body)
        try:
            yield Answer(stream, self._host)
        finally:
            with suppress(*_BROKEN):
                await stream.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def _post(self, body: bytes) -> Stream:
        try:
            return await self._client.post(
                "/v1/messages",
                content=body,
                cast_to=Message,
                stream=True,
                stream_cls=Stream,
                options={"headers": _HEADERS, "timeout": self._timeout},
            )
        except anthropic.APIStatusError as error:
            raise NoReply(failures.refused(_said(error), self._host, self._credential)) from error
        except anthropic.APITimeoutError as error:
            raise NoReply(failures.too_slow(self._host)) from error
        except anthropic.APIConnectionError as error:
            is_unsendable = isinstance(error.__cause__, _UNSENDABLE)
            raise NoReply((failures.unsendable if is_unsendable else failures.unreachable)(self._host)) from error
        except (anthropic.AnthropicError, *_UNSENDABLE) as error:
            raise NoReply(failures.unsendable(self._host)) from error
        except ReplyTooLarge as error:
            raise NoReply(failures.malformed(self._host, "it is larger than 32 MB", None)) from error
        except _BROKEN as error:
            raise NoReply(failures.cut_off(self._host, None)) from error


class Answer:
    """A response with a good status whose body is being read."""

    def __init__(self, stream: Stream, host: str) -> None:
        self._response = stream.response
        self._host = host
        self.request_id: str | None = stream.response.headers.get("request-id")

    async def events(self) -> AsyncGenerator[tuple[str, str], None]:
        """Yield the name and the data of each event.

        Raises:
            NoReply: The body is no stream of events, breaks off, or is larger than 32 MB.
        """
        content_type = self._response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not content_type:
            raise self._malformed("it is of no type and not text/event-stream")
        if content_type != EVENTS:
            beginning = await self._beginning()
            raise NoReply(failures.another_service(self._host, content_type, beginning, self.request_id))
        try:
            async for event in Stream.raw_events(self._response):
                if event.event is not None:
                    yield event.event, event.data
        except ReplyTooLarge as error:
            raise self._malformed("it is larger than 32 MB") from error
        except UnicodeDecodeError as error:
            raise self._malformed("it is not UTF-8") from error
        except _BROKEN as error:
            raise NoReply(failures.cut_off(self._host, self.request_id)) from error

    async def _beginning(self) -> str:
        """Return how a body begins that is not what was asked for, as far as it comes soon."""
        with suppress(TimeoutError, ReplyTooLarge, *_BROKEN):
            async with asyncio.timeout(BEGINNING_S):
                async for some in self._response.aiter_bytes():
                    return some[:BEGINNING_BYTES].decode(errors="replace")
        return ""

    def _malformed(self, why: str) -> NoReply:
        return NoReply(failures.malformed(self._host, why, self.request_id))


class _Capped(httpx2.AsyncByteStream):
    """A response's bytes up to the cap."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > REPLY_LIMIT_BYTES:
                raise ReplyTooLarge
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _cap(response: httpx2.Response) -> None:
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Capped(response.stream)


def _said(error: anthropic.APIStatusError) -> ServiceError:
    return ServiceError(
        status=error.status_code,
        type=_text_or_none(error.type),
        message=_text_or_none(error.api_message) or "",
        request_id=error.request_id,
        retry_after_s=failures.retry_after_s(error.response.headers),
    )


def _text_or_none(value: object) -> str | None:
    """Return what the SDK took from a body unseen: it may be anything that JSON can hold."""
    return value if isinstance(value, str) else None

"""The one way out of the briefs agent: a brief is posted once, and only facts are taken from what comes back.

The facts are the real status, the content type and the body's bytes, for `classify` to judge; no word of the
body goes anywhere else. No redirect and no address in an answer is ever followed, and nothing is tried again.
"""

import asyncio
from contextlib import aclosing
from enum import StrEnum
from typing import Final

import httpx2
from msgspec import Struct
from msgspec.structs import replace

from agentcli.problems import MAX_BODY_BYTES

_HEADERS: Final = {
    "Accept": "application/problem+json, application/json",
    # Compressed, a few bytes could become any number.
    "Accept-Encoding": "identity",
    "Connection": "close",
    "Content-Type": "application/json",
    "User-Agent": "agentcli",
}


class Way(Struct, frozen=True, kw_only=True):
    """How to get there: where, the most seconds for each part, and whether by the environment's proxies."""

    url: str
    timeout_s: float
    proxy: bool = False


class Answer(Struct, frozen=True):
    """What the transport knows of a response.

    `content_type` is None where there is not exactly one. `body` is at most a byte longer than `classify` takes,
    and None where it did not come whole or uncompressed, or, as with a success, was not read at all.
    """

    status: int
    content_type: str | None
    body: bytes | None = None

    @property
    def is_success(self) -> bool:
        """Whether the API says that it took what it was sent."""
        return 200 <= self.status <= 299


class Disruption(StrEnum):
    """Why there is no answer."""

    CLIENT_UNUSABLE = "CLIENT_UNUSABLE"
    CONNECT_FAILED = "CONNECT_FAILED"
    CONNECT_TIMED_OUT = "CONNECT_TIMED_OUT"
    TIMED_OUT = "TIMED_OUT"
    CONNECTION_LOST = "CONNECTION_LOST"
    INVALID_RESPONSE = "INVALID_RESPONSE"

    @property
    def sent(self) -> bool:
        """Whether the API may have got the request."""
        return self not in (Disruption.CLIENT_UNUSABLE, Disruption.CONNECT_FAILED, Disruption.CONNECT_TIMED_OUT)


async def post(way: Way, body: bytes) -> Answer | Disruption:
    """Post JSON once; it takes at most twice `timeout_s`, however slowly the answer drips."""
    try:
        # In a thread: certificates are read from the disk meanwhile.
        client = await asyncio.to_thread(_client, way)
    except (httpx2.InvalidURL, ImportError, OSError, ValueError):
        return Disruption.CLIENT_UNUSABLE
    answer: Answer | None = None
    try:
        async with (
            asyncio.timeout(2 * way.timeout_s),
            client,
            client.stream("POST", way.url, content=body, headers=_HEADERS) as response,
        ):
            answer = Answer(response.status_code, _content_type(response))
            if not answer.is_success:
                answer = replace(answer, body=await _read(response))
    except Exception as error:  # noqa: BLE001  # raised any further, its text could carry the answer's into the log
        # What went wrong after the headers takes nothing away from them.
        return answer or _disruption(error)
    return answer


def _client(way: Way) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        follow_redirects=False, timeout=httpx2.Timeout(way.timeout_s), trust_env=way.proxy, verify=True
    )


def _content_type(response: httpx2.Response) -> str | None:
    found = response.headers.get_list("content-type")
    return found[0] if len(found) == 1 else None


async def _read(response: httpx2.Response) -> bytes | None:
    """Return the body as it came, cut one byte behind what `classify` takes; None where it is compressed."""
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        return None
    body = b""
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                break
    return body[: MAX_BODY_BYTES + 1]


_DISRUPTIONS: Final = (
    # what was raised                                   why there is no answer
    ((httpx2.ConnectTimeout,),                          Disruption.CONNECT_TIMED_OUT),
    # A group comes only from attempts to connect that ran together.
    ((httpx2.ConnectError, httpx2.ProxyError, ExceptionGroup), Disruption.CONNECT_FAILED),
    ((httpx2.TimeoutException, TimeoutError),           Disruption.TIMED_OUT),
    ((httpx2.NetworkError, OSError),                    Disruption.CONNECTION_LOST),
)  # fmt: skip


def _disruption(error: Exception) -> Disruption:
    return next((why for kinds, why in _DISRUPTIONS if isinstance(error, kinds)), Disruption.INVALID_RESPONSE)

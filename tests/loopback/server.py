"""The service: HTTP/1.1 over asyncio, one handler a connection."""

import asyncio
import json
import socket
import struct
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

from tests.loopback.brain import Brain
from tests.loopback.protocol import Checker, Violation
from tests.loopback.replies import Answer, Ending, Frames, Reply, Scripted, Silence, error


@dataclass(frozen=True)
class Seen:
    """A request as it came; names of headers are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class HungUp(Exception):
    """The connection ends here."""


class Loopback:
    """A Messages API at `base_url` while it is entered.

    It answers from a script, one entry a request, or with a brain. `keep` is how many requests stay in `seen`.
    `left` is set once a client has closed a connection in the middle of an answer.
    """

    def __init__(self, answers: Iterable[Scripted] | Brain, *, keep: int | None = None, port: int = 0) -> None:
        self._brain = answers if isinstance(answers, Brain) else None
        self._script = deque(() if isinstance(answers, Brain) else answers)
        self._checker = Checker()
        self._port = port
        self._paused = False
        self._handlers: set[asyncio.Task[None]] = set()
        self.seen: deque[Seen] = deque(maxlen=keep)
        self.connections = 0
        self.left = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for handler in self._handlers:
            handler.cancel()
        await asyncio.gather(*self._handlers, return_exceptions=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def open_connections(self) -> int:
        """How many connections clients have not closed yet."""
        return len(self._handlers)

    def assert_finished(self) -> None:
        """Fail if an answer of the script was never asked for."""
        assert not self._script, f"{len(self._script)} answers were never asked for"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handler = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._handlers.add(handler)
        handler.add_done_callback(self._handlers.discard)
        self.connections += 1

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                seen = await _read_request(reader)
                self.seen.append(seen)
                await self._send(self._answer(seen), reader, writer)
        except HungUp:
            pass
        except ConnectionError:
            self.left.set()
        finally:
            writer.close()

    def _answer(self, seen: Seen) -> Scripted:
        if seen.path.split("?")[0] != "/v1/messages":
            return error(404, "not_found_error", "Not Found")
        if not (seen.headers.get("authorization") or seen.headers.get("x-api-key")):
            return error(401, "authentication_error", "x-api-key header is required")
        if seen.headers.get("content-type") != "application/json":
            return error(400, "invalid_request_error", "Content-Type: must be application/json")
        try:
            checked = self._checker.check(seen.body, paused=self._paused)
        except Violation as violation:
            return error(400, "invalid_request_error", str(violation))
        if self._brain is not None:
            return self._brain.reply(checked)
        if not self._script:
            return error(400, "invalid_request_error", "the script of the loopback service is at its end")
        answer = self._script.popleft()
        self._paused = isinstance(answer, Reply) and answer.stop_reason == "pause_turn"
        return answer

    async def _send(self, answer: Scripted, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        match answer:
            case Reply():
                await self._send(answer.frames(), reader, writer)
            case Silence(ending):
                await self._end(ending, reader, writer)
            case Answer(status, body, headers):
                sized = {"content-length": str(len(body)), "request-id": "req_loopback"} | dict(headers)
                writer.write(_head(status, sized) + body)
                await writer.drain()
            case Frames():
                await self._send_frames(answer, reader, writer)

    async def _send_frames(
        self, frames: Frames, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        headers = {"transfer-encoding": "chunked", "request-id": "req_loopback"} | dict(frames.headers)
        writer.write(_head(frames.status, headers))
        for piece in frames.pieces:
            if frames.pause_s:
                await self._pause(frames.pause_s, reader)
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
        if frames.ending is Ending.WHOLE:
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        await self._end(frames.ending, reader, writer)

    async def _end(self, ending: Ending, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        match ending:
            case Ending.WHOLE:
                return
            case Ending.HANG:
                await self._pause(None, reader)
            case Ending.RESET:
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            case Ending.CUT:
                pass
        raise HungUp

    async def _pause(self, seconds: float | None, reader: asyncio.StreamReader) -> None:
        """Wait; a client sends nothing in the meantime unless it leaves."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if not await reader.read(1):
                    self.left.set()
                raise HungUp


async def _read_request(reader: asyncio.StreamReader) -> Seen:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError as error:
        raise HungUp from error
    return Seen(first.partition(" ")[2].partition(" ")[0], headers, body)


def _head(status: int, headers: dict[str, str]) -> bytes:
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown"
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")

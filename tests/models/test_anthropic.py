"""Claude over the wire: what is sent, what comes back, and how a reply is left."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import httpx2
import pytest

from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
from agentcli.session.ports import (
    ReplyFinished,
    TextDelta,
)
from tests.loopback import Brain, Ending, Frames, Loopback, Reply, Silence, text
from tests.loopback.replies import EVENT_STREAM, sse
from tests.models.claude import FRAMES, KEY, SAID, claude, open_model, replies
from tests.models.making import blocks_of, collect, reply_of, request, user


async def test_the_messages_go_out_byte_for_byte() -> None:
    """What the conversation holds is not read again on its way out."""
    odd = b'{"role":"user",  "content":[{"type":"text","text":"1.50 \\u00e9"}]}'
    async with claude([SAID]) as (model, server):
        await collect(model, request(odd))
        assert odd in server.seen[0].body


async def test_the_request_asks_for_a_stream_with_the_key_as_the_sdk_sends_it() -> None:
    """Model, limit, stream, key and type of the body are what the Messages API wants."""
    async with claude([SAID]) as (model, server):
        await collect(model)
        seen = server.seen[0]
    assert (seen.json["model"], seen.json["max_tokens"], seen.json["stream"]) == ("claude-sonnet-5", 4096, True)
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["accept-encoding"] == "identity"


async def test_a_token_is_sent_where_there_is_no_key() -> None:
    """`ANTHROPIC_AUTH_TOKEN` alone is enough."""
    async with Loopback([SAID]) as server:
        connection = Connection(auth_token="token-0123456789", base_url=server.base_url)
        async with open_model(connection) as model:
            await collect(model)
        assert server.seen[0].headers["authorization"] == "Bearer token-0123456789"


async def test_a_conversation_with_calls_goes_on() -> None:
    """Calls, their results and further words make the next request, over the same connection."""
    async with claude(Brain()) as (model, server):
        asked = user("Add 300 for groceries, then delete expense 1.")
        first = await collect(model, request(asked))
        results = user(
            "thanks", results=[("toolu_00000001", {"status": "ok"}), ("toolu_00000002", {"status": "ok"})]
        )
        second = await collect(model, request(asked, reply_of(first), results))
        assert server.connections == 1
    assert first[-1] == ReplyFinished("tool_use", first[-1].usage, "req_loopback")  # type: ignore[union-attr]
    assert blocks_of(second) == [b'{"type":"text","text":"What came back: ok, ok."}']


async def test_proxies_are_not_used_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy in the environment never gets what is meant for a loopback address."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    for exceptions in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(exceptions, raising=False)
    (events,) = await replies(SAID)
    assert isinstance(events[-1], ReplyFinished)


async def test_a_reply_finishes_with_its_usage_and_request_id() -> None:
    """The service's counts and its id for the request are kept."""
    (events,) = await replies(SAID)
    assert isinstance(events[-1], ReplyFinished)
    assert (events[-1].usage.input_tokens, events[-1].usage.output_tokens) == (10, 5)
    assert events[-1].request_id == "req_loopback"


async def test_text_comes_as_it_is_sent() -> None:
    """The first words are there while the service still holds back the rest."""
    held_back = Reply(blocks=[text("one two three")], chunk=4, ending=Ending.HANG, cut_after=4)
    async with claude([held_back]) as (model, _), aclosing(model.reply(request())) as stream:
        assert await anext(stream) == TextDelta("one ")


async def test_a_connection_that_stays_open_behind_the_end_holds_nothing_up() -> None:
    """After its last event a reply is whole, whatever the service does with the connection."""
    (events,) = await replies(Reply(blocks=[text("x")], ending=Ending.HANG))
    assert isinstance(events[-1], ReplyFinished)


async def test_a_connection_that_breaks_behind_the_end_takes_nothing_away() -> None:
    """A reply that was whole stays whole."""
    (events,) = await replies(Reply(blocks=[text("x")], ending=Ending.CUT))
    assert isinstance(events[-1], ReplyFinished)


async def test_slow_bytes_are_a_reply_too() -> None:
    """Events may come in pieces of any size; none is lost or doubled."""
    body = b"".join(FRAMES)
    pieces = [body[start : start + 7] for start in range(0, len(body), 7)]
    (events,) = await replies(Frames(pieces))
    assert blocks_of(events) == [b'{"type":"text","text":"Your total is 340.00."}']


async def test_what_is_no_event_of_a_reply_is_passed_over() -> None:
    """Comments, events without a name, and whatever follows the end change nothing."""
    noise = [b": a comment\n\n", b"data: {}\n\n"]
    (events,) = await replies(Frames([*noise, *FRAMES, *noise, sse("ping")]))
    assert blocks_of(events) == [b'{"type":"text","text":"Your total is 340.00."}']
    assert isinstance(events[-1], ReplyFinished)


async def test_closing_a_reply_closes_its_connection() -> None:
    """The service sees at once that nobody listens any more."""
    async with claude([Frames(FRAMES[:4], ending=Ending.HANG)]) as (model, server):
        stream = model.reply(request())
        await anext(stream)
        await stream.aclose()
        await asyncio.wait_for(server.left.wait(), timeout=30)


async def test_cancelling_a_reply_closes_its_connection() -> None:
    """The same where the task that listens is cancelled."""
    heard = asyncio.Event()

    async def listen(model: AnthropicModel) -> None:
        async for _ in model.reply(request()):
            heard.set()

    async with claude([Frames(FRAMES[:4], ending=Ending.HANG)]) as (model, server):
        task = asyncio.ensure_future(listen(model))
        await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.left.wait(), timeout=30)


class Pieces(httpx2.AsyncByteStream):
    """A body that knows whether it was closed."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = pieces
        self.is_closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece

    async def aclose(self) -> None:
        self.is_closed = True


def answering(body: Pieces, status: int = 200) -> httpx2.MockTransport:
    return httpx2.MockTransport(lambda _: httpx2.Response(status, headers=EVENT_STREAM, stream=body))


async def test_a_reply_that_was_left_is_closed_by_then() -> None:
    """The connection is not left to be closed whenever somebody tidies up."""
    body = Pieces(*FRAMES)
    async with open_model(Connection(api_key=KEY), transport=answering(body)) as model:
        stream = model.reply(request())
        await anext(stream)
        assert not body.is_closed
        await stream.aclose()
        assert body.is_closed


@pytest.mark.parametrize("status", [200, 500])
async def test_a_reply_that_is_too_large_is_closed_by_then(status: int) -> None:
    """The same where the reply was not read to its end because of its size."""
    body = Pieces(*[b"event: ping\ndata: %b\n\n" % (b"x" * 1_000_000)] * 34)
    async with open_model(Connection(api_key=KEY), transport=answering(body, status)) as model:
        await collect(model)
        assert body.is_closed


async def test_closing_the_model_closes_its_connections() -> None:
    """A connection that is kept for the next request does not outlive the model."""
    async with claude([SAID]) as (model, server):
        await collect(model)
        assert server.open_connections == 1
        await model.close()
        async with asyncio.timeout(30):
            while server.open_connections:
                await asyncio.sleep(0.01)


async def test_waiting_for_an_answer_can_be_cancelled() -> None:
    """A service that never answers holds nobody."""
    async with claude([Silence()]) as (model, server):
        task = asyncio.ensure_future(collect(model))
        while not server.seen:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.left.wait(), timeout=30)


async def test_closing_a_model_that_was_never_used_is_nothing() -> None:
    """There is nothing to close where nothing was opened."""
    await AnthropicModel("claude-sonnet-5", Connection(api_key=KEY)).close()


async def test_a_reply_does_not_wait_for_a_person_to_preload() -> None:
    """The client is built once, by whoever needs it first."""
    async with claude([SAID, SAID]) as (model, _):
        both = await asyncio.gather(asyncio.to_thread(model.preload), collect(model), collect(model))
        assert all(isinstance(events[-1], ReplyFinished) for events in both[1:])

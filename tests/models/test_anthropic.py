"""Claude over the wire: what is sent, what counts as a reply, and what everything else is."""

import asyncio
import gc
import socket
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

import httpx2
import pytest

from agentcli.models import sdk
from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
from agentcli.session.ports import (
    FailureKind,
    ModelEvent,
    ReplyFailed,
    ReplyFinished,
    TextDelta,
)
from tests.loopback import Answer, Brain, Ending, Frames, Loopback, Reply, Silence, text
from tests.loopback.replies import EVENT_STREAM, Scripted, error, sse, sse_events
from tests.models.making import blocks_of, collect, reply_of, request, user

KEY = "sk-ant-canary-0123456789"

SAID = Reply(blocks=[text("Your total is 340.00.")])
FRAMES = list(sse_events(SAID))


def model_at(base_url: str, **changed: Any) -> AnthropicModel:
    return AnthropicModel("claude-sonnet-5", Connection(api_key=KEY, base_url=base_url), **changed)


async def replies(*answers: Scripted, silence_s: float = 5.0) -> list[list[ModelEvent]]:
    """What comes back when the service gives these answers, one after the other."""
    async with Loopback(answers) as server:
        model = model_at(server.base_url, silence_s=silence_s)
        events = [await collect(model) for _ in answers]
        await model.close()
        server.assert_finished()
        return events


async def failure(answer: Scripted, silence_s: float = 5.0) -> ReplyFailed:
    (events,) = await replies(answer, silence_s=silence_s)
    assert isinstance(events[-1], ReplyFailed)
    return events[-1]


# What is sent


async def test_the_messages_go_out_byte_for_byte() -> None:
    """What the conversation holds is not read again on its way out."""
    odd = b'{"role":"user",  "content":[{"type":"text","text":"1.50 \\u00e9"}]}'
    async with Loopback([SAID]) as server:
        await collect(model_at(server.base_url), request(odd))
        assert odd in server.seen[0].body


async def test_the_request_asks_for_a_stream_with_the_key_as_the_sdk_sends_it() -> None:
    """Model, limit, stream, key and type of the body are what the Messages API wants."""
    async with Loopback([SAID]) as server:
        await collect(model_at(server.base_url))
        seen = server.seen[0]
    assert (seen.json["model"], seen.json["max_tokens"], seen.json["stream"]) == ("claude-sonnet-5", 4096, True)
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["content-type"] == "application/json"


async def test_a_token_is_sent_where_there_is_no_key() -> None:
    """`ANTHROPIC_AUTH_TOKEN` alone is enough."""
    async with Loopback([SAID]) as server:
        connection = Connection(auth_token="token-0123456789", base_url=server.base_url)
        await collect(AnthropicModel("claude-sonnet-5", connection))
        assert server.seen[0].headers["authorization"] == "Bearer token-0123456789"


async def test_a_conversation_with_calls_goes_on() -> None:
    """Calls, their results and further words make the next request, over the same connection."""
    async with Loopback(Brain()) as server:
        model = model_at(server.base_url)
        asked = user("Add 300 for groceries, then delete expense 1.")
        first = await collect(model, request(asked))
        results = user(
            "thanks", results=[("toolu_00000001", {"status": "ok"}), ("toolu_00000002", {"status": "ok"})]
        )
        second = await collect(model, request(asked, reply_of(first), results))
        await model.close()
        assert server.connections == 1
    assert first[-1] == ReplyFinished("tool_use", first[-1].usage, "req_loopback")  # type: ignore[union-attr]
    assert blocks_of(second) == [b'{"type":"text","text":"What came back: ok, ok."}']


async def test_proxies_are_not_used_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy in the environment never gets what is meant for a loopback address."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    (events,) = await replies(SAID)
    assert isinstance(events[-1], ReplyFinished)


# What counts as a reply


async def test_a_reply_finishes_with_its_usage_and_request_id() -> None:
    """The service's counts and its id for the request are kept."""
    (events,) = await replies(SAID)
    assert isinstance(events[-1], ReplyFinished)
    assert (events[-1].usage.input_tokens, events[-1].usage.output_tokens) == (10, 5)
    assert events[-1].request_id == "req_loopback"


async def test_text_comes_as_it_is_sent() -> None:
    """The first words are there while the service still holds back the rest."""
    async with (
        Loopback([Reply(blocks=[text("one two three")], chunk=4, ending=Ending.HANG, cut_after=4)]) as server,
        aclosing(model_at(server.base_url).reply(request())) as stream,
    ):
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


NO_REPLY: Mapping[str, tuple[Scripted, FailureKind]] = {
    "HTML with 200": (
        Answer(200, b"<html>Welcome to the hotel</html>", {"content-type": "text/html"}),
        FailureKind.MALFORMED,
    ),
    "JSON with 200": (Answer(200, b'{"type":"message","content":[]}'), FailureKind.MALFORMED),
    "no type": (Answer(200, b"", {}), FailureKind.MALFORMED),
    "events as another type": (Frames(FRAMES, headers={"content-type": "text/plain"}), FailureKind.MALFORMED),
    "an empty stream": (Answer(200, b"", EVENT_STREAM), FailureKind.CUT_OFF),
    "only pings": (Frames([sse("ping")]), FailureKind.CUT_OFF),
    "no end": (Frames(FRAMES[:-1]), FailureKind.CUT_OFF),
    "a cut stream": (Frames(FRAMES[:4], ending=Ending.CUT), FailureKind.CUT_OFF),
    "a torn connection": (Frames(FRAMES[:4], ending=Ending.RESET), FailureKind.CUT_OFF),
    "silence in the middle": (Frames(FRAMES[:4], ending=Ending.HANG), FailureKind.CUT_OFF),
    "broken JSON": (Frames([*FRAMES[:4], b"event: message_delta\ndata: {broken\n\n"]), FailureKind.MALFORMED),
    "bytes that are not UTF-8": (Frames([*FRAMES[:4], b"event: x\ndata: \xff\n\n"]), FailureKind.MALFORMED),
    "a block out of nowhere": (Frames([FRAMES[0], FRAMES[3]]), FailureKind.MALFORMED),
    "no answer": (Silence(), FailureKind.UNREACHABLE),
    "a connection closed at once": (Silence(Ending.CUT), FailureKind.UNREACHABLE),
    "an error page that never ends": (
        Frames([b"{"], status=529, headers={"content-type": "application/json"}, ending=Ending.HANG),
        FailureKind.CUT_OFF,
    ),
}


@pytest.mark.parametrize(("answer", "kind"), NO_REPLY.values(), ids=NO_REPLY.keys())
async def test_what_is_no_whole_reply_is_a_failure(answer: Scripted, kind: FailureKind) -> None:
    """Only a stream of events with a beginning and an end counts; all else can be tried again."""
    failed = await failure(answer, silence_s=0.3)
    assert failed.failure is kind
    assert failed.failure.retryable
    assert "127.0.0.1" in failed.text


STATUSES = [
    (400, "invalid_request_error", FailureKind.REJECTED),
    (401, "authentication_error", FailureKind.UNAUTHORIZED),
    (402, "billing_error", FailureKind.REJECTED),
    (403, "permission_error", FailureKind.UNAUTHORIZED),
    (404, "not_found_error", FailureKind.REJECTED),
    (413, "request_too_large", FailureKind.REJECTED),
    (429, "rate_limit_error", FailureKind.OVERLOADED),
    (500, "api_error", FailureKind.OVERLOADED),
    (502, "api_error", FailureKind.UNREACHABLE),
    (504, "timeout_error", FailureKind.UNREACHABLE),
    (529, "overloaded_error", FailureKind.OVERLOADED),
]


@pytest.mark.parametrize(("status", "error_type", "kind"), STATUSES)
async def test_an_error_response_is_a_failure_with_its_status(
    status: int, error_type: str, kind: FailureKind
) -> None:
    """The status decides; it and the service's own word for it are in the text, and so is its id."""
    failed = await failure(error(status, error_type, "Anything may stand here."))
    assert (failed.failure, failed.status, failed.request_id) == (kind, status, "req_loopback")
    assert f"{status}, {error_type}" in failed.text


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"error":"x"}', b'{"error":{"type":7}}', b"\xff"])
async def test_an_error_response_with_any_body_is_a_failure(body: bytes) -> None:
    """Nothing in the body of an error can make it worse."""
    assert (await failure(Answer(503, body))).failure is FailureKind.OVERLOADED


@pytest.mark.parametrize(
    ("name", "value", "seconds"), [("retry_after", "7", 7.0), ("retry_after_ms", "250", 0.25)]
)
async def test_the_wish_to_wait_is_passed_on(name: str, value: str, seconds: float) -> None:
    """The service may say after how long to try again."""
    failed = await failure(error(429, "rate_limit_error", "slow down", **{name: value}))
    assert failed.retry_after_s == seconds


IN_THE_STREAM = [
    ("overloaded_error", FailureKind.OVERLOADED),
    ("rate_limit_error", FailureKind.OVERLOADED),
    ("authentication_error", FailureKind.UNAUTHORIZED),
    ("invalid_request_error", FailureKind.REJECTED),
    ("something_new", FailureKind.CUT_OFF),
]


@pytest.mark.parametrize(("error_type", "kind"), IN_THE_STREAM)
async def test_an_error_in_the_middle_of_a_reply_goes_by_its_type(error_type: str, kind: FailureKind) -> None:
    """A stream that began well may end in an error, whose type says what it is."""
    broken = sse("error", error={"type": error_type, "message": "Overloaded"})
    failed = await failure(Frames([*FRAMES[:4], broken]))
    assert failed.failure is kind


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_no_redirect_is_followed(status: int) -> None:
    """The conversation goes to the address that was configured, and nowhere else."""
    async with Loopback([SAID]) as elsewhere:
        target = {"location": f"{elsewhere.base_url}/v1/messages"}
        failed = await failure(Answer(status, b"", target))
        assert not elsewhere.seen
    assert failed.failure is FailureKind.REJECTED
    assert "redirect" in failed.text


async def test_nobody_listening_is_unreachable() -> None:
    """A closed port is a failure that can be tried again."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    (end,) = await collect(model_at(f"http://127.0.0.1:{port}"))
    assert isinstance(end, ReplyFailed)
    assert end.failure is FailureKind.UNREACHABLE


async def test_a_reply_larger_than_the_cap_is_not_read() -> None:
    """More than 32 MB is no reply, whether it comes as events or as an error."""
    large = b"event: ping\ndata: %b\n\n" % (b"x" * 1_000_000)
    assert 34 * len(large) > sdk.REPLY_LIMIT_BYTES
    for status in (200, 500):
        failed = await failure(Frames([large] * 34, status=status))
        assert failed.failure is FailureKind.MALFORMED
        assert "32 MB" in failed.text


# What goes wrong before anything is sent


async def test_no_key_is_said_and_nothing_is_sent() -> None:
    """Without a key the failure names the variables, and the model that needs none."""
    async with Loopback([]) as server:
        (end,) = await collect(AnthropicModel("claude-sonnet-5", Connection(base_url=server.base_url)))
        assert not server.seen
    assert isinstance(end, ReplyFailed)
    assert end.failure is FailureKind.UNAUTHORIZED
    assert "ANTHROPIC_API_KEY" in end.text
    assert "--model offline" in end.text


def unusual_transport(error: Exception) -> httpx2.MockTransport:
    def respond(_: httpx2.Request) -> httpx2.Response:
        raise error

    return httpx2.MockTransport(respond)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ConnectError("no route to sk-ant-canary-0123456789"), FailureKind.UNREACHABLE),
        (httpx2.ConnectTimeout("x"), FailureKind.UNREACHABLE),
        (httpx2.ReadError("x"), FailureKind.UNREACHABLE),
        (httpx2.ProxyError("407"), FailureKind.UNREACHABLE),
        (OSError("x"), FailureKind.UNREACHABLE),
        (httpx2.LocalProtocolError("Illegal header value"), FailureKind.REJECTED),
        (httpx2.UnsupportedProtocol("x"), FailureKind.REJECTED),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
async def test_errors_of_the_transport_are_failures(error: Exception, kind: FailureKind) -> None:
    """Whatever keeps a request from getting through is a failure, not an exception."""
    (end,) = await collect(model_at("https://api.example.test", transport=unusual_transport(error)))
    assert isinstance(end, ReplyFailed)
    assert end.failure is kind
    assert KEY not in end.text


async def test_a_connection_that_cannot_be_set_up_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that is none is said when a reply is wanted, and not as an exception in the background."""
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1:9")
    model = model_at("https://api.example.test")
    model.preload()
    (end,) = await collect(model)
    assert isinstance(end, ReplyFailed)
    assert end.failure is FailureKind.REJECTED


# Secrets


async def test_the_key_is_in_no_text() -> None:
    """A service that says the key back does not get it onto a screen."""
    for status in (400, 403, 529):
        failed = await failure(error(status, "invalid_request_error", f"bad key {KEY} for you"))
        assert KEY not in repr(failed)


async def test_the_key_of_an_error_in_the_stream_is_struck_out_too() -> None:
    """The same in the middle of a reply."""
    broken = sse("error", error={"type": "invalid_request_error", "message": f"bad key {KEY}"})
    failed = await failure(Frames([*FRAMES[:4], broken]))
    assert "bad key [secret]" in failed.text


async def test_the_key_is_in_no_request_id() -> None:
    """A response header is words from outside like any others."""
    headers = {**EVENT_STREAM, "request-id": KEY}
    for answer in (
        Frames(FRAMES, headers=headers),
        Answer(500, b"", headers),
        Frames(FRAMES[:2], headers=headers),
    ):
        (events,) = await replies(answer)
        assert events[-1].request_id == "[secret]"  # type: ignore[union-attr]


# Leaving


async def test_closing_a_reply_closes_its_connection() -> None:
    """The service sees at once that nobody listens any more."""
    async with Loopback([Frames(FRAMES[:4], ending=Ending.HANG)]) as server:
        stream = model_at(server.base_url).reply(request())
        await anext(stream)
        await stream.aclose()
        await asyncio.wait_for(server.left.wait(), timeout=2)


async def test_cancelling_a_reply_closes_its_connection() -> None:
    """The same where the task that listens is cancelled."""
    heard = asyncio.Event()

    async def listen(model: AnthropicModel) -> None:
        async for _ in model.reply(request()):
            heard.set()

    async with Loopback([Frames(FRAMES[:4], ending=Ending.HANG)]) as server:
        task = asyncio.ensure_future(listen(model_at(server.base_url)))
        await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.left.wait(), timeout=2)


async def test_waiting_for_an_answer_can_be_cancelled() -> None:
    """A service that never answers holds nobody."""
    async with Loopback([Silence()]) as server:
        model = model_at(server.base_url)
        task = asyncio.ensure_future(collect(model))
        while not server.seen:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.left.wait(), timeout=2)
        await model.close()


# Getting ready


async def test_preloading_leaves_the_collector_as_it_was() -> None:
    """The import in the background is not interrupted by collections, and what was off stays off."""
    model = model_at("http://127.0.0.1:9")
    await asyncio.to_thread(model.preload)
    assert gc.isenabled()
    gc.disable()
    try:
        model_at("http://127.0.0.1:9").preload()
        assert not gc.isenabled()
    finally:
        gc.enable()


async def test_closing_a_model_that_was_never_used_is_nothing() -> None:
    """There is nothing to close where nothing was opened."""
    await model_at("http://127.0.0.1:9").close()


async def test_a_reply_does_not_wait_for_a_person_to_preload() -> None:
    """The client is built once, by whoever needs it first."""
    async with Loopback([SAID, SAID]) as server:
        model = model_at(server.base_url)
        both = await asyncio.gather(asyncio.to_thread(model.preload), collect(model), collect(model))
        assert all(isinstance(events[-1], ReplyFinished) for events in both[1:])
        await model.close()

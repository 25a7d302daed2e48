"""Claude over the wire: what is no whole reply is a failure in words, and no secret is in them."""

import socket
from collections.abc import Mapping

import httpx2
import pytest

from agentcli.models import sdk
from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
from agentcli.session.ports import (
    FailureKind,
    ReplyFailed,
)
from tests.loopback import Answer, Ending, Frames, Loopback, Silence
from tests.loopback.replies import EVENT_STREAM, Scripted, error, sse
from tests.models.claude import FRAMES, KEY, SAID, claude, failure, open_model, replies
from tests.models.making import collect

NO_REPLY: Mapping[str, tuple[Scripted, FailureKind]] = {
    "no type": (Answer(200, b"", {}), FailureKind.MALFORMED),
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


HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            Answer(200, b"<html>\n  Welcome to the hotel</html>", HTML),
            "text/html and not with a stream of events, beginning “<html> Welcome to the hotel</html>”.",
        ),
        (Answer(200, b"x" * 70, HTML), f"beginning “{'x' * 60} …”."),
        (Answer(200, b"\xff\x1b[2J", HTML), "beginning “\ufffd\x1b[2J”."),
        (Answer(200, b"", HTML), "text/html and not with a stream of events."),
        (Answer(200, b'{"type":"message"}'), "application/json and not with a stream of events"),
        (Frames(FRAMES, headers={"content-type": "text/plain"}), "with text/plain and not with a stream"),
        (Frames([], headers=HTML, ending=Ending.HANG), "text/html and not with a stream of events."),
        (Frames([], headers=HTML, ending=Ending.RESET), "text/html and not with a stream of events."),
    ],
    ids=[
        "a page",
        "a long page",
        "bytes",
        "nothing",
        "json",
        "events as plain text",
        "silence",
        "a torn connection",
    ],
)
async def test_who_answers_well_with_something_else_is_not_asked_again(answer: Scripted, told: str) -> None:
    """A good answer of another type is no hiccup but the wrong address: what came is said, and nothing is retried."""
    failed = await failure(answer)
    assert failed.failure is FailureKind.REJECTED
    assert not failed.failure.retryable
    assert failed.text.startswith("127.0.0.1")
    assert told in failed.text
    assert failed.text.endswith("Set ANTHROPIC_BASE_URL to the right address.")


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
    async with open_model(Connection(api_key=KEY, base_url=f"http://127.0.0.1:{port}")) as model:
        (end,) = await collect(model)
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


async def test_no_key_is_said_and_nothing_is_sent() -> None:
    """Without a key the failure names the variables, and the model that needs none."""
    async with Loopback([]) as server:
        (end,) = await collect(AnthropicModel("claude-sonnet-5", Connection(base_url=server.base_url)))
        assert not server.seen
    assert isinstance(end, ReplyFailed)
    assert end.failure is FailureKind.UNAUTHORIZED
    assert "ANTHROPIC_API_KEY" in end.text
    assert "--model offline" in end.text


ELSEWHERE = Connection(api_key=KEY, base_url="https://api.example.test")


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
    async with open_model(ELSEWHERE, transport=unusual_transport(error)) as model:
        (end,) = await collect(model)
    assert isinstance(end, ReplyFailed)
    assert end.failure is kind
    assert KEY not in end.text


async def test_a_connection_that_cannot_be_set_up_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that is none is said when a reply is wanted, and not as an exception in the background."""
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1:9")
    async with open_model(ELSEWHERE) as model:
        model.preload()
        (end,) = await collect(model)
    assert isinstance(end, ReplyFailed)
    assert end.failure is FailureKind.REJECTED


async def test_a_header_that_can_not_be_sent_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment adds to a request may make it impossible to send."""
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-\N{SNOWMAN}: on")
    async with claude([]) as (model, _):
        (end,) = await collect(model)
    assert isinstance(end, ReplyFailed)
    assert end.failure is FailureKind.REJECTED
    assert "ANTHROPIC_CUSTOM_HEADERS" in end.text


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

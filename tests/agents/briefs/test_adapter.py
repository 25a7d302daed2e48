"""Whatever a server does, the adapter comes back in time, with facts of the transport and nothing else."""

import asyncio
import gzip
import ssl
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentcli.agents.briefs.adapter import Answer, Disruption, Way, post
from agentcli.problems import MAX_BODY_BYTES
from tests.agents.briefs.hostile import PROBLEM, PROSE, SECRET, Behaviour, Hostile, goes_on, head, response, says

TIMEOUT_S = 1.5
SLACK_S = 10.0  # what a busy machine may take on top
TYPE = "application/problem+json"
BODY = b'{"type":"about:blank"}'
BRIEF = b'{"brief_id":"V-1"}'

CERTIFICATE = Path(__file__).with_name("self_signed.pem")


def a_way(url: str, **more: Any) -> Way:
    return Way(url=f"{url}/briefs", **{"timeout_s": TIMEOUT_S, **more})


async def meet(behaviour: Behaviour, **more: Any) -> tuple[Answer | Disruption, Hostile]:
    """What the adapter makes of a server, which it asks once, whatever that does, and leaves in time."""
    async with Hostile(behaviour) as server:
        async with asyncio.timeout(2 * TIMEOUT_S + SLACK_S):
            answer = await post(a_way(server.url, **more), BRIEF)
        assert server.connections == 1
        return answer, server


def chunked(*chunks: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)


CHUNKED = "Transfer-Encoding: chunked"
FLOOD = b"x" * 65_536
FULL = b"x" * (MAX_BODY_BYTES + 1)

ANSWERS = [
    pytest.param(says(response(BODY)), Answer(422, TYPE, BODY), id="sized"),
    pytest.param(says(head(422, PROBLEM) + BODY), Answer(422, TYPE, BODY), id="ended-by-closing"),
    pytest.param(says(head(422, PROBLEM, CHUNKED) + chunked(BODY[:5], BODY[5:], b"")), Answer(422, TYPE, BODY), id="in-chunks"),
    pytest.param(says(response(FULL[:-1])), Answer(422, TYPE, FULL[:-1]), id="at-the-cap"),
    pytest.param(says(response(FULL)), Answer(422, TYPE, FULL), id="over-the-cap"),
    pytest.param(goes_on(head(422, PROBLEM), FLOOD), Answer(422, TYPE, FULL), id="a-flood"),
    pytest.param(goes_on(head(422, PROBLEM, "Content-Length: 999999999999"), FLOOD), Answer(422, TYPE, FULL), id="a-sized-flood"),
    pytest.param(goes_on(head(422, PROBLEM, CHUNKED), chunked(FLOOD)), Answer(422, TYPE, FULL), id="a-flood-in-chunks"),
    pytest.param(goes_on(head(422, PROBLEM), b"x", 0.05), Answer(422, TYPE), id="a-drip"),
    pytest.param(goes_on(head(422, PROBLEM, CHUNKED) + chunked(BODY) + b"0\r\n", b"X: y\r\n", 0.05), Answer(422, TYPE), id="a-drip-behind-the-body"),
    pytest.param(goes_on(head(422, PROBLEM, CHUNKED) + b"2;", b"x" * 1_000), Answer(422, TYPE), id="a-chunk-that-never-begins"),
    pytest.param(says(head(422, PROBLEM), 30.0), Answer(422, TYPE), id="headers-and-silence"),
    pytest.param(says(head(422, PROBLEM, "Content-Length: 99") + BODY), Answer(422, TYPE), id="shorter-than-it-says"),
    pytest.param(says(head(422, PROBLEM, "Content-Length: 99") + BODY, None), Answer(422, TYPE), id="torn-down-in-the-body"),
    pytest.param(says(head(422, PROBLEM, CHUNKED) + b"zz\r\n"), Answer(422, TYPE), id="a-bad-chunk"),
    # the content type
    pytest.param(says(response(BODY, fields=[])), Answer(422, None, BODY), id="no-content-type"),
    pytest.param(says(response(BODY, fields=[PROBLEM, PROBLEM])), Answer(422, None, BODY), id="two-content-types"),
    pytest.param(says(response(BODY, fields=[PROBLEM + ";a", "Content-Type: text/html"])), Answer(422, None, BODY), id="two-that-differ"),
    pytest.param(says(response(BODY, fields=["Content-Type: text/html"])), Answer(422, "text/html", BODY), id="another-content-type"),
    # compression that nobody asked for
    pytest.param(says(response(gzip.compress(b" " * 10_000_000), fields=[PROBLEM, "Content-Encoding: gzip"])), Answer(422, TYPE), id="a-bomb"),
    pytest.param(says(response(BODY, fields=[PROBLEM, "Content-Encoding: gzip"])), Answer(422, TYPE), id="only-said-to-be-compressed"),
    pytest.param(says(response(BODY, fields=[PROBLEM, "Content-Encoding: Identity"])), Answer(422, TYPE, BODY), id="said-not-to-be-compressed"),
    # the status
    pytest.param(says(head(100) + head(103, f"Link: <{PROSE}>") + response(BODY)), Answer(422, TYPE, BODY), id="informed-before"),
    pytest.param(says(head(304)), Answer(304, None, b""), id="not-modified"),
    pytest.param(says(response(BODY, 599)), Answer(599, TYPE, BODY), id="599"),
    pytest.param(says(response(BODY, 999)), Answer(999, TYPE, BODY), id="999"),
    # success
    pytest.param(says(response(BODY, 200)), Answer(200, TYPE), id="200"),
    pytest.param(says(head(204)), Answer(204, None), id="204"),
    pytest.param(says(response(BODY, 299)), Answer(299, TYPE), id="299"),
    pytest.param(goes_on(head(201), FLOOD), Answer(201, None), id="201-and-a-flood"),
    pytest.param(says(head(201), 30.0), Answer(201, None), id="201-and-silence"),
    pytest.param(says(head(201, "Content-Length: 99"), None), Answer(201, None), id="201-torn-down"),
]  # fmt: skip


@pytest.mark.parametrize(("behaviour", "expected"), ANSWERS)
async def test_what_counts_is_the_transport_s(behaviour: Behaviour, expected: Answer) -> None:
    """Status, one content type, and a body that came whole and as it is, or none; of a success no body at all."""
    answer, _ = await meet(behaviour)
    assert answer == expected


@pytest.mark.parametrize(("status", "is_success"), [(199, False), (200, True), (299, True), (300, False)])
def test_every_2xx_is_a_success(status: int, is_success: bool) -> None:
    """And nothing else is."""
    assert Answer(status, None).is_success is is_success


DISRUPTIONS = [
    pytest.param(says(), Disruption.INVALID_RESPONSE, id="closed-at-once"),
    pytest.param(says(None), Disruption.INVALID_RESPONSE, id="torn-down-at-once"),
    pytest.param(says(head()[:20]), Disruption.INVALID_RESPONSE, id="closed-in-the-headers"),
    pytest.param(says(head()[:20], 30.0), Disruption.TIMED_OUT, id="silent-in-the-headers"),
    pytest.param(says(30.0), Disruption.TIMED_OUT, id="silent"),
    pytest.param(goes_on(b"HTTP/1.1 422 x\r\nX: ", b"x", 0.05), Disruption.TIMED_OUT, id="headers-that-drip"),
    pytest.param(goes_on(b"", head(100), 0.01), Disruption.TIMED_OUT, id="information-for-ever"),
    pytest.param(goes_on(b"HTTP/1.1 422 x\r\n", b"X: " + FLOOD + b"\r\n"), Disruption.INVALID_RESPONSE, id="headers-for-ever"),
    pytest.param(goes_on(b"HTTP/1.1 422 ", FLOOD), Disruption.INVALID_RESPONSE, id="a-reason-for-ever"),
    pytest.param(says(f"SSH-2.0-{PROSE}\r\n".encode()), Disruption.INVALID_RESPONSE, id="another-protocol"),
    pytest.param(says(f"<html>{PROSE}".encode()), Disruption.INVALID_RESPONSE, id="no-headers"),
    pytest.param(says(head(101, "Upgrade: x") + BODY), Disruption.INVALID_RESPONSE, id="another-protocol-from-here-on"),
    pytest.param(says(response(BODY, 1000)), Disruption.INVALID_RESPONSE, id="status-of-four-digits"),
    pytest.param(says(b"HTTP/1.1 +42 x\r\n\r\n"), Disruption.INVALID_RESPONSE, id="status-with-a-sign"),
    pytest.param(says(head(422, "Content-Length: 2", "Content-Length: 3") + b"{}"), Disruption.INVALID_RESPONSE, id="two-lengths"),
    pytest.param(says(head(422, "Transfer-Encoding: gzip, chunked")), Disruption.INVALID_RESPONSE, id="compressed-on-the-way"),
]  # fmt: skip


@pytest.mark.parametrize(("behaviour", "expected"), DISRUPTIONS)
async def test_without_an_answer_nobody_knows_what_happened(behaviour: Behaviour, expected: Disruption) -> None:
    """The brief went out and no usable answer came: the reason is a code of ours, and the API may have it."""
    answer, server = await meet(behaviour)
    assert answer is expected
    assert answer.sent
    assert len(server.requests) == 1


NOBODY_THERE = [
    pytest.param("http://127.0.0.1:1", id="a-closed-port"),
    pytest.param("https://127.0.0.1:1", id="a-closed-port-with-tls"),
    pytest.param("http://127.0.0.1:99999", id="a-port-that-is-none"),
]


@pytest.mark.parametrize("url", NOBODY_THERE)
async def test_where_nobody_is_nothing_was_sent(url: str) -> None:
    """Then it surely did not happen, and may be tried again."""
    answer = await post(a_way(url), BRIEF)
    assert answer is Disruption.CONNECT_FAILED
    assert not answer.sent


async def test_a_server_that_does_not_get_round_to_tls_gets_nothing() -> None:
    """Connecting is bounded as well, and the brief waits for the end of it."""

    async with Hostile(goes_on(b"", b"", 30.0), reads_first=False) as server:
        answer = await post(a_way(server.url.replace("http", "https")), BRIEF)
    assert answer is Disruption.CONNECT_TIMED_OUT
    assert not answer.sent


async def test_one_post_and_nothing_but_the_brief() -> None:
    """It is said what is wanted: no compression, and no connection beyond the answer."""
    _, server = await meet(says(response(BODY)))
    (request,) = server.requests
    top, _, body = request.partition(b"\r\n\r\n")
    first, *fields = top.lower().decode().split("\r\n")
    assert (first, body) == ("post /briefs http/1.1", BRIEF)
    names = {name: value.strip() for name, _, value in (field.partition(":") for field in fields)}
    assert (names["accept-encoding"], names["connection"], names["content-type"]) == (
        "identity", "close", "application/json",
    )  # fmt: skip
    assert not names.keys() & {"cookie", "authorization", "proxy-authorization", "referer"}


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
async def test_no_redirect_is_followed(status: int) -> None:
    """Where the answer points to is never asked, on this port or another."""
    async with Hostile(says(response(BODY, 201))) as elsewhere:
        answer, server = await meet(says(response(BODY, status, [PROBLEM, f"Location: {elsewhere.url}/briefs"])))
        assert answer == Answer(status, TYPE, BODY)
        assert (len(server.requests), elsewhere.connections) == (1, 0)


LOCATIONS = [
    "//[",
    "http://[::1",
    "javascript:x",
    "http://h:99999999/",
    "http://" + "a" * 300,
    "ÿþ",
    "",
    "x" * 9_000,
]


@pytest.mark.parametrize("location", LOCATIONS, ids=range(len(LOCATIONS)))
async def test_a_broken_address_breaks_nothing(location: str) -> None:
    """It is not even looked at."""
    answer, _ = await meet(says(head(302, f"Location: {location}", "Content-Length: 0")))
    assert answer == Answer(302, None, b"")


async def test_no_other_address_in_an_answer_is_asked() -> None:
    """Type, instance, links and refreshes stay text."""
    async with Hostile(says(response(BODY))) as elsewhere:
        at = elsewhere.url
        body = msgspec.json.encode({"type": at, "instance": at, "detail": at})
        fields = [
            PROBLEM,
            f"Link: <{at}>; rel=preload",
            f"Refresh: 0; url={at}",
            f"Content-Location: {at}",
            f'Alt-Svc: h2="{at}"',
        ]
        answer, _ = await meet(says(response(body, fields=fields)))
        assert answer == Answer(422, TYPE, body)
        assert elsewhere.connections == 0


async def test_nothing_is_remembered_for_the_next_time() -> None:
    """A cookie that a server hands out never comes back to it."""
    async with Hostile(says(response(BODY, fields=[PROBLEM, f"Set-Cookie: t={SECRET}; Path=/"]))) as server:
        for _ in range(2):
            await post(a_way(server.url), BRIEF)
        assert len(server.requests) == 2
        assert SECRET.encode() not in b"".join(server.requests)


async def test_a_server_that_answers_without_reading_is_heard() -> None:
    """What it says counts, whether it took the brief or not."""
    async with Hostile(says(response(BODY, 413), 5.0), reads_first=False) as server:
        assert await post(a_way(server.url), BRIEF) == Answer(413, TYPE, BODY)


PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY")


@pytest.fixture
def no_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_exceptions")
@pytest.mark.parametrize(("proxy", "met_proxy"), [(False, 0), (True, 1)])
async def test_the_environment_s_proxies_only_if_wanted(
    monkeypatch: pytest.MonkeyPatch, proxy: bool, met_proxy: int
) -> None:
    """A variable that somebody set does not decide where a brief goes, unless the config says so."""
    async with Hostile(says(response(BODY, 201))) as between, Hostile(says(response(BODY, 409))) as server:
        for name in PROXIES:
            monkeypatch.setenv(name, between.url)
        answer = await post(a_way(server.url, proxy=proxy), BRIEF)
        assert isinstance(answer, Answer)
        assert answer.status == (201 if proxy else 409)
        assert (between.connections, server.connections) == (met_proxy, 1 - met_proxy)


@pytest.mark.usefixtures("no_exceptions")
async def test_a_proxy_that_refuses_has_passed_nothing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tunnel that was not dug carried no brief."""
    async with Hostile(says(response(PROSE.encode(), 403)), reads_first=False) as between:
        for name in ("HTTPS_PROXY", "https_proxy"):
            monkeypatch.setenv(name, between.url)
        answer = await post(a_way("https://127.0.0.1:1", proxy=True), BRIEF)
    assert answer is Disruption.CONNECT_FAILED


@pytest.mark.usefixtures("no_exceptions")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("ALL_PROXY", f"gopher://user:{SECRET}@127.0.0.1:9", id="a-proxy-of-no-known-kind"),
        pytest.param("SSL_CERT_FILE", f"/nowhere/{SECRET}.pem", id="certificates-that-are-not-there"),
    ],
)
async def test_an_environment_that_can_t_be_used_sends_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """What is wrong with it is not told, as it may hold a password."""
    monkeypatch.setenv(name, value)
    answer = await post(a_way("http://127.0.0.1:1", proxy=True), BRIEF)
    assert answer is Disruption.CLIENT_UNUSABLE
    assert not answer.sent


def tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


@pytest.mark.parametrize(
    ("trusted", "expected"), [(False, Disruption.CONNECT_FAILED), (True, Answer(422, TYPE, BODY))]
)
async def test_a_certificate_that_nobody_vouches_for_gets_nothing(
    monkeypatch: pytest.MonkeyPatch, trusted: bool, expected: Answer | Disruption
) -> None:
    """TLS is verified: the same server is heard only where its certificate is trusted."""
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    async with Hostile(says(response(BODY)), tls=tls()) as server:
        assert await post(a_way(server.url, proxy=trusted, timeout_s=5.0), BRIEF) == expected
        assert len(server.requests) == trusted


async def test_a_flood_is_left_and_not_swallowed() -> None:
    """No more is taken than the connection's own buffers hold."""
    async with Hostile(goes_on(head(422, PROBLEM), FLOOD)) as server:
        await post(a_way(server.url), BRIEF)
        async with asyncio.timeout(30):
            await server.left.wait()
        assert server.sent_bytes < 10_000_000

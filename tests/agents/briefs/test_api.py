"""The API inside agentcli answers over real HTTP, differently to each brief of the sample, and keeps nothing."""

import asyncio
import socket
import threading
from typing import Any

import msgspec
import pytest

from agentcli.agents.briefs.adapter import Answer, Way, post
from agentcli.agents.briefs.api import HELD_REVISIONS, LONGEST_BRIEF_S, PROSE, embedded_api, reply_to
from agentcli.problems import MAX_BODY_BYTES, classify


def a_brief(**changed: Any) -> bytes:
    brief = {"brief_id": "V-1", "title": "Tour", "seconds": 90, "captions": True, "revision": 1}
    return msgspec.json.encode({**brief, **changed})


async def submit(body: bytes, path: str = "/briefs") -> Answer:
    answer = await post(Way(url=embedded_api() + path, timeout_s=10), body)
    assert isinstance(answer, Answer), answer
    return answer


REASONS = [
    pytest.param("V-2", 600, 1, 422, "KNOWN_INVALID_BRIEF", id="too-long"),
    pytest.param("V-3", 60, 3, 409, "KNOWN_STALE_REVISION", id="stale"),
    pytest.param("V-4", 60, 1, 503, "UNEXPECTED_CONTENT_TYPE", id="plain-text"),
    pytest.param("V-5", 60, 1, 422, "BODY_TOO_LARGE", id="over-the-cap"),
]


@pytest.mark.parametrize(("brief_id", "seconds", "revision", "status", "reason"), REASONS)
async def test_every_kind_of_answer_can_be_seen(
    brief_id: str, seconds: int, revision: int, status: int, reason: str
) -> None:
    """Each brief of the sample but the first leads to another category or reason."""
    answer = await submit(a_brief(brief_id=brief_id, seconds=seconds, revision=revision))
    assert answer.status == status
    assert classify(answer.status, answer.content_type, answer.body)["reason"] == reason


async def test_a_good_brief_is_accepted_every_time() -> None:
    """The API keeps nothing, so the same brief is as good the second time, and an older one is too."""
    for revision in (2, 2, 1):
        assert (await submit(a_brief(revision=revision))).status == 201


@pytest.mark.parametrize(
    ("seconds", "status"), [(0, 422), (1, 201), (LONGEST_BRIEF_S, 201), (LONGEST_BRIEF_S + 1, 422)]
)
def test_how_long_a_brief_may_be(seconds: int, status: int) -> None:
    """From a second to three minutes."""
    assert reply_to("/briefs", a_brief(seconds=seconds)).status == status


@pytest.mark.parametrize(("newer_by", "status"), [(-1, 409), (0, 201), (1, 201)])
def test_only_what_is_older_than_the_api_s_is_stale(newer_by: int, status: int) -> None:
    """A draft of the revision that the API holds is no older than that."""
    revision = HELD_REVISIONS["V-3"] + newer_by
    assert reply_to("/briefs", a_brief(brief_id="V-3", revision=revision)).status == status


MALFORMED = [
    pytest.param("/brief", a_brief(), 404, id="another-path"),
    pytest.param("/briefs", b"", 400, id="empty"),
    pytest.param("/briefs", b"\xff", 400, id="no-text"),
    pytest.param("/briefs", b"[]", 400, id="no-object"),
    pytest.param("/briefs", b'{"brief_id":"V-1"}', 400, id="members-missing"),
    pytest.param("/briefs", a_brief(seconds="90"), 400, id="a-wrong-type"),
    pytest.param("/briefs", a_brief(extra=1), 400, id="a-member-too-many"),
    pytest.param("/briefs", b" " * 70_000, 413, id="too-large"),
]


@pytest.mark.parametrize(("path", "body", "status"), MALFORMED)
async def test_what_is_no_brief_is_refused_without_a_known_type(path: str, body: bytes, status: int) -> None:
    """There is a problem body all the same, of the type that means nothing."""
    answer = await submit(body, path)
    assert answer.status == status
    review = classify(answer.status, answer.content_type, answer.body)
    assert review["reason"] == "UNKNOWN_OR_UNMATCHED_PROBLEM"


def ask_raw(request: bytes) -> bytes:
    host, _, port = embedded_api().removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        pytest.param(b"POST /briefs HTTP/1.1\r\n\r\n", b" 413 ", id="no-length"),
        pytest.param(b"POST /briefs HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b" 413 ", id="a-negative-length"),
        pytest.param(b"GET /briefs HTTP/1.1\r\n\r\n", b" 501 ", id="another-method"),
        pytest.param(b"nonsense from here on\r\n\r\n", b"Error code: 400", id="no-http"),
    ],
)
def test_whatever_is_sent_it_stays_up_and_silent(
    capfd: pytest.CaptureFixture[str], request_: bytes, status: bytes
) -> None:
    """Any program of this machine may knock; nothing of that is seen at the terminal."""
    assert status in ask_raw(request_)
    assert asyncio.run(submit(a_brief())).status == 201
    assert capfd.readouterr() == ("", "")


def test_a_client_that_hangs_up_is_no_news(capfd: pytest.CaptureFixture[str]) -> None:
    """Who leaves in the middle of an answer leaves no traceback behind."""
    host, _, port = embedded_api().removeprefix("http://").partition(":")
    linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
    for _ in range(20):
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            connection.sendall(b"POST /briefs HTTP/1.1\r\nContent-Length: 99\r\n\r\n{")
    assert asyncio.run(submit(a_brief())).status == 201
    assert capfd.readouterr() == ("", "")


def test_it_starts_once_and_is_reached_from_this_machine_alone() -> None:
    """Whoever asks for it first, and from how many threads, there is one server, on the loopback."""
    found: list[str] = []
    askers = [threading.Thread(target=lambda: found.append(embedded_api())) for _ in range(8)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert found[0].startswith("http://127.0.0.1:")


async def test_it_writes_what_a_hostile_api_might_write() -> None:
    """An order to the agent and a token stand in every body, so that it can be seen that they go nowhere."""
    bodies = [
        reply_to("/briefs", a_brief(brief_id=brief_id, seconds=600)).body for brief_id in ("V-2", "V-4", "V-5")
    ]
    bodies.append(reply_to("/briefs", a_brief()).body)
    assert all(PROSE.encode() in body for body in bodies)
    assert len(bodies[2]) > MAX_BODY_BYTES

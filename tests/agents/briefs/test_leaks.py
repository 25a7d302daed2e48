"""Nothing that an API writes is ever seen again: not by the model, in an event, in the store, in the log, on the screen."""

import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from agentcli.agents import shipped
from agentcli.agents.briefs.api import PROSE as EMBEDDED_PROSE
from agentcli.session.events import Event, ToolFinished
from agentcli.wiring.log import log_to
from agentcli.wiring.session import Session
from agentcli.wiring.stores import open_store
from tests.agents.briefs.hostile import (
    PROBLEM,
    PROSE,
    SECRET,
    Behaviour,
    Hostile,
    goes_on,
    head,
    in_turn,
    response,
    says,
)
from tests.loopback import Loopback, Reply, text, tool_use

TELLTALES = [SECRET, "tk-4b1d-embedded", "Ignore your instructions", "collect.example.test"]


def problem(**members: Any) -> bytes:
    return msgspec.json.encode(
        {"type": "https://api.example.test/problems/invalid-brief", "detail": PROSE, **members}
    )


HOSTILE: dict[str, tuple[Behaviour, str]] = {
    # how the API behaves                                                                                       what is logged
    "a token request in the detail": (says(response(problem())),                                                "KNOWN_INVALID_BRIEF"),
    "the exercise: status as text": (says(response(problem(status="422", suggested_action=PROSE))),             "KNOWN_INVALID_BRIEF"),
    "the exercise at 409": (says(response(problem(status="422", suggested_action=PROSE), 409)),                 "UNKNOWN_OR_UNMATCHED_PROBLEM"),
    "a lie about the status": (says(response(problem(status=201, detail=PROSE))),                               "BODY_STATUS_MISMATCH"),
    "an order as the type": (says(response(problem(type=PROSE))),                                               "UNKNOWN_OR_UNMATCHED_PROBLEM"),
    "an order as a member": (says(response(msgspec.json.encode({PROSE: PROSE}))),                               "UNKNOWN_OR_UNMATCHED_PROBLEM"),
    "an order as the whole body": (says(response(PROSE.encode())),                                              "INVALID_JSON"),
    "an order in a list": (says(response(msgspec.json.encode([PROSE]))),                                        "PROBLEM_BODY_NOT_OBJECT"),
    "an order in a long body": (says(response(problem() + b" " * 9_000)),                                       "BODY_TOO_LARGE"),
    "an order without an end": (goes_on(head(422, PROBLEM), PROSE.encode()),                                    "BODY_TOO_LARGE"),
    "an order cut off": (says(head(422, PROBLEM, "Content-Length: 9999") + PROSE.encode()),                     "INVALID_BODY_BYTES"),
    "an order as the content type": (says(response(problem(), fields=[f"Content-Type: {PROSE}"])),              "UNEXPECTED_CONTENT_TYPE"),
    "orders in headers": (says(response(b"", 503, [f"{SECRET}: {PROSE}", f"Set-Cookie: t={SECRET}"])),          "MISSING_OR_INVALID_CONTENT_TYPE"),
    "an order as the place to go": (says(response(b"", 307, [f"Location: http://127.0.0.1:1/{SECRET}"])),       "MISSING_OR_INVALID_CONTENT_TYPE"),
    "an order in a success": (says(response(problem(), 201)),                                                   ""),
    "an order instead of HTTP": (says(f"{PROSE}\r\n\r\n".encode()),                                             "INVALID_RESPONSE"),
    "an order as a bad header": (says(f"HTTP/1.1 422 x\r\n\x00{PROSE}\r\n\r\n".encode()),                       "INVALID_RESPONSE"),
    "an order as a bad length": (says(head(422, PROBLEM, f"Content-Length: {SECRET}")),                         "INVALID_RESPONSE"),
    "an order as a bad chunk": (says(head(422, PROBLEM, "Transfer-Encoding: chunked") + PROSE.encode() + b"\r\n"), "INVALID_BODY_BYTES"),
    "an order before silence": (says(f"HTTP/1.1 422 {PROSE}\r\n".encode(), 30.0),                               "TIMED_OUT"),
}  # fmt: skip

A_RUN = 3
"""As many irreversible calls as a run may make."""

LOGGED = re.compile(r"review: (?P<reason>[A-Z_]+), HTTP status [1-5][0-9]{2}|disruption [0-9a-f]{8}: (?P<why>[A-Z_]+), no HTTP status")  # fmt: skip


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    """The log of agentcli, in the same folder as all other files."""
    logger = logging.getLogger("agentcli")
    before = (logger.handlers, logger.propagate, logger.level)
    log_to(str(tmp_path / "log"))
    yield tmp_path / "log"
    logger.handlers, logger.propagate = before[0], before[1]
    logger.setLevel(before[2])


async def submit(folder: Path, brief_ids: list[str], **options: Any) -> tuple[list[Event], bytes]:
    """Let a model submit briefs, and return all events and all that the model was sent."""
    script = []
    calls = [tool_use(f"t{number}", "submit_brief", {"brief_id": one}) for number, one in enumerate(brief_ids)]
    for first in range(0, len(calls), A_RUN):
        script += [Reply(blocks=calls[first : first + A_RUN]), Reply(blocks=[text("Done.")])]
    agent = shipped("briefs")
    agent = replace(agent, options={**agent.options, "timeout_s": 1.0, **options})
    with ExitStack() as stack, pytest.MonkeyPatch.context() as environment:
        async with Loopback(script) as model, open_store(folder / "store.db") as store:
            environment.setenv("ANTHROPIC_BASE_URL", model.base_url)
            environment.setenv("ANTHROPIC_API_KEY", "sk-ant-key")
            session = Session.open(agent, store, level=4, model="claude-sonnet-5")
            stack.callback(session.close)
            events = [event for _ in script[::2] async for event in session.run("submit them")]
            model.assert_finished()
            return events, b"".join(seen.body for seen in model.seen)


def found_in(folder: Path, *texts: bytes) -> list[str]:
    """What of the API's words stands in any file of a folder, or in these texts."""
    everything = [*texts, *(file.read_bytes() for file in folder.rglob("*") if file.is_file())]
    return [word for word in TELLTALES if any(word.encode() in one for one in everything)]


async def test_no_word_of_a_hostile_api_goes_anywhere(
    tmp_path: Path, log_file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Twenty ways to say it, and not a trace of any."""
    behaviour = in_turn(*(behaviour for behaviour, _ in HOSTILE.values()))
    async with Hostile(behaviour) as server:
        events, requests = await submit(tmp_path, ["V-1"] * len(HOSTILE), api_url=server.url)
        assert len(server.requests) == len(HOSTILE)
    output = "".join(capfd.readouterr())
    assert found_in(tmp_path, requests, repr(events).encode(), output.encode()) == []

    lines = [msgspec.json.decode(line) for line in log_file.read_bytes().splitlines()]
    codes = [LOGGED.fullmatch(line["message"]) for line in lines]
    assert [code and (code["reason"] or code["why"]) for code in codes] == [
        why for _, why in HOSTILE.values() if why
    ]
    assert all(line.keys() == {"at", "level", "from", "message"} for line in lines)


async def test_no_word_of_the_api_inside_goes_anywhere(
    tmp_path: Path, log_file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It writes an order and a token into every answer, to be searched for."""
    assert any(word in EMBEDDED_PROSE for word in TELLTALES)
    events, requests = await submit(tmp_path, ["V-1", "V-2", "V-3", "V-4", "V-5"])
    output = "".join(capfd.readouterr())
    assert found_in(tmp_path, requests, repr(events).encode(), output.encode()) == []
    assert requests.count(b"REVIEW_") > 0


async def test_a_disruption_names_its_line_in_the_log(tmp_path: Path, log_file: Path) -> None:
    """A person finds the code there, and neither address nor exception."""
    events, _ = await submit(tmp_path, ["V-1"], api_url="http://127.0.0.1:1")
    (message,) = [
        msgspec.json.decode(event.result)["message"] for event in events if isinstance(event, ToolFinished)
    ]
    reference = re.search("reference ([0-9a-f]{8})", message)
    assert reference is not None
    assert f"disruption {reference[1]}: CONNECT_FAILED, no HTTP status" in log_file.read_text()
    assert "127.0.0.1" not in message + log_file.read_text()


def test_the_search_finds_what_it_looks_for(tmp_path: Path) -> None:
    """A search that finds nothing anywhere would prove nothing."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_text(f"x{SECRET}x")
    assert found_in(tmp_path, PROSE.encode()) == [SECRET, "Ignore your instructions", "collect.example.test"]

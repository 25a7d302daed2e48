"""`--record` keeps a session's replies, and `--model replay:FILE` plays them back."""

import pytest

from tests.cli.process import Home
from tests.terminal.chatting import chat
from tests.terminal.pty_screen import CTRL_D

OFFLINE = ("--model", "offline")
CAKE = "add 5 for cake"


def test_a_recorded_run_plays_back(home: Home) -> None:
    """The same message on the same books gets the same answer, at no cost, without the model."""
    first = home.run("run", *OFFLINE, "--autonomy", "3", "--record", "x.jsonl", CAKE)
    home.store.unlink()
    again = home.run("run", "--model", "replay:x.jsonl", "--autonomy", "3", CAKE)
    assert (again.code, again.out) == (0, first.out)
    assert "a recording is played back" in again.err
    assert "price" not in again.err
    listed = home.run("sessions", "list", "--json").json
    assert listed[0]["model"] == f"replay:{home.folder / 'x.jsonl'}"


def test_a_request_that_differs_says_where(home: Home) -> None:
    """It fails, and the session is there to go on with another model."""
    home.run("run", *OFFLINE, "--record", "x.jsonl", "What's my total?")
    told = home.run("run", "--model", "replay:x.jsonl", "What's my sum?")
    assert told.code == 1
    assert 'messages[0].content[0].text, character 11: recorded "total?", now "sum?"' in told.err


def test_resume_is_recorded_too(home: Home) -> None:
    """The replies of the part that was recorded."""
    home.run("run", *OFFLINE, "--autonomy", "2", CAKE)
    assert home.run("resume", "--on-ask", "decline", "--record", "x.jsonl").code == 0
    assert len((home.folder / "x.jsonl").read_text().splitlines()) == 2


def test_chat_is_recorded_too(home: Home) -> None:
    """What was talked about at a terminal plays back at another."""
    for model in ("offline", "replay:x.jsonl"):
        arguments = ("--record", "x.jsonl") if model == "offline" else ()
        with chat(home, "--model", model, *arguments) as screen:
            screen.enter("What's my total?")
            screen.wait_for("The total is 40.00 USD")
            screen.send(CTRL_D)
            assert screen.wait_exit() == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--model", "replay:none.jsonl"), "none.jsonl: can't be read"),
        ((*OFFLINE, "--record", "/nowhere/x.jsonl"), "can't be written"),
    ],
)
def test_what_can_not_be_read_or_written_is_wrong_usage(
    home: Home, arguments: tuple[str, ...], complaint: str
) -> None:
    """And no session is begun."""
    told = home.run("run", *arguments, CAKE)
    assert (told.code, complaint in told.err) == (2, True), told
    assert home.run("sessions", "list", "--json").json == []


def test_a_recording_can_be_played_back_into_itself(home: Home) -> None:
    """It is read before it is begun anew."""
    home.run("run", *OFFLINE, "--record", "x.jsonl", "What's my total?")
    before = (home.folder / "x.jsonl").read_bytes()
    again = home.run("run", "--model", "replay:x.jsonl", "--record", "x.jsonl", "What's my total?")
    assert (again.code, (home.folder / "x.jsonl").read_bytes()) == (0, before), again


def test_a_recording_is_there_until_another_begins(home: Home) -> None:
    """A command that can't begin takes nothing away."""
    home.run("run", *OFFLINE, "--record", "x.jsonl", "What's my total?")
    before = (home.folder / "x.jsonl").read_bytes()
    assert home.run("run", "--model", "claude-sonnet-5", "--record", "x.jsonl", CAKE).code == 2
    assert (home.folder / "x.jsonl").read_bytes() == before

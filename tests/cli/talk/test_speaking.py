"""Words and stops from other processes, and a store that is being drained."""

import json
import signal
import time

import pytest

from agentcli.terminal.conversation.leaving import STOPPED_ELSEWHERE
from tests.cli.process import Home
from tests.cli.waiting import garage, until


def test_words_are_kept_for_a_session_that_does_not_run(home: Home) -> None:
    """`say` stores words first and says how the session goes on; its next run hears them."""
    session = home.run("run", "--json", "list").events[0]["session"]
    said = home.run("say", session[:7], "add 5 for tea")
    assert (said.code, said.out) == (0, "queued #2\n")
    assert f"agentcli resume {session}" in said.err
    heard = [one for one in home.run("resume", session, "--json").events if one["type"] == "heard"]
    assert [(one["message"], one["text"]) for one in heard] == [(2, "add 5 for tea")]


def test_blank_words_and_unknown_sessions_are_wrong_usage(home: Home) -> None:
    """There is nothing to store, or nowhere to store it."""
    session = home.run("run", "--json", "list").events[0]["session"]
    assert home.run("say", session, "  ").code == 2
    assert home.run("say", "zzzz", "hello").code == 2
    assert home.run("stop", "zzzz").code == 2


def test_a_session_without_an_open_run_can_not_be_stopped(home: Home) -> None:
    """There is nothing to stop, and that is said."""
    session = home.run("run", "--json", "list").events[0]["session"]
    assert home.run("stop", session).code == 1


def test_an_open_run_that_nobody_carries_on_stops_when_it_is_taken_up(home: Home) -> None:
    """A stop outlives the moment: the call that waits is cancelled, and nothing of it runs."""
    session = home.run("run", "--json", "add 5 for tea").events[0]["session"]
    stopped = home.run("stop", session, "--json")
    assert stopped.json["session"] == session
    ended = home.run("resume", session, "--json")
    finished = [one for one in ended.events if one["type"] == "tool_finished"]
    assert [one["result"]["status"] for one in finished] == ["cancelled"]
    assert ended.events[-1]["outcome"] == "stopped"


def test_while_the_store_is_drained_no_run_starts_and_words_are_kept(home: Home) -> None:
    """`run` ends with 75 and says where the words are; after `drain off` they are heard."""
    home.run("run", "list")
    assert home.run("drain", "on", "--json").json == {"draining": True}
    kept = home.run("run", "--json", "--autonomy", "3", "add 5 for tea")
    assert kept.code == 75
    assert "draining: kept as #1" in kept.err
    assert [one["type"] for one in kept.events] == ["queued", "run_finished"]
    assert kept.events[-1]["undelivered"] == [1]
    assert home.run("resume", "--json").code == 75
    assert home.run("drain", "status").out.startswith("draining")
    home.run("drain", "off")
    heard = [one["text"] for one in home.run("resume", "--json").events if one["type"] == "heard"]
    assert heard == ["add 5 for tea"]


def test_a_run_that_is_open_goes_on_while_the_store_is_drained(home: Home) -> None:
    """Draining keeps runs from starting; one that waits for a person goes on to its end."""
    session = home.run("run", "--json", "add 5 for tea").events[0]["session"]
    home.run("drain", "on")
    ended = home.run("resume", session, "--json", "--on-ask", "decline")
    assert (ended.code, ended.events[-1]["outcome"]) == (0, "completed")


def test_draining_is_on_off_or_asked_for(home: Home) -> None:
    """Anything else is wrong usage, and a store that is not there is not made."""
    assert home.run("drain", "perhaps").code == 2
    assert home.run("drain", "status", "--json").json == {"draining": False}
    assert not home.store.exists()


@pytest.mark.parametrize("command", [("run",), ("run", "--json")], ids=" ".join)
def test_words_said_elsewhere_are_told_once_they_are_kept_and_heard(home: Home, command: tuple[str, ...]) -> None:
    """A run shows them as a conversation does; what it was started with its person knows already."""
    garage(home, level=4)
    process = home.start(*command, "--", 'call scrap {"plate": "A-1"}')
    until(home.folder / "started")
    (session,) = home.run("sessions", "list", "--json").json
    home.run("say", session["id"], "call scrap {}\nand [red] \x1b[2J")
    (home.folder / "go").touch()
    out, err = process.communicate(timeout=30)
    told = err.decode().splitlines()
    begin = told.index("› call scrap {}")
    assert told[begin + 1 : begin + 4] == ["  and [red] ⟨U+001B⟩[2J", "queued #2", "heard #2 at step 2"]
    assert "#1" not in err.decode()
    if "--json" in command:
        said = [json.loads(line) for line in out.splitlines()]
        words = [
            (one["type"], one["message"], one.get("step")) for one in said if one["type"] in ("queued", "heard")
        ]
        assert words == [("queued", 1, None), ("heard", 1, 1), ("queued", 2, None), ("heard", 2, 2)]


def test_a_stop_from_elsewhere_is_told_while_the_tool_goes_on(home: Home) -> None:
    """Who looks at the run sees why nothing follows."""
    garage(home, level=4)
    process = home.start("run", "--", 'call scrap {"plate": "A-1"}')
    until(home.folder / "started")
    (session,) = home.run("sessions", "list", "--json").json
    assert home.run("stop", session["id"]).out == "asked to stop at the next safe point\n"
    assert process.stderr is not None
    while (line := process.stderr.readline().decode().strip()) != STOPPED_ELSEWHERE:
        assert line, "it is not told"
    (home.folder / "go").touch()
    process.communicate(timeout=30)
    assert process.returncode == 130


def test_words_kept_from_before_are_told_once_they_are_heard(home: Home) -> None:
    """Whoever goes on sees that the agent was told more than what it was started with."""
    session = home.run("run", "--json", "list").events[0]["session"]
    home.run("say", session, "and the total")
    ended = home.run("run", "--session", session, "list")
    assert [line for line in ended.err.splitlines() if "#" in line] == ["heard #2 at step 1"]


@pytest.mark.parametrize("ending", ["limit", "SIGTERM", "Ctrl-C twice"])
def test_words_that_were_not_heard_are_named_at_the_end(home: Home, ending: str) -> None:
    """However a run ends, who started it is told which words are kept for the next."""
    garage(home, level=4)
    process = home.start("run", "--max-steps", "1", "--", 'call scrap {"plate": "A-1"}')
    until(home.folder / "started")
    (session,) = home.run("sessions", "list", "--json").json
    assert home.run("say", session["id"], "and then?").out == "queued #2\n"
    if ending == "SIGTERM":
        process.send_signal(signal.SIGTERM)
    if ending == "Ctrl-C twice":
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
    else:
        (home.folder / "go").touch()
    _, err = process.communicate(timeout=30)
    assert "not heard yet: #2" in err.decode().splitlines()

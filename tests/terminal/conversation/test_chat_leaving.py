"""Ctrl-C, Esc, Ctrl-D and signals: what each does, what is left behind, and that the terminal is given back."""

import json
import os
import signal
import subprocess

import pytest

from tests.cli.process import Home
from tests.cli.waiting import until_gone
from tests.terminal.chatting import OFFLINE, Slow, chat, events, sessions, unwrapped
from tests.terminal.pty_screen import CTRL_C, CTRL_D, ESC, PtyScreen

TWO_CALLS = 'call add_expense {"item":"a","amount":1} & call add_expense {"item":"b","amount":2}'
LOOK_AND_LAUNCH = 'call look {"name":"one"} & call launch {"name":"two"}'


def left(screen: PtyScreen, code: int) -> str:
    """Wait for the end, check the exit code and the terminal, and return all that was drawn."""
    assert screen.wait_exit() == code
    assert screen.is_sane
    assert "goes on" in unwrapped(screen)
    assert "agentcli resume " in unwrapped(screen)
    assert "Traceback" not in screen.everything
    return screen.everything


def statuses(home: Home) -> list[str]:
    """How the calls of the newest session ended."""
    finished = [event for event in events(home) if event["type"] == "tool_finished"]
    return [event["result"]["status"] for event in finished]


# Text in the line


def test_ctrl_c_clears_a_line_into_the_history(home: Home) -> None:
    """The text can be had back; nothing else happens, however often."""
    with chat(home, *OFFLINE) as screen:
        screen.type("half a thought")
        screen.send(CTRL_C)
        screen.wait_gone("half a thought")
        screen.type("another")
        screen.send(CTRL_C)
        screen.wait_gone("another")
        screen.send("\x1b[A\x1b[A")
        screen.wait_for("> half a thought")
        screen.send(ESC)
        screen.read(0.3)
        assert "> half a thought" in screen.text


# A question


@pytest.mark.parametrize("key", [CTRL_C, ESC], ids=["Ctrl-C", "Esc"])
def test_a_key_cancels_the_question_and_stops_the_run(home: Home, key: str) -> None:
    """The call and those behind it are cancelled; the model is not asked again, and one can talk on."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(TWO_CALLS, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.send(key)
        screen.wait_for("stopped")
        assert screen.everything.count("[cancelled] add_expense by ") == 1
        assert "Allow" not in screen.text
        screen.read(2.1)
        screen.enter("list", gap_s=0.01)
        screen.wait_for("1 expense, 40.00 USD")
        screen.send(CTRL_D)
        left(screen, 0)
    assert statuses(home)[:2] == ["cancelled", "cancelled"]


def test_ctrl_c_twice_at_a_question_leaves(home: Home) -> None:
    """The first cancels it, the second within two seconds leaves."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(TWO_CALLS, gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.send(CTRL_C)
        screen.wait_gone("Allow add_expense")
        screen.send(CTRL_C)
        left(screen, 130)


def test_ctrl_d_at_a_question_leaves_it_open(home: Home) -> None:
    """It waits in the store, and resume asks it again."""
    with chat(home, *OFFLINE) as screen:
        screen.enter("Add 300 for groceries", gap_s=0.01)
        screen.wait_for("Allow add_expense")
        screen.send(CTRL_D)
        assert "add_expense waits for a yes or no" in left(screen, 3).replace("\n", "")
    assert sessions(home)[0]["state"] == "waiting"
    with chat(home, command="resume") as screen:
        screen.wait_for("waits for a yes or no: add_expense")
        screen.wait_for("Allow add_expense")
        screen.answer("y")
        screen.wait_for("Added #2 groceries")


# A tool at work


@pytest.mark.parametrize("key", [CTRL_C, ESC], ids=["Ctrl-C", "Esc"])
def test_a_key_stops_the_run_behind_the_tool_at_work(home: Home, key: str) -> None:
    """The tool is not cut in half, what comes behind it does not run, and nothing is asked of the model."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter(LOOK_AND_LAUNCH, gap_s=0.005)
        slow.wait_started("one")
        screen.send(key)
        screen.wait_for("stopping at the next safe point")
        slow.let_go("one")
        screen.wait_for("stopped")
        screen.read(2.1)
        screen.send(CTRL_D)
        left(screen, 0)
    assert statuses(home) == ["ok", "cancelled"]
    assert not slow.has_started("two")


def test_ctrl_c_twice_leaves_a_tool_behind(home: Home) -> None:
    """Nobody knows then whether it took effect: resume asks, and repeats nothing by itself."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter('call launch {"name":"one"}', gap_s=0.005)
        slow.wait_started("one")
        screen.send(CTRL_C)
        screen.wait_for("stopping")
        screen.send(CTRL_C)
        left(screen, 130)
    with chat(home, "--autonomy", "4", command="resume") as screen:
        screen.wait_for("What became of it? (happened/not/retry)")
        screen.wait_for("1 question")
        screen.answer("perhaps")
        screen.wait_for("queued #2")
        screen.answer("happened")
        screen.wait_gone("What became of it?")
        screen.wait_for("unknown_outcome")
    assert statuses(home) == ["unknown_outcome"]


def test_ctrl_c_twice_takes_a_hook_along(home: Home) -> None:
    """Nothing has run yet, and no program is left behind."""
    nap = f"sleep {70 + os.getpid() / 1e6:.6f}"
    guard = home.folder / "guard.sh"
    guard.write_text(f"#!/bin/sh\ncat > /dev/null; touch {home.folder}/asked; {nap}\n")
    guard.chmod(0o700)
    home.configure(f"[[hooks.pre_tool]]\ncommand = [{json.dumps(str(guard))}]\n")
    with chat(home, *OFFLINE) as screen:
        screen.enter("list", gap_s=0.01)
        screen.wait_for(lambda _: (home.folder / "asked").exists())
        screen.send(CTRL_C)
        screen.wait_for("stopping")
        screen.send(CTRL_C)
        left(screen, 130)
    until_gone(nap)
    # On a slow machine the first Ctrl-C has done all it does by then.
    assert statuses(home) in ([], ["cancelled"])


def test_ctrl_d_leaves_behind_the_tool_at_work(home: Home) -> None:
    """The run stays open, and resume goes on with it."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter(LOOK_AND_LAUNCH, gap_s=0.005)
        slow.wait_started("one")
        screen.send(CTRL_D)
        screen.wait_for("leaving at the next safe point")
        slow.let_go("one")
        left(screen, 130)
    assert statuses(home) == ["ok"]
    slow.let_go("two")
    with chat(home, command="resume") as screen:
        screen.wait_for("not started: launch")
        screen.wait_for("launch: ok")
    assert statuses(home) == ["ok", "ok"]


# Idle


def test_ctrl_c_says_how_to_leave(home: Home) -> None:
    """Once is not enough, twice within two seconds is; Esc is nothing."""
    with chat(home, *OFFLINE) as screen:
        screen.send(ESC)
        screen.read(0.3)
        screen.send(CTRL_C)
        screen.wait_for("Ctrl-C again, Ctrl-D or /quit leaves")
        screen.read(2.2)
        screen.send(CTRL_C)
        screen.read(0.3)
        assert screen.text.count("leaves") == 2
        screen.send(CTRL_C)
        left(screen, 0)


@pytest.mark.parametrize("leave", [CTRL_D, "/quit\r"], ids=["Ctrl-D", "quit"])
def test_one_leaves_an_idle_conversation(home: Home, leave: str) -> None:
    """With 0."""
    with chat(home, *OFFLINE) as screen:
        screen.type(leave)
        left(screen, 0)


# Signals


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["SIGTERM", "SIGHUP"]
)
@pytest.mark.parametrize("at", ["idle", "question", "tool"])
def test_a_signal_ends_it(home: Home, number: int, code: int, at: str) -> None:
    """What is in hand is finished, nothing new begins, and the terminal is given back."""
    slow = Slow(home, level=2)
    with chat(home) as screen:
        if at == "question":
            screen.enter('call launch {"name":"one"}', gap_s=0.005)
            screen.wait_for("Allow launch")
        if at == "tool":
            screen.enter(LOOK_AND_LAUNCH, gap_s=0.005)
            slow.wait_started("one")
        screen.kill(number)
        if at == "tool":
            screen.wait_for("asked to end: what is in hand is finished first")
            slow.let_go("one")
        assert screen.wait_exit() == code
        assert screen.is_sane
        if number == signal.SIGTERM:
            assert "agentcli resume " in unwrapped(screen)
    if at == "tool":
        assert statuses(home) == ["ok"]
    assert not slow.has_started("two")


def test_a_closed_window_leaves_nothing_running(home: Home) -> None:
    """The process is gone soon after its terminal."""
    with chat(home, *OFFLINE) as screen:
        pid = screen.pid
        screen.hang_up()
        assert screen.wait_exit() in (129, -signal.SIGHUP)
    assert subprocess.run(["kill", "-0", str(pid)], capture_output=True, check=False).returncode != 0


def test_words_that_nobody_heard_are_named(home: Home) -> None:
    """They are kept, and the next run hears them."""
    with chat(home, *OFFLINE) as screen:
        screen.enter("Add 300 for groceries", gap_s=0.01)
        screen.wait_for("Allow add_expense")
        screen.answer("and list all")
        screen.wait_for("queued #2")
        screen.send(CTRL_D)
        assert "not heard yet: #2" in left(screen, 3)

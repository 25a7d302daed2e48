"""Signals, and readers that go away, while a run is going on."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from typing import Any

import pytest

from agentcli.terminal.conversation.leaving import ENDING, STOPPING
from tests.cli.process import Home

TOOLS = """
import pathlib, time
from agentcli import Toolset

tools = Toolset("slow")

@tools.read
def wait(seconds: int) -> dict:
    "Wait so many seconds."
    here = pathlib.Path(__file__)
    here.with_name("started").touch()
    time.sleep(seconds)
    here.with_name("ended").touch()
    return {}

@tools.irreversible
def launch() -> dict:
    "Can't be undone."
    pathlib.Path(__file__).with_name("launched").touch()
    return {}
"""


@pytest.fixture
def slow(home: Home) -> Home:
    """A home with an agent whose tool takes its time."""
    path = home.folder / "tools.py"
    path.write_text(TOOLS)
    path.chmod(0o600)
    home.configure(f'agent = "slow"\nmodel = "offline"\n[autonomy]\nlevel = 4\n[agents.slow]\ntools = "{path}"\n')
    return home


def _start(home: Home, *arguments: str, say: str = 'call wait {"seconds": 2}') -> "subprocess.Popen[bytes]":
    """Start a run and return once its tool is at work."""
    process = home.start("run", *arguments, "--", say)
    deadline = time.monotonic() + 30
    while not (home.folder / "started").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def _end(process: "subprocess.Popen[bytes]") -> tuple[int, list[dict[str, Any]], str]:
    out, err = process.communicate(timeout=30)
    return process.returncode, [json.loads(line) for line in out.splitlines()], err.decode()


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["SIGINT", "SIGTERM", "SIGHUP"],
)
def test_a_signal_ends_the_run_at_a_safe_point(slow: Home, number: signal.Signals, code: int) -> None:
    """The tool at work is finished, nothing new begins, and the line that goes on is printed."""
    process = _start(slow, "--json")
    process.send_signal(number)
    if number != signal.SIGINT:
        # Whoever ends a whole session may ask more than once.
        process.send_signal(number)
    ended, events, err = _end(process)
    assert ended == code
    assert (slow.folder / "ended").exists()
    assert [event["type"] for event in events if event["type"] in ("tool_finished", "replied")] == [
        "replied",
        "tool_finished",
    ]
    assert (events[-1]["type"], events[-1]["outcome"]) == ("run_finished", "stopped")
    assert f"`agentcli resume {events[0]['session']}` goes on" in err
    assert err.splitlines().count(STOPPING if number == signal.SIGINT else ENDING) == 1


def test_ctrl_c_runs_no_further_call(slow: Home) -> None:
    """A call that has not begun when the run is stopped does not run."""
    process = _start(slow, "--json", say='call wait {"seconds": 2} & call launch {}')
    process.send_signal(signal.SIGINT)
    code, events, _ = _end(process)
    assert code == 130
    assert not (slow.folder / "launched").exists()
    assert [event["result"]["status"] for event in events if event["type"] == "tool_finished"] == [
        "ok",
        "cancelled",
    ]


def test_a_second_ctrl_c_leaves_at_once(slow: Home) -> None:
    """The second within two seconds does not wait for the tool; the events still have their last line."""
    process = _start(slow, "--json", say='call wait {"seconds": 20}')
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    code, events, err = _end(process)
    assert code == 130
    assert time.monotonic() - begun < 10
    assert not (slow.folder / "ended").exists()
    assert events[-1]["type"] == "run_finished"
    assert "agentcli resume" in err


def test_after_sigterm_resume_goes_on(slow: Home) -> None:
    """A run that a signal left open is finished by `resume`, and nothing is done twice."""
    process = _start(slow, say='call wait {"seconds": 1} & call launch {}')
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 143
    assert not (slow.folder / "launched").exists()
    (slow.folder / "started").unlink()
    resumed = slow.run("resume", "--json")
    assert resumed.code == 0
    assert "done: wait" in resumed.err
    assert "not started: launch" in resumed.err
    assert (slow.folder / "launched").exists()
    assert not (slow.folder / "started").exists()


def test_a_reader_that_leaves_is_no_fault_to_speak_of(slow: Home) -> None:
    """Where nobody reads the events any more, what is at work is finished, and the exit code says hung up."""
    process = _start(slow, "--json", say='call wait {"seconds": 1}')
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=30) == 129
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read().decode()
    process.stderr.close()
    assert (slow.folder / "ended").exists()


@pytest.mark.slow
def test_a_store_that_fails_in_mid_run_ends_it_with_its_last_event(slow: Home) -> None:
    """What can't be stored is not gone on with: exit code 5, and in the events a last line that says why."""
    process = _start(slow, "--json", say='call wait {"seconds": 1}')
    with sqlite3.connect(slow.store, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        code, events, err = _end(process)
    other.close()
    assert code == 5
    assert (events[-1]["type"], events[-1]["outcome"]) == ("run_finished", "failed")
    assert "the store is locked by another process" in events[-1]["text"]
    assert "try again once the other process is done" in err
    assert "Traceback" not in err


def test_where_nobody_reads_stderr_the_answer_still_comes(home: Home) -> None:
    """What is said beside the answer may be lost; the answer is not."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "agentcli", "run", "--model", "offline", "What's my total?"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=writing, env=home.environment(), cwd=home.folder, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stdout.decode()) == (0, "The total is 40.00 USD, over 1 expense.\n")

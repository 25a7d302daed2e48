"""`agentcli chat` without a terminal: lines are messages, nothing is redrawn, nothing is approved."""

import signal
import subprocess
import sys
import time

import pytest

from tests.cli.process import Home
from tests.terminal.chatting import OFFLINE, Slow, sessions


def test_each_line_is_a_run_that_waits_for_the_one_before(home: Home) -> None:
    """In order, with an answer each; blank lines are nothing; the end of the input ends it."""
    ended = home.run("chat", *OFFLINE, stdin="What's my total?\n\nlist\n")
    assert ended.code == 0
    lines = ended.out.splitlines()
    asked = [line for line in lines if line.startswith(("› ", "  The total", "  1 expense"))]
    assert asked == [
        "› What's my total?",
        "  The total is 40.00 USD, over 1 expense.",
        "› list",
        "  1 expense, 40.00 USD together:",
    ]
    assert "\x1b" not in ended.out
    assert ended.err == ""
    assert lines[-1].startswith("`agentcli resume ")


@pytest.mark.parametrize("answer", ["y", "yes", "a"])
def test_a_pipe_never_approves(home: Home, answer: str) -> None:
    """At a question nothing more is read; it stays open, and the command ends with 3."""
    ended = home.run("chat", *OFFLINE, stdin=f"Add 300 for groceries\n{answer}\nlist\n")
    assert ended.code == 3
    assert 'Allow add_expense {"item":"groceries","amount":300}? (y/n)' in ended.out
    assert "add_expense waits for a yes or no" in ended.out.splitlines()[-1]
    assert "`agentcli resume " in ended.out.splitlines()[-1]
    assert f"› {answer}" not in ended.out
    assert sessions(home)[0]["state"] == "waiting"


def test_the_last_run_gives_the_exit_code(home: Home) -> None:
    """A limit ends with 4, and nobody is offered anything."""
    ended = home.run("chat", *OFFLINE, "--max-steps", "1", stdin="list\n")
    assert ended.code == 4
    assert "Stopped: step limit reached" in ended.out
    assert "(y/n)" not in ended.out


def test_commands_can_be_piped(home: Home) -> None:
    """They mean the same."""
    ended = home.run("chat", *OFFLINE, stdin="/level 3\nAdd 300 for groceries\n/quit\nlist\n")
    assert ended.code == 0
    assert "level 3: runs within its limits" in ended.out
    assert "Added #2 groceries" in ended.out
    assert "› list" not in ended.out


def test_an_open_pipe_that_says_nothing_holds_nobody_up(home: Home) -> None:
    """The message given on the command line is said, and a signal ends the waiting."""
    with home.start("chat", *OFFLINE, "list", stdin_stays_open=True) as process:
        assert process.stdout is not None
        assert any(b"40.00 USD together" in line for line in process.stdout)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143


def test_a_reader_that_goes_away_ends_it(home: Home) -> None:
    """What is at work is finished; nothing more is asked of the model, and no line is read."""
    slow = Slow(home)
    with home.start("chat", 'call look {"name":"one"}', stdin_stays_open=True) as process:
        slow.wait_started("one")
        assert process.stdout is not None
        process.stdout.close()
        slow.let_go("one")
        assert process.wait(20) == 129
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
    assert (home.folder / "one-ended").exists()


def test_ctrl_c_stops_it_and_a_second_one_leaves(home: Home) -> None:
    """As in `run`."""
    slow = Slow(home)
    with home.start("chat", 'call look {"name":"one"}', stdin_stays_open=True) as process:
        slow.wait_started("one")
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert not (home.folder / "one-ended").exists()


def test_without_any_input_it_ends_at_once(home: Home) -> None:
    """Also where the standard streams were closed."""
    assert home.run("chat", *OFFLINE).code == 0
    command = f"exec <&-; exec {sys.executable} -m agentcli chat --model offline"
    done = subprocess.run(
        ["sh", "-c", command],
        env=home.environment(),
        cwd=home.folder,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0


def test_while_the_store_is_drained_lines_are_kept(home: Home) -> None:
    """Each is said to be kept, and at the end how they are heard; 75 says to a script that it is for later."""
    home.run("run", *OFFLINE, "list")
    home.run("drain", "on")
    ended = home.run("chat", *OFFLINE, stdin="list\nand more\n")
    session = sessions(home)[0]["id"]
    assert ended.code == 75
    assert [line for line in ended.out.splitlines() if "kept" in line] == [
        "draining: kept as #1",
        "draining: kept as #2",
        f"draining: kept as #1, #2; after `agentcli drain off`, `agentcli resume {session}` goes on",
    ]
    assert "not heard yet" not in ended.out

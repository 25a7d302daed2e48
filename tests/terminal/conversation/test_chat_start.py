"""The first minute: what is said, what is loaded, and that the SDK is imported behind the prompt."""

import sqlite3
import sys

import pytest

from tests.cli.process import Home
from tests.terminal.chatting import OFFLINE, chat, is_ready
from tests.terminal.pty_screen import CTRL_D, PtyScreen

KEY = {"ANTHROPIC_API_KEY": "sk-ant-canary-0123456789abcdef", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
NEVER_AT_THE_PROMPT = (
    "anthropic",
    "httpx2",
    "rich",
    "pydantic",
    "agentcli.agents.support",
    "agentcli.agents.library",
    "agentcli.agents.briefs",
    "agentcli.lab",
    "agentcli.terminal.slash.line",
    "agentcli.terminal.slash.wishes",
    "agentcli.terminal.slash.commands",
)

PROGRAM = """
import sys, threading
from pathlib import Path

seen = Path(sys.argv[1])

def write(name):
    seen.write_text("\\n".join([name, *sys.modules]))

class Watch:
    "Writes down what was loaded, and by whom, when the SDK is first asked for."

    def find_spec(self, name, path=None, target=None):
        if name == "anthropic" and not seen.exists():
            write(threading.current_thread().name)
        return None

sys.meta_path.insert(0, Watch())
from agentcli.cli.app import run
run(sys.argv[2:])
if not seen.exists():
    write("nobody")
"""


def loaded_at_the_prompt(home: Home, *arguments: str, env: dict[str, str]) -> tuple[str, set[str]]:
    """Which thread asked for the SDK, and what was loaded by then; of a conversation that is left at once."""
    seen = home.folder / "seen"
    argv = [sys.executable, "-c", PROGRAM, str(seen), "chat", *arguments]
    with PtyScreen(argv, env=home.environment(**env), cwd=home.folder) as screen:
        screen.wait_for(is_ready, timeout_s=30)
        if env:
            screen.wait_for(lambda _: seen.exists())
        screen.send(CTRL_D)
        screen.wait_exit()
    thread, *modules = seen.read_text().split("\n")
    return thread, set(modules)


@pytest.mark.parametrize(("env", "by"), [({}, "nobody"), (KEY, "preload")], ids=["offline", "claude"])
def test_the_first_prompt_loads_nothing_slow(home: Home, env: dict[str, str], by: str) -> None:
    """Neither the SDK nor rich nor an agent not asked for; the SDK then comes in a thread of its own."""
    thread, modules = loaded_at_the_prompt(home, env=env)
    assert by in thread
    assert "agentcli.terminal.faces.screen" in modules
    assert {
        name for name in modules if any(f"{name}.".startswith(f"{one}.") for one in NEVER_AT_THE_PROMPT)
    } == set()


def test_three_lines_tell_who_has_set_up_nothing(home: Home) -> None:
    """Which model answers, what it is, and what to type; a row of 80 columns each."""
    with chat(home) as screen:
        assert screen.lines[:3] == [
            "expenses · offline · level 2 (default) · no key: rules answer, not intelligence",
            "Code decides what its tools may do: at level 2 you are asked before any change.",
            "Say what you want, or hello to hear what is understood; /help lists the rest.",
        ]


def test_who_has_a_config_or_a_key_needs_no_telling(home: Home) -> None:
    """The first line alone."""
    with chat(home, env=KEY) as screen:
        assert "/help" not in screen.text
    home.configure("")
    with chat(home, *OFFLINE) as screen:
        assert "/help" not in screen.text


def test_what_a_session_was_saved_with_and_is_no_longer_is_said(home: Home) -> None:
    """Levels go down by themselves, and up only by the command line."""
    assert home.run("run", *OFFLINE, "--autonomy", "4", "list").code == 0
    with chat(home, *OFFLINE, "--continue") as screen:
        screen.wait_for("saved level 4, now 2; --autonomy or /level raises it")
        screen.wait_for("1 message so far:\n› list\n  1 expense, 40.00 USD together:")
        assert "/help lists the rest" not in screen.text


def test_what_can_not_be_opened_ends_before_anything_is_drawn(home: Home) -> None:
    """With one line, and an exit code."""
    ended = home.run("chat", "--session", "nope")
    assert (ended.code, ended.out) == (2, "")
    assert "no session 'nope'" in ended.error


def test_a_session_that_is_held_is_not_opened_twice(home: Home) -> None:
    """The second is told which process has it."""
    with chat(home, *OFFLINE) as screen:
        ended = home.run("chat", "--continue")
        assert ended.code == 5
        assert f"is held by process {screen.pid}" in ended.error


def test_a_conversation_that_fails_says_how_to_go_on(home: Home) -> None:
    """The terminal is given back, words that could not be stored are there to be said again, and nothing ran."""
    with chat(home, *OFFLINE) as screen:
        other = sqlite3.connect(home.store, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        screen.enter("list", gap_s=0.01)
        assert screen.wait_exit(20) == 5
        other.close()
        assert screen.is_sane
        assert "not stored: list" in screen.everything
        assert "agentcli: the store is locked by another process" in screen.everything
        assert "agentcli resume " in screen.everything

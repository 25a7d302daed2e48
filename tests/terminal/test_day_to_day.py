"""A day at the terminal, on whole screens of several widths and where nothing is drawn anew."""

import re
import stat

import pytest

from tests.cli.process import Home
from tests.terminal.chatting import OFFLINE, chat, is_ready, sessions, unwrapped
from tests.terminal.pty_screen import CTRL_D, ENTER, ESC, PtyScreen, python_module

CTRL_R, CTRL_Z, TAB = "\x12", "\x1a", "\t"
BIG = "".join(f"row {number}\n" for number in range(20))
SEQUENCE = re.compile(rb"\x1b(?!\[\?2004[hl])")


def squeezed(screen: PtyScreen) -> str:
    """All that was drawn, without line breaks and blanks."""
    return "".join(screen.everything.split())


@pytest.mark.parametrize("columns", [30, 80, 200])
def test_a_day_on_a_screen(home: Home, columns: int) -> None:
    """Completion, a big paste, a question, levels and the history, all of it readable in the room there is."""
    with chat(home, *OFFLINE, columns=columns, rows=24) as screen:
        screen.send(f"/le{TAB}")
        screen.wait_for("> /level")
        screen.send(ENTER)
        screen.wait_for(lambda screen: "thesession's" in squeezed(screen))
        assert "yesorno(default)" in squeezed(screen)
        screen.paste(BIG)
        screen.wait_for("> [pasted 20 lines #1]")
        screen.send(ENTER)
        screen.wait_for(lambda screen: "9morelines,keptandsentwhole" in squeezed(screen))
        screen.wait_for(is_ready)
        screen.enter("Add 300 for groceries", gap_s=0.005)
        screen.wait_for(lambda screen: "Allowadd_expense" in squeezed(screen))
        screen.answer("y")
        screen.wait_for(lambda screen: "approved" in squeezed(screen) and is_ready(screen))
        screen.wait_for(lambda screen: "Added#2groceries" in squeezed(screen))
        screen.send(f"{CTRL_R}groc")
        screen.wait_for("history (1 of 1): groc")
        assert "› Add 300 for groceries" in screen.lines
        screen.send(ESC)
        screen.wait_for(is_ready)
        status = screen.lines[max(at for at, line in enumerate(screen.lines) if line)]
        assert status.startswith("level 2")
        screen.send(CTRL_D)
        assert screen.wait_exit() == 0
        assert re.search(r"^`agentcli resume \w+`( goes on with this session)?$", screen.text, re.MULTILINE)
        assert screen.is_sane


@pytest.mark.parametrize(
    ("arguments", "env"), [(("--plain",), {}), ((), {"TERM": "dumb"})], ids=["plain", "dumb terminal"]
)
def test_where_nothing_is_drawn_anew_all_can_be_done(
    home: Home, arguments: tuple[str, ...], env: dict[str, str]
) -> None:
    """Each thing is written once, in order; a question rings, is read to its end and answered."""
    argv = python_module("agentcli", "chat", *OFFLINE, *arguments)
    with PtyScreen(argv, env=home.environment(**env), cwd=home.folder, columns=80, rows=40) as screen:
        screen.wait_for(re.compile("^> *$", re.MULTILINE), timeout_s=30)
        screen.enter("Add 300 for groceries", gap_s=0.01)
        screen.wait_for("(y/n)\n>")
        assert b"\a" in screen.raw
        screen.answer("y")
        screen.wait_for("Added #2 groceries")
        assert "› " not in screen.text
        screen.enter("/sessions", gap_s=0.01)
        screen.wait_for("there is no other session yet")
        screen.send(CTRL_D)
        assert screen.wait_exit() == 0
        assert screen.is_sane
        assert screen.everything.count("Allow add_expense") == 1
        assert not SEQUENCE.search(screen.raw) if not env else b"\x1b" not in screen.raw


def test_the_history_goes_over_sessions_and_belongs_to_its_owner(home: Home) -> None:
    """Two conversations at once lose nothing of each other's, and answers are in none."""
    with chat(home, *OFFLINE) as one, chat(home, *OFFLINE) as two:
        one.enter("/facts", gap_s=0.005)
        one.wait_for("no result has shown a fact yet")
        two.enter("call delete_expense {}", gap_s=0.005)
        two.wait_for(is_ready)
        two.enter("delete expense 1", gap_s=0.005)
        two.wait_for("Allow delete_expense")
        two.answer("n its pin is 1234")
        two.wait_for("[declined]")
    with chat(home, *OFFLINE) as later:
        later.send(CTRL_R)
        later.wait_for("history (1 of 3)")
        assert {"› delete expense 1", "  call delete_expense {}", "  /facts"} <= set(later.lines)
    kept = home.log.parent / "history"
    assert "1234" not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_another_session_is_picked_with_the_keyboard(home: Home) -> None:
    """Its own levels hold there, and what the command line said was said of the first one."""
    home.run("run", *OFFLINE, "--autonomy", "1", "what is my total?")
    home.run("run", "--agent", "support", *OFFLINE, "hello")
    first = str(sessions(home)[-1]["id"])
    with chat(home, *OFFLINE, "--autonomy", "3") as screen:
        screen.enter("/sessions", gap_s=0.005)
        screen.wait_for("sessions (1 of 2):")
        screen.send("total")
        screen.wait_for("sessions (1 of 1): total")
        screen.send(ENTER)
        screen.wait_for("expenses · offline · level 1 (saved)")
        screen.enter("/new suport", gap_s=0.005)
        screen.wait_for("there is no agent 'suport'; did you mean 'support'?")
        screen.enter("/new support", gap_s=0.005)
        screen.wait_for("support · offline · level 3 (--autonomy)")
        screen.send(CTRL_D)
        assert screen.wait_exit() == 0
        assert f"agentcli resume {first}` goes on with this session" in unwrapped(screen)


def test_a_notification_says_that_something_waits_and_nothing_of_it(home: Home) -> None:
    """Where it is wanted; the bell can be switched off."""
    home.configure("[terminal]\nbell = false\nnotify = true\n")
    with chat(home, *OFFLINE) as screen:
        screen.enter("delete expense 1", gap_s=0.005)
        screen.wait_for("Allow delete_expense")
        assert screen.raw.count(b"\x1b]9;agentcli: a question waits\x07") == 1
        assert screen.raw.count(b"\a") == 1


def test_ctrl_z_gives_the_shell_the_terminal_until_its_fg(home: Home) -> None:
    """What was being typed is there again, and counts."""
    shell = ["bash", "--norc", "--noprofile", "-i"]
    with PtyScreen(shell, env=home.environment(PS1="shell$ "), cwd=home.folder) as screen:
        screen.wait_for("shell$")
        screen.send(f"{' '.join(python_module('agentcli', 'chat', *OFFLINE))}{ENTER}")
        screen.wait_for(is_ready)
        screen.type("half a dra")
        screen.wait_for("> half a dra")
        screen.send(CTRL_Z)
        screen.wait_for(re.compile(r"Stopped.*\n(.*\n)*shell\$$"))
        assert "> half a dra" not in screen.text
        screen.send(f"echo a$((1 + 1))b; fg{ENTER}")
        screen.wait_for("a2b")
        screen.wait_for("> half a dra")
        screen.type(f"ft{ENTER}")
        screen.wait_for("› half a draft")

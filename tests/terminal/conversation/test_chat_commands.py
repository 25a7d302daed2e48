"""Lines with a slash, at a terminal; what they show is told in the tests of `showing`."""

import re

import pytest

from agentcli.terminal.slash.command_table import COMMANDS
from tests.cli.process import Home
from tests.terminal.chatting import OFFLINE, Slow, chat, sessions, unwrapped
from tests.terminal.pty_screen import CTRL_D, ESC

SIZES = [(80, 24), (30, 10)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_help_lists_every_command(home: Home, columns: int, rows: int) -> None:
    """With what it takes."""
    with chat(home, *OFFLINE, columns=columns, rows=rows) as screen:
        screen.enter("/help", gap_s=0.01)
        screen.wait_for("Ctrl-D")
        shown = " ".join(screen.everything.split())
        for command in COMMANDS:
            assert f"{command.usage} {command.summary}" in shown


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/levle", "there is no /levle; did you mean '/level'?"),
        ("/q", "there is no /q; did you mean '/queue' or '/quit'?"),
        ("/level 7", "'7' is no level from 0 to 4; it is /level [TOOL] [N|default]"),
        ("/level delete_expens 3", "did you mean 'delete_expense'?"),
        ("/queue drop 9", "there is no message #9"),
        ("/facts please", "/facts takes nothing; leave 'please' out"),
    ],
)
def test_a_wrong_command_says_what_it_wanted(home: Home, line: str, told: str) -> None:
    """And nothing is said to the agent."""
    with chat(home, *OFFLINE) as screen:
        screen.enter(line, gap_s=0.01)
        screen.wait_for(lambda screen: told in unwrapped(screen))
        screen.read(0.3)
        assert "queued" not in screen.text


def test_a_level_holds_for_the_next_decision_and_answers_nothing(home: Home) -> None:
    """A question that is open stays open; what comes after it is no longer asked about."""
    with chat(home, *OFFLINE) as screen:
        screen.enter("Add 3 for tea, then add 4 for tea", gap_s=0.005)
        screen.wait_for("Allow add_expense")
        screen.answer("/level 3")
        screen.wait_for("level 3: runs within its limits")
        screen.read(0.5)
        assert "Allow add_expense" in screen.text
        assert screen.lines[-1].startswith("level 3") or "level 3 · expenses" in screen.text
        screen.answer("n")
        screen.wait_for("[allow] add_expense")
        assert screen.everything.count("[ask]") == 1


def test_messages_can_be_put_otherwise_until_they_are_heard(home: Home) -> None:
    """What was dropped is never heard, what was put otherwise is heard as it stands then."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter('call look {"name":"one"}', gap_s=0.005)
        slow.wait_started("one")
        screen.enter("call look {}", gap_s=0.005)
        screen.enter("never mind", gap_s=0.005)
        screen.wait_for("queued #3")
        screen.enter("/queue", gap_s=0.01)
        screen.wait_for("#3    never mind")
        screen.enter("/queue drop 3", gap_s=0.01)
        screen.wait_for("dropped #3")
        screen.enter("/queue edit 2 call ask {}", gap_s=0.01)
        screen.wait_for("queued #2 anew: call ask {}")
        slow.let_go("one")
        screen.wait_for("When and where?")
        assert "heard #3" not in screen.text
        screen.answer("/queue edit 2 too late")
        screen.wait_for("#2 was heard at step 2")


def test_tools_facts_and_audit_are_shown(home: Home) -> None:
    """Each also while a question is open."""
    slow = Slow(home, level=2)
    slow.let_go("one")
    with chat(home) as screen:
        screen.enter("/facts", gap_s=0.01)
        screen.wait_for("no result has shown a fact yet")
        screen.enter('call look {"name":"one"} & call launch {"name":"one"}', gap_s=0.005)
        screen.wait_for("Allow launch")
        screen.answer("/facts")
        screen.wait_for("seen(one) holds, by look")
        screen.answer("/tools")
        screen.wait_for(re.compile(r"launch +irreversible +deny +deny +ask +ask +allow"))
        screen.answer("/audit")
        screen.wait_for(lambda screen: screen.text.count('[ask] launch {"name":"one"}') == 2)
        assert "Allow launch" in screen.text


def test_a_new_session_leaves_the_one_before(home: Home) -> None:
    """What is said next belongs to it; how to go on with the other is said, and nobody holds that any more."""
    with chat(home, *OFFLINE) as screen:
        screen.enter("list", gap_s=0.01)
        screen.wait_for("1 expense, 40.00 USD")
        screen.read(0.5)
        screen.enter("/new", gap_s=0.01)
        screen.wait_for("goes on with this session")
        [before] = [
            str(one["id"]) for one in sessions(home) if one["undelivered"] == [] and one["title"] == "list"
        ]
        assert before in screen.text
        screen.enter("What's my total?", gap_s=0.01)
        screen.wait_for("The total is 40.00 USD")
        screen.enter("/sessions", gap_s=0.01)
        screen.wait_for(f"· expenses · list · {before}")
        screen.send(ESC)
        screen.wait_gone("sessions (1 of 1)")
        assert home.run("run", "--session", before, "list").code == 0
        screen.send(CTRL_D)
        assert screen.wait_exit() == 0
    assert len(sessions(home)) == 2


def test_a_session_that_is_left_for_another_says_what_waits_in_it(home: Home) -> None:
    """As it does on leaving altogether."""
    with chat(home, *OFFLINE) as screen:
        screen.enter("delete expense 1", gap_s=0.01)
        screen.wait_for("Allow delete_expense")
        screen.enter("and what is my total?", gap_s=0.01)
        screen.wait_for("queued #2")
        screen.answer("/new")
        screen.wait_for("delete_expense waits for a yes or no, see `agentcli approvals show")
        assert "not heard yet: #2" in screen.text
        [before] = [str(one["id"]) for one in sessions(home) if one["title"]]
        assert f"`agentcli resume {before}` goes on" in unwrapped(screen)
        screen.enter("/sessions", gap_s=0.01)
        screen.wait_for("· expenses · waits for you · delete expense 1 ·")

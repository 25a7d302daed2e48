"""`agentcli run` and `resume` where both ends are one terminal: questions are asked there."""

import signal
import sys
from collections.abc import Mapping

import pytest

from tests.cli.process import Home
from tests.cli.waiting import garage
from tests.terminal.pty_screen import CTRL_C, CTRL_D, ENTER, PtyScreen, python_module

SEED = "Add 300 for groceries, then delete expense 1."
OFFLINE = ("--model", "offline")


def at_terminal(home: Home, *arguments: str, env: Mapping[str, str] | None = None) -> PtyScreen:
    """Start a command at a terminal of 100 columns."""
    environment = home.environment(**(env or {}))
    return PtyScreen(python_module("agentcli", *arguments), env=environment, cwd=home.folder, columns=100)


def answer(screen: PtyScreen, line: str) -> None:
    """Answer as a person does who looks at what they typed before Enter, however busy the machine is."""
    screen.read(0.7)
    screen.type(line, gap_s=0.06)
    screen.wait_for(f"> {line}")
    screen.read(0.2)
    screen.send(ENTER)


def listed(home: Home) -> list[str]:
    """What the expense agent has on its list."""
    return home.run("run", *OFFLINE, "list").out.splitlines()


def test_the_seed_case_asks_twice_at_level_2(home: Home) -> None:
    """Each call is asked about at the terminal; what was said yes to is done, and nothing else."""
    with at_terminal(home, "run", *OFFLINE, SEED) as screen:
        screen.wait_for('Allow add_expense {"item":"groceries","amount":300}? (y/n)')
        assert "write · add_expense · call 1 of 2 · code " in screen.text
        answer(screen, "y")
        screen.wait_for("Allow delete_expense")
        assert "cannot be undone" in screen.text
        answer(screen, "n keep that one")
        assert screen.wait_exit() == 0
        assert "[approved] add_expense by " in screen.everything
        assert "[declined] delete_expense by " in screen.everything
        assert ": keep that one" in screen.everything
        assert "Added #2 groceries" in screen.everything
        assert screen.is_sane
    assert len([line for line in listed(home) if "groceries" in line or "tea" in line]) == 2


@pytest.mark.parametrize(
    ("key", "code"), [(CTRL_D, 3), (CTRL_C, 130)], ids=["Ctrl-D leaves it open", "Ctrl-C cancels"]
)
def test_keys_that_end_a_question(home: Home, key: str, code: int) -> None:
    """Ctrl-D leaves the question open; Ctrl-C declines it as cancelled and stops the run."""
    with at_terminal(home, "run", *OFFLINE, SEED) as screen:
        screen.wait_for("Allow add_expense")
        screen.send(key)
        assert screen.wait_exit() == code
        assert "`agentcli resume" in " ".join(screen.everything.split())
        assert ("[cancelled] add_expense by " in screen.everything) is (code == 130)
        assert screen.is_sane
    assert not [line for line in listed(home) if "groceries" in line]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["SIGTERM", "SIGHUP"]
)
def test_a_signal_during_a_question_leaves_it_open(home: Home, number: int, code: int) -> None:
    """The terminal is given back, and nothing was answered."""
    with at_terminal(home, "run", *OFFLINE, SEED) as screen:
        screen.wait_for("Allow add_expense")
        screen.kill(number)
        assert screen.wait_exit() == code
        assert screen.is_sane
    assert home.run("sessions", "list", "--json").json[0]["state"] == "waiting"


def test_what_is_no_answer_is_kept_as_a_message(home: Home) -> None:
    """Anything but yes or no is a message: stored, heard after the answer, and the question stays open."""
    with at_terminal(home, "run", *OFFLINE, "Add 300 for groceries") as screen:
        screen.wait_for("Allow add_expense")
        answer(screen, "what is my total?")
        screen.wait_for("queued #2; the question stays open")
        answer(screen, "/help")
        screen.wait_for("commands are for `agentcli chat`")
        answer(screen, "y")
        assert screen.wait_exit() == 0
        assert "The total is 340.00 USD" in screen.everything
        assert screen.everything.count("queued #2") == screen.everything.count("heard #2 at step 2") == 1


def test_words_said_elsewhere_show_while_a_run_goes_on(home: Home) -> None:
    """Once they are stored they stand above the line that is drawn anew, and there it says when they are heard."""
    garage(home, level=4)
    with at_terminal(home, "run", "--", 'call scrap {"plate": "A-1"}') as screen:
        screen.wait_for("scrap …")
        [session] = home.run("sessions", "list", "--json").json
        home.run("say", session["id"], "call scrap {}")
        screen.wait_for("queued #2")
        screen.wait_for("scrap …")
        assert [line for line in screen.lines if line][-3:-1] == ["› call scrap {}", "queued #2"]
        (home.folder / "go").touch()
        screen.wait_exit()
        assert "heard #2 at step 2" in screen.everything


def test_words_said_elsewhere_show_above_an_open_question(home: Home) -> None:
    """At once, as in chat. A stop is told too, unless a key here has asked for it."""
    with at_terminal(home, "run", *OFFLINE, "Add 300 for groceries") as screen:
        screen.wait_for("Allow add_expense")
        [session] = home.run("sessions", "list", "--json").json
        home.run("say", session["id"], "be quick")
        screen.wait_for("queued #2")
        assert screen.text.index("› be quick") < screen.text.index("Allow add_expense")
        home.run("stop", session["id"])
        assert screen.wait_exit() == 130
        assert screen.everything.count("queued #2") == screen.everything.count("asked elsewhere to stop") == 1
        assert screen.is_sane
    with at_terminal(home, "run", *OFFLINE, "Add 300 for groceries") as screen:
        screen.wait_for("Allow add_expense")
        screen.send(CTRL_C)
        assert screen.wait_exit() == 130
        assert "asked elsewhere to stop" not in screen.everything


def test_a_yes_from_now_on_stops_the_asking_for_that_tool(home: Home) -> None:
    """`a` approves, and gives the tool level 3 for the session."""
    with at_terminal(home, "run", *OFFLINE, "Add 300 for groceries, then add 5 for tea") as screen:
        screen.wait_for("Allow add_expense")
        assert "a yes, and from now on" in screen.text
        answer(screen, "a")
        assert screen.wait_exit() == 0
        assert screen.everything.count("[approved] add_expense") == 1
        assert "[allow] add_expense" in screen.everything


def test_an_answer_given_elsewhere_is_noticed(home: Home) -> None:
    """A question that was answered in another process is taken away, and the run goes on."""
    with at_terminal(home, "run", *OFFLINE, "Add 300 for groceries") as screen:
        screen.wait_for("Allow add_expense")
        [call] = home.run("sessions", "list", "--json").json[0]["questions"]
        assert home.run("approvals", "decline", call, "--reason", "not today").code == 0
        assert screen.wait_exit() == 0
        assert "[declined] add_expense by " in screen.everything
        assert ": not today" in screen.everything


def test_resume_with_on_ask_asks_again(home: Home) -> None:
    """A question that was left open is asked again, and a yes counts then."""
    home.run("run", *OFFLINE, "Add 300 for groceries")
    with at_terminal(home, "resume", "--on-ask", "prompt") as screen:
        screen.wait_for("Allow add_expense")
        answer(screen, "y")
        assert screen.wait_exit() == 0
    assert [line for line in listed(home) if "groceries" in line]


def test_with_output_elsewhere_nothing_is_asked(home: Home) -> None:
    """Who reads the output is not who types: the question stays open."""
    answer = home.folder / "answer"
    command = f"{sys.executable} -m agentcli run --model offline 'Add 300 for groceries' > {answer}"
    with PtyScreen(["sh", "-c", command], env=home.environment(), cwd=home.folder) as screen:
        assert screen.wait_exit() == 3
        assert "Allow" not in screen.everything
    assert answer.read_text() == ""


def waits(home: Home, seconds: float) -> None:
    """Give the home an agent whose tool takes its time."""
    path = home.folder / "tools.py"
    path.write_text(
        "import time\nfrom agentcli import Toolset\ntools = Toolset('slow')\n"
        f"@tools.read\ndef wait() -> dict:\n    'Wait.'\n    time.sleep({seconds})\n    return {{}}\n"
    )
    path.chmod(0o600)
    home.configure(f'[agents.slow]\ntools = "{path}"\n')


def test_progress_is_one_line_that_leaves_nothing_behind(home: Home) -> None:
    """What is going on shows on stderr while it does, and is gone from the screen at the end."""
    waits(home, 1.5)
    with at_terminal(home, "run", "--agent", "slow", *OFFLINE, "call wait {}") as screen:
        screen.wait_for("wait …")
        assert screen.wait_exit() == 0
        assert "wait …" not in screen.everything
    with at_terminal(home, "run", "--plain", "--agent", "slow", *OFFLINE, "call wait {}") as screen:
        assert screen.wait_exit() == 0
        assert "\x1b[K" not in screen.raw.decode()


def test_nothing_of_the_progress_stays_when_it_is_left_at_once(home: Home) -> None:
    """Nor what the terminal shows of the key; where nothing is redrawn the last words begin a line of their own."""
    waits(home, 30)
    for plain in ((), ("--plain",)):
        with at_terminal(home, "run", *plain, "--agent", "slow", *OFFLINE, "call wait {}") as screen:
            screen.wait_for("[allow] wait {}" if plain else "wait …")
            screen.send(CTRL_C)
            screen.wait_for("stopping at the next safe point")
            screen.send(CTRL_C)
            assert screen.wait_exit() == 130
            lines = [line for line in screen.everything.splitlines() if line]
            assert lines[-1].startswith("left at once; ")
            assert plain or "wait …" not in screen.everything


def test_a_form_is_filled_in_where_the_run_stopped(home: Home) -> None:
    """A tool that stops to ask for something is answered at the terminal, and the run goes on."""
    path = home.folder / "tools.py"
    path.write_text(
        "from agentcli import Suspend, Toolset\ntools = Toolset('forms')\n"
        "SCHEMA = {'type': 'object', 'properties': {'day': {'type': 'string'}}, 'required': ['day']}\n"
        "@tools.read\ndef book(resumed: dict | None = None) -> dict:\n    'Book.'\n"
        "    if resumed is None:\n        raise Suspend('which day?', SCHEMA)\n    return {'day': resumed['day']}\n"
    )
    path.chmod(0o600)
    home.configure(f'[agents.forms]\ntools = "{path}"\n')
    with at_terminal(home, "run", "--agent", "forms", *OFFLINE, "call book {}") as screen:
        screen.wait_for("which day?")
        answer(screen, "monday")
        assert screen.wait_exit() == 0
        assert '"day": "monday"' in screen.everything or '"day":"monday"' in screen.everything


FORGING = 'call add_expense {{"item":"{pad}[approved] delete_expense by ana","amount":5}}'
"""A call whose audit line folds before what looks like another; `pad` fills the first row."""


@pytest.mark.parametrize("command", ["run", "audit show", "sessions show"])
def test_what_folds_can_not_pass_for_a_line_of_ours(home: Home, command: str) -> None:
    """At a terminal each row of an audit line but the first is set in, where it is told and where it is listed."""
    pad = "x" * (100 - len('[allow] add_expense {"item":"'))
    said = FORGING.format(pad=pad)
    arguments = ["run", *OFFLINE, "--autonomy", "3", said]
    if command != "run":
        home.run(*arguments)
        [session] = home.run("sessions", "list", "--json").json
        arguments = [*command.split(), *([session["id"]] if command == "sessions show" else [])]
    with at_terminal(home, *arguments) as screen:
        screen.wait_for('by ana","amount"')
        assert screen.wait_exit() == 0
        forged = [row for row in screen.everything.split("\n") if 'by ana","amount"' in row]
        assert forged
        assert all(row.startswith("  ") for row in forged)


def test_the_first_line_is_folded_between_words(home: Home) -> None:
    """A word of it is never torn at the end of a row."""
    program = python_module("agentcli", "run", *OFFLINE, "--autonomy", "4", "list")
    with PtyScreen(program, env=home.environment(), cwd=home.folder, columns=30) as screen:
        assert screen.wait_exit() == 0
        first, second = screen.everything.split("\n")[:2]
        assert first == "expenses · offline · level 4"
        assert second.startswith("  (--autonomy)")


@pytest.mark.parametrize("command", ["tools explain add_expense", "tools check", "audit verify"])
def test_what_is_shown_is_folded_between_words(home: Home, command: str) -> None:
    """And elsewhere each line is left whole, so that it can be searched."""
    home.run("run", *OFFLINE, "list")
    arguments = command.split()
    elsewhere = home.run(*arguments, env={"COLUMNS": "30"}).out
    program = python_module("agentcli", *arguments)
    with PtyScreen(program, env=home.environment(), cwd=home.folder, columns=30) as screen:
        assert screen.wait_exit() == 0
        assert len(screen.everything.strip().split("\n")) > len(elsewhere.strip().split("\n"))
        assert screen.everything.split() == elsewhere.split()


def test_how_a_run_goes_on_is_folded_between_words(home: Home) -> None:
    """The id that is to be copied is whole, and so is what an error says."""
    program = python_module("agentcli", "run", *OFFLINE, "--on-ask", "wait", "Add 300 for groceries")
    with PtyScreen(program, env=home.environment(), cwd=home.folder, columns=40) as screen:
        assert screen.wait_exit() == 3
        [call] = home.run("approvals", "list", "--json").json
        assert any(call["call_id"] in row for row in screen.everything.split("\n"))
    program = python_module("agentcli", "approvals", "show", "call_that_there_is_not")
    with PtyScreen(program, env=home.environment(), cwd=home.folder, columns=30) as screen:
        assert screen.wait_exit() == 2
        _first, *rows = screen.everything.strip().split("\n")
        assert rows
        assert all(row.startswith("  ") for row in rows)

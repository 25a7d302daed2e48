"""`agentcli demo`: listed, checked, recorded, and played at a terminal."""

import json
import signal
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agentcli.cli.look.demo import listing
from agentcli.lab.shelf import shipped_demos
from tests.cli.process import Home
from tests.terminal.pty_screen import CTRL_C, PtyScreen, python_module

SCRIPT = """\
title = "Mine"
agent = "expenses"
levels = [1, 2]
model = "offline"
[[turn]]
say = "What's my total?"
expect = [{ tool = "get_total", decision = "allow" }]
text = "40.00"
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """A demo of one's own."""
    path = tmp_path / "mine.toml"
    path.write_text(SCRIPT)
    return str(path)


def test_the_demos_are_listed(home: Home) -> None:
    """Without a script, or with --list, one sees which there are."""
    shown = home.run("demo")
    assert shown.code == 0
    assert "Level 2 asks twice" in shown.out
    assert home.run("demo", "--list").out == shown.out
    listed = home.run("demo", "--list", "--json").json
    assert {"name": "asks-twice", "title": "Level 2 asks twice", "agent": "expenses", "levels": [2]} in listed


@pytest.mark.parametrize("columns", [24, 40, 80, 200])
def test_the_list_fits_the_terminal_and_leaves_nothing_out(columns: int) -> None:
    """Titles stand beside the names, or below them where that leaves no room."""
    scripts = [(demo.name, demo.read()) for demo in shipped_demos()]
    lines = [line.rstrip() for line in listing(scripts, columns)]
    assert max(map(len, lines)) <= columns
    told = " ".join(" ".join(lines).split())
    for name, script in scripts:
        assert name in told
        assert script.title in told or columns == 80
    assert (lines[1] == "  Level 3 asks once: only what can't be") is (columns == 40)


def test_a_script_can_be_read(home: Home, mine: str) -> None:
    """--print shows it as it is, for programs too."""
    assert home.run("demo", mine, "--print").out == SCRIPT
    assert home.run("demo", mine, "--print", "--json").json == {"name": "mine", "source": SCRIPT}


def test_a_file_that_is_no_text_is_no_script(home: Home, mine: str) -> None:
    """It is said, and nothing is shown of it."""
    Path(mine).write_bytes(b"\xff")
    for option in ("--print", "--check"):
        told = home.run("demo", mine, option)
        assert (told.code, "UTF-8 text" in told.error) == (2, True)


def test_what_comes_out_as_it_says_passes(home: Home, mine: str) -> None:
    """A check plays every level, and leaves no trace in the store."""
    checked = home.run("demo", mine, "--check")
    assert (checked.code, checked.out.splitlines()) == (
        0,
        ["mine, level 1: as it says", "mine, level 2: as it says"],
    )
    assert not home.store.exists()


def test_what_comes_out_otherwise_fails_with_a_diff(home: Home, mine: str) -> None:
    """Exit code 1, and what came instead."""
    Path(mine).write_text(SCRIPT.replace("40.00", "41.00"))
    checked = home.run("demo", mine, "--check")
    assert checked.code == 1
    assert '  - text with "41.00"' in checked.out.splitlines()
    told = home.run("demo", mine, "--check", "--json")
    assert (told.code, [(one["name"], one["level"]) for one in told.json]) == (1, [("mine", 1), ("mine", 2)])


def test_the_config_does_not_change_a_demo(home: Home, mine: str) -> None:
    """What is shown to others is the same on every machine: demos go by defaults."""
    home.configure("[limits]\nsteps = 1\n[agents.expenses]\nsample = false\n")
    assert home.run("demo", mine, "--check").code == 0


def test_a_demo_is_recorded(home: Home, mine: str) -> None:
    """As an asciicast, and as a picture."""
    cast, picture = home.folder / "mine.cast", home.folder / "mine.svg"
    assert home.run("demo", mine, "--cast", str(cast), "--svg", str(picture)).code == 0
    header, *frames = [json.loads(line) for line in cast.read_text().splitlines()]
    assert header["title"] == "Mine"
    assert "[allow]" in "".join(text for _, _, text in frames)
    shown = "".join(ElementTree.fromstring(picture.read_text()).itertext())
    assert "What's my total?" in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("asks-twic", "--check"), "did you mean 'asks-twice'?"),
        (("--list", "--check"), "--list and --check ask for different things"),
        (("asks-twice", "--print", "--svg", "x.svg"), "--print and a recording ask for different things"),
        (("asks-twice", "--check", "--speed", "2"), "--speed is for a demo that is played"),
        (("--speed", "2"), "--speed is for a demo that is played"),
        (("asks-twice", "--json"), "--json goes with --check, --list and --print"),
        (("--cast", "x.cast"), "name it"),
        (("--print",), "name it"),
        (("asks-twice",), "takes a terminal"),
        (("asks-twice", "--speed", "fast"), "is not a number above 0"),
        (("asks-twice", "--svg", "/nowhere/x.svg"), "can't be written"),
        (("asks-twice", "--print", "--speed", "1000"), "up to 100"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(home: Home, arguments: tuple[str, ...], complaint: str) -> None:
    """It is said what to type instead."""
    told = home.run("demo", *arguments)
    assert (told.code, complaint in told.err) == (2, True), told


def test_a_wrong_script_is_told_with_file_and_line(home: Home, mine: str) -> None:
    """Wrong usage: nothing plays."""
    Path(mine).write_text(SCRIPT + "nonsense = 1\n")
    told = home.run("demo", mine, "--check")
    assert told.code == 2
    assert f"{mine}:9: turn[0].nonsense: unknown key 'nonsense'" in told.err


def playing(home: Home, *arguments: str) -> PtyScreen:
    return PtyScreen(python_module("agentcli", "demo", *arguments), env=home.environment(), cwd=home.folder)


def test_it_is_played_in_the_real_view(home: Home) -> None:
    """Typed by itself, question and all; keys of those who watch do nothing."""
    with playing(home, "asks-twice", "--speed", "4") as screen:
        screen.wait_for("Allow add_expense")
        screen.send("y\r")
        screen.wait_for("Allow delete_expense")
        assert screen.wait_exit() == 0
        assert screen.is_sane
        assert "[declined] delete_expense by ana: keep that one" in screen.everything
        assert not home.store.exists()


def test_at_a_dumb_terminal_it_is_played_in_lines(home: Home) -> None:
    """Without a sequence that such a terminal would show as it is."""
    program = python_module("agentcli", "demo", "asks-once", "--speed", "100")
    with PtyScreen(program, env=home.environment(TERM="dumb"), cwd=home.folder) as screen:
        assert screen.wait_exit() == 0
        assert b"\x1b" not in screen.raw
        assert "[approved] delete_expense by ana" in screen.everything


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["TERM", "HUP"])
def test_a_signal_ends_it(home: Home, number: int, code: int) -> None:
    """As it ends every other command, with the terminal given back."""
    with playing(home, "asks-twice") as screen:
        screen.wait_for("Allow add_expense")
        screen.kill(number)
        assert screen.wait_exit() == code
        assert screen.is_sane


def test_ctrl_c_ends_it(home: Home) -> None:
    """The one key that counts, and the terminal is given back."""
    with playing(home, "asks-twice") as screen:
        screen.wait_for("› Add 300")
        screen.send(CTRL_C)
        assert screen.wait_exit() == 130
        assert screen.is_sane


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["TERM", "INT"])
def test_a_signal_ends_a_check_too(home: Home, number: int, code: int) -> None:
    """It is not taken for a fault of the demo."""
    with home.start("demo", "--check") as checking:
        assert checking.stdout is not None
        checking.stdout.readline()
        checking.send_signal(number)
        # Between two demos nobody listens, and the system ends it, which a shell tells by the same code.
        assert checking.wait(20) in (code, -number)

"""`agentcli compare`: levels side by side, on copies of the books, and nothing reaches the world."""

from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.process import Home
from tests.terminal.pty_screen import CTRL_D, PtyScreen, python_module

SEED = "Add 300 for groceries, then delete expense 1."
OFFLINE = ("--model", "offline")

OWN_AGENT = """
from pathlib import Path
from agentcli import Toolset

tools = Toolset("own")

@tools.irreversible
def launch(name: str) -> dict:
    "Launch something."
    (Path(__file__).parent / "launched").touch()
    return {"launched": name}

@tools.read
def look(name: str) -> dict:
    "Look at something."
    return {"seen": name}
"""


def decisions(home: Home, *arguments: str) -> dict[int, list[str]]:
    """What each level decides about each call, with the answer where it was asked."""
    told = home.run("compare", "--json", *OFFLINE, *arguments)
    assert told.code == 0, told
    return {
        column["level"]: [
            one["decision"] + (f"→{one['answer']}" if one["answer"] else "") for one in column["decisions"]
        ]
        for column in told.json["levels"]
    }


def test_each_level_decides_as_its_row_of_the_table_says(home: Home) -> None:
    """The same message and the same books: only the level makes the difference."""
    assert decisions(home, SEED) == {
        0: [],
        1: ["deny", "deny"],
        2: ["ask→approved", "ask→approved"],
        3: ["allow", "ask→approved"],
        4: ["allow", "allow"],
    }


def test_the_json_has_these_fields_and_no_others(home: Home) -> None:
    """Programs can rely on what a comparison is made of."""
    told = home.run("compare", "--json", *OFFLINE, "--levels", "3", SEED).json
    assert list(told) == ["message", "agent", "model", "levels"]
    assert (told["message"], told["agent"], told["model"]) == (SEED, "expenses", "offline")
    [column] = told["levels"]
    assert list(column) == ["level", "decisions", "effects", "asked", "outcome", "text", "steps", "usage"]
    assert (column["level"], column["asked"], column["outcome"], column["steps"]) == (3, 1, "completed", 2)
    assert list(column["usage"]) == [
        *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd"),
    ]
    assert column["decisions"][1] == {
        "tool": "delete_expense",
        "input": {"id": 1},
        "risk": "irreversible",
        "decision": "ask",
        "answer": "approved",
        "status": "ok",
    }
    gone, new = column["effects"]
    assert [list(gone), gone["id"], gone["before"]["item"], gone["after"]] == [
        ["table", "id", "before", "after"],
        *(1, "tea", None),
    ]
    assert [new["id"], new["before"], new["after"]["amount"]] == [2, None, "300.00"]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_every_question_is_answered_as_wished(home: Home, answer: str) -> None:
    """With `no` nothing that is asked about happens."""
    expected = {"yes": "ask→approved", "no": "ask→declined"}[answer]
    assert decisions(home, "--levels", "2", "--answer", answer, SEED) == {2: [expected] * 2}


def test_the_store_is_as_it_was(home: Home) -> None:
    """Every level works on its own copy of the books, and leaves no session behind."""
    home.run("run", *OFFLINE, "--autonomy", "3", "add 5 for tea")
    before = home.store.read_bytes(), home.run("sessions", "list", "--json").json
    changed = home.run("compare", *OFFLINE, "--json", SEED).json["levels"][4]["effects"]
    assert [(one["id"], one["after"] and one["after"]["item"]) for one in changed] == [(1, None), (3, "groceries")]
    assert (home.store.read_bytes(), home.run("sessions", "list", "--json").json) == before


def test_without_a_store_none_is_made(home: Home) -> None:
    """To compare is to look: nothing is written anywhere."""
    assert home.run("compare", *OFFLINE, SEED).code == 0
    assert not home.store.exists()


def test_a_tool_that_acts_elsewhere_is_not_run(home: Home) -> None:
    """A copy of the books does not copy the world: such a call is shown as one that would run; a read runs."""
    tools = home.folder / "tools.py"
    tools.write_text(OWN_AGENT)
    tools.chmod(0o600)
    home.configure(f'[agents.own]\ntools = "{tools}"\n')
    said = 'call launch {"name":"x"} & call look {"name":"y"}'
    shown = home.run("compare", *OFFLINE, "--agent", "own", "--levels", "2,4", said)
    assert "ask→yes (would run)" in shown.out.replace("\n" + " " * 40, " ")
    assert "allow (would run)" in shown.out
    assert not (tools.parent / "launched").exists()
    told = home.run("compare", *OFFLINE, "--agent", "own", "--levels", "4", "--json", said).json["levels"][0]
    assert [one["status"] for one in told["decisions"]] == ["simulated", "ok"]


def test_a_level_that_reaches_a_limit_shows_it_and_the_others_go_on(home: Home) -> None:
    """Limits hold for each level on its own, and none of them is a failure of the comparison."""
    home.configure("[limits]\nasks = 1\n")
    told = home.run("compare", *OFFLINE, "--json", "--levels", "2-4", SEED)
    assert told.code == 0
    assert [column["outcome"] for column in told.json["levels"]] == ["limit", "completed", "completed"]
    assert "limit on questions reached" in home.run("compare", *OFFLINE, "--levels", "2-4", SEED).out


def test_a_policy_can_be_looked_at_before_it_is_set(home: Home) -> None:
    """A tool's own level counts in every column but 0; to require approval asks for reads too."""
    own = decisions(home, "--levels", "0,1,2", "--tool-level", "add_expense=3", SEED)
    assert own == {0: [], 1: ["allow", "deny"], 2: ["allow", "ask→approved"]}
    asked = decisions(home, "--levels", "1,4", "--require-approval", "What's my total?")
    assert asked == {1: ["ask→approved"], 4: ["ask→approved"]}


@pytest.mark.parametrize(
    ("agent", "said", "tool"),
    [
        ("expenses", "What's my total?", "get_total"),
        ("support", 'call get_order {"order_id":"O-1001"}', "get_order"),
        ("library", 'call get_member {"member_id":"M-1"}', "get_member"),
        ("briefs", 'call get_brief {"brief_id":"V-1"}', "get_brief"),
    ],
)
def test_it_works_with_every_agent(home: Home, agent: str, said: str, tool: str) -> None:
    """What one agent can be asked at several levels, the others can too."""
    told = home.run("compare", *OFFLINE, "--json", "--agent", agent, "--levels", "1,2", said).json
    called = [[(one["tool"], one["status"]) for one in column["decisions"]] for column in told["levels"]]
    assert called == [[(tool, "ok")]] * 2


def test_briefs_go_to_the_embedded_api_whatever_is_configured(home: Home) -> None:
    """A comparison submits nothing to the address in the config."""
    home.configure('[agents.briefs]\napi_url = "http://127.0.0.1:9/closed"\n')
    told = home.run("compare", *OFFLINE, "--agent", "briefs", "--json", "--levels", "4", "submit V-1").json
    assert [one["status"] for one in told["levels"][0]["decisions"]] == ["accepted"]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_it_fits_the_terminal(home: Home, columns: int) -> None:
    """From 40 columns, where levels stand below each other, to 200."""
    shown = home.run("compare", *OFFLINE, SEED, env={"COLUMNS": str(columns)})
    lines = shown.out.splitlines()
    assert max(map(len, lines)) <= columns
    assert ("   level 2  ask→yes" in lines) is (columns == 40)
    assert lines[-1] == "they part at call 1"


def test_it_can_be_drawn_as_a_picture(home: Home) -> None:
    """The picture shows the table, and needs nothing but itself."""
    picture = home.folder / "levels.svg"
    assert home.run("compare", *OFFLINE, "--svg", str(picture), SEED).code == 0
    shown = " ".join(ElementTree.fromstring(picture.read_text()).itertext())
    assert "ask→yes" in shown
    assert "they part at call 1" in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--levels", "5", "x"), "neither a range"),
        (("--levels", "", "x"), "neither a range"),
        (("--levels", "3-1", "x"), "backwards"),
        (("--answer", "maybe", "x"), "none of yes, no and ask"),
        (("--answer", "ask", "x"), "needs a terminal"),
        (("--levels", "2", "--autonomy", "3", "x"), "--levels says which levels are compared"),
        (("--autonomy", "9", "x"), "--autonomy: '9' is neither"),
        ((" ",), "the message is empty"),
        (("--svg", "/nowhere/x.svg", "x"), "can't be written"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(home: Home, arguments: tuple[str, ...], complaint: str) -> None:
    """It is said what is wrong, and nothing runs."""
    told = home.run("compare", *OFFLINE, *arguments)
    assert (told.code, complaint in told.err) == (2, True), told


def test_a_level_named_as_elsewhere_is_the_only_one(home: Home) -> None:
    """`--autonomy` means here what it means in every other command."""
    assert decisions(home, "--autonomy", "3", SEED) == {3: ["allow", "ask→approved"]}


def test_the_table_is_there_before_a_picture_fails(home: Home) -> None:
    """What was compared, and may have cost something, is not lost for a file that can't be written."""
    told = home.run("compare", *OFFLINE, "--levels", "2", "--svg", "/dev/full", SEED)
    assert (told.code, "ask→yes" in told.out) == (2, True)
    assert "/dev/full: can't be written: No space left on device" in told.err


def test_hooks_are_said_to_run(home: Home) -> None:
    """A copy of the books holds in no program: what a hook does, it does at every level."""
    seen = home.folder / "seen"
    hook = home.folder / "hook.sh"
    hook.write_text(f"#!/bin/sh\necho asked >> {seen}\n")
    hook.chmod(0o700)
    assert "hooks" not in home.run("compare", *OFFLINE, "--levels", "1", SEED).err
    home.configure(f'[[hooks.pre_tool]]\ncommand = ["{hook}"]\n')
    told = home.run("compare", *OFFLINE, "--levels", "1,2", "What's my total?")
    assert told.err == "rules answer, not intelligence · hooks run at each level, outside of the copies\n"
    assert seen.read_text() == "asked\n" * 2


def ask_screen(home: Home, folder: Path) -> PtyScreen:
    argv = python_module("agentcli", "compare", *OFFLINE, "--levels", "2,3", "--answer", "ask", SEED)
    return PtyScreen(argv, env=home.environment(), cwd=folder, columns=100)


def has_asked(times: int, screen: PtyScreen) -> bool:
    return screen.everything.count(": [ask] ") == times


def test_a_person_is_asked_one_question_at_a_time_and_told_for_which_level(home: Home, tmp_path: Path) -> None:
    """Asked at the terminal, each level's own questions get their own answers, and what was answered stays there."""
    with ask_screen(home, tmp_path) as screen:
        for number in (1, 2, 3):
            screen.wait_for(partial(has_asked, number))
            screen.wait_for("? (y/n)")
            level = screen.everything.rpartition(": [ask]")[0][-1]
            assert screen.everything.count("? (y/n)") == 1
            screen.answer("y" if level == "3" else "n not there")
        assert screen.wait_exit(20) == 0
        rows = [line.split()[-2:] for line in screen.everything.splitlines() if line.startswith(("1  ", "2  "))]
        assert rows == [["ask→no", "allow"], ["ask→no", "ask→yes"]]
        assert screen.everything.count("level 2: [declined] ") == 2
        assert screen.everything.count("level 3: [approved] delete_expense by ") == 1


def test_who_leaves_ends_the_comparison(home: Home, tmp_path: Path) -> None:
    """Ctrl-D at a question answers nothing, and is not followed by the next question."""
    with ask_screen(home, tmp_path) as screen:
        screen.wait_for("? (y/n)")
        screen.send(CTRL_D)
        assert screen.wait_exit(20) == 130
        assert "left; nothing was compared" in screen.everything
        assert screen.is_sane


FORM = """
from agentcli import Suspend, Toolset

tools = Toolset("own")

@tools.read
def choose(name: str, resumed: dict | None = None) -> dict:
    "Choose."
    if resumed is None:
        schema = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}
        raise Suspend("Which colour?", schema)
    return {"colour": resumed["colour"]}
"""


def test_a_form_is_filled_in_at_the_terminal(home: Home, tmp_path: Path) -> None:
    """What a call asks for besides a yes or no is asked too, for the level that it belongs to."""
    tools = home.folder / "tools.py"
    tools.write_text(FORM)
    tools.chmod(0o600)
    home.configure(f'[agents.own]\ntools = "{tools}"\n')
    said = 'call choose {"name":"x"}'
    argv = python_module(
        "agentcli", "compare", *OFFLINE, "--agent", "own", "--levels", "1", "--answer", "ask", said
    )
    with PtyScreen(argv, env=home.environment(), cwd=tmp_path, columns=100) as screen:
        screen.wait_for("colour?")
        assert "level 1: " in screen.everything
        screen.answer("red")
        assert screen.wait_exit(20) == 0
        assert "allow→filled" in screen.everything

"""`agentcli tools explain` and `tools check`: what the gate would say, and what a declaration leaves open."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.process import Home

OFFLINE = ("--model", "offline")
SUPPORT = ("--agent", "support")
REFUND = '{"customer_id":"C-1","order_id":"O-1001","amount":50}'
LOOK = 'call get_customer {"customer_id":"C-1"}'


def levels(home: Home, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = home.run("tools", "explain", *arguments, "--json").json["levels"]
    assert [one["level"] for one in found] == [0, 1, 2, 3, 4]
    return found


def decisions(home: Home, *arguments: str) -> list[str]:
    return [one["decision"] for one in levels(home, *arguments)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("get_total", "{}"), ["deny", "allow", "allow", "allow", "allow"]),
        (("add_expense", '{"item":"tea","amount":4}'), ["deny", "deny", "ask", "allow", "allow"]),
        (("delete_expense", '{"id":1}'), ["deny", "deny", "ask", "ask", "allow"]),
        (("delete_expense", '{"id":true}'), ["deny"] * 5),
        (("delete_expense", "{"), ["deny"] * 5),
        (("delete_expense",), ["deny", "deny", "ask", "ask", "allow"]),
        (("borrow_book", "--agent", "library"), ["deny", "deny", "ask", "ask", "ask"]),
    ],
    ids=" ".join,
)
def test_every_level_has_its_decision(home: Home, arguments: tuple[str, ...], expected: list[str]) -> None:
    """It is that of the gate, whatever the level is now."""
    assert decisions(home, *arguments) == expected
    assert decisions(home, *arguments, "--autonomy", "4") == expected


def test_every_rule_that_spoke_is_told(home: Home) -> None:
    """Those that allow as well: who wonders why a call was denied sees what was not the reason, too."""
    at_2 = levels(home, "process_refund", REFUND.replace("50", "600"), *SUPPORT)[2]
    assert [(one["rule"], one["decision"]) for one in at_2["rules"]] == [
        ("schema", "allow"),
        ("level", "ask"),
        ("prerequisite", "deny"),
        ("limit", "deny"),
    ]
    assert "amount is 600; the limit is 500. Use escalate_to_human instead." in at_2["rules"][-1]["reason"]


def test_without_an_input_it_says_what_the_rules_would_look_at(home: Home) -> None:
    """A rule that needs an input has decided nothing, and says what it needs to see."""
    rules = levels(home, "process_refund", *SUPPORT)[4]["rules"]
    assert [(one["rule"], one["decision"], one["reason"]) for one in rules] == [
        ("level", "allow", "level 4 allows irreversible calls"),
        ("schema", None, "the input has to fit; it takes customer_id, order_id, amount, reason"),
        ("prerequisite", None, "identity_verified has to hold for customer_id, shown by get_customer"),
        ("limit", None, "amount is at most 500"),
    ]


def test_facts_are_those_of_a_session_or_there_are_none(home: Home) -> None:
    """What one session was shown counts in that one alone."""
    assert decisions(home, "process_refund", REFUND, *SUPPORT) == ["deny"] * 5
    home.run("run", *OFFLINE, *SUPPORT, LOOK)
    session = home.run("sessions", "list", "--json").json[0]["id"]
    assert decisions(home, "process_refund", REFUND, *SUPPORT) == ["deny"] * 5
    with_it = ("--session", session[:6])
    # The session says which agent it is.
    assert decisions(home, "process_refund", REFUND, *with_it) == ["deny", "deny", "ask", "ask", "allow"]
    other = REFUND.replace("C-1", "C-3")
    assert decisions(home, "process_refund", other, *with_it) == ["deny"] * 5


def test_what_was_declined_in_an_open_run_is_told(home: Home) -> None:
    """The same call would be denied without asking."""
    said = (
        f"{LOOK} & call process_refund {REFUND} & call escalate_to_human " + '{"customer_id":"C-1","reason":"x"}'
    )
    home.run("run", *OFFLINE, *SUPPORT, said)
    call = home.run("approvals", "list", "--json").json[0]["call_id"]
    assert home.run("approvals", "decline", call).code == 0
    # The run is still open: the case is asked about.
    home.run("resume", "--on-ask", "wait")
    session = home.run("sessions", "list", "--json").json[0]["id"]
    rules = levels(home, "process_refund", REFUND, "--session", session)[4]["rules"]
    assert [one["decision"] for one in rules if one["rule"] == "earlier decline"] == ["deny"]


def test_a_limit_that_the_open_run_has_reached_is_told(home: Home) -> None:
    """It is no rule of the gate: the run ends before the question, and only where there is one."""
    home.configure("[limits]\nasks = 1\n")
    home.run("run", *OFFLINE, "call add_expense " + '{"item":"tea","amount":4}')
    session = home.run("sessions", "list", "--json").json[0]["id"]
    explained = levels(home, "delete_expense", '{"id":1}', "--session", session)
    rules = explained[2]["rules"]
    assert rules[-1] == {
        "rule": "run limit",
        "decision": None,
        "reason": "the open run has reached limits.asks and ends before this question",
    }
    told = [at["decision"] for at in explained if "run limit" in [one["rule"] for one in at["rules"]]]
    assert told == ["ask", "ask"]


def test_a_limit_that_ends_the_open_run_before_the_call_is_told_first(home: Home) -> None:
    """Whatever the rules say: at every level."""
    home.configure("[limits]\nirreversible = 0\n")
    home.run("run", *OFFLINE, "call add_expense " + '{"item":"tea","amount":4}')
    session = home.run("sessions", "list", "--json").json[0]["id"]
    told = [at["rules"][0]["reason"] for at in levels(home, "delete_expense", '{"id":1}', "--session", session)]
    assert told == 5 * ["the open run has reached limits.irreversible and ends before this call"]


def test_hooks_are_named_and_not_asked(home: Home) -> None:
    """None is named where the call is denied anyway: then none would be asked."""
    marker = home.folder / "asked"
    home.configure(
        f"""
        [[hooks.pre_tool]]
        tools = ["delete_expense"]
        command = ["/usr/bin/touch", "{marker}"]
        [[hooks.pre_tool]]
        python = "/nowhere/policy.py:check"
        [[hooks.pre_tool]]
        tools = ["add_expense"]
        command = ["/bin/false"]
        """
    )
    found = levels(home, "delete_expense", '{"id":1}')
    named = [[one["reason"] for one in at["rules"] if one["rule"] == "hook"] for at in found]
    hooks = [
        "the hook touch asked is asked; it can only tighten",
        "the hook policy.py:check is asked; it can only tighten",
    ]
    assert named == [[], [], hooks, hooks, hooks]
    assert not marker.exists()


def test_explaining_runs_and_stores_nothing(home: Home) -> None:
    """Neither is a store made where there is none, nor is one that is there changed."""
    home.run("tools", "explain", "add_expense", '{"item":"tea","amount":4}')
    assert not home.store.exists()
    home.run("run", *OFFLINE, "list")
    before = home.run("sessions", "list", "--json").out, home.run("run", *OFFLINE, "What's my total?").out
    for agent in ("expenses", "support"):
        tool = {"expenses": "add_expense", "support": "get_customer"}[agent]
        assert home.run("tools", "explain", tool, "{}", "--agent", agent).code == 0
    assert home.run("run", *OFFLINE, "What's my total?").out == before[1]


def test_config_flags_count(home: Home) -> None:
    """A config that asks for every call shows here."""
    home.configure('[approval]\nrequire = true\n[agents.support]\nrefund_limit = "20"\n')
    assert decisions(home, "get_total", "{}") == ["deny", "ask", "ask", "ask", "ask"]
    limit = levels(home, "process_refund", *SUPPORT)[2]["rules"][-1]
    assert limit["reason"] == "amount is at most 20"


def test_for_a_person_each_level_is_a_paragraph(home: Home) -> None:
    """The level that counts now is marked, and what hides in an input is shown as marks."""
    text = home.run("tools", "explain", "add_expense", '{"item":"te\u202ea"}', "--tool-level", "add_expense=3").out
    first, *paragraphs = text.split("\n\n")
    assert first == 'add_expense · write · {"item":"te⟨U+202E⟩a"}'
    assert [one.splitlines()[0] for one in paragraphs] == [
        "level 0: deny",
        "level 1: deny",
        "level 2: deny",
        "level 3: deny ← now",
        "level 4: deny",
    ]
    assert paragraphs[4].splitlines()[1].split()[:3] == ["deny", "schema", "invalid"]
    plain = home.run("tools", "explain", "add_expense").out
    assert plain.splitlines()[:2] == [
        "add_expense · write · any input",
        "Write an expense down. Without a category, one is chosen by the item, else it is `other`.",
    ]
    assert "level 2: ask, if the input passes ← now" in plain


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("delete_expens",),
            "has no tool 'delete_expens'; did you mean 'delete_expense'? there are: get_total, ",
        ),
        (("get_customer",), "the agent expenses has no tool 'get_customer'; it is one of --agent support; "),
        (("get_total", "--agent", "nobody"), "no agent 'nobody'"),
        (("get_total", "--session", "zzz"), "no session 'zzz'"),
    ],
)
def test_what_is_not_there_is_wrong_usage(home: Home, arguments: tuple[str, ...], told: str) -> None:
    """With and without a store: exit code 2, and what there is."""
    for _ in range(2):
        ended = home.run("tools", "explain", *arguments)
        assert ended.code == 2
        assert told in ended.error
        home.run("run", *OFFLINE, "list")


def test_the_agent_of_a_session_is_fixed(home: Home) -> None:
    """Another one's tools have no facts there."""
    home.run("run", *OFFLINE, "list")
    session = home.run("sessions", "list", "--json").json[0]["id"]
    ended = home.run("tools", "explain", "get_customer", "--session", session, *SUPPORT)
    assert ended.code == 2
    assert "is with the agent 'expenses'" in ended.error


# tools check -----------------------------------------------------------------------------------------------------

OWN_TOOLS = """
from agentcli import Toolset

tools = Toolset("garage")


@tools.tool
def poke(plate: str) -> dict:
    "Poke a car."


@tools.write(preview=lambda values: ["will move it"])
def move(plate: str) -> dict:
    "Move a car."
"""
OWN_PROMPT = "## Boundaries\n\n- move: never far.\n- sell: never.\n"


def own_agent(home: Home, tools: str = OWN_TOOLS, prompt: str | None = OWN_PROMPT) -> Path:
    """Configure the agent `garage`."""
    path = home.folder / "garage.py"
    path.write_text(tools)
    path.chmod(0o600)
    lines = [f'[agents.garage]\ntools = "{path}"']
    if prompt is not None:
        (home.folder / "prompt.md").write_text(prompt)
        (home.folder / "prompt.md").chmod(0o600)
        lines.append(f'prompt = "{home.folder / "prompt.md"}"')
    home.configure("\n".join(lines) + "\n")
    return path


NO_PROMPT = "it has no prompt: `prompt` beside `tools` in the config names its file"
FLAWS = [
    ("poke", "it declares no risk, so it counts as irreversible"),
    ("poke", "it is irreversible and has no preview: a person can't see what a yes would do"),
    ("move", "it is a write without undo, so it counts as irreversible"),
    (None, "the prompt has no section 'After a no'"),
    ("sell", "the prompt has a boundary for it, and there is no such tool"),
    ("poke", "it is irreversible, and no boundary in the prompt is about it"),
]


def test_check_finds_nothing_about_the_agents_that_ship(home: Home) -> None:
    """All of them are looked at."""
    ended = home.run("tools", "check")
    assert (ended.code, ended.out) == (0, "nothing found: expenses, support, library, briefs\n")
    assert home.run("tools", "check", "--json").json == []


def test_check_finds_what_an_own_agent_leaves_open(home: Home) -> None:
    """Findings end with 1, and say which agent and tool they are about."""
    own_agent(home)
    for arguments in ((), ("--agent", "garage")):
        ended = home.run("tools", "check", *arguments, "--json")
        assert ended.code == 1
        assert [(one["agent"], one["tool"], one["problem"]) for one in ended.json] == [
            ("garage", *flaw) for flaw in FLAWS
        ]
    lines = home.run("tools", "check", env={"COLUMNS": "40"}).out.splitlines()
    assert [line.split() for line in lines] == [
        ["garage", *([tool] if tool else []), *problem.split()] for tool, problem in FLAWS
    ]


def test_check_looks_at_the_agent_asked_for_alone(home: Home) -> None:
    """Another one's findings are none of it."""
    own_agent(home)
    assert home.run("tools", "check", "--agent", "support").code == 0


def test_an_agent_that_can_not_be_loaded_is_wrong_config(home: Home) -> None:
    """There is nothing to check in it yet."""
    own_agent(home, tools="tools = None")
    ended = home.run("tools", "check")
    assert ended.code == 2
    assert "0 Toolsets instead of one" in ended.error


def test_check_of_no_agent_is_wrong_usage(home: Home) -> None:
    """A name that nobody has."""
    assert home.run("tools", "check", "--agent", "nobody").code == 2


def test_check_writes_json_for_programs(home: Home) -> None:
    """One array on one line."""
    own_agent(home, prompt=None)
    found = json.loads(home.run("tools", "check", "--agent", "garage", "--json").out)
    assert {"agent": "garage", "tool": None, "problem": NO_PROMPT} in found

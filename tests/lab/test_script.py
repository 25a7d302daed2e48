"""A demo's script: what is wrong with it is told with file and line, before anything plays."""

import re
from pathlib import Path

import pytest

from agentcli.config import ConfigError
from agentcli.lab.reading import parse_script, read_script

AS_PRINTED = """\
title = "Level 2 asks twice"
agent = "expenses"
levels = [2]
model = "offline"                 # or "scripted", with [[reply]]
now = 2026-11-30T09:00:00Z        # the clock of the demo
[[data]]                          # calls played into the sandbox first, unasked
tool = "add_expense"
input = { item = "coffee", amount = "3.50", date = "2024-01-05" }
[[turn]]
say = "Add 300 for groceries, then delete expense 1."
meanwhile = [{ step = 1, say = "in rupees, please" }]
answers = [{ tool = "add_expense", line = "y" }, { tool = "delete_expense", line = "n keep that one" }]
expect = [{ tool = "add_expense", decision = "ask", answer = "approved" }, { tool = "delete_expense", decision = "ask", answer = "declined" }]
text = "groceries"                # is in the final text
# [[reply]]                       # for model = "scripted": text, calls = [{ tool, input }], stop
[[effect]]
tool = "list_expenses"            # a read, and what it must give
result = { more = false }
"""

HEAD = 'title = "x"\nagent = "{agent}"\nlevels = {levels}\nmodel = "{model}"\n'
TURN = '[[turn]]\nsay = "x"\n'


def script(more: str = TURN, agent: str = "expenses", levels: str = "[2]", model: str = "offline") -> str:
    return HEAD.format(agent=agent, levels=levels, model=model) + more


def expecting(call: str, answers: str = "[]", levels: str = "[2]") -> str:
    return script(f"{TURN}answers = {answers}\nexpect = [{{ {call} }}]\n", levels=levels)


def test_the_format_is_read_as_it_is_described() -> None:
    """Every key there is, in one script."""
    read = parse_script("x.toml", AS_PRINTED.encode())
    assert (read.title, read.levels, read.now.isoformat()) == (
        "Level 2 asks twice",
        (2,),
        "2026-11-30T09:00:00+00:00",
    )
    [turn] = read.turn
    assert [one.say for one in turn.meanwhile] == ["in rupees, please"]
    assert [one.line for one in turn.answers] == ["y", "n keep that one"]
    assert [(one.decision, one.answer) for one in turn.expect or ()] == [("ask", "approved"), ("ask", "declined")]
    assert read.effect[0].result == {"more": False}


def test_a_scripted_model_has_its_replies_in_the_script() -> None:
    """Text, calls and how it stops."""
    text = script(
        f'{TURN}[[reply]]\ntext = "t"\ncalls = [{{ tool = "get_total" }}]\nstop = "max_tokens"\n', model="scripted"
    )
    [reply] = parse_script("x.toml", text.encode()).reply
    assert (reply.text, reply.calls[0].tool, reply.calls[0].input, reply.stop) == (
        "t",
        "get_total",
        {},
        "max_tokens",
    )


def test_no_expectation_is_not_the_expectation_of_nothing() -> None:
    """An empty list says that no call is decided."""
    [said] = parse_script("x.toml", script().encode()).turn
    [nothing] = parse_script("x.toml", script(f"{TURN}expect = []\n").encode()).turn
    assert (said.expect, nothing.expect) == (None, ())


WRONG = {
    "not TOML": ("title = \n", 1, "is not TOML"),
    "unknown key": (script('nonsense = 1\n'), 5, "unknown key 'nonsense'"),
    "unknown key in a turn": (script('[[turn]]\nsay = "x"\nanswer = []\n'), 7, "unknown key 'answer'; did you mean"),
    "missing key": ('title = "x"\n', None, "missing key 'agent'"),
    "unknown agent": (script(agent="expense"), 2, "no agent 'expense' ships; did you mean 'expenses'?"),
    "level 5": (script(levels="[5]"), 3, "are not different levels"),
    "a level twice": (script(levels="[2, 2]"), 3, "are not different levels"),
    "no level": (script(levels="[]"), 3, "is not a list of levels"),
    "unknown model": (script(model="claude"), 4, 'is not "offline"'),
    "nothing is said": (script(""), None, "it says nothing"),
    "blank words": (script('[[turn]]\nsay = " "\n'), 6, "is not text that is not blank"),
    "a text that is in every text": (script(TURN + 'text = ""\n'), 7, "is not text that is not blank"),
    "a look that sees nothing": (
        script(TURN + '[[effect]]\ntool = "get_total"\nresult = {}\n'), 9, "is not a table with at least one member",
    ),
    "a look that can't be had": (
        script(TURN + '[[effect]]\ntool = "list_expenses"\ninput = { limt = 3 }\nresult = { more = false }\n'),
        *(9, "list_expenses can't take it: there is no parameter 'limt'"),
    ),
    "data that can't be": (
        script('[[data]]\ntool = "add_expense"\ninput = { item = "tea" }\n' + TURN),
        *(7, "add_expense can't take it: 'amount' is missing"),
    ),
    "scripted without replies": (script(model="scripted"), 4, "needs a [[reply]]"),
    "replies for a model with its own": (script(f'{TURN}[[reply]]\ntext = "x"\n'), 7, "makes its own replies"),
    "a time without a zone": (script("now = 2026-11-30T09:00:00\n" + TURN), 5, "is not a time with its zone"),
    "a step beyond the limit": (
        script(TURN + 'meanwhile = [{ step = 7, say = "x" }]\n'), 7, "is not a step from 1 to 6",
    ),
    "no such tool": (expecting('tool = "add_expens", decision = "ask"'), 8, "did you mean 'add_expense'?"),
    "an answer for no tool": (script(TURN + 'answers = [{ tool = "x", line = "y" }]\n'), 7, "has no tool 'x'"),
    "an answer that is a message": (
        script(TURN + 'answers = [{ tool = "add_expense", line = "not yet" }]\n'), 7, "is no answer but a message",
    ),
    "a decision looser than the level's": (
        expecting('tool = "delete_expense", decision = "allow"'), 8, "level 2 alone says ask",
    ),
    "looser at one of several levels": (
        expecting('tool = "add_expense", decision = "ask"', levels="[1, 2]"), 8, "level 1 alone says deny",
    ),
    "an answer where nobody is asked": (
        expecting('tool = "add_expense", decision = "deny", answer = "declined"'), 8, "nobody is asked",
    ),
    "an answer that no line gives": (
        expecting(
            'tool = "add_expense", decision = "ask", answer = "approved"',
            '[{ tool = "add_expense", line = "n" }]',
        ),
        8,
        "no line of answers",
    ),
    "an answer that no key gives": (
        expecting('tool = "add_expense", decision = "ask", answer = "cancelled"'), 8, "no key is pressed in a demo",
    ),
    "an answer that time gives": (
        expecting('tool = "add_expense", decision = "ask", answer = "expired"'), 8, "do not expire",
    ),
    "a form that no tool has": (
        expecting('tool = "add_expense", decision = "ask", answer = "filled"'), 8, "asks for nothing to be filled in",
    ),
    "a yes from now on that is not offered": (
        script(TURN + 'answers = [{ tool = "delete_expense", line = "a" }]\n'), 7, "'a' is not offered",
    ),
    "a command as an answer": (
        script(TURN + 'answers = [{ tool = "add_expense", line = "/level 4" }]\n'), 7, "a turn of its own",
    ),
    "a command meanwhile": (
        script(TURN + 'meanwhile = [{ step = 1, say = "/level 4" }]\n'), 7, "a turn of its own",
    ),
    "a command that leaves": (script('[[turn]]\nsay = "/new"\n'), 6, "it can't be played"),
    "a command that ends": (script('[[turn]]\nsay = " /QUIT"\n'), 6, "it can't be played"),
    "a command that shows other sessions": (script('[[turn]]\nsay = "/sessions"\n'), 6, "it can't be played"),
    "a command that writes a file": (script('[[turn]]\nsay = "/book csv x.csv"\n'), 6, "it can't be played"),
    "a level that is none": (script(levels="[-1]"), 3, "are not different levels"),
    "words at a command": (
        script('[[turn]]\nsay = "/level"\nmeanwhile = [{ step = 1, say = "x" }]\n'), 7, "no step to speak at",
    ),
    "a decision about a command": (
        script('[[turn]]\nsay = "/level"\nexpect = [{ tool = "get_total", decision = "allow" }]\n'), 7,
        "nothing is decided by '/level'",
    ),
    "looser than a level that was set": (
        script('[[turn]]\nsay = "/level 1"\n' + TURN + 'expect = [{ tool = "add_expense", decision = "ask" }]\n'), 9,
        "level 1 alone says deny",
    ),
    "looser than a tool's level that was set": (
        script(
            '[[turn]]\nsay = "/level add_expense 3"\n[[turn]]\nsay = "/level add_expense default"\n'
            + TURN + 'expect = [{ tool = "add_expense", decision = "allow" }]\n'
        ), 11, "level 2 alone says ask",
    ),
    "looser than level 0, whatever a tool has": (
        script(
            '[[turn]]\nsay = "/level add_expense 3"\n[[turn]]\nsay = "/level 0"\n'
            + TURN + 'expect = [{ tool = "add_expense", decision = "allow" }]\n'
        ), 11, "level 0 alone says deny",
    ),
    "an effect by a write": (
        script(TURN + '[[effect]]\ntool = "add_expense"\nresult = { status = "ok" }\n'), 8, "is no read",
    ),
    "an effect that no result has": (
        script(TURN + '[[effect]]\ntool = "list_expenses"\nresult = { mor = true }\n'), 9, "did you mean 'more'?",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "problem"), WRONG.values(), ids=WRONG)
def test_what_can_not_be_is_told_with_its_line(text: str, line: int | None, problem: str) -> None:
    """A wrong script is an error with file and line, never a demo that fails in front of people."""
    with pytest.raises(ConfigError, match=re.escape(problem)) as caught:
        parse_script("demo.toml", text.encode())
    assert (caught.value.source, caught.value.line) == ("demo.toml", line)


POSSIBLE = {
    "a level that a command raised": '[[turn]]\nsay = "/level 3"\n'
    + TURN
    + 'expect = [{ tool = "add_expense", decision = "allow" }]\n',
    "a yes from now on": TURN
    + 'answers = [{ tool = "add_expense", line = "a" }]\nexpect = [{ tool = "add_expense", decision = "ask", answer = "approved" }]\n'
    + TURN
    + 'expect = [{ tool = "add_expense", decision = "allow" }]\n',
    "a book that is only shown": '[[turn]]\nsay = "/book"\n',
    "a mistyped command": '[[turn]]\nsay = "/levle"\n',
    "an undo that is asked about": '[[turn]]\nsay = "/undo"\nexpect = []\n',
    "an edited input": TURN
    + 'answers = [{ tool = "add_expense", line = "e" }, { tool = "add_expense", line = "{}" }]\n'
    + 'expect = [{ tool = "add_expense", decision = "ask", answer = "filled" }]\n',
    "stricter than the level": TURN + 'expect = [{ tool = "get_total", decision = "deny" }]\n',
}


@pytest.mark.parametrize("more", POSSIBLE.values(), ids=POSSIBLE)
def test_what_can_be_is_not_refused(more: str) -> None:
    """Only what can never come true is an error."""
    assert parse_script("x.toml", script(more).encode())


def test_a_scripted_model_may_call_what_nobody_registered() -> None:
    """That such a call is denied is worth showing."""
    more = f'{TURN}expect = [{{ tool = "rm", decision = "deny" }}]\n[[reply]]\ntext = "x"\n'
    assert parse_script("x.toml", script(more, model="scripted").encode()).turn[0].expect


def test_what_follows_an_edit_is_the_input(tmp_path: Path) -> None:
    """After `e` the next line is no answer but what the input becomes."""
    answers = '[{ tool = "add_expense", line = "e" }, { tool = "add_expense", line = "{}" }]'
    assert parse_script("x.toml", script(f"{TURN}answers = {answers}\n").encode())


def test_a_file_that_is_not_there_or_too_large_is_an_error(tmp_path: Path) -> None:
    """It is told like anything else that is wrong with a script."""
    with pytest.raises(ConfigError, match="can't be read"):
        read_script(tmp_path / "none.toml")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ConfigError, match="is larger than"):
        read_script(large)

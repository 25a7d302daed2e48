"""What came otherwise than a demo says is shown as a diff."""

import pytest

from agentcli.lab.reading import parse_script
from agentcli.lab.recording import record
from agentcli.lab.script import Script
from agentcli.lab.verdict import differences

HEAD = """\
title = "x"
agent = "expenses"
levels = [{level}]
model = "{model}"
"""


def script(more: str, *, level: int = 2, model: str = "offline") -> Script:
    return parse_script("x.toml", (HEAD.format(level=level, model=model) + more).encode())


def differs(more: str, *, level: int = 2, model: str = "offline") -> list[str]:
    recording = record(script(more, level=level, model=model))
    return differences(recording.script, recording.played[0])


def test_another_decision_text_and_effect_are_told() -> None:
    """`-` is what the script says, `+` what came."""
    assert differs(
        """\
[[turn]]
say = "Add 300 for groceries"
answers = [{ tool = "add_expense", line = "n" }]
expect = [{ tool = "add_expense", decision = "deny" }, { tool = "get_total", decision = "allow" }]
text = "rupees"
[[effect]]
tool = "get_total"
result = { count = 2, status = "ok" }
"""
    ) == [
        "turn 1: Add 300 for groceries",
        "- add_expense deny",
        "+ add_expense ask → declined",
        "- get_total allow",
        '- text with "rupees"',
        '+ "You said no, so I did not add groceries for 300. '
        'If something about it was wrong, tell me the right amount, item or day."',
        "effect 1: get_total",
        "- count = 2",
        "+ count = 1",
    ]


def test_a_call_too_many_is_told() -> None:
    """Where nothing was to be decided, whatever is decided differs."""
    assert differs('[[turn]]\nsay = "What\'s my total?"\nexpect = []\n') == [
        "turn 1: What's my total?",
        "+ get_total allow",
    ]


REPLY = '[[reply]]\ntext = "x"\n'
STUCK = {
    "a question without an answer": (
        '[[turn]]\nsay = "delete expense 1"\n',
        "offline",
        "! turn 1: delete_expense is asked about, and the script has no answer left for it",
    ),
    "a step that never comes": (
        '[[turn]]\nsay = "What\'s my total?"\nmeanwhile = [{ step = 5, say = "x" }]\n',
        "offline",
        "! turn 1: step 5 never came, so what was to be said meanwhile was not said",
    ),
    "a reply too few": (
        '[[turn]]\nsay = "x"\n[[turn]]\nsay = "x"\n' + REPLY,
        "scripted",
        "! request 2 of a script with 1 replies",
    ),
    "a reply too many": ('[[turn]]\nsay = "x"\n' + REPLY * 2, "scripted", "! 1 of 2 replies were never asked for"),
    "data that can't be": (
        '[[data]]\ntool = "delete_expense"\ninput = { id = 9 }\n[[turn]]\nsay = "x"\n',
        "offline",
        "! data[0] delete_expense: There is no expense 9.",
    ),
}


@pytest.mark.parametrize(("more", "model", "problem"), STUCK.values(), ids=STUCK)
def test_what_keeps_a_demo_from_going_on_is_told(more: str, model: str, problem: str) -> None:
    """A demo never waits for ever, and never passes half played."""
    assert any(line.startswith(problem) for line in differs(more, model=model)), differs(more, model=model)


def test_an_answer_that_nobody_asked_for_is_told() -> None:
    """What a script holds is played, or the demo has gone stale."""
    left_over = '[{ tool = "add_expense", line = "y" }, { tool = "add_expense", line = "n, twice" }]'
    assert differs(f'[[turn]]\nsay = "Add 5 for tea"\nanswers = {left_over}\n') == [
        "turn 1: Add 5 for tea",
        '- add_expense is asked about, and answered "n, twice"',
    ]


def test_answers_can_page_edit_and_fill_in() -> None:
    """What a person can type at a question, a script can."""
    assert (
        differs(
            """\
[[turn]]
say = "Add 300 for groceries"
answers = [
    { tool = "add_expense", line = "v" },
    { tool = "add_expense", line = "e" },
    { tool = "add_expense", line = '{"item":"groceries","amount":30}' },
    { tool = "add_expense", line = "yes" },
]
expect = [{ tool = "add_expense", decision = "ask", answer = "approved" }]
[[effect]]
tool = "get_total"
result = { totals = { USD = "70.00" } }
"""
        )
        == []
    )


def test_a_message_of_several_lines_is_one_message() -> None:
    """Lines inside it don't send it."""
    assert (
        differs(
            '[[turn]]\nsay = """\nWhat is\nmy total?"""\nexpect = [{ tool = "get_total", decision = "allow" }]\n'
        )
        == []
    )

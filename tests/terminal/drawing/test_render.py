"""The lines a person reads, each always one line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.autonomy import Level, judge_level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session.entries import Answered
from agentcli.terminal.drawing.render import (
    answer_line,
    decision_line,
    heard_line,
    queued_line,
    result_line,
    short_json,
)
from agentcli.terminal.drawing.styled import Style, plain
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk


def answered(answer: Any, **changes: Any) -> Answered:
    """An answer by Ana after 2.1 s."""
    given: dict[str, Any] = {"by": "ana", "channel": "terminal", "seconds": 2.1} | changes
    return Answered(call_id="c", asked=1, answer=answer, **given)


@pytest.mark.parametrize(
    ("decision", "tool", "sent", "verdicts", "line"),
    [
        (Decision.ALLOW, "get_total", "{}", [], "[allow] get_total {}"),
        (
            Decision.ASK,
            "add_expense",
            '{"item": "groceries", "amount": 300}',
            [judge_level(Level.PROPOSE, Risk.WRITE)],
            '[ask] add_expense {"item":"groceries","amount":300}',
        ),
        (
            Decision.DENY,
            "delete_expense",
            '{"id":1}',
            [judge_level(Level.LOOK, Risk.IRREVERSIBLE)],
            '[deny] delete_expense {"id":1} — not permitted at this autonomy level (1)',
        ),
        (Decision.DENY, "x", "{oops", [], "[deny] x {oops"),
        (Decision.ALLOW, "x", '{"a":1.50,"b":"é"}', [], '[allow] x {"a":1.50,"b":"é"}'),
        (Decision.ALLOW, "x", '{"a":"\u202e"}', [], '[allow] x {"a":"⟨U+202E⟩"}'),
        (Decision.ALLOW, "x\n[allow] y", "{}", [], "[allow] x⟨U+000A⟩[allow] y {}"),
    ],
)
def test_a_decision_is_one_line(
    decision: Decision, tool: str, sent: str, verdicts: list[Verdict], line: str
) -> None:
    """Decision, tool, input as it was sent, and of a denial the reason."""
    assert plain(decision_line(decision, tool, sent, verdicts)) == line


@given(st.text(), st.text(), st.text())
def test_nothing_in_a_call_makes_a_second_line(tool: str, sent: str, reason: str) -> None:
    """A newline in a name, an input or a reason forges no audit line."""
    verdicts = [Verdict("x", Decision.DENY, reason, Category.BUSINESS)]
    assert plain(decision_line(Decision.DENY, tool, sent, verdicts)).isprintable()


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (answered("approved"), "[approved] add_expense by ana after 2.1 s"),
        (answered("declined", reason="keep that one"), "[declined] add_expense by ana: keep that one"),
        (answered("declined"), "[declined] add_expense by ana"),
        (answered("cancelled"), "[cancelled] add_expense by ana"),
        (answered("expired"), "[expired] add_expense"),
        (answered("edited"), "[edited] add_expense by ana after 2.1 s"),
        (answered("filled"), "[filled] add_expense by ana after 2.1 s"),
        (answered("declined", reason="a\nb", by="a\x1bb"), "[declined] add_expense by a⟨U+001B⟩b: a⟨U+000A⟩b"),
    ],
)
def test_an_answer_is_one_line(given: Answered, line: str) -> None:
    """Who, how fast, and why."""
    assert plain(answer_line("add_expense", given)) == line


@pytest.mark.parametrize("length", [199, 200])
def test_json_up_to_200_characters_is_whole(length: int) -> None:
    """Nothing is cut that fits."""
    text = json.dumps("x" * (length - 2))
    assert short_json(text) == text


def test_longer_json_is_cut_and_says_by_how_much() -> None:
    """After 200 characters stands how many more there are."""
    text = json.dumps("x" * 300)
    assert short_json(text) == text[:200] + "… +102 more"


def test_messages_have_their_numbers() -> None:
    """One sees that they are kept, and when they were heard."""
    assert plain(queued_line(7)) == "queued #7"
    assert plain(heard_line([7], 3)) == "heard #7 at step 3"
    assert plain(heard_line([7, 8], 3)) == "heard #7, #8 at step 3"


@pytest.mark.parametrize(
    ("result", "line", "style"),
    [
        (
            {"status": "ok", "totals": {"USD": "340.00"}, "isError": False, "message": None},
            '  ✓ get_total ok {"totals":{"USD":"340.00"}}',
            Style.GOOD,
        ),
        ({}, "  ✓ get_total ok {}", Style.GOOD),
        (
            {"status": "blocked", "isError": True, "message": "not\npermitted"},
            "  ✗ get_total blocked: not⟨U+000A⟩permitted",
            Style.BAD,
        ),
        ({"isError": True}, "  ✗ get_total ok: ", Style.BAD),
    ],
)
def test_a_result_is_one_line(result: dict[str, Any], line: str, style: Style) -> None:
    """Its data, or why it failed."""
    drawn = result_line("get_total", result)
    assert plain(drawn) == line
    assert drawn[0].style is style

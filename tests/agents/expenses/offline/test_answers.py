"""What came of a call, in words for a person."""

from collections.abc import Mapping
from typing import Any

import pytest

from agentcli.agents.expenses.offline.answers import VOCABULARY
from agentcli.agents.offline.telling import describe
from agentcli.tools.offline import Settled
from agentcli.tools.outcome import DECLINED_IN_ADVANCE
from agentcli.tools.proposal import Proposal

TEA = {"id": 1, "item": "tea", "amount": "40.00", "currency": "USD", "category": "food", "date": "2026-11-02"}
BREAD = TEA | {"id": 2, "item": "bread", "amount": "3.10", "currency": "EUR"}


@pytest.mark.parametrize(
    ("tool", "asked", "result", "text"),
    [
        ("add_expense", "{}", {"expense": TEA}, "Added #1 tea, 40.00 USD, 2026-11-02, as food."),
        ("update_expense", '{"id":1}', {"expense": TEA}, "Changed: it is now #1 tea, 40.00 USD, 2026-11-02."),
        ("delete_expense", '{"id":1}', {"expense": TEA}, "Deleted #1 tea, 40.00 USD, 2026-11-02."),
        ("get_total", "{}", {"totals": {"USD": "40.00"}, "count": 1}, "The total is 40.00 USD, over 1 expense."),
        (
            "get_total",
            '{"category":"food","since":"2026-11-01","until":"2026-11-30"}',
            {"totals": {"EUR": "3.10", "USD": "40.00"}, "count": 2},
            "The total on food since 2026-11-01 until 2026-11-30 is 3.10 EUR and 40.00 USD, over 2 expenses.",
        ),
        ("get_total", '{"currency":"JPY"}', {"totals": {}, "count": 0}, "There are no expenses in JPY."),
        (
            "list_expenses",
            "{}",
            {"expenses": [TEA, BREAD], "more": True},
            "2 expenses, 3.10 EUR and 40.00 USD together, and there are more:\n"
            "- #1 tea, 40.00 USD, 2026-11-02\n- #2 bread, 3.10 EUR, 2026-11-02",
        ),
        ("list_expenses", '{"text":"tea"}', {"expenses": []}, "There are no expenses with “tea”."),
        (
            "summarize_expenses",
            '{"by":"month"}',
            {"rows": [{"key": "2026-11", "currency": "USD", "total": "40.00", "count": 1}]},
            "By month:\n- 2026-11: 40.00 USD (1)",
        ),
        ("summarize_expenses", '{"by":"item"}', {"rows": []}, "There are no expenses."),
        ("save_note", '{"text":"rent"}', {"note": {}}, "Noted: rent"),
        ("list_notes", "{}", {"notes": [{"text": "rent"}]}, "1 note:\n- rent"),
        ("list_notes", "{}", {"notes": []}, "There are no notes."),
        ("add_expense", "{}", {}, "Added the expense."),
        ("list_expenses", "{}", {"expenses": [{"id": 1}]}, "1 expense, of no clear amount together:\n- #1 –, – –, –"),
    ],
)  # fmt: skip
def test_a_success_is_told_with_its_figures(tool: str, asked: str, result: Mapping[str, Any], text: str) -> None:
    """Numbers, amounts and days come from the result and from nowhere else."""
    assert describe(VOCABULARY, Settled(Proposal(tool, asked), {"status": "ok", **result})) == text


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("declined", "You said no, so I did not delete expense 1. If you like, I can correct it instead"),
        ("cancelled", "It was stopped, so I did not delete expense 1."),
        ("expired", "Nobody answered in time, so I did not delete expense 1."),
        ("blocked", "I could not delete expense 1: why. I can still look things up"),
        ("invalid", "I could not delete expense 1: why. Please say it once more"),
        ("expense_not_found", "I could not delete expense 1: there is no such expense."),
        ("withheld", "I did delete expense 1, but what came of it is kept from me."),
        ("unknown_outcome", "Nobody knows whether I did delete expense 1."),
        ("fault", "I could not delete expense 1, because of a fault: why. Please try again later."),
        ("service_disruption", "I could not delete expense 1: why. Please try again later."),
        ("something_new", "I could not delete expense 1: why. If you like, I can correct it instead"),
    ],
)
def test_a_failure_is_told_with_a_way_on(status: str, text: str) -> None:
    """It says what was not done and what could be done instead."""
    result = {"status": status, "isError": True, "message": "why."}
    assert describe(VOCABULARY, Settled(Proposal("delete_expense", '{"id":1}'), result)).startswith(text)


def test_a_failure_without_a_message_has_its_status() -> None:
    """Better its name than nothing."""
    told = describe(VOCABULARY, Settled(Proposal("list_notes", "{}"), {"status": "odd", "isError": True}))
    assert told == "I could not look through the notes: odd. Tell me if I can help in another way."


def test_a_trial_is_no_success() -> None:
    """What was only simulated is told as such."""
    told = describe(VOCABULARY, Settled(Proposal("delete_expense", '{"id":1}'), {"status": "simulated"}))
    assert told == "This is a trial: outside of it I would delete expense 1."


@pytest.mark.parametrize("settled", [
    Settled(Proposal("get_total", "{}"), {"output": "?"}), Settled(Proposal("poke", "[]"), {"status": "ok"}),
])  # fmt: skip
def test_what_it_can_not_read_it_does_not_explain(settled: Settled) -> None:
    """A result that somebody rewrote is no ground for a claim."""
    assert "that I can't read" in describe(VOCABULARY, settled)


@pytest.mark.parametrize("text", ["{", "[1]", '{"id":1,"id":2}'])
def test_an_input_that_can_not_be_read_is_told_without_it(text: str) -> None:
    """Where the input was no JSON object, the tool's name has to do."""
    told = describe(
        VOCABULARY, Settled(Proposal("poke", text), {"status": "invalid", "isError": True, "message": "no JSON"})
    )
    assert told.startswith("I could not use poke: no JSON.")


def test_braces_in_a_text_are_only_braces() -> None:
    """What a person wrote is never taken for a form to fill in."""
    result = {"status": "declined", "isError": True, "message": "{0} {x}"}
    told = describe(VOCABULARY, Settled(Proposal("add_expense", '{"item":"{amount} {0}","amount":1}'), result))
    assert "add {amount} {0} for 1" in told


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ('{"amount":5}', "I could not use add_expense: an item is missing. Please say it once more, put right."),
        ('{"item":null,"amount":5}', "I could not use add_expense"),
        ('{"item":"tea","amount":[1]}', "I could not use add_expense"),
        ("{}", "I could not use add_expense"),
        ("no JSON", "I could not use add_expense"),
        ('{"item":"tea","amount":-5}', "I could not add tea for -5: an item is missing."),
    ],
)
def test_a_call_is_told_without_gaps(sent: str, told: str) -> None:
    """What an input does not hold is not told of, not even as a dash."""
    result = {"status": "invalid", "isError": True, "message": "an item is missing"}
    assert describe(VOCABULARY, Settled(Proposal("add_expense", sent), result)).startswith(told)


def test_who_was_not_there_is_not_told_to_have_said_no() -> None:
    """Where an option declines what is asked, nobody has looked at the call."""
    declined = {"status": "declined", "isError": True, "message": f"{DECLINED_IN_ADVANCE}: nobody is there"}
    told = describe(VOCABULARY, Settled(Proposal("delete_expense", '{"id":1}'), declined))
    assert told.startswith("Nobody is there to be asked, so I did not delete expense 1. If you like")


def test_another_way_is_told_without_gaps() -> None:
    """Nor is a dash where the number of an expense would stand."""
    declined = {"status": "declined", "isError": True, "message": "the user declined this action"}
    told = describe(VOCABULARY, Settled(Proposal("delete_expense", "{}"), declined))
    assert told == "You said no, so I did not use delete_expense. Tell me if I can help in another way."

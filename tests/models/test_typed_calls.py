"""Calls that a person types."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.models.typed_calls import typed_calls
from agentcli.tools.proposal import Proposal

OFFERED = frozenset({"get_total", "add_expense", "delete_expense", "save_note"})


def calls(text: str) -> list[tuple[str, str]]:
    return [(proposal.tool, proposal.input) for proposal in typed_calls(text, OFFERED)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call get_total {}", [("get_total", "{}")]),
        ("  Call  get_total   {}  ", [("get_total", "{}")]),
        ("call get_total{}", [("get_total", "{}")]),
        ("call get_total", [("get_total", "{}")]),
        ('call add_expense {"amount": 1.50}', [("add_expense", '{"amount": 1.50}')]),
        ("call get_total {} & call get_total {}", [("get_total", "{}"), ("get_total", "{}")]),
        ("call get_total & call get_total", [("get_total", "{}"), ("get_total", "{}")]),
        ("call get_total {}\n&\ncall get_total {}", [("get_total", "{}"), ("get_total", "{}")]),
        ('call save_note {"text":"a & call b {}"}', [("save_note", '{"text":"a & call b {}"}')]),
        (
            'call save_note {"text":"a & call get_total {}"} & call get_total {}',
            [("save_note", '{"text":"a & call get_total {}"}'), ("get_total", "{}")],
        ),
    ],
)
def test_calls_are_read_as_typed(text: str, expected: list[tuple[str, str]]) -> None:
    """Tool, then JSON; several joined by ` & `; a joint inside a string is part of the string."""
    assert calls(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('call delete_expense {"id": 1', [("delete_expense", '{"id": 1')]),
        ("call delete_expense {id: 1} & call get_total {}", [("delete_expense", "{id: 1}"), ("get_total", "{}")]),
        ("call delete_expense 1", [("delete_expense", "1")]),
        ("call delete_expense id=1 & call get_total", [("delete_expense", "id=1"), ("get_total", "{}")]),
        ("call get_total {} {}", [("get_total", "{} {}")]),
        ("call get_total {} and more", [("get_total", "{} and more")]),
        ("call get_total {} &", [("get_total", "{} &")]),
        ("call get_total {}& call get_total", [("get_total", "{}& call get_total")]),
    ],
)
def test_broken_input_goes_through_as_typed(text: str, expected: list[tuple[str, str]]) -> None:
    """What is no JSON is for the gate to refuse, not for the reader of the line."""
    assert calls(text) == expected


def test_a_tool_that_nobody_offers_can_be_called_with_json() -> None:
    """A person may try whether an unknown tool is refused."""
    assert calls('call drop_everything {"now":true}') == [("drop_everything", '{"now":true}')]


def test_too_deep_json_is_an_input_too() -> None:
    """Nothing that is typed breaks the reader."""
    deep = '{"a":' * 5000
    assert calls(f"call get_total {deep}") == [("get_total", deep)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "call",
        "call my bank",
        "call mom & call dad",
        "call get_total {} & call mom",
        "recall get_total {}",
        "please call get_total {}",
        "call get/total {}",
        "call " + "x" * 65 + " {}",
    ],
)
def test_other_words_are_no_call(text: str) -> None:
    """A sentence that happens to begin with "call" is a sentence."""
    assert calls(text) == []


inputs = st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text(), max_size=2), max_size=3)


@given(st.lists(st.tuples(st.sampled_from(sorted(OFFERED)), inputs), min_size=1, max_size=4))
def test_any_calls_can_be_joined(wanted: list[tuple[str, dict[str, Any]]]) -> None:
    """Whatever stands in the inputs, joined calls come apart where they were joined."""
    written = [(tool, json.dumps(input)) for tool, input in wanted]
    text = " & ".join(f"call {tool} {input}" for tool, input in written)
    assert typed_calls(text, OFFERED) == tuple(Proposal(tool, input) for tool, input in written)

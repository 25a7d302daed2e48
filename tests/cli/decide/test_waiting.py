"""How a call that waits for a person is told, and how to answer it."""

import json
import shlex
from typing import Any

import msgspec
import pytest

from agentcli.cli.decide.waiting import detail
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.pending import pending
from agentcli.terminal.drawing.styled import draw
from agentcli.tools.form import form_of
from agentcli.tools.json_text import read_json
from tests.session.telling import BEGUN, asked, at, decided, replied, state_of, use

# fmt: off
FIELDS = [
    # what is special    field
    ("a text",           {"type": "string"}),
    ("a date",           {"type": "string", "format": "date"}),
    ("a choice",         {"enum": ["it's", "b"]}),
    ("a whole number",   {"type": "integer"}),
    ("a number",         {"type": "number"}),
    ("yes or no",        {"type": "boolean"}),
]
# fmt: on


def shown(schema: dict[str, Any]) -> list[str]:
    """The lines about a call that asks for a form."""
    suspended = e.Suspended("c1", "how?", msgspec.Raw(json.dumps(schema).encode()))
    state = state_of(*BEGUN, replied(use()), decided(), suspended)
    ((waits, call),) = pending(state, at(0), is_held=True)
    return [draw(line, colour=False) for line in detail(waits, call, "agentcli approvals")]


@pytest.mark.parametrize("columns", ["20", "30", "80"])
def test_a_question_is_shown_without_its_keys(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """It is not asked here, however narrow the screen is; the commands that answer it are told instead."""
    monkeypatch.setenv("COLUMNS", columns)
    state = state_of(*BEGUN, replied(use()), decided("c1", Decision.ASK), asked(reason="so it is"))
    ((waits, call),) = pending(state, at(0), is_held=True)
    *card, yes, no = [draw(line, colour=False) for line in detail(waits, call, "agentcli approvals")]
    text = " ".join(line.removeprefix("│ ").strip() for line in card)
    assert text.startswith("write · note · call 1 of 1 · code ")
    assert text.endswith("asked because: so it is")
    assert (yes, no) == (
        f"yes: agentcli approvals approve c1 --code {waits.code}",
        "no: agentcli approvals decline c1 --reason TEXT",
    )


@pytest.mark.parametrize("field", [row[1] for row in FIELDS], ids=[row[0] for row in FIELDS])
def test_the_command_that_is_shown_fills_the_form_in_rightly(field: dict[str, Any]) -> None:
    """Whoever takes it over as it stands is not refused; what may be left out is, and what is fixed is not asked."""
    schema = {
        "type": "object",
        "properties": {"a": field, "b": {"type": "string"}, "c": {"const": "3fa9"}},
        "required": ["a", "c"],
    }
    *_, last, _ = shown(schema)
    what, command = last.split(": ", 1)
    *words, filled_in, option, code = shlex.split(command)
    assert (what, words) == ("fill in", ["agentcli", "approvals", "answer", "c1"])
    assert (option, len(code)) == ("--code", 6)
    assert list(json.loads(filled_in)) == ["a"]
    assert form_of(schema).read(read_json(filled_in))["c"] == "3fa9"

"""An event is one JSON object with exactly the fields that programs rely on."""

from datetime import UTC, datetime
from typing import Any

import pytest

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session import events
from agentcli.session.events import Event
from tests.session.seeing import as_json, told
from tests.session.telling import BEGUN, answered, asked, decided, finished, replied, said, suspended, text, use

NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
FIELDS = {
    "run_started": {"agent", "model", "level"},
    "text_delta": {"text"},
    "tool_input_started": {"call_id", "tool"},
    "tool_input_delta": {"call_id", "tool", "delta"},
    "tool_input_ready": {"call_id", "tool", "input"},
    "replied": {"step", "text", "stop_reason"},
    "decided": {"call_id", "tool", "input", "risk", "level", "decision", "rules"},
    "approval_requested": {"call_id", "tool", "input", "preview", "code", "undoable", "position", "of"},
    "answered": {"call_id", "answer", "by", "reason", "seconds"},
    "suspended": {"call_id", "question", "schema", "shown"},
    "tool_finished": {"call_id", "tool", "result", "is_error"},
    "queued": {"message", "text"},
    "heard": {"message", "text", "step"},
    "run_finished": {"outcome", "text", "steps", "usage", "undelivered"},
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "run_started": told(*BEGUN)[1],
    "text_delta": as_json(events.TextDelta(session="s", at=NOON, text="a")),
    "tool_input_started": as_json(events.ToolInputStarted(session="s", at=NOON, call_id="c", tool="t")),
    "tool_input_delta": as_json(events.ToolInputDelta(session="s", at=NOON, call_id="c", tool="t", delta="{")),
    "tool_input_ready": as_json(events.ToolInputReady(session="s", at=NOON, call_id="c", tool="t", input={})),
    "replied": told(*BEGUN, replied(text("a")))[-1],
    "decided": told(*BEGUN, replied(use()), decided())[-1],
    "approval_requested": told(*BEGUN, replied(use()), decided("c1", Decision.ASK), asked())[-1],
    "answered": told(*BEGUN, replied(use()), decided("c1", Decision.ASK), asked(), answered(9))[-1],
    "suspended": told(*BEGUN, replied(use()), suspended())[-1],
    "tool_finished": told(*BEGUN, replied(use()), decided(), finished())[-1],
    "queued": told(said())[-1],
    "heard": told(*BEGUN)[2],
    "run_finished": told(*BEGUN, replied(text("a")), e.RunEnded("completed", "a"))[-1],
}


@pytest.mark.parametrize("kind", FIELDS)
def test_an_event_has_exactly_its_fields(kind: str) -> None:
    """Programs rely on the fields of each type: none is missing, and none comes without being announced."""
    assert EXAMPLES[kind]["type"] == kind
    assert set(EXAMPLES[kind]) == {"type", "session", "at"} | FIELDS[kind]


def test_there_are_no_other_events() -> None:
    """Every type of event is announced."""
    kinds = {
        one.__struct_config__.tag
        for one in vars(events).values()
        if isinstance(one, type) and issubclass(one, Event) and one is not Event
    }
    assert kinds == set(FIELDS) == set(EXAMPLES)

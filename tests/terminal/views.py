"""Questions to test with."""

from typing import Any

from agentcli.terminal.question.frame import QuestionView
from agentcli.tools.risk import Risk


def view_of(**changes: Any) -> QuestionView:
    """A question about deleting an expense, changed as told."""
    given: dict[str, Any] = {
        "call_id": "call_2",
        "tool": "delete_expense",
        "input": '{"id":1}',
        "risk": Risk.IRREVERSIBLE,
        "position": 2,
        "of": 2,
        "code": "3fa9c1",
        "preview": ("will remove: #1 tea, 40.00 USD, 2026-11-02",),
        "reasons": ("level 2 asks for irreversible calls",),
    } | changes
    return QuestionView(**({"sent": given["input"]} | given))

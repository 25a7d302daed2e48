"""A little understanding for the loopback service: enough for expenses, one reply with all its calls."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from tests.loopback.protocol import Checked
from tests.loopback.replies import Block, Reply, text, tool_use

Found = tuple[str, Mapping[str, Any]]

_PATTERNS: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], Found]]] = (
    (
        re.compile(r"\badd (\d+(?:\.\d+)?) for (\w+)", re.IGNORECASE),
        lambda found: ("add_expense", {"item": found[2], "amount": json.loads(found[1])}),
    ),
    (
        re.compile(r"\bdelete expense (\d+)", re.IGNORECASE),
        lambda found: ("delete_expense", {"id": int(found[1])}),
    ),
    (re.compile(r"\b(?:total|how much)\b", re.IGNORECASE), lambda _: ("get_total", {})),
    (re.compile(r"\blist\b", re.IGNORECASE), lambda _: ("list_expenses", {})),
)


class Brain:
    """Answers words with calls, results with a text."""

    def __init__(self, *, pause_s: float = 0.0) -> None:
        self._ids = count(1)
        self._pause_s = pause_s

    def reply(self, request: Checked) -> Reply:
        history = request.history
        calls = self._calls(" ".join(history.last_words)) if request.may_call else []
        if calls:
            return Reply(blocks=[text("Let me do that."), *calls], pause_s=self._pause_s)
        if history.last_results:
            return Reply(blocks=[text(_summary(history.last_results))], pause_s=self._pause_s)
        words = "What can I do for you?" if request.may_call else "I have no tools here, so I can only talk."
        return Reply(blocks=[text(words)], pause_s=self._pause_s)

    def _calls(self, words: str) -> list[Block]:
        found = [(match.start(), call(match)) for pattern, call in _PATTERNS for match in pattern.finditer(words)]
        in_order = sorted(found, key=lambda one: one[0])
        return [tool_use(f"toolu_{next(self._ids):08}", name, input) for _, (name, input) in in_order]


def _summary(results: Sequence[str]) -> str:
    return "What came back: " + ", ".join(map(_status, results)) + "."


def _status(result: str) -> str:
    try:
        status = json.loads(result)["status"]
    except (ValueError, KeyError, TypeError):
        status = "something else"
    return str(status)

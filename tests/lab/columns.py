"""Comparisons made by hand."""

from collections.abc import Mapping
from typing import Any

import msgspec

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.lab.compare import Compared, ComparedCall, Comparison, OutcomeAtLevel
from agentcli.lab.effects import ChangedRow
from agentcli.lab.endings import Ending
from agentcli.session.events import TokenUsage
from agentcli.tools.risk import Risk


def call(tool: str, decision: str, answer: str | None = None, status: str = "ok", **values: Any) -> ComparedCall:
    """One call at one level."""
    given = msgspec.Raw(msgspec.json.encode(values))
    return ComparedCall(tool, given, Risk.WRITE, Decision[decision.upper()], answer, status)


def level(
    number: int, *calls: ComparedCall, effects: tuple[ChangedRow, ...] = (), outcome: Any = "completed"
) -> OutcomeAtLevel:
    """A column."""
    asked = sum(one.decision is Decision.ASK for one in calls)
    usage = TokenUsage(input_tokens=1200, output_tokens=34, cost_usd="0.0021")
    return OutcomeAtLevel(Level(number), calls, effects, asked, outcome, "said", 2, usage)


def compared(
    *levels: OutcomeAtLevel,
    message: str = "tidy up",
    endings: Mapping[Level, Ending] | None = None,
    policy: tuple[str, ...] = (),
) -> Compared:
    """Columns next to each other; their runs completed but where `endings` says otherwise."""
    ended = {one.level: Ending("completed") for one in levels} | dict(endings or {})
    return Compared(Comparison(message, "garage", "offline", levels), ended, policy)

"""Decisions as the record has them, for tests of what follows from them."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final

from agentcli.gate.autonomy import Level, verdict_at
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session.decisions import DecisionRecord
from agentcli.tools.risk import Risk
from tests.session.telling import START

_numbers: Final = count(1)


def decision(
    tool: str = "add", level: Level = Level.PROPOSE, risk: Risk = Risk.WRITE, **more: Any
) -> DecisionRecord:
    """A decision that only the level had a say in."""
    number = next(_numbers)
    said = more.pop("decision", verdict_at(level, risk))
    given: dict[str, Any] = {
        "session": "s1",
        "seq": number,
        "at": later(number),
        "call_id": f"c{number}",
        "input": "{}",
        "decision": said,
        "verdicts": (Verdict("level", said),),
        "digest": "",
    }
    return DecisionRecord(tool=tool, level=level, risk=risk, **(given | more))


def approved(tool: str = "add", seconds: float = 2.0, **more: Any) -> DecisionRecord:
    """An asked call that a person said yes to, and that worked."""
    given: dict[str, Any] = {
        "answer": "approved",
        "by": "ana",
        "channel": "terminal",
        "seconds": seconds,
        "outcome": "ok",
        "ran": True,
        "took_effect": True,
    }
    return decision(tool, decision=Decision.ASK, **(given | more))


def declined(tool: str = "add", **more: Any) -> DecisionRecord:
    """An asked call that a person said no to."""
    given: dict[str, Any] = {"answer": "declined", "outcome": "declined", "ran": False, "took_effect": False}
    return approved(tool, **(given | more))


def allowed(tool: str = "add", level: Level = Level.BOUNDED, **more: Any) -> DecisionRecord:
    """A call that ran without a question, and worked."""
    given: dict[str, Any] = {"outcome": "ok", "ran": True, "took_effect": True}
    return decision(tool, level, **(given | more))


def undo(of: DecisionRecord, **more: Any) -> DecisionRecord:
    """That a person took a call back."""
    given: dict[str, Any] = {
        "session": of.session,
        "undoes": of.call_id,
        "verdicts": (Verdict("undo", Decision.ASK),),
    }
    return approved(of.tool, **(given | more))


def later(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)

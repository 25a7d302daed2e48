"""A decision as programs read it: one line of JSON in printable ASCII, whatever is in it."""

import re
from datetime import datetime
from typing import Final

import msgspec

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session.decisions import DecisionRecord
from agentcli.session.events import RuleVerdict
from agentcli.tools.risk import Risk
from agentcli.visible import json_escape

_NOT_PRINTABLE_ASCII: Final = re.compile("[^ -~]")


class Exported(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision as `audit export` writes it; what does not exist (yet) is left out.

    `answer` is one of the words that the event `answered` has: to change an input is to fill it in.
    """

    session: str
    seq: int
    at: datetime
    tool: str
    call_id: str
    risk: Risk
    level: Level
    decision: Decision
    rules: tuple[RuleVerdict, ...]
    digest: str
    answer: str | None = None
    by: str | None = None
    seconds: float | None = None
    code: str | None = None
    outcome: str | None = None
    result_digest: str | None = None


def exported(record: DecisionRecord) -> Exported:
    """Return a decision as programs get it."""
    return Exported(
        session=record.session,
        seq=record.seq,
        at=record.at,
        tool=record.tool,
        call_id=record.call_id,
        risk=record.risk,
        level=record.level,
        decision=record.decision,
        rules=tuple(RuleVerdict(one.rule, one.decision, one.reason) for one in record.verdicts),
        digest=record.digest,
        answer="filled" if record.answer == "edited" else record.answer,
        by=record.by,
        seconds=record.seconds,
        code=record.code,
        outcome=record.outcome,
        result_digest=record.result_digest,
    )


def export_line(record: DecisionRecord) -> bytes:
    """Return a decision as a line, its end included."""
    text = msgspec.json.encode(exported(record)).decode()
    return _NOT_PRINTABLE_ASCII.sub(lambda found: json_escape(found[0]), text).encode("ascii") + b"\n"

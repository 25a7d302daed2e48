"""Small builders, so that a test tells a session's journal in a few lines."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

import msgspec

from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits, Usage
from agentcli.session.call import digest_of
from agentcli.session.entries import Entry
from agentcli.session.fold import apply, fold
from agentcli.session.record import Record
from agentcli.session.state import State
from agentcli.tools.risk import Risk

START: Final = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
RISKS: Final = {"look": Risk.READ, "note": Risk.WRITE, "erase": Risk.IRREVERSIBLE}
LIMITS: Final = RunLimits()
LIMITED: Final = e.RunEnded("limit", "", "asks")

Told = Entry | tuple[float, Entry]


def at(seconds: float) -> datetime:
    """The time so many seconds after the start."""
    return START + timedelta(seconds=seconds)


def records_of(*told: Told) -> list[Record]:
    """The entries as records; `(seconds, entry)` stands at that time, an entry alone at that of the one before."""
    records: list[Record] = []
    moment = START
    for seq, one in enumerate(told, start=1):
        if isinstance(one, tuple):
            moment = at(one[0])
        entry = one[1] if isinstance(one, tuple) else one
        records.append(Record("s", seq, moment, entry, hashlib.sha256(f"{seq}{entry}".encode()).digest()))
    return records


def state_of(*told: Told) -> State:
    """Where a session stands after the entries."""
    return fold("s", records_of(*told), RISKS)


def going_on(state: State, *told: Entry) -> State:
    """The same state after some more entries, at the time of the last one."""
    for entry in told:
        moment = state.worked_at or START
        apply(state, Record("s", state.seq + 1, moment, entry, hashlib.sha256(f"{state.seq}".encode()).digest()))
    return state


def opened(level: Level = Level.PROPOSE) -> e.Opened:
    return e.Opened(e.VERSION, "tester", "scripted", level, {}, False, "", "", "ana")


def attached(
    epoch: int = 1,
    level: Level = Level.PROPOSE,
    tool_levels: dict[str, Level] | None = None,
    *,
    require_approval: bool = False,
) -> e.Attached:
    return e.Attached(
        epoch=epoch,
        pid=1,
        host="here",
        by="ana",
        version="0",
        model="scripted",
        level=level,
        tool_levels=tool_levels or {},
        require_approval=require_approval,
        toolset_digest="",
    )


def said(no: int = 1, text: str = "hello") -> e.Said:
    return e.Said(no, text, "ana", "terminal")


def level_set(level: Level | None, tool: str | None = None) -> e.LevelSet:
    return e.LevelSet(level, "ana", "/level", tool)


def started_run(number: int = 1, limits: RunLimits = LIMITS) -> e.RunStarted:
    return e.RunStarted(number, limits, "words")


def requested(step: int = 1, attempt: int = 1) -> e.Requested:
    return e.Requested(step, attempt, "scripted", "")


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(call_id: str = "c1", tool: str = "note", **members: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": tool, "input": members}


def replied(
    *blocks: dict[str, Any],
    stop_reason: str | None = "",
    usage: Usage | None = None,
    cost: str | None = "0.01",
    fault: str | None = None,
) -> e.Replied:
    """A reply; it ends its turn, or asks for its calls, unless something else is said."""
    if stop_reason == "":
        stop_reason = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
    raws = tuple(msgspec.Raw(json.dumps(block).encode()) for block in blocks)
    return e.Replied(1, raws, stop_reason, usage or Usage(), cost_usd=cost, fault=fault)


def decided(
    call_id: str = "c1",
    decision: Decision = Decision.ALLOW,
    *,
    tool: str = "note",
    input_text: str = "{}",
    preview: tuple[str, ...] = (),
    reason: str = "",
) -> e.Decided:
    return e.Decided(
        call_id=call_id,
        tool=tool,
        input=input_text,
        digest=digest_of(tool, input_text),
        risk=RISKS.get(tool, Risk.IRREVERSIBLE),
        level=Level.PROPOSE,
        decision=decision,
        verdicts=(Verdict("level", decision, reason),),
        preview=preview,
    )


def asked(
    call_id: str = "c1",
    *,
    tool: str = "note",
    input_text: str = "{}",
    preview: tuple[str, ...] = (),
    reason: str = "",
    expires: float | None = None,
) -> e.Asked:
    return e.Asked(
        call_id=call_id,
        digest=digest_of(tool, input_text),
        preview=preview,
        verdicts=(Verdict("level", Decision.ASK, reason),),
        expires_at=None if expires is None else at(expires),
    )


def answered(question: int, answer: e.Answer = "approved", call_id: str = "c1", **more: Any) -> e.Answered:
    return e.Answered(call_id, question, answer, "ana", "terminal", 1.0, **more)


def started(call_id: str = "c1", key: str | None = None) -> e.Started:
    return e.Started(call_id, "", key)


def suspended(call_id: str = "c1", undecided: str | None = None) -> e.Suspended:
    form = {"type": "object", "properties": {"how": {"type": "string"}}}
    return e.Suspended(call_id, "how?", msgspec.Raw(json.dumps(form).encode()), ("look here",), undecided)


def supplied(form: int, call_id: str = "c1", **data: Any) -> e.Supplied:
    return e.Supplied(call_id, form, msgspec.Raw(json.dumps(data).encode()), "ana")


def reconciled(start: int, outcome: e.Reconciliation, call_id: str = "c1") -> e.Reconciled:
    return e.Reconciled(call_id, start, outcome, "ana")


def finished(
    call_id: str = "c1",
    status: str = "ok",
    *,
    origin: Literal["tool", "core"] = "tool",
    is_error: bool = False,
    held: bool = False,
    undo: str | None = None,
    facts: tuple[Fact, ...] = (),
) -> e.Finished:
    result = msgspec.Raw(json.dumps({"status": status, "of": call_id}).encode())
    return e.Finished(call_id, origin, status, result, is_error, "", facts=facts, undo=undo, held=held)


def filtered(call_id: str = "c1", *, is_error: bool = False) -> e.Filtered:
    return e.Filtered(call_id, msgspec.Raw(b'{"status":"redacted"}'), ("hook",), "", is_error)


def proposed(call_id: str = "undo", tool: str = "note", undoes: str | None = "c1") -> e.Proposed:
    return e.Proposed(call_id, tool, "{}", "ana", undoes)


BEGUN: Final = (opened(), attached(), said(), started_run(), e.Heard((1,), 1), requested())
"""Six entries: a session in which the model has been asked about the first words."""

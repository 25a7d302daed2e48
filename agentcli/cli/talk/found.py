"""What `resume` says it found, before it goes on. Pure."""

from collections.abc import Iterator, Mapping
from typing import Final

from agentcli.session.call import Call
from agentcli.session.entries import Reconciliation
from agentcli.session.findings import Findings, Standing
from agentcli.session.pending import Kind
from agentcli.terminal.drawing.render import short_json
from agentcli.visible import visible_line

NOTHING = "nothing to go on with: no run is open and every message was heard"

WAITS: Final[Mapping[Kind, str]] = {
    Kind.APPROVAL: "waits for a yes or no",
    Kind.INPUT: "waits to be told",
    Kind.OUTCOME: "unknown outcome",
}

SETTLED: Final[Mapping[Reconciliation, str]] = {
    "happened": "happened",
    "not": "did not happen",
    "retry": "to be run again",
}


def found_lines(findings: Findings) -> Iterator[str]:
    """Yield the lines, safe to draw."""
    if findings.standing is Standing.IDLE:
        yield NOTHING
        return
    for call in findings.done:
        status = call.finished.status if call.finished is not None else ""
        yield f"done: {_named(call)} → {visible_line(status)}"
    for waiting, call in findings.waiting:
        why = "" if waiting.kind is Kind.APPROVAL else f": {visible_line(' '.join(waiting.reasons))}"
        yield f"{WAITS[waiting.kind]}: {_named(call)}{why}"
    for call in findings.not_started:
        yield f"{_progress(call, is_stopping=findings.is_stopping)}: {_named(call)}"
    if not (findings.waiting or findings.not_started or findings.undelivered):
        yield "the run was asked to stop" if findings.is_stopping else "the model's next reply is still to come"
    for message in findings.undelivered:
        yield f"not heard yet: #{message.no} {visible_line(message.text)}"


def _progress(call: Call, *, is_stopping: bool) -> str:
    """Return how far a call has come that waits for nobody."""
    is_known = call.reconciled is not None and call.reconciled.outcome != "retry"
    if is_stopping and not is_known:
        return "will be cancelled, as the run was asked to stop"
    if call.reconciled is not None:
        return f"{SETTLED[call.reconciled.outcome]}, as {visible_line(call.reconciled.by)} says"
    if call.started is not None:
        return "to be run again"
    if call.waits_for_answer:
        return "nobody answered in time"
    if call.answered is not None:
        return f"{call.answered.answer} by {visible_line(call.answered.by)}, not started"
    if call.supplied is not None:
        return f"filled in by {visible_line(call.supplied.by)}, not started"
    if call.edited is not None:
        return f"changed by {visible_line(call.edited.by)}, not started"
    return "not started"


def _named(call: Call) -> str:
    return f"{visible_line(call.title)} {short_json(call.as_sent)}"

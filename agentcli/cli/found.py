"""What `resume` says it found, before it goes on. Pure."""

from collections.abc import Iterator

from agentcli.session.call import Call
from agentcli.session.findings import Findings, Standing
from agentcli.terminal.render import short_json
from agentcli.visible import visible_line

NOTHING = "nothing to go on with: no run is open and every message was heard"


def found_lines(findings: Findings) -> Iterator[str]:
    """Yield the lines, safe to draw."""
    if findings.standing is Standing.IDLE:
        yield NOTHING
        return
    for call in findings.done:
        status = call.finished.status if call.finished is not None else ""
        yield f"done: {_named(call)} → {visible_line(status)}"
    for call in findings.questions:
        yield f"waits for a yes or no: {_named(call)}"
    for call in findings.forms:
        question = call.suspended.question if call.suspended is not None else ""
        yield f"waits to be told: {_named(call)}: {visible_line(question)}"
    for call in findings.unknown:
        yield f"unknown outcome: {_named(call)} had started and never reported back"
    for call in findings.not_started:
        yield f"not started: {_named(call)}"
    if findings.standing is Standing.OPEN and not findings.not_started and not findings.undelivered:
        yield "the model's next reply is still to come"
    for message in findings.undelivered:
        yield f"not heard yet: #{message.no} {visible_line(message.text)}"


def _named(call: Call) -> str:
    return f"{visible_line(call.tool)} {short_json(call.input)}"

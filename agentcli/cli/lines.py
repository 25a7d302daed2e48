"""The lines that events make where nothing is redrawn: audit lines, and for a transcript the words beside them."""

import json
from collections.abc import Iterator

from agentcli.gate.verdicts import Verdict
from agentcli.session import entries as e
from agentcli.session import events as ev
from agentcli.session.state import State
from agentcli.terminal.render import answer_line, decision_line, result_line
from agentcli.terminal.styled import Line, Span, Style
from agentcli.visible import visible


def audit_lines(event: ev.Event, state: State) -> Iterator[Line]:
    """Yield the audit line of a decision or an answer; nothing for other events."""
    match event:
        case ev.Decided(call_id=call_id):
            verdicts = [Verdict(rule.rule, rule.decision, rule.reason) for rule in event.rules]
            yield decision_line(event.decision, event.tool, state.calls[call_id].input, verdicts)
        case ev.Answered(call_id=call_id):
            answered = e.Answered(call_id, 0, event.answer, event.by, "", event.seconds, event.reason)
            yield answer_line(state.calls[call_id].tool, answered)
        case _:
            return


def transcript_lines(event: ev.Event, state: State) -> Iterator[Line]:
    """Yield what a person reads of an event who looks at a session afterwards."""
    match event:
        case ev.Queued(message=number, text=text):
            yield from _words(f"#{number} ", text, Style.STRONG)
        case ev.Replied(text=text) if text.strip():
            yield from _words("  ", text, Style.PLAIN)
        case ev.ToolFinished(tool=tool, result=result):
            yield result_line(tool, json.loads(bytes(result)))
        case ev.RunFinished(outcome=outcome) if outcome != "completed":
            yield (Span(f"the run ended: {outcome}", Style.CARE),)
        case _:
            yield from audit_lines(event, state)


def _words(mark: str, text: str, style: Style) -> Iterator[Line]:
    """Yield words set in, so that none of them can pass for an audit line."""
    first, *more = visible(text).split("\n")
    yield (Span(mark, Style.FAINT), Span(first, style))
    for line in more:
        yield (Span(" " * len(mark)), Span(line, style))

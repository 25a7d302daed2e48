"""The lines of a transcript: what was said, decided, answered and done. Pure."""

import json
from collections.abc import Iterator

from agentcli.session import events as ev
from agentcli.session.state import State
from agentcli.terminal.drawing.render import result_line
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.drawing.telling import audit_lines
from agentcli.visible import visible


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

"""A decision as one line of a list: when, which call, what code and person said, and the outcome. Pure."""

from typing import Final

from agentcli.local_time import local_second
from agentcli.session.decisions import DecisionRecord
from agentcli.terminal.drawing.render import MOST_JSON, decision_line
from agentcli.terminal.drawing.spelling import THAT_IS, spelled_json
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.visible import visible_line

TIMED: Final = frozenset({"approved", "declined", "edited", "filled"})


def decided_line(record: DecisionRecord) -> Line:
    """Return the line, safe to draw."""
    when = local_second(record.at)
    head = f"{when}  {visible_line(record.session)}  {visible_line(record.call_id)}  "
    spelled = spelled_json(record.input, MOST_JSON)
    parts = (spelled and f"{THAT_IS}{spelled}", _undoes(record), _answer(record), _outcome(record))
    tail = "".join(f" · {part}" for part in parts if part)
    line = decision_line(record.decision, record.tool, record.input, record.verdicts)
    return (Span(head, Style.FAINT), *line, Span(tail, Style.FAINT))


def _undoes(record: DecisionRecord) -> str:
    """Return what a person's call takes back, which is otherwise drawn as the call that it takes back."""
    return "" if record.undoes is None else f"takes back {visible_line(record.undoes)}"


def _answer(record: DecisionRecord) -> str:
    if record.answer is None:
        return "not answered" if record.code is not None and record.outcome is None else ""
    by = "" if record.answer == "expired" else f" by {visible_line(record.by or '')}"
    after = f" after {record.seconds:.1f} s" if record.answer in TIMED and record.seconds is not None else ""
    return f"{record.answer}{by}{after}"


def _outcome(record: DecisionRecord) -> str:
    said_already = record.outcome is None or record.outcome == record.answer or record.decision == "deny"
    return "" if said_already else visible_line(record.outcome or "")

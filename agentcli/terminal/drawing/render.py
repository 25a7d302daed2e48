"""The lines a person reads: decisions, answers, messages and results, each always one line. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from agentcli.gate.verdicts import Decision, Ruling, Verdict
from agentcli.session.entries import Answer, Answered, Reconciled
from agentcli.terminal.drawing.spelling import THAT_IS, spelled_json
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.tools.json_text import JsonFault, compact, read_json
from agentcli.tools.outcome import ON_EVERY_RESULT
from agentcli.visible import visible_line

MOST_JSON: Final = 200

_DECISION_STYLES: Final[Mapping[Decision, Style]] = {
    Decision.ALLOW: Style.GOOD,
    Decision.ASK: Style.CARE,
    Decision.DENY: Style.BAD,
}
_ANSWER_STYLES: Final[Mapping[Answer, Style]] = {
    "approved": Style.GOOD,
    "filled": Style.GOOD,
    "edited": Style.CARE,
    "declined": Style.BAD,
    "cancelled": Style.BAD,
    "expired": Style.BAD,
}


def decision_line(decision: Decision, tool: str, sent: str, verdicts: Sequence[Verdict]) -> Line:
    """Return the audit line of a decision about a call with the input that was sent."""
    denial = Ruling(tuple(verdicts)).denial
    why = f" — {visible_line(denial.reason)}" if decision is Decision.DENY and denial is not None else ""
    tag = Span(f"[{decision}]", _DECISION_STYLES[decision])
    return (tag, Span(f" {visible_line(tool)} {short_json(sent)}{why}"))


def spelling_line(sent: str) -> Iterator[Line]:
    """Yield the second line of an input that may not be what it looks like; nothing for any other."""
    other = spelled_json(sent, MOST_JSON)
    if other is not None:
        yield (Span(f"  {THAT_IS}{other}", Style.CARE),)


def answer_line(tool: str, answered: Answered) -> Line:
    """Return the audit line of an answer."""
    after = f" after {answered.seconds:.1f} s" if answered.answer in ("approved", "filled", "edited") else ""
    by = "" if answered.answer == "expired" else f" by {visible_line(answered.by)}"
    why = f": {visible_line(answered.reason)}" if answered.reason else ""
    tag = Span(f"[{answered.answer}]", _ANSWER_STYLES[answered.answer])
    return (tag, Span(f" {visible_line(tool)}{by}{after}{why}"))


def settled_line(tool: str, settled: Reconciled) -> Line:
    """Return the audit line of what a person said became of a call that never reported back."""
    told = Span(f" {visible_line(tool)} by {visible_line(settled.by)}: {settled.outcome}")
    return (Span("[settled]", Style.CARE), told)


def queued_line(number: int) -> Line:
    """Return what is said once a message is stored."""
    return (Span(f"queued #{number}", Style.FAINT),)


def heard_line(numbers: Sequence[int], step: int) -> Line:
    """Return what is said when messages went into a request."""
    return (Span(f"heard {', '.join(f'#{number}' for number in numbers)} at step {step}", Style.FAINT),)


def result_line(tool: str, result: Mapping[str, Any]) -> Line:
    """Return the result of a call, in short: its data, or why it failed."""
    status = visible_line(str(result.get("status", "ok")))
    if result.get("isError"):
        told = visible_line(str(result.get("message") or ""))
        return (Span("  ✗", Style.BAD), Span(f" {visible_line(tool)} {status}: {told}"))
    shown = {name: value for name, value in result.items() if name not in ON_EVERY_RESULT}
    text = short_json(msgspec.json.encode(shown).decode())
    return (Span("  ✓", Style.GOOD), Span(f" {visible_line(tool)} {status} {text}", Style.FAINT))


def short_json(text: str, most: int = MOST_JSON) -> str:
    """Return JSON text compact, on one line, cut after `most` characters and with how many more there are."""
    beginning, more = cut_json(text, most)
    return visible_line(beginning) + more


def cut_json(text: str, most: int) -> tuple[str, str]:
    """Return the beginning of JSON text, compact but not yet safe to draw, and how much more there is."""
    try:
        whole = compact(read_json(text))
    except JsonFault:
        whole = text
    more = len(whole) - most
    return (whole, "") if more <= 0 else (whole[:most], f"… +{more} more")

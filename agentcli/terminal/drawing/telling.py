"""What happens in a session, as the lines that a person reads in a conversation. Pure."""

import json
import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from msgspec import structs
from msgspec.structs import replace

from agentcli.counted import counted
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session import events as ev
from agentcli.session.call import Call
from agentcli.session.reply import failure_text
from agentcli.session.run import Run, limit_text
from agentcli.session.state import State
from agentcli.session.steps import MAX_ATTEMPTS
from agentcli.terminal.drawing.fold import fit, fold
from agentcli.terminal.drawing.render import (
    answer_line,
    cut_json,
    decision_line,
    heard_line,
    queued_line,
    result_line,
    short_json,
    spelling_line,
)
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.tools.risk import Risk
from agentcli.visible import visible, visible_line

SAID: Final = "› "
LATER: Final = " Try again later."
"""Advice for a person, which is not theirs to follow while agentcli does so itself."""

PATIENCE_S: Final = 10.0
"""Where nothing is drawn anew, it is said so often that something is still at work."""

MOST_RUNNING: Final = 60
"""Characters of an input that are shown while it is at work."""

MOST_WORDS: Final = 12
"""Lines of a message that are shown once it is stored; who typed it knows the rest."""

SILENT: Final = "the model ended its turn without a word"


def lines_of(event: ev.Event, state: State, *, width: int, above: str = "") -> Iterator[Line]:
    """Yield what is said about an event; nothing for what shows in other ways.

    Args:
        above: The id of the call whose audit line is the last that was said, empty if it is no such line.
    """
    match event:
        case ev.Queued(message=number, text=text):
            yield from _words(text, width)
            yield queued_line(number)
        case ev.Heard(message=number, step=step):
            yield heard_line([number], step)
        case ev.Decided(call_id=call_id) if _is_own_and_goes_on(event, state.calls[call_id]):
            return
        case ev.ApprovalRequested():
            # The question shows what has changed.
            return
        case ev.ToolFinished(call_id=call_id):
            if not _is_told_already(state.calls[call_id]):
                yield from _outcome(event, state, width, above)
        case _:
            yield from audit_lines(event, state)


def audit_lines(event: ev.Event, state: State) -> Iterator[Line]:
    """Yield the audit line of a decision, in two spellings where it may deceive, or of an answer; else nothing.

    That of an undo says what it takes back. Under that of a call that is asked about again stands what is shown
    otherwise than before.
    """
    match event:
        case ev.Decided(call_id=call_id) if _runs_after_a_yes(event, state.calls[call_id]):
            return
        case ev.Decided(call_id=call_id):
            verdicts = [Verdict(rule.rule, rule.decision, rule.reason) for rule in event.rules]
            sent, undone = state.calls[call_id].as_sent, state.calls[call_id].undoes
            # Otherwise it would read as one more call like the one that it takes back.
            back = () if undone is None else (Span(f" · takes back {visible_line(undone.call_id)}", Style.FAINT),)
            yield (*decision_line(event.decision, event.tool, sent, verdicts), *back)
            yield from spelling_line(sent)
        case ev.ApprovalRequested(call_id=call_id):
            yield from _changed_lines(state.calls[call_id])
        case ev.Answered(call_id=call_id):
            # To a program a changed input is one that was filled in; a person knows the word of the question.
            is_edit = event.answer == "filled" and event.reason == ev.CHANGED_INPUT
            answered = e.Answered(call_id, 0, event.answer, event.by, "", event.seconds, event.reason)
            told = structs.replace(answered, answer="edited", reason="") if is_edit else answered
            yield answer_line(state.calls[call_id].title, told)
        case _:
            return


def _changed_lines(call: Call) -> Iterator[Line]:
    if call.asked is None or call.asked_before is None:
        return
    now, before = _shown(call.asked), _shown(call.asked_before)
    gone = [f"no longer: {line}" for line in before if line not in now]
    for text in [*gone, *(f"now: {line}" for line in now if line not in before)]:
        yield (Span(f"  {visible_line(text)}", Style.CARE),)


def _shown(asked: e.Asked) -> tuple[str, ...]:
    return (*asked.preview, *(f"asked because: {verdict.reason}" for verdict in asked.verdicts))


def elsewhere_line(call: Call) -> Line:
    """Return what is said once a question or a form was answered in another process."""
    answered = call.supplied or call.answered or call.edited
    by = "" if answered is None else f" by {visible_line(answered.by)} ({visible_line(answered.channel)})"
    return (Span(f"answered elsewhere{by}", Style.CARE),)


def retry_line(state: State, now: datetime, told: e.RequestFailed | None = None) -> Line | None:
    """Return why a request is tried again and when, None where none is.

    Args:
        told: The failure that was told last: why is not said again where nothing is different.
    """
    failure = state.failure
    if failure is None or failure.retry_at is None:
        return None
    seconds = max(0.0, (failure.retry_at - now).total_seconds())
    again = f"Trying again in {seconds:.0f} s ({failure.attempt + 1} of {MAX_ATTEMPTS})."
    is_same = told is not None and told.text == failure.text and failure.attempt > 1
    reason = "" if is_same else f"{visible_line(retry_reason(state))} "
    return (Span(f"{reason}{again}", Style.CARE),)


def retry_reason(state: State) -> str:
    """Return why a request is tried again, not yet safe to draw; empty where none failed."""
    return "" if state.failure is None else state.failure.text.removesuffix(LATER)


def retry_text(state: State, now: datetime) -> str:
    """Return how long it is until a request is tried again; empty where none is to be."""
    failure = state.failure
    if failure is None or failure.retry_at is None or failure.retry_at <= now or state.run is None:
        return ""
    return f"trying again in {math.ceil((failure.retry_at - now).total_seconds())} s …"


def ending_lines(ended: e.RunEnded, state: State) -> Iterator[Line]:
    """Yield what is said about a run that has ended; nothing where its reply says all."""
    match ended.outcome:
        case "completed" if not ended.text.strip():
            yield (Span(SILENT, Style.CARE),)
        case "limit":
            yield (Span(limit_text(str(ended.limit)), Style.CARE),)
        case "stopped":
            yield (Span("stopped", Style.CARE),)
        case "refused":
            why = "" if state.reply is None or not state.reply.explanation else f": {state.reply.explanation}"
            text = f"the model refused, and nothing of that reply ran{why}"
            yield (Span(visible_line(text), Style.BAD),)
        case "failed":
            yield (Span(visible_line(_why_failed(state)), Style.BAD),)
        case _:
            pass
    if ended.outcome != "completed" and state.unheard:
        yield (Span(f"not heard yet: {numbered(state.unheard)}; kept for the next run", Style.CARE),)


def usage_line(run: Run, now: datetime) -> Line:
    """Return what a run used."""
    cost = "cost unknown" if run.cost_usd is None else f"{run.cost_usd:.4f} USD"
    steps, tokens = counted(run.steps, "step"), counted(run.usage.total, "token")
    used = f"{steps} · {tokens} · {cost} · {run.seconds(now):.1f} s"
    return (Span(used, Style.FAINT),)


def running_text(state: State, now: datetime) -> str:
    """Return what is at work at this moment, a line each, not yet safe to draw; empty where nothing is."""
    return "\n".join(f"{call.tool} {_beginning(call)} … {_since(call, now)}" for call in running_calls(state))


def running_calls(state: State) -> list[Call]:
    """Return the calls that are at work at this moment."""
    return [call for call in state.batch if call.started is not None and not call.settled and not call.finished]


def numbered(numbers: Iterable[int]) -> str:
    """Return the numbers of messages as they are written."""
    return ", ".join(f"#{number}" for number in numbers)


def _words(text: str, width: int) -> Iterator[Line]:
    """Yield a person's words, set in so that none of them can pass for a line of ours."""
    mark = SAID
    # Blanks at the end are kept, and of no interest to anybody.
    lines = visible(text.rstrip(" ")).split("\n")
    pieces = [piece for line in lines for piece in fold(line, width - len(SAID))]
    for piece in pieces[:MOST_WORDS]:
        yield (Span(mark, Style.FAINT), Span(piece.rstrip(), Style.STRONG))
        mark = " " * len(SAID)
    if len(pieces) > MOST_WORDS:
        yield (Span(f"{mark}… {len(pieces) - MOST_WORDS:,} more lines, kept and sent whole", Style.FAINT),)


def _outcome(finished: ev.ToolFinished, state: State, width: int, above: str) -> Iterator[Line]:
    """Yield the result of a call: data cut to one line, what went wrong in full."""
    call = state.calls[finished.call_id]
    if call.undoes is not None and not finished.is_error:
        yield (Span(f"undone: {visible_line(call.tool)} {short_json(call.as_sent)}", Style.GOOD),)
        return
    # Where reads of one tool ran together their results do not stand below the lines that said with what.
    is_one_of_many = sum(one.tool == call.tool and _may_run_with_others(one) for one in state.batch) > 1
    is_apart = is_one_of_many and _may_run_with_others(call) and call.call_id != above
    named = f"{call.tool} {_beginning(call)}" if is_apart else call.tool
    mark, told = result_line(named, json.loads(bytes(finished.result)))
    room = width - len(mark.text)
    pieces = fold(told.text, room, " ") if finished.is_error else [fit(told.text, room)]
    for piece in pieces:
        yield (mark, replace(told, text=piece.rstrip()))
        mark = Span(" " * len(mark.text))


def _may_run_with_others(call: Call) -> bool:
    return call.asked is None and call.decided is not None and call.decided.risk is Risk.READ


def _is_own_and_goes_on(decided: ev.Decided, call: Call) -> bool:
    return call.by is not None and decided.decision is not Decision.DENY


def _runs_after_a_yes(decided: ev.Decided, call: Call) -> bool:
    """Tell whether a call was looked at once more after a yes, and simply runs."""
    approved = call.answered is not None and call.answered.answer == "approved"
    return approved and decided.decision is Decision.ALLOW


def _is_told_already(call: Call) -> bool:
    """Tell whether the audit line of a call that did not run has said its outcome."""
    denied = call.decided is not None and call.decided.decision is Decision.DENY
    answered_no = call.answered is not None and call.answered.answer in ("declined", "expired", "cancelled")
    is_core = call.finished is not None and call.finished.origin == "core"
    return is_core and (denied or answered_no)


def _why_failed(state: State) -> str:
    return failure_text(state) if state.failure is None else f"{state.failure.text} Nothing is lost."


def seconds_since(then: datetime, now: datetime) -> str:
    """Return how long something has taken, to a tenth of a second."""
    return f"{max(0.0, (now - then).total_seconds()):.1f} s"


def _beginning(call: Call) -> str:
    return "".join(cut_json(call.as_sent, MOST_RUNNING))


def _since(call: Call, now: datetime) -> str:
    return seconds_since(call.started_at or now, now)

"""How `approvals` tells what waits for a person, and what was recorded about it."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, get_args

import msgspec

from agentcli.local_time import local_minute
from agentcli.session.call import Call
from agentcli.session.entries import Answered, Reconciled, Reconciliation, Supplied
from agentcli.session.pending import Kind, Pending
from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.render import answer_line, short_json
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.faces.printed import terminal_size
from agentcli.terminal.question.asked import view_of
from agentcli.terminal.question.card import GUTTER
from agentcli.terminal.question.frame import lay_out_whole
from agentcli.tools.form import Field, form_of
from agentcli.visible import visible_line

HEADER: Final = ("kind", "call", "session", "asked", "what")

FITTING: Final[Mapping[str, str | float | bool]] = {"string": "…", "integer": 1, "number": 1.5, "boolean": True}
DAY: Final = "2026-11-30"

Given = Answered | Supplied | Reconciled


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What `approvals show` writes beside the fields of the list: the form to be filled in, where there is one."""

    question: str | None = None
    schema: Any = None


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What was recorded; `resume` is the command that goes on, null where a process does so by itself."""

    session: str
    call_id: str
    tool: str
    answer: str
    by: str
    reason: str
    seconds: float | None
    resume: str | None


def cells(waits: Pending, call: Call) -> tuple[str, ...]:
    """Return the row of a list, about a call that waits."""
    asked = _moment(waits.asked_at)
    return (waits.kind, waits.call_id, waits.session, asked, f"{call.title} {_json(waits)}")


def detail(waits: Pending, call: Call, command: str) -> Iterator[Line]:
    """Yield all there is to know about a call that waits, and how to answer.

    Args:
        command: The command line up to and with `approvals`.
    """
    own = shlex.quote(call.call_id)
    match waits.kind:
        case Kind.APPROVAL:
            yield from lay_out_whole(view_of(call), width=_width())
            yield _hint("yes", f"{command} approve {own} --code {waits.code}")
            yield _hint("no", f"{command} decline {own} --reason TEXT")
        case Kind.INPUT:
            assert call.suspended is not None
            fields = form_of(msgspec.json.decode(call.suspended.schema)).fields
            yield from _framed([_head(waits, call), *waits.reasons, *waits.preview, *map(_field, fields)])
            yield _hint("fill in", f"{command} answer {own} {shlex.quote(_example(fields))} --code {waits.code}")
            yield _hint("no", f"{command} decline {own} --reason TEXT")
        case Kind.OUTCOME:
            yield from _framed(
                [_head(waits, call), *waits.preview, f"{waits.reasons[0]}: find out whether it happened"]
            )
            for outcome in get_args(Reconciliation):
                yield _hint(outcome, f"{command} settle {own} {outcome}")


def recorded_line(tool: str, given: Given) -> Line:
    """Return the line that says what was recorded."""
    match given:
        case Answered():
            return answer_line(tool, given)
        case Supplied(call_id=call_id):
            return answer_line(tool, Answered(call_id, 0, "filled", given.by, given.channel, given.seconds))
        case Reconciled():
            tag = Span(f"[{given.outcome}]", Style.CARE)
            return (tag, Span(f" {visible_line(tool)} by {visible_line(given.by)}"))


def recorded(session: str, tool: str, given: Given, resume: str | None) -> Recorded:
    """Return what was recorded as a program reads it."""
    answer = given.answer if isinstance(given, Answered) else "filled"
    return Recorded(
        session=session,
        call_id=given.call_id,
        tool=tool,
        answer=given.outcome if isinstance(given, Reconciled) else answer,
        by=given.by,
        reason=given.reason if isinstance(given, Answered) else "",
        seconds=None if isinstance(given, Reconciled) else given.seconds,
        resume=resume,
    )


def _head(waits: Pending, call: Call) -> str:
    return f"{waits.kind} · {call.title} {_json(waits)} · since {_moment(waits.asked_at)}"


def _field(field: Field) -> str:
    # As the JSON of an answer has them: here none is taken by its number.
    choices = " · ".join(msgspec.json.encode(choice).decode() for choice in field.choices)
    need = "" if field.required else " (may be left out)"
    return f"{field.name}: {field.title}{need}{f' — {choices}' if choices else ''}"


def _example(fields: Sequence[Field]) -> str:
    """Return a form filled in, as JSON text."""
    return msgspec.json.encode({field.name: _fitting(field) for field in fields if field.required}).decode()


def _fitting(field: Field) -> str | float | bool:
    """Return a value that the field takes."""
    if field.choices:
        return field.choices[0]
    return DAY if field.is_date else FITTING[field.kind]


def _framed(texts: Sequence[str]) -> Iterator[Line]:
    for text in texts:
        for line in fold(visible_line(text), _width() - len(GUTTER.text), "   "):
            yield (GUTTER, Span(line))


def _hint(what: str, command: str) -> Line:
    return (Span(f"{what}: ", Style.FAINT), Span(visible_line(command)))


def _json(waits: Pending) -> str:
    return short_json(msgspec.json.encode(waits.input).decode())


def _moment(at: datetime | None) -> str:
    return "" if at is None else local_minute(at)


def _width() -> int:
    return terminal_size().columns

"""The story of one call, entry by entry: proposed, decided, asked as it was shown, answered, done. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from agentcli.gate.verdicts import Decision, Verdict
from agentcli.local_time import local_second
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.session.codec import encode_entry
from agentcli.session.decisions import Decisions, read_decisions
from agentcli.session.export import Exported, exported
from agentcli.session.fold import apply
from agentcli.session.grants import Grant, Grants
from agentcli.session.origin import Origin
from agentcli.session.record import Record
from agentcli.session.state import State
from agentcli.terminal.drawing.fold import cell_width, fold
from agentcli.terminal.drawing.render import MOST_JSON, answer_line, cut_json
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.question.asked import view_of, would_raise
from agentcli.terminal.question.card import NO_END
from agentcli.terminal.question.forms import Filling
from agentcli.terminal.question.frame import lay_out
from agentcli.terminal.question.prompted import lay_out_prompt
from agentcli.tools.form import FormFault
from agentcli.visible import visible_line

INDENT: Final = "  "
STYLES: Final = {Decision.ALLOW: Style.GOOD, Decision.ASK: Style.CARE, Decision.DENY: Style.BAD}


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry about a call, as it is stored."""

    seq: int
    at: datetime
    kind: str
    hash: str
    entry: msgspec.Raw


class StoredStory(msgspec.Struct, frozen=True):
    """A call's story for programs: its decisions as `audit export` has them, and every entry about it."""

    session: str
    call_id: str
    decisions: tuple[Exported, ...]
    entries: tuple[StoredEntry, ...]


def stored_story(session: str, call_id: str, records: Sequence[Record]) -> StoredStory:
    """Return a call's story for programs."""
    decisions = (exported(one) for one in read_decisions(records) if one.call_id == call_id)
    entries = (
        StoredEntry(one.seq, one.at, one.entry.kind, one.hash.hex(), msgspec.Raw(encode_entry(one.entry)))
        for one in records
        if getattr(one.entry, "call_id", None) == call_id
    )
    return StoredStory(session, call_id, tuple(decisions), tuple(entries))


def call_story(session: str, call_id: str, records: Iterable[Record], *, width: int) -> Iterator[Line]:
    """Yield all that the journal says about a call, safe to draw.

    Args:
        records: The session's, from the first on.
        width: Cells in a line; a question is folded to it as it was for whoever was asked.
    """
    story = _Story(session, call_id, width)
    for record in records:
        yield from story.tell(record)


class _Story:
    """Follows the session, and tells what is about one call."""

    def __init__(self, session: str, call_id: str, width: int) -> None:
        self._call_id = call_id
        self._width = width
        self._state = State(session)
        self._decisions = Decisions()
        self._grants = Grants()

    @property
    def _call(self) -> Call | None:
        return self._state.calls.get(self._call_id)

    def tell(self, record: Record) -> Iterator[Line]:
        """Take an entry in, and yield what it says about the call."""
        entry, was_known = record.entry, self._call is not None
        number = self._decisions.take(record)
        apply(self._state, record)
        self._grants.take(record)
        call = self._call
        if call is None:
            return
        if not was_known:
            yield from self._proposed(record, call)
        elif getattr(entry, "call_id", None) == self._call_id:
            if isinstance(entry, e.Decided):
                yield from self._decided(record, entry, is_new=number == record.seq)
            elif isinstance(entry, e.Asked):
                yield from self._asked(record, call)
            elif isinstance(entry, e.Suspended):
                yield from self._suspended(record, call, entry)
            else:
                yield from self._told(record, *_TELLERS[type(entry)](entry, call))
        elif isinstance(entry, e.Finished) and call.undone:
            yield from self._undone(record, entry)
        for _ in self._decisions.release():
            pass

    def _proposed(self, record: Record, call: Call) -> Iterator[Line]:
        whose = f"proposed by {visible_line(call.by)}" if call.by is not None else "proposed by the model"
        if call.undoes is not None:
            whose += f", to take back {call.undoes.call_id}"
        yield (Span(visible_line(call.tool), Style.STRONG), Span(f" · {self._call_id} · session {record.session}"))
        yield from self._told(record, f"{whose}, call {call.position} of {call.of}", _beginning(call.input))

    def _decided(self, record: Record, entry: e.Decided, *, is_new: bool) -> Iterator[Line]:
        if not is_new:
            yield from self._told(record, "looked at again, with the same outcome")
            return
        where = f"{entry.decision}, at level {entry.level}: a call of risk {entry.risk}"
        yield from self._told(record, where, f"as it runs: {entry.input}", f"digest {entry.digest}")
        column = max((cell_width(visible_line(verdict.rule)) for verdict in entry.verdicts), default=0)
        for verdict in entry.verdicts:
            yield from self._rule(verdict, column)
        grant = self._grants.standing_for(entry.tool)
        is_undo = self._call is not None and self._call.undoes is not None
        if grant is not None and not is_undo:
            yield from self._granted(grant)

    def _granted(self, grant: Grant) -> Iterator[Line]:
        """Who gave the level at which it was decided."""
        whose = "" if grant.tool is None else f" for {grant.tool}"
        told = f"level {int(grant.level)}{whose}: {grant.cause}, by {grant.by} (entry {grant.seq})"
        for line in self._folded(visible_line(told)):
            yield (Span(INDENT + line, Style.FAINT),)

    def _rule(self, verdict: Verdict, column: int) -> Iterator[Line]:
        rule, reason = visible_line(verdict.rule), visible_line(verdict.reason)
        pad = " " * (column - cell_width(rule))
        first, *more = self._folded(f"{rule}{pad}  {reason}", len("allow  "))
        yield (Span(f"{INDENT}{verdict.decision:5}", STYLES[verdict.decision]), Span(f"  {first}"))
        for line in more:
            yield (Span(f"{INDENT}       {line}"),)

    def _asked(self, record: Record, call: Call) -> Iterator[Line]:
        yield from self._told(record, "asked" if call.asked_before is None else "asked again")
        card = lay_out(view_of(call, may_raise=would_raise(call)), width=self._width, height=NO_END)
        yield from card.lines(0)

    def _suspended(self, record: Record, call: Call, entry: e.Suspended) -> Iterator[Line]:
        try:
            views = tuple(Filling(call).views())
        except FormFault:
            # It was written by other means than agentcli, so nobody has seen it.
            yield from self._told(record, "stopped to ask, by what is no form", entry.question, *entry.shown)
            return
        yield from self._told(record, "stopped to ask")
        for view in views:
            yield from lay_out_prompt(view, width=self._width, height=NO_END).lines(0)

    def _undone(self, record: Record, entry: e.Finished) -> Iterator[Line]:
        undo = self._state.calls[entry.call_id]
        if undo.undoes is self._call:
            yield from self._told(record, f"taken back by {visible_line(undo.by or '')} (call {undo.call_id})")

    def _told(self, record: Record, what: str | Line, *details: str) -> Iterator[Line]:
        """Yield what is safe to draw, and below it details that may not be."""
        when = local_second(record.at)
        said = (Span(what),) if isinstance(what, str) else what
        yield (Span(f"{when}  ", Style.FAINT), *said, Span(f" · entry {record.seq}", Style.FAINT))
        for detail in details:
            for line in self._folded(visible_line(detail)):
                yield (Span(INDENT + line, Style.FAINT),)

    def _folded(self, text: str, indent: int = 0) -> list[str]:
        return fold(text, self._width - len(INDENT) - indent)


Told = tuple[str | Line, *tuple[str, ...]]
"""What an entry says, safe to draw, and details that may not be."""


def _answered(entry: e.Answered, call: Call) -> Told:
    changed = () if entry.input is None else (f"changed to {entry.input}",)
    return (answer_line(call.tool, entry), _origin(entry.channel, entry.origin), *changed)


def _started(entry: e.Started, call: Call) -> Told:
    return (
        "started outside the store",
        *(() if entry.key is None else (f"with the idempotency key {entry.key}",)),
    )


def _overdue(entry: e.Overdue, call: Call) -> Told:
    return ("left behind at its timeout; it may still report back",)


def _supplied(entry: e.Supplied, call: Call) -> Told:
    filled = e.Answered(entry.call_id, 0, "filled", entry.by, entry.channel, entry.seconds)
    return (answer_line(call.tool, filled), bytes(entry.data).decode(), _origin(entry.channel, entry.origin))


def _reconciled(entry: e.Reconciled, call: Call) -> Told:
    said = {"happened": "it had happened", "not": "it had not happened", "retry": "to run it once more"}
    return (f"{visible_line(entry.by)} said: {said[entry.outcome]}", _origin(entry.channel, entry.origin))


def _finished(entry: e.Finished, call: Call) -> Told:
    whose = "by its tool" if entry.origin == "tool" else "by code, without running"
    held = ("held until the hooks have seen it",) if entry.held else ()
    took = f" after {entry.seconds:g} s" if entry.seconds else ""
    return (f"ended {whose}{took}: {visible_line(entry.status)}", *_result(call, entry), *held)


def _filtered(entry: e.Filtered, call: Call) -> Told:
    hooks = ", ".join(entry.hooks) or "hooks that are gone"
    return (
        f"what the model got of it, after {visible_line(hooks)}",
        _json(entry.output),
        f"digest {entry.digest}",
    )


def _result(call: Call, entry: e.Finished) -> Iterator[str]:
    yield _json(entry.result)
    yield f"result digest {entry.digest}"


def _json(raw: Any) -> str:
    return _beginning(bytes(raw).decode())


def _beginning(text: str) -> str:
    return "".join(cut_json(text, MOST_JSON))


def _origin(channel: str, origin: Origin | None) -> str:
    """Return how an answer came, and from where, as far as the machine could tell."""
    known = origin or Origin()
    parts = (
        f"through {channel}",
        f"uid {known.uid}" if known.uid is not None else "",
        f"tty {known.tty}" if known.tty else "",
        f"host {known.host}" if known.host else "",
        f"below {' < '.join(known.chain)}" if known.chain else "",
    )
    return " · ".join(filter(None, parts))


_TELLERS: Final[Mapping[type[e.Entry], Callable[[Any, Call], Told]]] = {
    e.Answered: _answered,
    e.Started: _started,
    e.Overdue: _overdue,
    e.Supplied: _supplied,
    e.Reconciled: _reconciled,
    e.Finished: _finished,
    e.Filtered: _filtered,
}

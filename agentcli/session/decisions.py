"""What was decided, read off a journal: one record for each decision that mattered, with its outcome.

A call is decided once it is proposed, and looked at again before it runs: after an answer, by another process, or
when something that its decision rests on has changed. The first look makes a record. A later one makes another
only where it comes to something else: another decision, level or input, or a question that shows a person
something else. Where it comes to the same, what follows belongs to the record that is there.

So every decision is there exactly once, whether code made it alone or a person was asked. An answer stands with
the question that it answered, and the outcome with the call's last decision, the one that led to it.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session.call import asking
from agentcli.session.record import Record
from agentcli.tools.risk import Risk

UNKNOWN: Final = "unknown_outcome"
"""The outcome of a call that started and never reported back."""


class DecisionRecord(Struct, frozen=True, kw_only=True):
    """One decision about a call, and what is known by now of its question, its answer and its outcome.

    `seq` and `at` are those of the entry that decided, `input` is the input as it was sent, `digest` that of the
    input as it runs. `code` names the question, `channel` is how the answer came, `seconds` how long it took.
    `outcome` is the status that the call ended with. With `undoes` it is a person's own call, which takes the one
    named back.

    Attributes:
        is_second_look: Whether an earlier record is about the same call.
        ran: Whether the outcome is the tool's own, not one that code wrote.
        took_effect: Whether the call ran and did not fail, or a person said that it had happened.
        acts_elsewhere: Whether it started outside the store.
        is_in_doubt: Whether it did and its tool never said what became of it.
    """

    session: str
    seq: int
    at: datetime
    tool: str
    call_id: str
    input: str
    risk: Risk
    level: Level
    decision: Decision
    verdicts: tuple[Verdict, ...]
    digest: str
    preview: tuple[str, ...] = ()
    is_second_look: bool = False
    undoes: str | None = None
    code: str | None = None
    answer: e.Answer | None = None
    by: str | None = None
    channel: str | None = None
    seconds: float | None = None
    outcome: str | None = None
    result_digest: str | None = None
    ran: bool = False
    took_effect: bool = False
    acts_elsewhere: bool = False
    is_in_doubt: bool = False


class DecisionFilter(Struct, frozen=True, kw_only=True):
    """Which decisions are looked at; what is None does not matter. `since` is included."""

    tool: str | None = None
    decision: Decision | None = None
    since: datetime | None = None

    def includes(self, record: DecisionRecord) -> bool:
        """Whether a decision is one of them."""
        return (
            (self.tool is None or record.tool == self.tool)
            and (self.decision is None or record.decision is self.decision)
            and (self.since is None or record.at >= self.since)
        )


def read_decisions(records: Iterable[Record]) -> Iterator[DecisionRecord]:
    """Yield the decisions of one session in order; in memory are only those whose outcome is still open."""
    decisions = Decisions()
    for record in records:
        decisions.take(record)
        yield from decisions.release()
    yield from decisions.open


class Decisions:
    """Reads the decisions of one session, entry by entry, and keeps those that later entries may add to."""

    def __init__(self) -> None:
        self._records: dict[int, DecisionRecord] = {}
        self._newest: dict[str, int] = {}
        self._over: set[int] = set()
        self._started: set[int] = set()
        self._edited: set[str] = set()
        self._undoes: dict[str, str] = {}

    def take(self, record: Record) -> int | None:
        """Take one more entry in; return the number of the decision that it belongs to, if it is about one."""
        read = _READINGS.get(type(record.entry))
        return None if read is None else read(self, record, record.entry)

    def standing(self, number: int) -> DecisionRecord:
        """Return the decision of this number as it stands now; it has not been released yet."""
        return self._records[number]

    @property
    def open(self) -> tuple[DecisionRecord, ...]:
        """The decisions that have not been released yet, in order."""
        return tuple(self._records.values())

    def release(self) -> Iterator[DecisionRecord]:
        """Let go of the decisions that nothing can add to any more, up to the first that is still open."""
        while self._over and (number := next(iter(self._records))) in self._over:
            self._over.discard(number)
            record = self._records.pop(number)
            if self._newest.get(record.call_id) == number:
                del self._newest[record.call_id]
            yield record

    def _decided(self, record: Record, entry: e.Decided) -> int:
        number = self._newest.get(entry.call_id)
        before = None if number is None else self._records[number]
        if number is not None and before is not None:
            if entry.call_id not in self._edited and _comes_to_the_same(entry, before):
                return number
            self._over.add(number)
        self._edited.discard(entry.call_id)
        self._newest[entry.call_id] = record.seq
        self._records[record.seq] = DecisionRecord(
            session=record.session,
            seq=record.seq,
            at=record.at,
            tool=entry.tool,
            call_id=entry.call_id,
            input=entry.as_sent,
            risk=entry.risk,
            level=entry.level,
            decision=entry.decision,
            verdicts=entry.verdicts,
            digest=entry.digest,
            preview=entry.preview,
            is_second_look=before is not None,
            undoes=self._undoes.pop(entry.call_id, None) if before is None else before.undoes,
        )
        return record.seq

    def _asked(self, record: Record, entry: e.Asked) -> int | None:
        return self._change(entry.call_id, code=record.code)

    def _answered(self, record: Record, entry: e.Answered) -> int | None:
        if entry.answer == "edited":
            self._edited.add(entry.call_id)
        return self._answer(entry, entry.answer)

    def _supplied(self, record: Record, entry: e.Supplied) -> int | None:
        return self._answer(entry, "filled")

    def _started_outside(self, record: Record, entry: e.Started) -> int | None:
        number = self._newest.get(entry.call_id)
        if number is not None and entry.key is None and self._records[number].risk is not Risk.READ:
            self._started.add(number)
        return self._change(entry.call_id, acts_elsewhere=True)

    def _attached(self, record: Record, entry: e.Attached) -> None:
        for number in self._started:
            self._records[number] = replace(self._records[number], is_in_doubt=True, outcome=UNKNOWN)

    def _overdue(self, record: Record, entry: e.Overdue) -> int | None:
        return self._change(entry.call_id, is_in_doubt=True, outcome=UNKNOWN)

    def _suspended(self, record: Record, entry: e.Suspended) -> int | None:
        return self._take_start_back(entry.call_id)

    def _reconciled(self, record: Record, entry: e.Reconciled) -> int | None:
        if entry.outcome == "retry":
            return self._take_start_back(entry.call_id)
        return self._change(entry.call_id, took_effect=entry.outcome == "happened")

    def _finished(self, record: Record, entry: e.Finished) -> int | None:
        number = self._newest.get(entry.call_id)
        if number is None:
            return None
        self._over.add(number)
        self._started.discard(number)
        ran, before = entry.origin == "tool", self._records[number]
        return self._change(
            entry.call_id,
            outcome=entry.status,
            result_digest=entry.digest,
            ran=ran,
            took_effect=before.took_effect or (ran and not entry.is_error),
            is_in_doubt=before.is_in_doubt and not ran,
        )

    def _proposed(self, record: Record, entry: e.Proposed) -> None:
        if entry.undoes is not None:
            self._undoes[entry.call_id] = entry.undoes

    def _answer(self, entry: e.Answered | e.Supplied, answer: e.Answer) -> int | None:
        number = self._newest.get(entry.call_id)
        if number is None or self._records[number].answer is not None:
            # What was said to a form takes nothing away from what was said to the question before it.
            return number
        given = {"answer": answer, "by": entry.by, "channel": entry.channel, "seconds": entry.seconds}
        return self._change(entry.call_id, **given)

    def _take_start_back(self, call_id: str) -> int | None:
        number = self._newest.get(call_id)
        if number is not None:
            self._started.discard(number)
        return self._change(call_id, is_in_doubt=False, outcome=None)

    def _change(self, call_id: str, **changes: Any) -> int | None:
        number = self._newest.get(call_id)
        if number is not None:
            self._records[number] = replace(self._records[number], **changes)
        return number


def _comes_to_the_same(now: e.Decided, before: DecisionRecord) -> bool:
    if (now.decision, now.level, now.digest) != (before.decision, before.level, before.digest):
        return False
    shown = (now.preview, asking(now.verdicts)) == (before.preview, asking(before.verdicts))
    return shown or now.decision is not Decision.ASK


_READINGS: Final[dict[type[e.Entry], Callable[[Decisions, Record, Any], int | None]]] = {
    e.Attached: Decisions._attached,
    e.Proposed: Decisions._proposed,
    e.Decided: Decisions._decided,
    e.Asked: Decisions._asked,
    e.Answered: Decisions._answered,
    e.Started: Decisions._started_outside,
    e.Overdue: Decisions._overdue,
    e.Suspended: Decisions._suspended,
    e.Supplied: Decisions._supplied,
    e.Reconciled: Decisions._reconciled,
    e.Finished: Decisions._finished,
}

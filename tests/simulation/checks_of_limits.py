"""What must hold for limits in every world: where they are looked at, and what counts."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Final

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.record import Record
from agentcli.tools.risk import Risk
from tests.simulation.ledger import CallStory, Ledger
from tests.simulation.tools import RISKS

MINUTE: Final = timedelta(minutes=1)


def limits_are_looked_at_before_each_call(ledger: Ledger) -> Iterator[str]:
    """No call is decided for the first time once its run has reached a limit that concerns it."""
    for run in ledger.runs:
        for record in run:
            if not isinstance(record.entry, e.Decided):
                continue
            call = ledger.calls[record.entry.call_id]
            first = call.decision(record.seq) is None
            if first and call.by is None:
                for limit in _reached_at_call(ledger, run, record, call):
                    yield f"{call.call_id} was decided at {record.seq} in spite of the limit {limit}"


def nobody_is_asked_more_often_than_a_run_may(ledger: Ledger) -> Iterator[str]:
    """Each question about a model's call counts: of reads as well, and asking again since something changed."""
    for run in ledger.runs:
        for record in run:
            match record.entry:
                case e.Asked(call_id=call_id) if _asks_before(run, record) >= ledger.story.limits.asks:
                    if ledger.calls[call_id].by is None:
                        yield f"{call_id} was asked about at {record.seq} in spite of the limit asks"
                case _:
                    pass


def limits_are_looked_at_before_each_request(ledger: Ledger) -> Iterator[str]:
    """The model is not asked again once its run has reached a limit."""
    for run in ledger.runs:
        for record in run:
            if isinstance(record.entry, e.Requested):
                replies = sum(isinstance(one.entry, e.Replied) for one in run if one.seq < record.seq)
                steps = ["steps"] if replies >= ledger.story.limits.steps else []
                for limit in [*steps, *_used_up(ledger, run, record)]:
                    yield f"the model was asked at {record.seq} in spite of the limit {limit}"


def only_work_is_counted(ledger: Ledger) -> Iterator[str]:
    """A run that ends for its time has worked that long: waiting for persons or for a process is not counted."""
    for run in ledger.runs:
        match run[-1].entry:
            case e.RunEnded(limit="seconds") if _worked(ledger, run, run[-1]) < ledger.story.limits.seconds - 1:
                yield f"the run that ended at {run[-1].seq} had not worked for so long"
            case _:
                pass


def a_limit_is_named_only_where_it_is_reached(ledger: Ledger) -> Iterator[str]:
    """A run ends at a limit only if it has reached it, and if it concerns what comes next."""
    for run in ledger.runs:
        match run[-1].entry:
            case e.RunEnded(outcome="limit", limit=limit) if limit not in set(_limits_at_end(ledger, run)):
                yield f"the run that ended at {run[-1].seq} had not reached the limit {limit}"
            case _:
                pass


def _limits_at_end(ledger: Ledger, run: tuple[Record, ...]) -> Iterator[str]:
    # Another check compares the seconds with the work that was done.
    yield "seconds"
    end = run[-1]
    open_calls = [
        call
        for call in ledger.calls.values()
        if call.by is None and call.seq < end.seq and not any(one.seq < end.seq for one in call.results)
    ]
    if open_calls:
        call = min(open_calls, key=_place)
        decided = call.decision(end.seq)
        if decided is None:
            yield from _reached_at_call(ledger, run, end, call)
        elif decided.decision is Decision.ASK and _asks_before(run, end) >= ledger.story.limits.asks:
            yield "asks"
        return
    if sum(isinstance(one.entry, e.Replied) for one in run) >= ledger.story.limits.steps:
        yield "steps"
    yield from _used_up(ledger, run, end)


def _reached_at_call(ledger: Ledger, run: tuple[Record, ...], record: Record, call: CallStory) -> Iterator[str]:
    limits = ledger.story.limits
    earlier = [one for one in run if one.seq < record.seq]
    yield from _used_up(ledger, run, record)
    risk = RISKS.get(call.tool)
    if risk is None:
        return
    ran = list(_first_runs(ledger, earlier))
    irreversible = sum(RISKS[other.tool] is Risk.IRREVERSIBLE for other, _ in ran)
    if risk is Risk.IRREVERSIBLE and irreversible >= limits.irreversible:
        yield "irreversible"
    unasked = sum(
        other.last(e.Asked, seq)[1] is None and record.at - ledger.records[seq - 1].at < MINUTE
        for other, seq in ran
    )
    if 0 < limits.per_minute <= unasked:
        yield "per_minute"


def _asks_before(run: tuple[Record, ...], record: Record) -> int:
    return sum(isinstance(one.entry, e.Asked) for one in run if one.seq < record.seq)


def _first_runs(ledger: Ledger, records: list[Record]) -> Iterator[tuple[CallStory, int]]:
    """The calls that ran for the first time at one of the records."""
    seqs = {record.seq for record in records}
    for call in ledger.calls.values():
        if call.by is None and call.runs and call.runs[0].seq in seqs:
            yield call, call.runs[0].seq


def _used_up(ledger: Ledger, run: tuple[Record, ...], record: Record) -> Iterator[str]:
    limits = ledger.story.limits
    replies = [one.entry for one in run if one.seq < record.seq and isinstance(one.entry, e.Replied)]
    if sum(reply.usage.total for reply in replies) >= limits.tokens:
        yield "tokens"
    costs = [reply.cost_usd for reply in replies]
    if None not in costs and sum(Decimal(cost) for cost in costs if cost) >= Decimal(limits.cost_usd):
        yield "cost_usd"
    crashed = any(isinstance(one.entry, e.Attached) for one in run)
    if not crashed and _worked(ledger, run, record) > limits.seconds + 1:
        yield "seconds"


def _worked(ledger: Ledger, run: tuple[Record, ...], record: Record) -> float:
    """The seconds in which a process was at work on the run, up to a record."""
    begin, end = run[0].at, record.at
    spells = ((max(one.begin, begin), min(one.end, end)) for one in ledger.story.spells)
    return sum(max(0.0, (last - first).total_seconds()) for first, last in spells)


def _place(call: CallStory) -> tuple[int, int]:
    return call.seq, call.position


CHECKS: Final = (
    limits_are_looked_at_before_each_call,
    nobody_is_asked_more_often_than_a_run_may,
    limits_are_looked_at_before_each_request,
    only_work_is_counted,
    a_limit_is_named_only_where_it_is_reached,
)

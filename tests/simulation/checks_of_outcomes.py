"""What must hold for what comes of calls in every world: how often they run, and what they are said to have done."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.tools.risk import Risk
from tests.simulation.ledger import CallStory, Ledger
from tests.simulation.tools import IN_STORE, REPEATABLE, RISKS


def every_call_gets_one_result(ledger: Ledger) -> Iterator[str]:
    """Every call gets exactly one result, and one that was held is released exactly once."""
    for call in ledger.calls.values():
        held = [one for one in call.results if isinstance(one.entry, e.Finished) and one.entry.held]
        filtered = [one for one in call.records if isinstance(one.entry, e.Filtered)]
        if len(call.results) != 1 or len(filtered) != len(held):
            yield f"{call.call_id} has {len(call.results)} results and {len(filtered)} releases"


def unusable_replies_have_no_calls(ledger: Ledger) -> Iterator[str]:
    """Nothing is done about the calls of a reply that was cut, refused or malformed."""
    for stray in ledger.strays:
        yield f"{stray.entry.kind} at {stray.seq} is about a call that does not count"


def nothing_starts_twice_by_itself(ledger: Ledger) -> Iterator[str]:
    """A call starts once in a process, and after a crash again only if that is harmless or a person said so."""
    for call in ledger.calls.values():
        starts = call.runs if call.tool not in IN_STORE else []
        for first, second in pairwise(starts):
            said = [one.entry for one in call.records if first.seq < one.seq < second.seq]
            if any(isinstance(one, e.Suspended) for one in said):
                continue
            retried = any(isinstance(one, e.Reconciled) and one.outcome == "retry" for one in said)
            same_process = ledger.context(first.seq).epoch == ledger.context(second.seq).epoch
            repeatable = call.tool in REPEATABLE and call.by is None
            if not retried and (same_process or not repeatable):
                yield f"{call.call_id} started at {first.seq} and again at {second.seq}"


def what_may_have_happened_is_said_to(ledger: Ledger) -> Iterator[str]:
    """A result that says a call did not run is given only to one that surely did not."""
    for call in ledger.calls.values():
        for result in call.results:
            assert isinstance(result.entry, e.Finished)
            if result.entry.origin == "tool":
                continue
            started_at, started = call.last(e.Started, result.seq)
            since = [one.entry for one in call.records if started_at < one.seq < result.seq]
            answers = [one.outcome for one in since if isinstance(one, e.Reconciled)]
            open_still = started is not None and not any(isinstance(one, e.Suspended) for one in since)
            overdue = any(isinstance(one, e.Overdue) for one in since)
            harmless = call.tool in REPEATABLE and call.by is None and not overdue
            if open_still and not answers and not harmless:
                yield f"{call.call_id} was settled as {result.entry.status} though it may have happened"
            if answers and (answers[-1], result.entry.status) in (
                ("happened", "fault"),
                ("not", "unknown_outcome"),
            ):
                yield f"{call.call_id}: a person said {answers[-1]}, the result {result.entry.status}"
            if result.entry.status == "unknown_outcome" and answers[-1:] != ["happened"]:
                yield f"{call.call_id} is said to have happened, and nobody said so"


def a_refusal_has_its_reason(ledger: Ledger) -> Iterator[str]:
    """A call that did not run was denied, refused by a person, stopped, or overtaken by words."""
    for call in ledger.calls.values():
        for result in call.results:
            entry = result.entry
            assert isinstance(entry, e.Finished)
            decided = call.decision(result.seq)
            denied = decided is not None and decided.decision is Decision.DENY
            answers = {one.answer for _, one in call.before(result.seq, e.Answered)}
            reconciled = any(True for _ in call.before(result.seq, e.Reconciled))
            match entry.origin, entry.status:
                case "core", "declined" | "expired" as status:
                    fine = denied or status in answers
                case "core", "cancelled":
                    fine = ledger.context(result.seq).stop or "cancelled" in answers
                case "core", "blocked":
                    was_left = decided is None or decided.decision is Decision.ASK
                    fine = denied or (was_left and ledger.context(result.seq).run is None)
                case "core", "unknown_outcome" | "fault":
                    fine = denied or reconciled
                case "core", "invalid":
                    fine = denied
                case origin, _:
                    fine = origin == "tool"
            if not fine:
                yield f"{call.call_id} was settled as {entry.status} for no reason"


def a_report_comes_from_the_process_that_started_it(ledger: Ledger) -> Iterator[str]:
    """What a call elsewhere reports belongs to its latest start, in the same process."""
    for call in ledger.calls.values():
        if call.tool in IN_STORE:
            continue
        for record in call.records:
            entry = record.entry
            reports = isinstance(entry, e.Overdue) or (isinstance(entry, e.Finished) and entry.origin == "tool")
            if not reports:
                continue
            started_at, started = call.last(e.Started, record.seq)
            here = ledger.context(record.seq).epoch
            if started is None or ledger.context(started_at).epoch != here:
                yield f"{call.call_id} reported at {record.seq} for another process"


def effects_in_the_store_happen_once(ledger: Ledger) -> Iterator[str]:
    """The book holds exactly what finished calls wrote into it: nothing twice, nothing of one that failed."""
    written = Counter(ledger.story.book)
    reported: Counter[tuple[str, str]] = Counter()
    for call in ledger.calls.values():
        for result in call.results:
            assert isinstance(result.entry, e.Finished)
            writes = call.tool in IN_STORE and RISKS[call.tool] is not Risk.READ
            if writes and result.entry.origin == "tool" and not result.entry.is_error:
                reported["undo" if call.by else call.tool, call.what(result.seq)] += 1
    if written != reported:
        yield f"the book holds {written - reported} too much and {reported - written} too little"


def effects_elsewhere_follow_a_durable_start(ledger: Ledger) -> Iterator[str]:
    """Whatever happens outside the store has a start of its own that was durable before it."""
    free = [(run.seq, call) for call in ledger.calls.values() if call.tool not in IN_STORE for run in call.runs]
    for effect in ledger.story.effects:
        matching = [
            (_reported_at(ledger, call, seq), seq, call)
            for seq, call in free
            if seq <= effect.seq < _reported_at(ledger, call, seq)
            and ("undo" if call.by else call.tool) == effect.tool
            and call.what(seq) == effect.what
        ]
        if not matching:
            yield f"{effect.tool} of {effect.what!r} happened without a start of its own"
        else:
            # Of starts that look the same, the one that reports first.
            _, seq, call = min(matching, key=lambda one: one[0])
            free.remove((seq, call))


def _reported_at(ledger: Ledger, call: CallStory, start: int) -> int:
    """Where a start has its report; behind all entries where it has none."""
    reports = (one.seq for one in call.records if one.seq > start and _is_report(one.entry))
    return next(reports, ledger.end)


def _is_report(entry: e.Entry) -> bool:
    return isinstance(entry, e.Finished) and entry.origin == "tool"


def nothing_is_undone_twice(ledger: Ledger) -> Iterator[str]:
    """A write is undone at most once, and only one that took effect."""
    undone: set[str] = set()
    for record, proposed in ledger.of(e.Proposed):
        original = ledger.calls[str(proposed.undoes)]
        took_effect = any(
            isinstance(one.entry, e.Finished) and one.entry.undo is not None and one.seq < record.seq
            for one in original.records
        )
        if proposed.undoes in undone or not took_effect:
            yield f"{proposed.call_id} undoes {proposed.undoes}, of which nothing stands"
        for result in ledger.calls[proposed.call_id].results:
            assert isinstance(result.entry, e.Finished)
            if not result.entry.is_error or result.entry.status == "unknown_outcome":
                undone.add(str(proposed.undoes))


CHECKS: Final = (
    every_call_gets_one_result,
    unusable_replies_have_no_calls,
    nothing_starts_twice_by_itself,
    what_may_have_happened_is_said_to,
    a_refusal_has_its_reason,
    a_report_comes_from_the_process_that_started_it,
    effects_in_the_store_happen_once,
    effects_elsewhere_follow_a_durable_start,
    nothing_is_undone_twice,
)

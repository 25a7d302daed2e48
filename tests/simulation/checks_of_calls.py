"""What must hold for calls in every world: what may run, when, and how often."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.tools.risk import Risk
from tests.simulation.ledger import STALING, CallStory, Ledger
from tests.simulation.tools import ALWAYS_ASKS, IN_STORE, REPEATABLE, RISKS

A, Q, D = Decision.ALLOW, Decision.ASK, Decision.DENY
TABLE: Final = {
    Level.TALK: {Risk.READ: D, Risk.WRITE: D, Risk.IRREVERSIBLE: D},
    Level.LOOK: {Risk.READ: A, Risk.WRITE: D, Risk.IRREVERSIBLE: D},
    Level.PROPOSE: {Risk.READ: A, Risk.WRITE: Q, Risk.IRREVERSIBLE: Q},
    Level.BOUNDED: {Risk.READ: A, Risk.WRITE: A, Risk.IRREVERSIBLE: Q},
    Level.ALONE: {Risk.READ: A, Risk.WRITE: A, Risk.IRREVERSIBLE: A},
}


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


def nothing_runs_without_permission(ledger: Ledger) -> Iterator[str]:
    """What runs was allowed by level and risk as they stand, or a person said yes to exactly this question."""
    for call in ledger.calls.values():
        for run in call.runs:
            _, decided = call.last(e.Decided, run.seq)
            if decided is None or decided.decision is D:
                yield f"{call.call_id} ran without being allowed"
            elif _strictness(decided.decision) < _strictness(_expected(ledger, call, run.seq)):
                yield f"{call.call_id} was let off lightly"
            elif decided.decision is Q and not _said_yes_to(call, decided, run.seq):
                yield f"{call.call_id} ran without a yes to what was shown"


def _expected(ledger: Ledger, call: CallStory, seq: int) -> Decision:
    if call.by is not None:
        return Q
    here, risk = ledger.context(seq), RISKS[call.tool]
    own = here.tool_levels.get(call.tool, here.level)
    table = TABLE[Level.TALK if here.level is Level.TALK else own][risk]
    asks = here.require_approval or call.tool in ALWAYS_ASKS
    return Q if table is A and asks else table


def _said_yes_to(call: CallStory, decided: e.Decided, seq: int) -> bool:
    asked_at, asked = call.last(e.Asked, seq)
    _, answered = call.last(e.Answered, seq)
    asking = tuple(one for one in decided.verdicts if one.decision is Q)
    return (
        asked is not None
        and answered is not None
        and answered.answer == "approved"
        and answered.asked == asked_at
        and (asked.digest, asked.preview, asked.verdicts) == (decided.digest, decided.preview, asking)
    )


def what_runs_was_decided_just_now(ledger: Ledger) -> Iterator[str]:
    """A decision made in another process, or before a level, an answer, a form or a fact changed, does not run."""
    for call in ledger.calls.values():
        for run in call.runs:
            decided_at, _ = call.last(e.Decided, run.seq)
            stale = [one for one in ledger.between(decided_at, run.seq) if _takes_freshness(ledger, one.seq)]
            if stale:
                yield f"{call.call_id} ran on a decision from before {stale[0].entry.kind} {stale[0].seq}"


def _takes_freshness(ledger: Ledger, seq: int) -> bool:
    entry = ledger.records[seq - 1].entry
    if isinstance(entry, e.Finished):
        known = _known_before(ledger, seq)
        return any(not fact.holds and fact.subject in known for fact in entry.facts)
    return isinstance(entry, STALING)


def _known_before(ledger: Ledger, seq: int) -> set[str]:
    known: set[str] = set()
    for record, finished in ledger.of(e.Finished):
        if record.seq < seq:
            for fact in finished.facts:
                (known.add if fact.holds else known.discard)(fact.subject)
    return known


def only_the_known_are_paid(ledger: Ledger) -> Iterator[str]:
    """No level and no yes lets a call run whose prerequisite no result has shown."""
    for call in ledger.calls.values():
        for run in call.runs:
            if call.tool == "pay" and call.what(run.seq) not in _known_before(ledger, run.seq):
                yield f"{call.call_id} paid somebody unknown"


def nothing_runs_after_a_no(ledger: Ledger) -> Iterator[str]:
    """After a no, a cancelled or an expired question a call never runs, and its result says why."""
    for call in ledger.calls.values():
        for record in call.records:
            match record.entry:
                case e.Answered(answer="declined" | "cancelled" | "expired" as answer):
                    statuses = {one.entry.status for one in call.results if isinstance(one.entry, e.Finished)}
                    stopped = ledger.context(call.results[-1].seq).stop if call.results else False
                    if any(run.seq > record.seq for run in call.runs):
                        yield f"{call.call_id} ran after it was {answer}"
                    if call.results and statuses != {answer} and not (stopped and statuses == {"cancelled"}):
                        yield f"{call.call_id} was {answer}, and its result says {statuses}"
                case _:
                    pass


def a_no_holds_for_the_run(ledger: Ledger) -> Iterator[str]:
    """The same call after a no is not asked about again in the same run."""
    for run in ledger.runs:
        declined: set[tuple[str, str]] = set()
        for record in run:
            match record.entry:
                case e.Answered(answer="declined"):
                    call = ledger.calls[record.entry.call_id]
                    _, asked = call.last(e.Asked, record.seq)
                    if asked is not None and call.by is None:
                        declined.add((call.tool, asked.digest))
                case e.Asked():
                    call = ledger.calls[record.entry.call_id]
                    if (call.tool, record.entry.digest) in declined:
                        yield f"{call.call_id} was asked about after a no to the same"
                case _:
                    pass


def an_open_question_stays_as_it_is(ledger: Ledger) -> Iterator[str]:
    """Only an answer closes a question, or a stop: no change of level, no new process, no second look."""
    for call in ledger.calls.values():
        asked_at = 0
        for record in call.records:
            match record.entry:
                case e.Answered() | e.Suspended() | e.Supplied():
                    asked_at = asked_at if not isinstance(record.entry, e.Answered) else 0
                case e.Finished(status="cancelled") if ledger.context(record.seq).stop:
                    asked_at = 0
                case _ if asked_at:
                    yield f"{call.call_id} was asked about at {asked_at} and open at {record.seq}"
                case _:
                    pass
            if isinstance(record.entry, e.Asked):
                asked_at = record.seq


def only_what_asks_is_asked_about(ledger: Ledger) -> Iterator[str]:
    """A person is asked only where a rule asks, and is shown what was decided."""
    for record, asked in ledger.of(e.Asked):
        _, decided = ledger.calls[asked.call_id].last(e.Decided, record.seq)
        if decided is None or decided.decision is not Q or decided.preview != asked.preview:
            yield f"{asked.call_id} was asked about at {record.seq} for no reason"


def an_answer_is_to_the_question_seen(ledger: Ledger) -> Iterator[str]:
    """An answer counts once, for the question that the person saw, and not after it has expired."""
    for record, answered in ledger.of(e.Answered):
        call = ledger.calls[answered.call_id]
        asked_at, asked = call.last(e.Asked, record.seq)
        if asked is None or answered.asked != asked_at:
            yield f"the answer {record.seq} is to another question"
            continue
        if any(seq > asked_at for seq, _ in call.before(record.seq, e.Answered)):
            yield f"the answer {record.seq} came second"
        late = asked.expires_at is not None and asked.expires_at <= record.at
        if (answered.answer == "expired") != late:
            yield f"the answer {record.seq} and the clock disagree"
        seen = ledger.story.codes_seen.get(record.seq)
        if seen is not None and seen != ledger.records[asked_at - 1].code:
            yield f"the answer {record.seq} names another question"


def a_form_is_filled_in_before_its_call_runs(ledger: Ledger) -> Iterator[str]:
    """A call that has stopped to ask neither runs nor is decided until a person has filled the form in."""
    for call in ledger.calls.values():
        open_since = 0
        for record in call.records:
            if isinstance(record.entry, e.Suspended):
                open_since = record.seq
            elif isinstance(record.entry, e.Supplied):
                if record.entry.suspended != open_since:
                    yield f"{call.call_id} got data for another form"
                open_since = 0
            elif open_since and not isinstance(record.entry, e.Answered) and not _is_core(record.entry):
                yield f"{call.call_id} went on while its form was open"


def _is_core(entry: e.Entry) -> bool:
    return isinstance(entry, e.Finished) and entry.origin == "core"


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
            _, decided = call.last(e.Decided, result.seq)
            denied = decided is not None and decided.decision is D
            answers = {one.answer for _, one in call.before(result.seq, e.Answered)}
            reconciled = any(True for _ in call.before(result.seq, e.Reconciled))
            match entry.origin, entry.status:
                case "core", "declined" | "expired" as status:
                    fine = denied or status in answers
                case "core", "cancelled":
                    fine = ledger.context(result.seq).stop or "cancelled" in answers
                case "core", "blocked":
                    fine = denied or (decided is None and ledger.context(result.seq).run is None)
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


def _strictness(decision: Decision) -> int:
    return (A, Q, D).index(decision)


CHECKS: Final = (
    unusable_replies_have_no_calls,
    every_call_gets_one_result,
    nothing_runs_without_permission,
    what_runs_was_decided_just_now,
    only_the_known_are_paid,
    nothing_runs_after_a_no,
    a_no_holds_for_the_run,
    an_open_question_stays_as_it_is,
    only_what_asks_is_asked_about,
    an_answer_is_to_the_question_seen,
    a_form_is_filled_in_before_its_call_runs,
    nothing_starts_twice_by_itself,
    what_may_have_happened_is_said_to,
    a_refusal_has_its_reason,
    a_report_comes_from_the_process_that_started_it,
    effects_in_the_store_happen_once,
    effects_elsewhere_follow_a_durable_start,
    nothing_is_undone_twice,
)

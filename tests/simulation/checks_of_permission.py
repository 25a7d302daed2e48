"""What must hold for permission in every world: what may run, and what persons are asked about."""

import json
from collections.abc import Iterator
from typing import Final

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, RuleName
from agentcli.session import entries as e
from agentcli.tools.risk import Risk
from tests.simulation.ledger import STALING, CallStory, Ledger
from tests.simulation.tools import ALWAYS_ASKS, RISKS

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY

TABLE: Final = {
    Level.TALK: {Risk.READ: DENY, Risk.WRITE: DENY, Risk.IRREVERSIBLE: DENY},
    Level.LOOK: {Risk.READ: ALLOW, Risk.WRITE: DENY, Risk.IRREVERSIBLE: DENY},
    Level.PROPOSE: {Risk.READ: ALLOW, Risk.WRITE: ASK, Risk.IRREVERSIBLE: ASK},
    Level.BOUNDED: {Risk.READ: ALLOW, Risk.WRITE: ALLOW, Risk.IRREVERSIBLE: ASK},
    Level.ALONE: {Risk.READ: ALLOW, Risk.WRITE: ALLOW, Risk.IRREVERSIBLE: ALLOW},
}


def nothing_runs_without_permission(ledger: Ledger) -> Iterator[str]:
    """What runs was allowed by level and risk as they stand, or a person said yes to exactly this question."""
    for call in ledger.calls.values():
        for run in call.runs:
            _, decided = call.last(e.Decided, run.seq)
            if decided is None or decided.decision is DENY:
                yield f"{call.call_id} ran without being allowed"
            elif _strictness(decided.decision) < _strictness(_expected(ledger, call, run.seq)):
                yield f"{call.call_id} was let off lightly"
            elif decided.decision is ASK and not _said_yes_to(call, decided, run.seq):
                yield f"{call.call_id} ran without a yes to what was shown"


def _expected(ledger: Ledger, call: CallStory, seq: int) -> Decision:
    if call.by is not None:
        return ASK
    here, risk = ledger.context(seq), RISKS[call.tool]
    own = here.tool_levels.get(call.tool, here.level)
    table = TABLE[Level.TALK if here.level is Level.TALK else own][risk]
    asks = here.require_approval or call.tool in ALWAYS_ASKS
    return ASK if table is ALLOW and asks else table


def _said_yes_to(call: CallStory, decided: e.Decided, seq: int) -> bool:
    asked_at, asked = call.last(e.Asked, seq)
    _, answered = call.last(e.Answered, seq)
    shown = tuple(one for one in decided.verdicts if one.decision is ASK or one.rule == RuleName.HOOK_REWRITE)
    return (
        asked is not None
        and answered is not None
        and answered.answer == "approved"
        and answered.asked == asked_at
        and (asked.digest, asked.preview, asked.verdicts) == (decided.digest, decided.preview, shown)
    )


def _strictness(decision: Decision) -> int:
    return (ALLOW, ASK, DENY).index(decision)


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


def only_the_known_are_paid(ledger: Ledger) -> Iterator[str]:
    """No level and no yes lets a call run whose prerequisite no result has shown."""
    for call in ledger.calls.values():
        for run in call.runs:
            if call.tool == "pay" and call.what(run.seq) not in _known_before(ledger, run.seq):
                yield f"{call.call_id} paid somebody unknown"


def _known_before(ledger: Ledger, seq: int) -> set[str]:
    known: set[str] = set()
    for record, finished in ledger.of(e.Finished):
        if record.seq < seq:
            for fact in finished.facts:
                (known.add if fact.holds else known.discard)(fact.subject)
    return known


def nothing_runs_after_a_no(ledger: Ledger) -> Iterator[str]:
    """After a no, a cancelled or an expired question a call never runs."""
    for call in ledger.calls.values():
        for seq, answer in _refusals(call):
            if any(run.seq > seq for run in call.runs):
                yield f"{call.call_id} ran after it was {answer}"


def a_refused_call_says_so(ledger: Ledger) -> Iterator[str]:
    """The result of a call that a person refused says how, unless a stop came between."""
    for call in ledger.calls.values():
        for _, answer in _refusals(call):
            for result in call.results:
                assert isinstance(result.entry, e.Finished)
                allowed = {answer, "cancelled"} if ledger.context(result.seq).stop else {answer}
                if result.entry.status not in allowed:
                    yield f"{call.call_id} was {answer}, and its result says {result.entry.status}"


def _refusals(call: CallStory) -> Iterator[tuple[int, str]]:
    for record in call.records:
        match record.entry:
            case e.Answered(answer="declined" | "cancelled" | "expired" as answer):
                yield record.seq, answer
            case _:
                pass


def a_no_holds_for_the_run(ledger: Ledger) -> Iterator[str]:
    """The same call after a no, to it or to its form, is not asked about again in the same run, nor has a form."""
    for run in ledger.runs:
        declined: set[tuple[str, str]] = set()
        for record in run:
            match record.entry:
                case e.Answered(answer="declined", call_id=call_id) if ledger.calls[call_id].by is None:
                    declined.add(_about(ledger.calls[call_id], record.seq))
                case e.Asked(call_id=call_id) | e.Suspended(call_id=call_id):
                    if _about(ledger.calls[call_id], record.seq) in declined:
                        yield f"{call_id} was asked about after a no to the same"
                case _:
                    pass


def _about(call: CallStory, seq: int) -> tuple[str, str]:
    """What a person is asked about: the tool and its input, as decided if it was decided by then."""
    decided = call.decision(seq)
    sent = decided.input if decided is not None else call.sent(seq)
    return call.tool, json.dumps(json.loads(sent), sort_keys=True)


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
    """A person is asked only where a rule asks, and is shown what was decided just now."""
    for record, asked in ledger.of(e.Asked):
        decided_at, decided = ledger.calls[asked.call_id].last(e.Decided, record.seq)
        stale = any(_takes_freshness(ledger, one.seq) for one in ledger.between(decided_at, record.seq))
        if decided is None or decided.decision is not ASK or decided.preview != asked.preview or stale:
            yield f"{asked.call_id} was asked about at {record.seq} for no reason"


def an_answer_is_to_the_question_seen(ledger: Ledger) -> Iterator[str]:
    """An answer counts once, for the question that the person saw, and not after it has expired."""
    for record, answered in ledger.of(e.Answered):
        call = ledger.calls[answered.call_id]
        if _declines_open_form(call, record.seq, answered):
            continue
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


def _declines_open_form(call: CallStory, seq: int, answered: e.Answered) -> bool:
    suspended_at, suspended = call.last(e.Suspended, seq)
    since = any(at > suspended_at for at, _ in call.before(seq, e.Supplied, e.Answered))
    is_its_form = suspended is not None and answered.asked == suspended_at
    return answered.answer == "declined" and is_its_form and not since


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


def what_was_filled_in_reaches_the_call(ledger: Ledger) -> Iterator[str]:
    """A form that was filled in well is not opened again, unless the call was changed since."""
    for call in ledger.calls.values():
        is_filled = False
        for record in call.records:
            match record.entry:
                case e.Supplied(data=data):
                    is_filled = json.loads(bytes(data))["how"] == "well"
                case e.Answered(answer="edited"):
                    is_filled = False
                case e.Suspended() if is_filled:
                    yield f"{call.call_id} asked again for what it had been given"
                case _:
                    pass


def _is_core(entry: e.Entry) -> bool:
    return isinstance(entry, e.Finished) and entry.origin == "core"


CHECKS: Final = (
    nothing_runs_without_permission,
    what_runs_was_decided_just_now,
    only_the_known_are_paid,
    nothing_runs_after_a_no,
    a_refused_call_says_so,
    a_no_holds_for_the_run,
    an_open_question_stays_as_it_is,
    only_what_asks_is_asked_about,
    an_answer_is_to_the_question_seen,
    a_form_is_filled_in_before_its_call_runs,
    what_was_filled_in_reaches_the_call,
)

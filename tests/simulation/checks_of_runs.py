"""What must hold for runs in every world: where they begin, how they end, and when the runner comes back."""

import json
from collections.abc import Iterator
from typing import Final

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.session import entries as e
from agentcli.session.events import Answered, Event, Queued, Replied, ToolFinished
from agentcli.session.steps import AwaitAnswer, AwaitReconcile, AwaitSupply, End, Idle, InFlight
from tests.simulation.ledger import CallStory, Ledger, is_whole, uses_in
from tests.simulation.tools import IN_STORE, REPEATABLE

MAX_ATTEMPTS, MAX_PAUSED, MAX_MALFORMED = 4, 6, 3


def work_is_done_within_runs(ledger: Ledger) -> Iterator[str]:
    """Runs follow one another, and a model's calls and words are dealt with inside of one."""
    for record in ledger.records:
        inside = ledger.context(record.seq).run is not None
        match record.entry:
            case e.RunStarted():
                fine = not inside
            case e.RunEnded() | e.Heard() | e.Requested() | e.RequestFailed() | e.Replied():
                fine = inside
            case e.Decided() | e.Asked() | e.Started() as entry:
                fine = inside or ledger.calls[entry.call_id].by is not None
            case _:
                fine = True
        if not fine:
            yield f"{record.entry.kind} at {record.seq} is {'inside' if inside else 'outside'} a run"


def a_stop_begins_nothing(ledger: Ledger) -> Iterator[str]:
    """Once a stop is asked for, nothing new is decided, asked, run or requested until the run has ended."""
    for record in ledger.records:
        if not ledger.context(record.seq).stop:
            continue
        entry = record.entry
        ran = isinstance(entry, e.Finished) and entry.origin == "tool" and _in_store(ledger, entry.call_id)
        if ran or isinstance(entry, e.Decided | e.Asked | e.Started | e.Heard | e.Requested):
            yield f"{entry.kind} at {record.seq} came after a stop"
        if isinstance(entry, e.RunEnded) and entry.outcome != "stopped":
            yield f"the stopped run ended as {entry.outcome}"


def _in_store(ledger: Ledger, call_id: str) -> bool:
    return ledger.calls[call_id].tool in IN_STORE


def a_run_ends_as_it_went(ledger: Ledger) -> Iterator[str]:
    """The outcome of a run is what its last reply, its last failure or its limits say."""
    for run in ledger.runs:
        ended = run[-1].entry
        if not isinstance(ended, e.RunEnded) or ledger.context(run[-1].seq).stop:
            continue
        replies = [one.entry for one in run if isinstance(one.entry, e.Replied)]
        usable = [one for one in replies if one.fault is None]
        last = replies[-1] if replies else None
        unusable = last is not None and last.fault is None and not is_whole(last)
        asked = [one.entry for one in run if isinstance(one.entry, e.Replied | e.RequestFailed | e.Requested)]
        match ended.outcome:
            case "completed":
                fine = not unusable and not _owes(ledger, run[-1].seq)
            case "refused":
                fine = unusable and last is not None and last.stop_reason == "refusal"
            case "failed" if unusable:
                fine = last is not None and last.stop_reason != "refusal"
            case "failed":
                newest = asked[-1] if asked else None
                gave_up = isinstance(newest, e.RequestFailed) and newest.retry_at is None
                often = isinstance(newest, e.Requested) and newest.attempt >= MAX_ATTEMPTS
                paused = sum(one.stop_reason == "pause_turn" and not uses_in(one) for one in usable)
                malformed = len(replies) - len(usable)
                fine = gave_up or often or paused >= MAX_PAUSED or malformed >= MAX_MALFORMED
            case "limit":
                fine = not unusable and ended.limit is not None
            case _:
                fine = False
        if not fine:
            yield f"the run that ended at {run[-1].seq} is said to be {ended.outcome}"


def _owes(ledger: Ledger, seq: int) -> bool:
    """Whether the model has yet to see words or results that stand before `seq`."""
    unheard: set[int] = set()
    owed = False
    for record in ledger.records[: seq - 1]:
        match record.entry:
            case e.Said(no=no):
                unheard.add(no)
            case e.Unsaid(no=no, text=None):
                unheard.discard(no)
            case e.Heard(nos=nos):
                unheard -= set(nos)
                owed = True
            case e.Replied(fault=None) as reply:
                owed = bool(uses_in(reply)) or reply.stop_reason == "pause_turn"
            case _:
                pass
    return owed or bool(unheard)


def an_unusable_reply_ends_the_run(ledger: Ledger) -> Iterator[str]:
    """After a refused or cut reply the model is not asked again in the same run."""
    for run in ledger.runs:
        over = False
        for record in run:
            match record.entry:
                case e.Replied(fault=None) as reply:
                    over = not is_whole(reply)
                case e.Requested() if over:
                    yield f"the model was asked at {record.seq} after a reply that ended the run"
                case _:
                    pass


def patience_with_the_model_is_bounded(ledger: Ledger) -> Iterator[str]:
    """A request is tried four times at most and not before its time; pauses and nonsense are bounded too."""
    for run in ledger.runs:
        paused = malformed = attempts = 0
        not_before = run[0].at
        for record in run:
            match record.entry:
                case e.Requested():
                    attempts += 1
                    if attempts > MAX_ATTEMPTS or record.at < not_before:
                        yield f"the model was asked too often or too soon at {record.seq}"
                    if paused >= MAX_PAUSED or malformed >= MAX_MALFORMED:
                        yield f"the model was asked at {record.seq} in spite of its nonsense"
                case e.RequestFailed(retry_at=None):
                    attempts = MAX_ATTEMPTS
                case e.RequestFailed(retry_at=moment) if moment is not None:
                    not_before = moment
                case e.Replied() as reply:
                    attempts, not_before = 0, run[0].at
                    malformed += reply.fault is not None
                    paused += reply.fault is None and reply.stop_reason == "pause_turn" and not uses_in(reply)
                case _:
                    pass


def words_after_a_limit_block_what_was_left(ledger: Ledger) -> Iterator[str]:
    """Calls left undecided by a limit go on, unless the person says something else first: then they are blocked."""
    for record, ended in ledger.of(e.RunEnded):
        if ended.outcome != "limit":
            continue
        open_calls = [
            call
            for call in ledger.calls.values()
            if call.by is None and call.seq < record.seq and not any(one.seq < record.seq for one in call.results)
        ]
        begun = next((one.seq for one, _ in ledger.of(e.RunStarted) if one.seq > record.seq), ledger.end)
        unheard: set[int] = set()
        for since in ledger.between(record.seq, begun):
            match since.entry:
                case e.Said(no=no):
                    unheard.add(no)
                case e.Unsaid(no=no, text=None):
                    unheard.discard(no)
                case _:
                    pass
        for call in open_calls:
            blocked = any(one.seq < begun for one in call.results)
            if blocked and not any(isinstance(one.entry, e.Said) for one in ledger.between(record.seq, begun)):
                yield f"{call.call_id} was blocked though nothing was said"
            if not blocked and unheard and begun < ledger.end:
                yield f"{call.call_id} went on though something else was said"


def the_runner_comes_back_for_a_reason(ledger: Ledger) -> Iterator[str]:
    """The runner returns only where somebody else has to act, and says who."""
    for returned in ledger.story.returned:
        seq = returned.seq + 1
        here = ledger.context(seq)
        match returned.step:
            case AwaitAnswer(call_id):
                asked_at, asked = ledger.calls[call_id].last(e.Asked, seq)
                answered_at, _ = ledger.calls[call_id].last(e.Answered, seq)
                expired = asked is not None and asked.expires_at is not None and asked.expires_at <= returned.at
                fine = asked_at > answered_at and not expired and not here.stop
            case AwaitSupply(call_id):
                suspended_at, _ = ledger.calls[call_id].last(e.Suspended, seq)
                supplied_at, _ = ledger.calls[call_id].last(e.Supplied, seq)
                answered_at, _ = ledger.calls[call_id].last(e.Answered, seq)
                fine = suspended_at > max(supplied_at, answered_at) and not here.stop
            case AwaitReconcile(call_id):
                fine = _is_unknown(ledger, ledger.calls[call_id], seq)
            case Idle():
                fine = here.run is None and not _owes(ledger, seq)
            case End():
                fine = here.run is None
            case Draining():
                fine = here.run is None
            case Left():
                fine = True
            case InFlight():
                fine = False
            case _:
                fine = False
        if not fine:
            yield f"the runner came back with {returned.step} at {returned.seq}"


def _is_unknown(ledger: Ledger, call: CallStory, seq: int) -> bool:
    started_at, started = call.last(e.Started, seq)
    overdue_at, _ = call.last(e.Overdue, seq)
    reconciled_at, _ = call.last(e.Reconciled, seq)
    repeatable = call.tool in REPEATABLE and call.by is None
    orphaned = ledger.context(started_at).epoch < ledger.context(seq).epoch and not repeatable
    return started is not None and started_at > reconciled_at and (overdue_at > started_at or orphaned)


def no_run_begins_while_the_store_drains(ledger: Ledger) -> Iterator[str]:
    """Draining lets runs go on and words be kept, but no new run begins."""
    for record, _ in ledger.of(e.RunStarted):
        if any(begin < record.seq <= end for begin, end in ledger.story.drained):
            yield f"a run began at {record.seq} while the store was draining"


def events_are_told_in_order(ledger: Ledger) -> Iterator[str]:
    """A process tells of everything that is stored while it holds the session, whoever stored it, in order."""
    for attached, entry in ledger.of(e.Attached):
        told = [mark for one in ledger.story.told if one.epoch == entry.epoch and (mark := _mark(one.event))]
        stored = [mark for one in ledger.records[attached.seq :] if (mark := _mark_of(one.entry))]
        if told != stored[: len(told)]:
            yield f"process {entry.epoch} told {told}, stored was {stored}"


def _mark(event: Event) -> tuple[str, object] | None:
    match event:
        case Queued(message=no):
            return "said", no
        case Replied(step=step, text=text):
            return "replied", (step, text)
        case Answered(call_id=call_id):
            return "answered", call_id
        case ToolFinished(call_id=call_id):
            return "finished", call_id
        case _:
            return None


def _mark_of(entry: e.Entry) -> tuple[str, object] | None:
    match entry:
        case e.Said(no=no):
            return "said", no
        case e.Replied() as reply:
            blocks = [json.loads(bytes(block)) for block in reply.blocks]
            texts = [block["text"] for block in blocks if block["type"] == "text"]
            return "replied", (reply.step, "\n\n".join([*texts, *([reply.partial] if reply.partial else [])]))
        case e.Answered(call_id=call_id) | e.Supplied(call_id=call_id):
            return "answered", call_id
        case e.Finished(call_id=call_id, held=False) | e.Filtered(call_id=call_id):
            return "finished", call_id
        case _:
            return None


def finishes_are_told_once(ledger: Ledger) -> Iterator[str]:
    """`tool_finished` is told at most once for every call, not before it is durable, and surely if nobody died."""
    told: list[str] = []
    for one in ledger.story.told:
        if isinstance(one.event, ToolFinished):
            told.append(one.event.call_id)
            call = ledger.calls[one.event.call_id]
            if not any(result.seq <= one.seq for result in call.results):
                yield f"{call.call_id} was said to be finished before that was durable"
    finished = [call.call_id for call in ledger.calls.values() if call.results]
    if len(told) != len(set(told)):
        yield f"some call was told twice: {told}"
    if not ledger.story.deaths and not ledger.story.failures and set(told) != set(finished):
        yield f"told are {sorted(told)}, finished {sorted(finished)}"


def the_world_comes_to_rest(ledger: Ledger) -> Iterator[str]:
    """Left to itself, a session ends or waits for somebody; nothing surprises its process."""
    yield from ledger.story.surprises
    if not ledger.story.rested:
        yield f"no rest after {len(ledger.story.returned)} returns and {len(ledger.records)} entries"


CHECKS: Final = (
    work_is_done_within_runs,
    a_stop_begins_nothing,
    a_run_ends_as_it_went,
    an_unusable_reply_ends_the_run,
    patience_with_the_model_is_bounded,
    words_after_a_limit_block_what_was_left,
    the_runner_comes_back_for_a_reason,
    no_run_begins_while_the_store_drains,
    events_are_told_in_order,
    finishes_are_told_once,
    the_world_comes_to_rest,
)

"""The one next step, read off the state: the first row of the table that holds."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from agentcli.gate.verdicts import Decision
from agentcli.session.call import Call, question_changed
from agentcli.session.run import limit_before_call, limit_before_question, limit_before_request
from agentcli.session.state import State
from agentcli.session.steps import (
    MAX_ATTEMPTS,
    MAX_MALFORMED,
    MAX_PAUSES,
    Ask,
    AwaitAnswer,
    AwaitReconcile,
    AwaitSupply,
    CallModel,
    Decide,
    End,
    Execute,
    Expire,
    Filter,
    Idle,
    InFlight,
    Settle,
    StartRun,
    Step,
)

Row = Callable[[State, datetime], Step | None]
CallRow = Callable[[State, Call, datetime], Step | None]


def _held(state: State, call: Call, now: datetime) -> Step | None:
    return Filter(call.call_id) if call.finished is not None else None


def _in_flight(state: State, call: Call, now: datetime) -> Step | None:
    started_here = call.started is not None and call.started_epoch == state.epoch
    return InFlight(call.call_id) if started_here and not call.overdue else None


def _unknown_outcome(state: State, call: Call, now: datetime) -> Step | None:
    """A call that started in an earlier process, or was left behind; a repeatable one counts as not started."""
    if call.started is None or (call.repeatable and not call.overdue):
        return None
    if call.reconciled is None:
        return AwaitReconcile(call.call_id)
    return Settle(call.call_id, "happened" if call.happened else "not")


def _stopped_before_call(state: State, call: Call, now: datetime) -> Step | None:
    return Settle(call.call_id, "cancelled") if state.stop_asked else None


def _form_open(state: State, call: Call, now: datetime) -> Step | None:
    if call.form_declined:
        return Settle(call.call_id, "declined")
    return AwaitSupply(call.call_id) if call.waits_for_form else None


def _run_over(state: State, call: Call, now: datetime) -> Step | None:
    """A call that a limit kept from being decided or asked about."""
    if state.run is not None or call.by is not None:
        return None
    spoken_since = any(state.messages[no].seq > state.ended_seq for no in state.unheard)
    return Settle(call.call_id, "blocked") if spoken_since else StartRun()


def _limit_at_call(state: State, call: Call, now: datetime) -> Step | None:
    if call.decided is not None or state.run is None or call.by is not None:
        return None
    limit = limit_before_call(state.run, now, risk=state.risks.get(call.tool))
    return None if limit is None else End("limit", limit)


def _undecided(state: State, call: Call, now: datetime) -> Step | None:
    return Decide(call.call_id) if call.decided is None else None


def _denied(state: State, call: Call, now: datetime) -> Step | None:
    assert call.decided is not None
    return Settle(call.call_id, "denied") if call.decided.decision is Decision.DENY else None


def _answered_no(state: State, call: Call, now: datetime) -> Step | None:
    match call.answered:
        case None:
            return None
        case answered if answered.answer in ("declined", "expired", "cancelled"):
            return Settle(call.call_id, answered.answer)
        case _:
            return None


def _not_asked(state: State, call: Call, now: datetime) -> Step | None:
    assert call.decided is not None
    if call.decided.decision is not Decision.ASK or call.asked is not None:
        return None
    # Since a limit kept it from being asked about, what it rests on may have changed.
    return _ask(state, call, again=False) if call.fresh else Decide(call.call_id)


def _ask(state: State, call: Call, *, again: bool) -> Step:
    limit = limit_before_question(state.run) if state.run is not None and call.by is None else None
    return Ask(call.call_id, again) if limit is None else End("limit", limit)


def _unanswered(state: State, call: Call, now: datetime) -> Step | None:
    assert call.decided is not None
    if call.decided.decision is not Decision.ASK or call.asked is None or call.answered is not None:
        return None
    return Expire(call.call_id) if call.has_expired(now) else AwaitAnswer(call.call_id)


def _stale_decision(state: State, call: Call, now: datetime) -> Step | None:
    return None if call.fresh else Decide(call.call_id)


def _asked_otherwise(state: State, call: Call, now: datetime) -> Step | None:
    assert call.decided is not None
    if call.decided.decision is not Decision.ASK or call.asked is None:
        return None
    return _ask(state, call, again=True) if question_changed(call.decided, call.asked) else None


def _ready(state: State, call: Call, now: datetime) -> Step | None:
    return Execute(call.call_id)


def _no_run(state: State, now: datetime) -> Step | None:
    if state.run is not None:
        return None
    return StartRun() if state.unheard or state.owed else Idle()


def _stopped(state: State, now: datetime) -> Step | None:
    return End("stopped") if state.stop_asked else None


def _reply_unusable(state: State, now: datetime) -> Step | None:
    if state.reply is None or not state.cut:
        return None
    return End("refused" if state.reply.stop_reason == "refusal" else "failed")


def _used_up(state: State, now: datetime) -> Step | None:
    run = state.run
    if run is None or not _something_to_say(state):
        return None
    gave_up = state.failure is not None and state.failure.retry_at is None
    if gave_up or state.attempts >= MAX_ATTEMPTS or run.pauses > MAX_PAUSES or run.malformed > MAX_MALFORMED:
        return End("failed")
    limit = limit_before_request(run, now)
    return None if limit is None else End("limit", limit)


def _model_due(state: State, now: datetime) -> Step | None:
    if not _something_to_say(state):
        return None
    heard = () if state.paused else tuple(state.unheard)
    retry_at = state.failure.retry_at if state.failure is not None else None
    waits = retry_at is not None and retry_at > now
    return CallModel(heard, state.attempts + 1, retry_at if waits else None)


def _something_to_say(state: State) -> bool:
    return state.owed or bool(state.unheard)


# Row numbers as in the table of steps; the rows of a call come before those of the run.
CALL_ROWS: Final[tuple[CallRow, ...]] = (
    _held,  # 1
    _in_flight,  # 2
    _unknown_outcome,  # 3, 4, 5
    _stopped_before_call,  # 6
    _form_open,  # 7
    _run_over,  # 8
    _limit_at_call,  # 9
    _undecided,  # 10
    _denied,  # 11
    _answered_no,  # 12
    _not_asked,  # 13
    _unanswered,  # 14
    _stale_decision,  # 15
    _asked_otherwise,  # 16
    _ready,  # 17
)
RUN_ROWS: Final[tuple[Row, ...]] = (
    _no_run,  # 18
    _stopped,  # 19
    _reply_unusable,  # 20
    _used_up,  # 21
    _model_due,  # 22
)


def next_step(
    state: State,
    now: datetime,
    call_rows: Sequence[CallRow] = CALL_ROWS,
    run_rows: Sequence[Row] = RUN_ROWS,
) -> Step:
    """Return the step of the first row that holds."""
    call = state.current_call
    if call is not None:
        for call_row in call_rows:
            step = call_row(state, call, now)
            if step is not None:
                return step
    for row in run_rows:
        step = row(state, now)
        if step is not None:
            return step
    return End("completed")

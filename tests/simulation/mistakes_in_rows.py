"""Rows of the table of steps with one condition, or the step, wrong: under the row's name and the mistake."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from agentcli.session.allowance import Usage
from agentcli.session.call import Call
from agentcli.session.next_step import CALL_ROWS, RUN_ROWS, CallRow, Row
from agentcli.session.run import limit_before_request
from agentcli.session.state import State
from agentcli.session.steps import (
    Ask,
    AwaitAnswer,
    AwaitReconcile,
    CallModel,
    Decide,
    End,
    Expire,
    InFlight,
    Settle,
    StartRun,
    Step,
)
from agentcli.tools.risk import Risk

ROW: Final[dict[str, Any]] = {row.__name__.strip("_"): row for row in (*CALL_ROWS, *RUN_ROWS)}


def _overdue_counts_as_at_work(state: State, call: Call, now: datetime) -> Step | None:
    return InFlight(call.call_id) if call.started is not None and call.started_epoch == state.epoch else None


def _any_start_counts_as_at_work(state: State, call: Call, now: datetime) -> Step | None:
    return InFlight(call.call_id) if call.started is not None and not call.overdue else None


def _nothing_is_repeatable(state: State, call: Call, now: datetime) -> Step | None:
    if call.started is None:
        return None
    return AwaitReconcile(call.call_id) if call.reconciled is None else _unknown(state, call, now)


def _overdue_is_repeatable(state: State, call: Call, now: datetime) -> Step | None:
    return None if call.repeatable else _unknown(state, call, now)


def _outcomes_are_mixed_up(state: State, call: Call, now: datetime) -> Step | None:
    match _unknown(state, call, now):
        case Settle(call_id, cause):
            return Settle(call_id, "not" if cause == "happened" else "happened")
        case step:
            return step


def _unknown(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["unknown_outcome"](state, call, now)
    return step


def _a_declined_form_is_none(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["form_open"](state, call, now)
    return None if call.form_declined else step


def _nothing_is_blocked(state: State, call: Call, now: datetime) -> Step | None:
    return StartRun() if ROW["run_over"](state, call, now) is not None else None


def _all_is_blocked(state: State, call: Call, now: datetime) -> Step | None:
    return Settle(call.call_id, "blocked") if ROW["run_over"](state, call, now) is not None else None


def _old_words_block(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["run_over"](state, call, now)
    return Settle(call.call_id, "blocked") if step is not None and state.unheard else step


def _steps_stop_calls(state: State, call: Call, now: datetime) -> Step | None:
    limit = None if state.run is None or call.decided is not None else limit_before_request(state.run, now)
    return ROW["limit_at_call"](state, call, now) if limit is None else End("limit", limit)


def _a_yes_beats_a_denial(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["denied"](state, call, now)
    return None if call.answered is not None else step


def _only(answers: tuple[str, ...], state: State, call: Call, now: datetime) -> Step | None:
    if call.answered is None or call.answered.answer not in answers:
        return None
    step: Step | None = ROW["answered_no"](state, call, now)
    return step


def _all_is_asked(state: State, call: Call, now: datetime) -> Step | None:
    return Ask(call.call_id, again=False) if call.asked is None else None


def _reads_are_asked_for_ever(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["not_asked"](state, call, now)
    is_read = state.risks.get(call.tool) is Risk.READ
    return Ask(call.call_id, again=False) if isinstance(step, End) and is_read else step


def _old_decisions_are_asked_about(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["not_asked"](state, call, now)
    return Ask(call.call_id, again=False) if isinstance(step, Decide) else step


def _asking_again_is_free(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["asked_otherwise"](state, call, now)
    return Ask(call.call_id, again=True) if isinstance(step, End) else step


def _what_is_decided_needs_no_run(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["run_over"](state, call, now)
    return step if call.decided is None else None


def _never_expires(state: State, call: Call, now: datetime) -> Step | None:
    step = ROW["unanswered"](state, call, now)
    return None if step is None else AwaitAnswer(call.call_id)


def _expires_at_once(state: State, call: Call, now: datetime) -> Step | None:
    expires = call.asked is not None and call.asked.expires_at is not None
    step: Step | None = ROW["unanswered"](state, call, now)
    return Expire(call.call_id) if step is not None and expires else step


def _asked_stays_decided(state: State, call: Call, now: datetime) -> Step | None:
    step: Step | None = ROW["stale_decision"](state, call, now)
    return None if call.asked is not None else step


def _only_the_input_counts(state: State, call: Call, now: datetime) -> Step | None:
    assert call.decided is not None
    if call.asked is None or call.decided.digest == call.asked.digest:
        return None
    step: Step | None = ROW["asked_otherwise"](state, call, now)
    return step


def _owed_starts_nothing(state: State, now: datetime) -> Step | None:
    step: Step | None = ROW["no_run"](replace(state, owed=False), now)
    return step


def _words_start_nothing(state: State, now: datetime) -> Step | None:
    step: Step | None = ROW["no_run"](replace(state, unheard=[]), now)
    return step


def _cut_replies_are_whole(state: State, now: datetime) -> Step | None:
    refused = state.reply is not None and state.reply.stop_reason == "refusal"
    step: Step | None = ROW["reply_unusable"](state, now)
    return step if refused else None


def _a_refusal_is_a_failure(state: State, now: datetime) -> Step | None:
    return End("failed") if ROW["reply_unusable"](state, now) is not None else None


def _used_up_but_for(change: Callable[[State], State], state: State, now: datetime) -> Step | None:
    step: Step | None = ROW["used_up"](change(state), now)
    return step


def _endless_run(state: State, **used: Any) -> State:
    assert state.run is not None
    return replace(state, run=replace(state.run, **used))


def _paused_replies_are_interrupted(state: State, now: datetime) -> Step | None:
    step: Step | None = ROW["model_due"](replace(state, paused=False), now)
    return step


def _retries_come_at_once(state: State, now: datetime) -> Step | None:
    match ROW["model_due"](state, now):
        case CallModel() as call:
            return replace(call, not_before=None)
        case _:
            return None


def _retries_are_not_numbered(state: State, now: datetime) -> Step | None:
    match ROW["model_due"](state, now):
        case CallModel() as call:
            return replace(call, attempt=1)
        case _:
            return None


WRONG_CALL_ROWS: Final[dict[tuple[str, str], CallRow]] = {
    ("in_flight", "what was left behind is at work"): _overdue_counts_as_at_work,
    ("in_flight", "what a dead process started is at work"): _any_start_counts_as_at_work,
    ("unknown_outcome", "persons are asked about reads"): _nothing_is_repeatable,
    ("unknown_outcome", "what was left behind is repeated"): _overdue_is_repeatable,
    ("unknown_outcome", "happened and not are mixed up"): _outcomes_are_mixed_up,
    ("form_open", "a call goes on without the form that was declined"): _a_declined_form_is_none,
    ("run_over", "words block nothing"): _nothing_is_blocked,
    ("run_over", "calls are blocked without words"): _all_is_blocked,
    ("run_over", "words from before the limit block"): _old_words_block,
    ("run_over", "what is decided needs no run"): _what_is_decided_needs_no_run,
    ("limit_at_call", "the step limit stops calls"): _steps_stop_calls,
    ("denied", "a yes beats a denial"): _a_yes_beats_a_denial,
    ("answered_no", "declined runs"): partial(_only, ("expired", "cancelled")),
    ("answered_no", "expired runs"): partial(_only, ("declined", "cancelled")),
    ("answered_no", "cancelled runs"): partial(_only, ("declined", "expired")),
    ("not_asked", "everything is asked about"): _all_is_asked,
    ("not_asked", "reads are asked about for ever"): _reads_are_asked_for_ever,
    ("not_asked", "an old decision is asked about"): _old_decisions_are_asked_about,
    ("unanswered", "a question never expires"): _never_expires,
    ("unanswered", "a question expires at once"): _expires_at_once,
    ("stale_decision", "what was asked about stays decided"): _asked_stays_decided,
    ("asked_otherwise", "another preview is no other question"): _only_the_input_counts,
    ("asked_otherwise", "asking again is free"): _asking_again_is_free,
}

WRONG_RUN_ROWS: Final[dict[tuple[str, str], Row]] = {
    ("no_run", "an owed reply starts nothing"): _owed_starts_nothing,
    ("no_run", "words start nothing"): _words_start_nothing,
    ("reply_unusable", "a cut reply is whole"): _cut_replies_are_whole,
    ("reply_unusable", "a refusal is a failure"): _a_refusal_is_a_failure,
    ("used_up", "attempts are not counted"): partial(_used_up_but_for, lambda state: replace(state, attempts=0)),
    ("used_up", "what can't work is tried again"): partial(
        _used_up_but_for, lambda state: replace(state, failure=None)
    ),
    ("used_up", "pauses are not counted"): partial(_used_up_but_for, lambda state: _endless_run(state, pauses=0)),
    ("used_up", "nonsense is not counted"): partial(
        _used_up_but_for, lambda state: _endless_run(state, malformed=0)
    ),
    ("used_up", "steps are not counted"): partial(_used_up_but_for, lambda state: _endless_run(state, steps=0)),
    ("used_up", "tokens are not counted"): partial(
        _used_up_but_for, lambda state: _endless_run(state, usage=Usage())
    ),
    ("used_up", "costs are not counted"): partial(
        _used_up_but_for, lambda state: _endless_run(state, cost_usd=None)
    ),
    ("model_due", "a paused reply is interrupted by words"): _paused_replies_are_interrupted,
    ("model_due", "retries come at once"): _retries_come_at_once,
    ("model_due", "retries are not numbered"): _retries_are_not_numbered,
}

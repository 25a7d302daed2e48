"""Deliberate mistakes in the table of steps, in the fold, and in what counts as an answer.

Permits stand behind the table and would refuse most of what a mistake in it lets through. So that a mistake is
noticed by what it does, the mutants run with permits for everything.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any, Final

import msgspec

from agentcli.engine.law import Law
from agentcli.engine.permits import Permit
from agentcli.session import persons
from agentcli.session.call import Call
from agentcli.session.entries import Answered
from agentcli.session.next_step import CALL_ROWS, RUN_ROWS, CallRow, Row, next_step
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.state import State
from tests.simulation.checks import CHECKS, Check, broken
from tests.simulation.mistakes_in_folds import MISTAKES
from tests.simulation.mistakes_in_rows import ROW, WRONG_CALL_ROWS, WRONG_RUN_ROWS
from tests.simulation.world import Rules, play

MATTERS_MOST: Final = {
    "Answered forgets a no": "questions",
    "Answered forgets a no to what was not decided yet": "questions",
    "Answered leaves a declined form open": "waiting",
    "Answered lets the time stand still": "waiting",
    "Asked counts the time": "waiting",
    "Asked is not counted": "limits",
    "Finished is not counted": "limits",
    "Finished keeps facts that are lost": "facts",
    "Finished lets an undo be repeated": "undoing",
    "LevelSet changes nothing": "questions",
    "LevelSet leaves decisions fresh": "limits",
    "Overdue counts the time": "lateness",
    "Overdue is forgotten": "lateness",
    "Reconciled does not try again": "lateness",
    "Reconciled is forgotten": "lateness",
    "Reconciled leaves decisions fresh": "lateness",
    "RunEnded does not say when": "reads",
    "RunStarted leaves decisions fresh": "asking",
    "Started is not counted": "limits",
    "Started keeps what was said of an earlier start": "lateness",
    "an answer after the time counts": "questions",
    "an answer to another question counts": "questions",
    "asked_otherwise: asking again is free": "asking",
    "answered_no: cancelled runs": "questions",
    "answered_no: declined runs": "undoing",
    "answered_no: expired runs": "questions",
    "denied: a yes beats a denial": "questions",
    "form_open: a call goes on without the form that was declined": "questions",
    "in_flight before held": "undoing",
    "model_due: retries come at once": "fails",
    "not_asked: an old decision is asked about": "asking",
    "not_asked: reads are asked about for ever": "asking",
    "run_over: what is decided needs no run": "asking",
    "run_over: words from before the limit block": "reads",
    "stale_decision before unanswered": "questions",
    "stopped_before_call before unknown_outcome": "lateness",
    "unanswered: a question never expires": "questions",
    "unknown_outcome before in_flight": "lateness",
    "unknown_outcome: persons are asked about reads": "reads",
    "unknown_outcome: what was left behind is repeated": "lateness",
    "used_up before reply_unusable": "unusable",
    "used_up: costs are not counted": "spending",
    "used_up: nonsense is not counted": "malformed",
    "used_up: pauses are not counted": "paused",
    "used_up: tokens are not counted": "spending",
    "without answered_no": "questions",
    "without unknown_outcome": "lateness",
}
"""What worlds are about in which a mistake shows soon; other mistakes show everywhere."""

UNNOTICEABLE: Final = {
    "run_over before form_open": "a run does not end while a form is open",
    "limit_at_call before run_over": "one asks for an open run, the other for none",
    "answered_no before denied": "a call is not decided again between a no and its result",
    "not_asked before answered_no": "one asks for a question, the other for none",
    "unanswered before not_asked": "one asks for a question, the other for none",
    "asked_otherwise before stale_decision": "a decision that asks otherwise is asked about in the same breath",
    "stopped before no_run": "a stop counts only while a run is open",
    "Requested keeps the failure": "only a failure after which a try follows is followed by one",
    "Finished leaves decisions fresh": "calls are decided one after another, those behind after the loss of a fact",
}
"""Mistakes that make no difference, and why: these rows could as well stand, and these folds be, otherwise."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mistake, in words, and the rules that hold where it was made."""

    name: str
    rules: Rules

    @property
    def theme(self) -> str | None:
        """What worlds are about in which it shows soon."""
        return MATTERS_MOST.get(self.name)


def permit_everything(call: Call) -> Permit:
    """Let any call run that was ever decided."""
    assert call.decided is not None
    return Permit(call.call_id, call.tool, call.decided.digest)


def noticed(mutant: Mutant, worlds: int, checks: Sequence[Check] = CHECKS) -> str | None:
    """Return how a mutant is noticed in one of the first worlds; None where it is not."""
    for seed in range(worlds):
        problem = next(broken(play(seed, rules=mutant.rules, theme=mutant.theme), checks), None)
        if problem is not None:
            return problem
    return None


def with_rows(name: str, call_rows: Sequence[CallRow] = CALL_ROWS, run_rows: Sequence[Row] = RUN_ROWS) -> Mutant:
    """A mutant whose table has these rows."""
    reads = partial(next_step, call_rows=call_rows, run_rows=run_rows)
    return Mutant(name, Rules(law=Law(next_step=reads, permit=permit_everything)))


def without_rows() -> Iterator[Mutant]:
    """A mutant for each row of the table: it is missing."""
    for index, call_row in enumerate(CALL_ROWS):
        rows = CALL_ROWS[:index] + CALL_ROWS[index + 1 :]
        yield with_rows(f"without {_name(call_row)}", call_rows=rows)
    for index, row in enumerate(RUN_ROWS):
        run_rows = RUN_ROWS[:index] + RUN_ROWS[index + 1 :]
        yield with_rows(f"without {_name(row)}", run_rows=run_rows)


def swapped_rows() -> Iterator[Mutant]:
    """A mutant for each two neighbours in the table: they stand the other way round."""
    for index, (first, second) in enumerate(pairwise(CALL_ROWS)):
        rows = (*CALL_ROWS[:index], second, first, *CALL_ROWS[index + 2 :])
        yield with_rows(f"{_name(second)} before {_name(first)}", call_rows=rows)
    for index, (above, below) in enumerate(pairwise(RUN_ROWS)):
        run_rows = (*RUN_ROWS[:index], below, above, *RUN_ROWS[index + 2 :])
        yield with_rows(f"{_name(below)} before {_name(above)}", run_rows=run_rows)


def _name(row: Callable[..., Any]) -> str:
    return row.__name__.strip("_")


def rewritten_rows() -> Iterator[Mutant]:
    """Mutants with one row whose condition or step is wrong."""
    for (row, mistake), wrong in WRONG_CALL_ROWS.items():
        rows = tuple(wrong if one is ROW[row] else one for one in CALL_ROWS)
        yield with_rows(f"{row}: {mistake}", call_rows=rows)
    for (row, mistake), wrong_row in WRONG_RUN_ROWS.items():
        run_rows = tuple(wrong_row if one is ROW[row] else one for one in RUN_ROWS)
        yield with_rows(f"{row}: {mistake}", run_rows=run_rows)


def mistaken_folds() -> Iterator[Mutant]:
    """Mutants that forget something an entry says, or go on with what it ends."""
    for name, mistaken in MISTAKES.items():
        yield Mutant(name, Rules(law=Law(permit=permit_everything), apply=mistaken))


def lenient_answers() -> Iterator[Mutant]:
    """Mutants that let an answer count that does not."""
    yield Mutant("an answer to another question counts", Rules(answer=_any_code_counts))
    yield Mutant("a second answer counts", Rules(answer=_second_answers_count))
    yield Mutant("an answer after the time counts", Rules(answer=_late_answers_count))


def _any_code_counts(
    state: State, call_id: str, given: Given, person: Person, now: datetime
) -> Answered | Refused:
    code = state.calls[call_id].question_code
    return persons.answer(state, call_id, Given(given.answer, code, given.reason), person, now)


def _second_answers_count(
    state: State, call_id: str, given: Given, person: Person, now: datetime
) -> Answered | Refused:
    call = state.calls[call_id]
    first, call.answered = call.answered, None
    counted = persons.answer(state, call_id, given, person, now)
    call.answered = first
    return counted


def _late_answers_count(
    state: State, call_id: str, given: Given, person: Person, now: datetime
) -> Answered | Refused:
    call = state.calls[call_id]
    asked = call.asked
    if asked is not None:
        call.asked = msgspec.structs.replace(asked, expires_at=None)
    counted = persons.answer(state, call_id, given, person, now)
    call.asked = asked
    return counted


MUTANTS: Final = (
    *without_rows(),
    *swapped_rows(),
    *rewritten_rows(),
    *mistaken_folds(),
    *lenient_answers(),
)

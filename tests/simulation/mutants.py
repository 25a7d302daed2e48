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
from agentcli.session.persons import Given, Person, Refused
from agentcli.session.state import State
from agentcli.session.steps import CALL_ROWS, RUN_ROWS, CallRow, Row, next_step
from tests.simulation.mistakes_in_folds import MISTAKES
from tests.simulation.mistakes_in_rows import ROW, WRONG_CALL_ROWS, WRONG_RUN_ROWS
from tests.simulation.world import Rules


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mistake, in words, and the rules that hold where it was made."""

    name: str
    rules: Rules


def permit_everything(call: Call) -> Permit:
    """Let any call run that was ever decided."""
    assert call.decided is not None
    return Permit(call.call_id, call.tool, call.decided.digest)


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

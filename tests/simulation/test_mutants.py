"""The checks notice mistakes: each one made on purpose in the table of steps, in the fold or in answers."""

import pytest

from agentcli.engine.law import Law
from agentcli.session.steps import CALL_ROWS, RUN_ROWS
from tests.simulation.checks_of_permission import (
    nothing_runs_after_a_no,
    nothing_runs_without_permission,
    what_runs_was_decided_just_now,
)
from tests.simulation.mutants import MATTERS_MOST, MUTANTS, UNNOTICEABLE, Mutant, noticed
from tests.simulation.world import Rules

ENOUGH_WORLDS = 500
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
NOTICEABLE = [mutant for mutant in MUTANTS if mutant.name not in UNNOTICEABLE]
PERMISSION = (nothing_runs_without_permission, what_runs_was_decided_just_now, nothing_runs_after_a_no)


@pytest.mark.parametrize("mutant", NOTICEABLE, ids=lambda mutant: mutant.name)
def test_a_mistake_is_noticed(mutant: Mutant) -> None:
    """Whoever gets a row, its place, a condition or a fold wrong is told by a check."""
    assert noticed(mutant, ENOUGH_WORLDS) is not None


@pytest.mark.parametrize("name", UNNOTICEABLE)
def test_a_mistake_without_consequence_makes_no_difference(name: str) -> None:
    """What can't be noticed is said to be so, with a reason, and stays unnoticed."""
    assert noticed(BY_NAME[name], 5) is None


def test_every_row_has_its_mistakes() -> None:
    """Every row of the table is left out once, and put behind the next one, and the lists name mutants."""
    rows = [row.__name__.strip("_") for row in (*CALL_ROWS, *RUN_ROWS)]
    assert {f"without {row}" for row in rows} <= set(BY_NAME)
    assert sum(" before " in name for name in BY_NAME) >= len(rows) - 2
    assert set(MATTERS_MOST) | set(UNNOTICEABLE) <= set(BY_NAME)


@pytest.mark.parametrize(
    "name",
    [
        "without denied",
        "denied: a yes beats a denial",
        "without answered_no",
        "without not_asked",
        "without unanswered",
        "without stale_decision",
        "without asked_otherwise",
        "Asked keeps the answer",
    ],
)
def test_where_the_table_errs_the_permit_refuses(name: str) -> None:
    """Permits are the second net: a mistake in the table lets nothing run that may not."""
    mistaken = BY_NAME[name]
    law = Law(next_step=mistaken.rules.law.next_step)
    guarded = Mutant(name, Rules(law=law, apply=mistaken.rules.apply))
    assert noticed(guarded, 12, PERMISSION) is None
    assert noticed(guarded, ENOUGH_WORLDS) is not None

"""The checks notice mistakes: each one made on purpose in the table of steps, in the fold or in answers."""

from collections.abc import Callable

import pytest

from agentcli.engine.law import Law
from agentcli.engine.permits import Permit, permit
from agentcli.session.call import Call
from agentcli.session.next_step import CALL_ROWS, RUN_ROWS
from tests.simulation.checks_of_permission import (
    nothing_runs_without_permission,
    what_runs_was_decided_just_now,
)
from tests.simulation.mistakes_in_permits import OVERSIGHTS, Oversight
from tests.simulation.mutants import MATTERS_MOST, MUTANTS, UNNOTICEABLE, Mutant, noticed
from tests.simulation.world import Rules

ENOUGH_WORLDS = 500
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
NOTICEABLE = [mutant for mutant in MUTANTS if mutant.name not in UNNOTICEABLE]
PERMISSION = (nothing_runs_without_permission, what_runs_was_decided_just_now)


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


def guarded(mutant: Mutant, by: Callable[[Call], Permit]) -> Mutant:
    """The mutant behind permits that are not for everything."""
    law = Law(next_step=mutant.rules.law.next_step, permit=by)
    return Mutant(mutant.name, Rules(law=law, apply=mutant.rules.apply))


@pytest.mark.parametrize("oversight", OVERSIGHTS.values(), ids=OVERSIGHTS)
def test_where_the_table_errs_the_permit_refuses(oversight: Oversight) -> None:
    """Permits are the second net: a mistake in the table lets nothing run that may not, and is noticed all the same."""
    mutant = guarded(BY_NAME[oversight.mutant], permit)
    assert noticed(mutant, 12, PERMISSION) is None
    assert noticed(mutant, ENOUGH_WORLDS) is not None


@pytest.mark.parametrize("oversight", OVERSIGHTS.values(), ids=OVERSIGHTS)
def test_a_permit_that_overlooks_something_is_noticed(oversight: Oversight) -> None:
    """Each thing that a permit looks at keeps something from running, once the table does not."""
    mutant = guarded(BY_NAME[oversight.mutant], oversight.permit)
    assert noticed(mutant, ENOUGH_WORLDS, PERMISSION) is not None

"""All that must hold in every world; each check is a sentence, its docstring."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tests.simulation import (
    checks_of_limits,
    checks_of_outcomes,
    checks_of_permission,
    checks_of_runs,
    checks_of_words,
)
from tests.simulation.ledger import Ledger
from tests.simulation.story import Story

Check = Callable[[Ledger], Iterator[str]]

CHECKS: Final[tuple[Check, ...]] = (
    *checks_of_permission.CHECKS,
    *checks_of_outcomes.CHECKS,
    *checks_of_limits.CHECKS,
    *checks_of_runs.CHECKS,
    *checks_of_words.CHECKS,
)


def broken(story: Story, checks: Sequence[Check] = CHECKS) -> Iterator[str]:
    """Yield what does not hold, with the name of the check that noticed it."""
    ledger = Ledger(story)
    # Where something was done about calls that don't count, the other checks would look for them in vain.
    for check in (checks_of_outcomes.unusable_replies_have_no_calls,) if ledger.strays else checks:
        for problem in check(ledger):
            yield f"{check.__name__}: {problem}"

"""Verdicts of rules, and how they join: the strictest wins and all are kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

import msgspec

from agentcli.tools.outcome import Category


class Decision(IntEnum):
    """What code says about one call; the greater, the stricter."""

    ALLOW = 0
    ASK = 1
    DENY = 2

    def __str__(self) -> str:
        return self.name.lower()


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one rule says about one call, and, if it denies, what the model is told."""

    rule: str
    decision: Decision
    reason: str = ""
    category: Category | None = None
    retryable: bool = False
    next: tuple[str, ...] = ()
    status: str = "blocked"


@dataclass(frozen=True, slots=True)
class Ruling:
    """All verdicts about one call, in the order of the rules."""

    verdicts: tuple[Verdict, ...]

    @property
    def decision(self) -> Decision:
        """The strictest of the verdicts; with none at all, a denial."""
        return max((verdict.decision for verdict in self.verdicts), default=Decision.DENY)

    @property
    def denial(self) -> Verdict | None:
        """The denying verdict that speaks for all: the first in the order of the rules."""
        return next((verdict for verdict in self.verdicts if verdict.decision is Decision.DENY), None)


def strictest(verdicts: Iterable[Verdict | None]) -> Ruling:
    """Join what the rules said; a rule without an opinion says None."""
    return Ruling(tuple(verdict for verdict in verdicts if verdict is not None))

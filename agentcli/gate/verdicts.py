"""Verdicts of rules, and how they join: the strictest wins and all are kept."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec
from msgspec import Struct

from agentcli.tools.outcome import Category


class Decision(StrEnum):
    """What code says about one call, from the mildest to the strictest."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def strictness(self) -> int:
        """The place in the order by which verdicts join: `allow < ask < deny`."""
        return list(Decision).index(self)


class RuleName(StrEnum):
    """What the rules are called, in a journal and before a person: a name is never given another meaning."""

    SCHEMA = "schema"
    LEVEL = "level"
    EARLIER_DECLINE = "earlier decline"
    TOOL_APPROVAL = "tool approval"
    REQUIRE_APPROVAL = "require approval"
    PREREQUISITE = "prerequisite"
    LIMIT = "limit"
    HOOK = "hook"
    HOOK_REWRITE = "hook rewrite"
    """Speaks where a hook changed an input; its verdicts hold for as long as that input does."""
    TOOL = "tool"
    """Speaks where code of the tool fails over a call."""
    UNDO = "undo"
    RUN_LIMIT = "run limit"
    """Ends a run before its next call or question; told where a call is explained, and in no verdict."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one rule says about one call, and, if it denies, what the model is told."""

    rule: str
    decision: Decision
    reason: str = ""
    category: Category | None = None
    retryable: bool = False
    next: tuple[str, ...] = ()
    status: str = "blocked"


class Ruling(Struct, frozen=True):
    """All verdicts about one call, in the order of the rules."""

    verdicts: tuple[Verdict, ...]

    @property
    def decision(self) -> Decision:
        """The strictest of the verdicts; with none at all, a denial."""
        decisions = [verdict.decision for verdict in self.verdicts]
        return max(decisions, key=lambda one: one.strictness, default=Decision.DENY)

    @property
    def denial(self) -> Verdict | None:
        """The denying verdict that speaks for all: the first in the order of the rules."""
        return next((verdict for verdict in self.verdicts if verdict.decision is Decision.DENY), None)


def strictest(verdicts: Iterable[Verdict | None]) -> Ruling:
    """Join what the rules said; a rule without an opinion says None."""
    return Ruling(tuple(verdict for verdict in verdicts if verdict is not None))

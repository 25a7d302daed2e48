"""Facts that code observed in real results, and the calls that have to wait for them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.tools.conditions import FactRule, Result
from agentcli.tools.outcome import Category
from agentcli.tools.tool import Tool


class Fact(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """That something holds, or no longer holds, for one subject, and which call showed it."""

    name: str
    subject: str
    holds: bool
    call_id: str
    expires_at: datetime | None = None


Facts = Mapping[tuple[str, str], Fact]


def observed(
    rules: Iterable[FactRule],
    values: Mapping[str, Any],
    result: Result,
    *,
    call_id: str,
    at: datetime,
    on_broken: Callable[[FactRule], None],
) -> tuple[Fact, ...]:
    """Return what a raw result shows about the subjects named in the call's input.

    A failure, or a result on which the rule's condition fails (a missing field, a wrong type), shows that the
    fact does not hold: what can't be read is not a proof. A disruption shows nothing either way.

    Args:
        on_broken: Called, while its exception is being handled, for each rule whose condition raised one.
    """
    if result.get("errorCategory") == Category.TRANSIENT:
        return ()
    return tuple(
        Fact(
            name=rule.name,
            subject=str(values[rule.subject]),
            holds=_shows(rule, result, on_broken),
            call_id=call_id,
            expires_at=None if rule.expires_s is None else at + timedelta(seconds=rule.expires_s),
        )
        for rule in rules
        if values.get(rule.subject) is not None
    )


def _shows(rule: FactRule, result: Result, on_broken: Callable[[FactRule], None]) -> bool:
    if result.get("isError"):
        return False
    if rule.when is None:
        return True
    try:
        shown = rule.when(result)
        if not isinstance(shown, bool):
            # What merely counts as true proves nothing, and its author would never learn why.
            raise TypeError(f"it returned {type(shown).__name__}, neither True nor False")
        return shown
    except Exception:  # noqa: BLE001  # the condition is a tool's own code, and no proof where it fails
        on_broken(rule)
        return False


def judge_prerequisites(
    tool: Tool, values: Mapping[str, Any], facts: Facts, catalog: Mapping[str, Tool], now: datetime
) -> Iterator[Verdict]:
    """Say for each required fact whether it holds for this call's subject."""
    for rule in tool.requires:
        subject = values.get(rule.subject)
        fact = None if subject is None else facts.get((rule.name, str(subject)))
        expired = fact is not None and fact.expires_at is not None and fact.expires_at <= now
        if fact is not None and fact.holds and not expired:
            yield Verdict(
                RuleName.PREREQUISITE, Decision.ALLOW, f"{rule.name}({subject}) was shown by {fact.call_id}"
            )
            continue
        sources = tuple(
            one.name for one in catalog.values() if any(shown.name == rule.name for shown in one.establishes)
        )
        state = "is no longer known" if expired else "is not established"
        hint = f"Use {' or '.join(sources)} first." if sources else "No tool of this agent can establish it."
        plain = f"{rule.name} {state} for {rule.subject} {subject}. {hint}"
        yield Verdict(
            RuleName.PREREQUISITE,
            Decision.DENY,
            rule.unmet.replace("{subject}", str(subject)) or plain,
            Category.PERMISSION,
            next=sources,
        )

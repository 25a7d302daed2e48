"""May this call run? One pure function from a situation to a ruling."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import Struct, field

from agentcli.gate.autonomy import Level, effective_level, judge_level
from agentcli.gate.facts import Facts, judge_prerequisites
from agentcli.gate.limits import judge_limits
from agentcli.gate.verdicts import Decision, RuleName, Ruling, Verdict, strictest
from agentcli.tools.outcome import DECLINED, Category
from agentcli.tools.schema import Frozen, Misfit
from agentcli.tools.tool import Tool


class Situation(Struct, frozen=True, kw_only=True):
    """Everything that a decision about one call rests on."""

    name: str
    tool: Tool | None
    reading: Frozen | Misfit
    session_level: Level
    tool_level: Level | None = None
    require_approval: bool = False
    declined_before: bool = False
    facts: Facts = field(default_factory=dict)
    catalog: Mapping[str, Tool] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    now: datetime
    hook_verdicts: tuple[Verdict, ...] = ()

    @property
    def level(self) -> Level:
        """The level that counts for this tool."""
        return effective_level(self.session_level, self.tool_level)


Rule = Callable[[Situation], Iterable[Verdict]]


def judge_schema(situation: Situation) -> Iterable[Verdict]:
    """Deny a tool that nobody registered, and an input that its schema refuses."""
    if situation.tool is None:
        reason = f"unknown tool {situation.name!r}; use one of the tools that are offered"
        yield Verdict(RuleName.SCHEMA, Decision.DENY, reason, Category.VALIDATION, status="invalid")
    elif isinstance(situation.reading, Misfit):
        reason = f"invalid input: {situation.reading.problem}"
        yield Verdict(
            RuleName.SCHEMA, Decision.DENY, reason, Category.VALIDATION, retryable=True, status="invalid"
        )
    else:
        yield Verdict(RuleName.SCHEMA, Decision.ALLOW, "the input fits the schema")


def judge_autonomy(situation: Situation) -> Iterable[Verdict]:
    """Look up level × risk."""
    if situation.tool is not None:
        yield judge_level(situation.level, situation.tool.risk)


def judge_earlier_decline(situation: Situation) -> Iterable[Verdict]:
    """Deny what a person has declined in this run, without asking again."""
    if situation.declined_before:
        reason = f"{DECLINED} earlier in this run; don't ask for it again"
        yield Verdict(RuleName.EARLIER_DECLINE, Decision.DENY, reason, Category.PERMISSION, status="declined")


def judge_approval_flags(situation: Situation) -> Iterable[Verdict]:
    """Ask where the tool or the run says that each call needs a person."""
    if situation.tool is not None and situation.tool.approval:
        yield Verdict(RuleName.TOOL_APPROVAL, Decision.ASK, f"{situation.name} always asks")
    if situation.require_approval:
        yield Verdict(RuleName.REQUIRE_APPROVAL, Decision.ASK, "this run asks for every call")


def judge_facts(situation: Situation) -> Iterable[Verdict]:
    """Deny a call whose required facts no real result of this session has shown."""
    if situation.tool is not None and isinstance(situation.reading, Frozen):
        yield from judge_prerequisites(
            situation.tool, situation.reading.values, situation.facts, situation.catalog, situation.now
        )


def judge_bounds(situation: Situation) -> Iterable[Verdict]:
    """Deny a call whose input is over a limit."""
    if situation.tool is not None and isinstance(situation.reading, Frozen):
        yield from judge_limits(situation.tool, situation.reading.values, situation.options)


def judge_hooks(situation: Situation) -> Iterable[Verdict]:
    """Repeat what the hooks said; they can only tighten, since the strictest wins."""
    yield from situation.hook_verdicts


RULES: Final[tuple[Rule, ...]] = (
    judge_schema,
    judge_autonomy,
    judge_earlier_decline,
    judge_approval_flags,
    judge_facts,
    judge_bounds,
    judge_hooks,
)

RULES_ABOUT_ANY_INPUT: Final[tuple[Rule, ...]] = (judge_autonomy, judge_approval_flags)
"""Those that say the same about every call of a tool."""


def decide(situation: Situation, rules: Iterable[Rule] = RULES) -> Ruling:
    """Return what every rule says about the call; the strictest of them wins."""
    return strictest(verdict for rule in rules for verdict in rule(situation))

"""Which past decisions would come out differently under another config or level: each is judged again by itself.

The gate is the one that decided then. It gets the input that was decided, the facts and declines as they stood,
what the hooks said, and what schema and domain refused then; the rest is what changes. Pure.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

from agentcli.gate.autonomy import Level
from agentcli.gate.decide import Situation, decide
from agentcli.gate.verdicts import Decision, RuleName, Ruling, Verdict
from agentcli.session import entries as e
from agentcli.session.decisions import DecisionRecord, Decisions
from agentcli.session.fold import apply
from agentcli.session.record import Record
from agentcli.session.state import State
from agentcli.tools.schema import Frozen, Misfit
from agentcli.tools.tool import Tool

KEPT_RULES: Final = frozenset({RuleName.HOOK, RuleName.HOOK_REWRITE, RuleName.TOOL})
"""Rules that can't be asked again: what they said then is taken as it stands."""


class Overrides(Struct, frozen=True, kw_only=True):
    """What is to be different; None leaves it as it stood when a call was decided.

    `options` are the agent's, which no journal holds: they are those of a config.
    """

    level: Level | None = None
    tool_levels: Mapping[str, Level] | None = None
    require_approval: bool | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class Rejudged(Struct, frozen=True):
    """A past decision, and what the gate would say about the call now."""

    record: DecisionRecord
    ruling: Ruling

    @property
    def differs(self) -> bool:
        """Whether the call would be decided differently."""
        return self.ruling.decision is not self.record.decision

    @property
    def because(self) -> tuple[Verdict, ...]:
        """The verdicts as strict as the decision now; where nothing is against the call, the level's."""
        decisive = [one for one in self.ruling.verdicts if one.decision is self.ruling.decision]
        if self.ruling.decision is Decision.ALLOW:
            decisive = [one for one in decisive if one.rule == RuleName.LEVEL]
        return tuple(decisive)


def rejudge(
    session: str, records: Iterable[Record], catalog: Mapping[str, Tool], overrides: Overrides
) -> Iterator[Rejudged]:
    """Yield every decision of a session about a model's call, in order, judged again.

    Args:
        catalog: The tools of the session's agent, by name.
    """
    state, decisions = State(session), Decisions()
    for record in records:
        entry = record.entry
        number = decisions.take(record)
        if isinstance(entry, e.Decided) and number == record.seq and state.calls[entry.call_id].undoes is None:
            ruling = decide(_situation(state, record, entry, catalog, overrides))
            yield Rejudged(decisions.standing(number), ruling)
        apply(state, record)
        for _ in decisions.release():
            pass


def _situation(
    state: State, record: Record, entry: e.Decided, catalog: Mapping[str, Tool], overrides: Overrides
) -> Situation:
    tool = catalog.get(entry.tool)
    levels = state.tool_levels if overrides.tool_levels is None else overrides.tool_levels
    require = state.require_approval if overrides.require_approval is None else overrides.require_approval
    return Situation(
        name=entry.tool,
        tool=tool,
        reading=_reading(tool, entry),
        session_level=Level(state.level) if overrides.level is None else overrides.level,
        tool_level=levels.get(entry.tool),
        require_approval=require,
        declined_before=state.run is not None and state.run.was_declined(entry.tool, entry.input),
        facts=state.facts,
        catalog=catalog,
        options=overrides.options,
        now=record.at,
        hook_verdicts=tuple(verdict for verdict in entry.verdicts if verdict.rule in KEPT_RULES),
    )


def _reading(tool: Tool | None, entry: e.Decided) -> Frozen | Misfit:
    """Return the input as it was read then; what fitted then is read again for its values."""
    refused = [one for one in entry.verdicts if one.rule == RuleName.SCHEMA and one.decision is Decision.DENY]
    if tool is None or refused:
        problem = refused[0].reason.removeprefix("invalid input: ") if refused else "no such tool"
        return Misfit(entry.input, problem)
    return tool.schema.read(entry.input)

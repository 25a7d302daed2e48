"""What `audit replay` finds and writes: past decisions that would come out differently."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec
from msgspec.structs import replace

from agentcli.cli.exits import WrongUsage
from agentcli.cli.record.decided import decided_line
from agentcli.config import Config, ConfigError, Flags, load_config
from agentcli.counted import counted
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session.decisions import DecisionFilter
from agentcli.session.entries import Opened
from agentcli.session.events import RuleVerdict
from agentcli.session.rejudging import Overrides, Rejudged, rejudge
from agentcli.store.damaged import Damaged
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.visible import visible_line
from agentcli.wiring.agents import UnknownAgent, load_agent, options_of


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that would come out differently, as programs read it; `because` are the rules that decide now."""

    session: str
    seq: int
    call_id: str
    tool: str
    was: Decision
    would_be: Decision
    because: tuple[RuleVerdict, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How many decisions were judged again, and those that would come out differently."""

    judged: int
    differences: tuple[Difference, ...]


@dataclass(slots=True)
class Differences:
    """Judges past decisions again, and keeps those that would come out differently.

    Args:
        flags: What stands before the command.
        other: The path of another config file; None for the one that holds.
        autonomy: Another level of the session, as typed.

    Raises:
        WrongUsage: Neither is given.
        ConfigError: One of them can't be used.
    """

    flags: Flags
    other: str | None
    autonomy: str | None
    judged: int = 0
    found: list[Rejudged] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _config: Config = field(init=False)

    def __post_init__(self) -> None:
        if self.other is None and self.autonomy is None:
            raise WrongUsage("say what is to be different: --with FILE, --autonomy N, or both")
        if self.other is not None and not os.path.exists(self.other):
            raise ConfigError(os.path.abspath(self.other), "", "there is no such file, which --with names")
        flags = replace(self.flags, config=self.other or self.flags.config, autonomy=self.autonomy)
        self._config = load_config(flags, os.environ)

    def look(self, store: SqliteStore, sessions: Sequence[str], wanted: DecisionFilter, damaged: Damaged) -> None:
        """Judge the wanted decisions of the sessions again."""
        for judged in damaged.read(sessions, partial(self._judged_in, store)):
            if wanted.includes(judged.record):
                self.judged += 1
                self.found += [judged] if judged.differs else []

    def as_json(self) -> Outcome:
        """Return what was found, for programs."""
        return Outcome(self.judged, tuple(map(_difference, self.found)))

    def lines(self) -> Iterator[Line]:
        """Yield what was found, safe to draw, and a last line that sums it up."""
        for one in self.found:
            yield decided_line(one.record)
            reasons = "; ".join(visible_line(verdict.reason) for verdict in one.because)
            style = Style.BAD if one.ruling.decision is Decision.DENY else Style.CARE
            yield (Span(f"    would be {one.ruling.decision}", style), Span(f": {reasons}"))
        ways = Counter(f"{one.record.decision} → {one.ruling.decision}" for one in self.found)
        told = ", ".join(f"{count} {way}" for way, count in sorted(ways.items()))
        judged = counted(self.judged, "decision")
        yield (Span(f"{judged}, {len(self.found):,} would be different{f': {told}' if told else ''}"),)

    def _judged_in(self, store: SqliteStore, session: str) -> Iterator[Rejudged]:
        opened = store.newest(session, Opened.kind)
        if opened is None or not isinstance(opened.entry, Opened):
            return
        try:
            agent = load_agent(self._config, opened.entry.agent)
        except (UnknownAgent, ConfigError) as error:
            self.notes.append(f"session {session} is left out: {error}")
            return
        overrides = self._overrides(options_of(self._config, agent))
        yield from rejudge(session, store.records(session), agent.toolset.by_name, overrides)

    def _overrides(self, options: dict[str, object]) -> Overrides:
        autonomy = self._config.autonomy
        if self.other is None:
            return Overrides(level=Level(autonomy.level), options=options)
        return Overrides(
            level=Level(autonomy.level),
            tool_levels={tool: Level(level) for tool, level in autonomy.tools.items()},
            require_approval=self._config.approval.require,
            options=options,
        )


def _difference(judged: Rejudged) -> Difference:
    record = judged.record
    return Difference(
        session=record.session,
        seq=record.seq,
        call_id=record.call_id,
        tool=record.tool,
        was=record.decision,
        would_be=judged.ruling.decision,
        because=tuple(RuleVerdict(one.rule, one.decision, one.reason) for one in judged.because),
    )

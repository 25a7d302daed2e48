"""How each tool's calls fared at each level: the evidence for giving a tool more room, or less. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from statistics import median
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, RuleName
from agentcli.session.decisions import DecisionFilter, DecisionRecord
from agentcli.session.entries import Answer
from agentcli.session.origin import ON_ASK, TIMER
from agentcli.tools.risk import Risk

QUICK_S: Final = 1.0
"""An answer that took less is one that may not have been read."""

PERSONS_ANSWERS: Final = frozenset({"approved", "declined", "edited"})
"""Answers that say what a person thinks of a call."""

ALL: Final = DecisionFilter()

NOBODY: Final = frozenset({ON_ASK, TIMER})
"""Channels by which a question is answered where no person is."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one tool's calls that were decided at one level.

    Attributes:
        proposed: Calls; one that was decided again, differently, counts where it was decided first.
        only_level_asked: Questions that nothing but the level had asked.
        failed: Calls that ran and failed.
        unknown: Calls that started outside the store and whose tool never reported back.
        sessions: In how many sessions.
        answered_in: In how many sessions a person has answered.
        quick: Answers of a person in less than a second.
        unattended: How many of those declined were declined without a person.
    """

    tool: str
    risk: Risk
    level: Level
    proposed: int
    allowed: int
    asked: int
    denied: int
    approved: int
    declined: int
    edited: int
    failed: int
    undone: int
    unknown: int
    sessions: int
    answered_in: int
    only_level_asked: int
    median_s: float | None
    fastest_s: float | None
    quick: int
    unattended: int


class Mishap(Struct, frozen=True):
    """That a person declined a call of a tool, or took one back, and when."""

    tool: str
    what: str
    at: datetime


class Evidence(Struct, frozen=True):
    """All tallies, by tool and level; the mishaps; and since when writes of a tool have run without a question."""

    tallies: tuple[Tally, ...]
    mishaps: tuple[Mishap, ...]
    unasked_since: Mapping[str, datetime]


class _Count(Struct):
    risk: Risk
    proposed: int = 0
    decisions: Counter[Decision] = field(default_factory=Counter)
    answers: Counter[Answer] = field(default_factory=Counter)
    failed: int = 0
    undone: int = 0
    unknown: int = 0
    only_level_asked: int = 0
    unattended: int = 0
    sessions: set[str] = field(default_factory=set)
    answered_in: set[str] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)


_Key = tuple[str, Level]


def gather(records: Iterable[DecisionRecord], wanted: DecisionFilter = ALL) -> Evidence:
    """Return what the wanted ones of all decisions show, those of a session in order.

    A call that a person took back counts if that is wanted, whenever it ran and however it was decided.
    """
    counts: dict[_Key, _Count] = {}
    reversible: dict[tuple[str, str], _Key] = {}
    mishaps: list[Mishap] = []
    unasked_since: dict[str, datetime] = {}
    for record in records:
        if record.undoes is not None:
            key = reversible.pop((record.session, record.undoes), None) if record.took_effect else None
            if key is not None and replace(wanted, decision=None).includes(record):
                counts.setdefault(key, _Count(record.risk)).undone += 1
                mishaps.append(Mishap(record.tool, "undone", record.at))
            continue
        key = (record.tool, record.level)
        if record.took_effect and record.risk is Risk.WRITE:
            reversible[record.session, record.call_id] = key
        if not wanted.includes(record):
            continue
        _count(counts.setdefault(key, _Count(record.risk)), record)
        if record.answer == "declined" and record.channel not in NOBODY:
            mishaps.append(Mishap(record.tool, "declined", record.at))
        if record.decision is Decision.ALLOW and record.risk is not Risk.READ and not record.is_second_look:
            unasked_since[record.tool] = min(record.at, unasked_since.get(record.tool, record.at))
    tallies = (_tally(tool, level, counts[tool, level]) for tool, level in sorted(counts))
    return Evidence(tuple(tallies), tuple(mishaps), unasked_since)


def _count(count: _Count, record: DecisionRecord) -> None:
    count.sessions.add(record.session)
    count.proposed += not record.is_second_look
    count.decisions[record.decision] += 1
    if record.decision is Decision.ASK:
        rules = {verdict.rule for verdict in record.verdicts if verdict.decision is Decision.ASK}
        count.only_level_asked += rules == {RuleName.LEVEL}
    if record.answer in PERSONS_ANSWERS and record.channel not in NOBODY:
        count.answered_in.add(record.session)
    if record.answer is not None:
        count.answers[record.answer] += 1
        count.unattended += record.answer == "declined" and record.channel in NOBODY
    if record.answer in ("approved", "declined") and record.channel not in NOBODY and record.seconds is not None:
        count.seconds.append(record.seconds)
    count.failed += record.ran and not record.took_effect
    count.unknown += record.is_in_doubt


def _tally(tool: str, level: Level, count: _Count) -> Tally:
    return Tally(
        tool=tool,
        risk=count.risk,
        level=level,
        proposed=count.proposed,
        allowed=count.decisions[Decision.ALLOW],
        asked=count.decisions[Decision.ASK],
        denied=count.decisions[Decision.DENY],
        approved=count.answers["approved"],
        declined=count.answers["declined"],
        edited=count.answers["edited"],
        failed=count.failed,
        undone=count.undone,
        unknown=count.unknown,
        sessions=len(count.sessions),
        answered_in=len(count.answered_in),
        only_level_asked=count.only_level_asked,
        median_s=round(median(count.seconds), 3) if count.seconds else None,
        fastest_s=min(count.seconds, default=None),
        quick=sum(seconds < QUICK_S for seconds in count.seconds),
        unattended=count.unattended,
    )

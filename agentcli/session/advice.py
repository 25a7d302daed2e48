"""What follows from the evidence about each tool: more room, less, or neither yet. A person changes the config."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from agentcli.counted import counted
from agentcli.gate.autonomy import Level
from agentcli.session.evidence import Evidence, Tally
from agentcli.tools.risk import Risk

ENOUGH_APPROVED: Final = 10
ENOUGH_SESSIONS: Final = 3
"""The least to go by: yeses, and the sessions over which they are spread."""

LAST_TO_ASK: Final = {Risk.WRITE: Level.PROPOSE, Risk.IRREVERSIBLE: Level.BOUNDED}
"""The highest level that still asks."""

CurrentLevel = Callable[[str], Level]


class Advice(msgspec.Struct, frozen=True):
    """What follows for one tool: the level to give it, None for the one it has, and why, in a sentence."""

    tool: str
    level: Level | None
    why: str


def advise(evidence: Evidence, current: CurrentLevel) -> Iterator[Advice]:
    """Yield what follows for each tool whose calls a person has answered, or should answer again.

    Args:
        current: The level that each tool has by now.
    """
    for tool in dict.fromkeys(tally.tool for tally in evidence.tallies):
        tallies = [tally for tally in evidence.tallies if tally.tool == tool]
        asks = LAST_TO_ASK.get(tallies[-1].risk)
        if asks is None:
            continue
        mishaps = _since_unasked(evidence, tool)
        asked = [tally for tally in tallies if tally.level <= asks and _answered(tally)]
        if mishaps and current(tool) > asks:
            yield Advice(tool, asks, f"since it runs unasked: {mishaps}; level {asks} would have asked")
        elif asked:
            most = max(asked, key=_answered)
            yield _advice(tool, most, current(tool), [tally for tally in tallies if tally is not most])


def _advice(tool: str, tally: Tally, current: Level, others: Sequence[Tally]) -> Advice:
    none_undone = "" if tally.undone or any(other.undone for other in others) else ", none undone"
    sessions = counted(tally.answered_in, "session")
    so_far = f"{tally.approved} of {_answered(tally)} approved over {sessions}{none_undone}"
    against = _told(
        (tally.undone, "undone"),
        (tally.declined - tally.unattended, "declined"),
        (tally.edited, "edited"),
        (tally.failed, "failed"),
        (tally.unknown, "of unknown outcome"),
        (tally.quick if 2 * tally.quick > tally.approved else 0, "answered in less than a second"),
        *((other.undone, f"undone at level {other.level}") for other in others),
        *((other.declined - other.unattended, f"declined at level {other.level}") for other in others),
    )
    if tally.risk is Risk.IRREVERSIBLE:
        return Advice(tool, None, f"{so_far}; what can't be undone is asked about at level 3 as well")
    if current > Level.PROPOSE:
        return Advice(tool, None, f"{so_far}; it has level {current} by now")
    if against:
        return Advice(tool, None, f"{so_far}; not yet: {against}")
    if tally.only_level_asked < tally.asked:
        still = tally.asked - tally.only_level_asked
        return Advice(tool, None, f"{so_far}; level 3 would still have asked {counted(still, 'time')}")
    if tally.approved < ENOUGH_APPROVED or tally.answered_in < ENOUGH_SESSIONS:
        least = f"{ENOUGH_APPROVED} over {ENOUGH_SESSIONS} sessions are the least to go by"
        return Advice(tool, None, f"{so_far}; level 3 would not have asked, but {least}")
    return Advice(tool, Level.BOUNDED, f"{so_far}; level 3 would not have asked")


def _since_unasked(evidence: Evidence, tool: str) -> str:
    """Return what a person has declined or undone since calls of a tool run without a question."""
    since = evidence.unasked_since.get(tool)
    what = [one.what for one in evidence.mishaps if one.tool == tool and since is not None and one.at > since]
    return _told((what.count("undone"), "undone"), (what.count("declined"), "declined"))


def _answered(tally: Tally) -> int:
    """Return how many questions a person has answered."""
    return tally.approved + tally.declined - tally.unattended + tally.edited


def _told(*counted: tuple[int, str]) -> str:
    return ", ".join(f"{count} {what}" for count, what in counted if count)

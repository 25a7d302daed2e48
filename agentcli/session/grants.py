"""Who gave a tool the level that it has, and how: so that no grant is out of sight. Pure."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from agentcli.gate.autonomy import Level
from agentcli.session.entries import Attached, LevelSet, Opened
from agentcli.session.record import Record

AS_IT_BEGAN: Final = "as the session began"
AS_IT_WENT_ON: Final = "as the session was gone on with"


class Grant(Struct, frozen=True):
    """That a level holds, for one tool or (None) for the session, since the entry `seq`."""

    level: Level
    tool: str | None
    by: str
    cause: str
    seq: int


class Grants:
    """Reads a session's entries, and knows which grants stand."""

    def __init__(self) -> None:
        self._standing: dict[str | None, Grant] = {}

    def take(self, record: Record) -> None:
        """Take one more entry in."""
        match record.entry:
            case Opened(level=level, tool_levels=tools, by=by):
                self._renew(level, tools, by, AS_IT_BEGAN, record.seq)
            case Attached(level=level, tool_levels=tools, by=by):
                self._renew(level, tools, by, AS_IT_WENT_ON, record.seq)
            case LevelSet(level=None, tool=tool):
                self._standing.pop(tool, None)
            case LevelSet(level=Level() as level, tool=tool, by=by, cause=cause):
                self._standing[tool] = Grant(level, tool, by, cause, record.seq)
            case _:
                pass

    def standing_for(self, tool: str) -> Grant | None:
        """Return the grant that a tool's level comes from; session level 0 wins over a tool's own."""
        session = self._standing.get(None)
        if session is not None and session.level is Level.TALK:
            return session
        return self._standing.get(tool, session)

    def _renew(self, level: Level, tools: Mapping[str, Level], by: str, cause: str, seq: int) -> None:
        """Take the levels with which a process begins; one that it only takes over stands since it was set."""
        levels: dict[str | None, Level] = {None: level}
        levels.update(tools)
        begun = {tool: Grant(level, tool, by, cause, seq) for tool, level in levels.items()}
        kept = {tool: grant for tool, grant in self._standing.items() if levels.get(tool) == grant.level}
        self._standing = begun | kept

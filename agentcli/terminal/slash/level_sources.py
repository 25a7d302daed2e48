"""Where the levels of a session come from: what it was opened with, and what a person has set since. Pure."""

from collections.abc import Iterable

from agentcli.session.entries import Attached, LevelSet
from agentcli.session.record import Record
from agentcli.terminal.surroundings import LevelSources


def sources_now(records: Iterable[Record], opened: LevelSources) -> LevelSources:
    """Return where the levels come from at the end of a journal.

    Args:
        opened: Where those came from with which the session was opened last.
    """
    now = LevelSources()
    for record in records:
        match record.entry:
            case Attached():
                now = opened
            case LevelSet(tool=None, cause=cause, by=by):
                now = LevelSources(f"{cause} by {by}", now.tools)
            case LevelSet(tool=str(tool), level=None):
                now = LevelSources(now.session, {one: source for one, source in now.tools.items() if one != tool})
            case LevelSet(tool=str(tool), cause=cause, by=by):
                now = LevelSources(now.session, {**now.tools, tool: f"{cause} by {by}"})
            case _:
                pass
    return now

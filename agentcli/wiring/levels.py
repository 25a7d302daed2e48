"""The levels of a session that somebody goes on with: the lower of the saved and the configured ones."""

from collections.abc import Container, Mapping

from msgspec import Struct

from agentcli.gate.autonomy import Level

ToolLevels = Mapping[str, Level]


class Levels(Struct, frozen=True):
    """The session's level, and those of the tools that have one of their own."""

    session: Level
    tools: ToolLevels

    def of(self, tool: str) -> Level:
        """Return the level a tool has, its own or the session's."""
        return self.tools.get(tool, self.session)


def levels_of(level: int, tools: Mapping[str, int], known: Container[str]) -> Levels:
    """Return the levels that a program gives, by their numbers.

    Raises:
        ValueError: There is no such level, or a tool is named that is not known: a misspelt guard is no guard.
    """
    for tool in tools:
        if tool not in known:
            raise ValueError(f"a level is given to the tool {tool!r}, and the agent has no such tool")
    return Levels(Level(level), {tool: Level(number) for tool, number in tools.items()})


def resumed(saved: Levels, configured: Levels, *, said_level: bool, said_tools: frozenset[str]) -> Levels:
    """Return the lower of the saved and the configured levels.

    Args:
        configured: What config, environment and command line come to; a tool that it does not name counts
            as being at its session level.
        said_level: Whether the command line names the session's level, which then holds as it is.
        said_tools: The tools whose level the command line names.
    """
    session = configured.session if said_level else min(saved.session, configured.session)
    named = {*saved.tools, *configured.tools}
    tools = {
        tool: configured.of(tool) if tool in said_tools else min(saved.of(tool), configured.of(tool))
        for tool in sorted(named)
    }
    return Levels(session, tools)


def changes(saved: Levels, now: Levels) -> tuple[str, ...]:
    """Return a line for each level that is no longer the saved one."""
    lines = []
    if now.session is not saved.session:
        lines.append(_change("level", saved.session, now.session, "--autonomy or /level"))
    for tool in sorted({*saved.tools, *now.tools}):
        before, after = saved.of(tool), now.of(tool)
        inherited = tool not in now.tools and after is now.session
        if before is not after and not inherited:
            lines.append(_change(f"level of {tool}", before, after, f"--tool-level {tool}=N or /level {tool} N"))
    return tuple(lines)


def _change(what: str, before: Level, after: Level, raised_by: str) -> str:
    hint = f"; {raised_by} raises it" if after < before else ""
    return f"saved {what} {int(before)}, now {int(after)}{hint}"

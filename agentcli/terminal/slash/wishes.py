"""What a line that begins with `/` asks for."""

from msgspec import Struct

from agentcli.gate.autonomy import Level


class Trouble(Struct, frozen=True):
    """A line that asks for nothing there is, and what it should have been; safe to draw."""

    text: str


class Help(Struct, frozen=True):
    """Tell what can be typed, or all about one command."""

    command: str | None = None


class ShowLevels(Struct, frozen=True):
    """Tell the level of every tool, or of one."""

    tool: str | None = None


class SetLevel(Struct, frozen=True):
    """Set the session's level, or a tool's; a tool's level None takes its own away."""

    level: Level | None
    tool: str | None = None


class ShowStatus(Struct, frozen=True):
    """Tell how things stand."""


class ShowTools(Struct, frozen=True):
    """Tell what the agent can do."""


class ShowFacts(Struct, frozen=True):
    """Tell what was established."""


class ShowQueue(Struct, frozen=True):
    """Tell what was not heard yet."""


class Reword(Struct, frozen=True):
    """Put a message otherwise that was not heard yet; a text of None drops it."""

    no: int
    text: str | None


class Undo(Struct, frozen=True):
    """Reverse the last write."""


class ShowBook(Struct, frozen=True):
    """Show the agent's book."""


class SaveBook(Struct, frozen=True):
    """Write the agent's book into files; `path` is as it was typed."""

    path: str


class ShowAudit(Struct, frozen=True):
    """Tell what was decided and answered."""


class ShowSessions(Struct, frozen=True):
    """Tell which sessions there are."""


class New(Struct, frozen=True):
    """Leave for a new session, with the same agent where none is named."""

    agent: str | None = None


class GoTo(Struct, frozen=True):
    """Leave for another session, named by its id or the beginning of it."""

    session: str


class Quit(Struct, frozen=True):
    """Leave."""


Shown = Help | ShowLevels | ShowTools | ShowFacts | ShowQueue | ShowAudit | ShowSessions
"""What is only told."""

Wish = Shown | ShowStatus | ShowBook | SaveBook | SetLevel | Reword | Undo | New | GoTo | Quit

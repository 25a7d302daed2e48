"""The commands of a session, as `/help` lists them."""

from typing import Final

from msgspec import Struct


class SlashCommand(Struct, frozen=True):
    """A command as `/help` lists it."""

    name: str
    takes: str
    summary: str
    more: str = ""

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"/{self.name} {self.takes}".rstrip()


COMMANDS: Final = (
    SlashCommand("help", "[COMMAND]", "what can be typed"),
    SlashCommand(
        "level",
        "[TOOL] [N|default]",
        "how much runs without you; alone: every tool",
        "N is 0 to 4. A tool's own level replaces the session's; `default` takes it back. It holds for the next "
        "decision and answers no open question.",
    ),
    SlashCommand("status", "", "what was used, what is at work, what waits"),
    SlashCommand("tools", "", "what the agent can do, by level"),
    SlashCommand("facts", "", "what results of tools have shown"),
    SlashCommand(
        "queue",
        "[edit N TEXT | drop N]",
        "what the agent has not heard yet",
        "Until it is heard, a message can be put otherwise or dropped.",
    ),
    SlashCommand(
        "book",
        "[csv FILE]",
        "what the agent keeps, in tables and bars",
        "`csv FILE` writes all of it: the first table into FILE, the others beside it. No file that is there is "
        "written over.",
    ),
    SlashCommand("undo", "", "reverse the last write, after a question"),
    SlashCommand("audit", "", "what was decided and answered in this session"),
    SlashCommand(
        "sessions",
        "[ID]",
        "go on with another session",
        "Alone it lists them to pick from: type to narrow, arrows move, Enter takes one. The beginning of an id "
        "will do, and where they are listed with numbers, its number.",
    ),
    SlashCommand("new", "[AGENT]", "another session; this one can be resumed"),
    SlashCommand("quit", "", "leave; what is open stays open"),
)

BY_NAME: Final = {command.name: command for command in COMMANDS}

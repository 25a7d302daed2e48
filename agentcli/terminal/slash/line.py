"""Lines that begin with `/`: which commands there are, and what a line asks for. Pure."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from msgspec import Struct

from agentcli.config.errors import did_you_mean, followed
from agentcli.gate.autonomy import Level
from agentcli.visible import visible_line


class Listed(Struct, frozen=True):
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
    Listed("help", "[COMMAND]", "what can be typed"),
    Listed(
        "level",
        "[TOOL] [N|default]",
        "how much runs without you; alone: every tool",
        "N is 0 to 4. A tool's own level replaces the session's; `default` takes it back. It holds for the next "
        "decision and answers no open question.",
    ),
    Listed("status", "", "what was used, what is at work, what waits"),
    Listed("tools", "", "what the agent can do, by level"),
    Listed("facts", "", "what results of tools have shown"),
    Listed(
        "queue",
        "[edit N TEXT | drop N]",
        "what the agent has not heard yet",
        "Until it is heard, a message can be put otherwise or dropped.",
    ),
    Listed(
        "book",
        "[csv FILE]",
        "what the agent keeps, in tables and bars",
        "`csv FILE` writes all of it: the first table into FILE, the others beside it. No file that is there is "
        "written over.",
    ),
    Listed("undo", "", "reverse the last write, after a question"),
    Listed("audit", "", "what was decided and answered in this session"),
    Listed(
        "sessions",
        "[ID]",
        "go on with another session",
        "Alone it lists them to pick from: type to narrow, arrows move, Enter takes one. The beginning of an id "
        "will do, and where they are listed with numbers, its number.",
    ),
    Listed("new", "[AGENT]", "another session; this one can be resumed"),
    Listed("quit", "", "leave; what is open stays open"),
)

BY_NAME: Final = {command.name: command for command in COMMANDS}
_NUMBER: Final = re.compile(r"#?([1-9][0-9]{0,8})", re.ASCII)
_LEVEL: Final = re.compile(r"[0-4]", re.ASCII)


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


def read_command(line: str, tools: Collection[str]) -> Wish | Trouble:
    """Return what a line that begins with `/` asks for.

    Args:
        tools: The names of the agent's tools.
    """
    name, _, rest = line.strip().removeprefix("/").partition(" ")
    read = _READERS.get(name.lower())
    if read is None:
        return _no_such(name.lower())
    return read(rest.strip(), tools)


def _no_such(name: str) -> Trouble:
    return Trouble(followed(f"there is no /{visible_line(name)}{_nearest(name)}", "/help lists all there are"))


def _nearest(name: str) -> str:
    beginning = [f"'/{command}'" for command in BY_NAME if name and command.startswith(name)]
    if beginning:
        return f"; did you mean {' or '.join(beginning)}?"
    return did_you_mean(f"/{name}", [f"/{command}" for command in BY_NAME])


def _wants(name: str, problem: str) -> Trouble:
    return Trouble(followed(problem, f"it is {BY_NAME[name].usage}"))


def _read_help(rest: str, tools: Collection[str]) -> Help | Trouble:
    name = rest.removeprefix("/").lower()
    if not name:
        return Help()
    if name not in BY_NAME:
        return _no_such(name)
    return Help(name)


def _read_level(rest: str, tools: Collection[str]) -> ShowLevels | SetLevel | Trouble:
    words = rest.split()
    match words:
        case []:
            return ShowLevels()
        case [number] if _LEVEL.fullmatch(number):
            return SetLevel(Level(int(number)))
        case [tool] if tool in tools:
            return ShowLevels(tool)
        case [tool, "default"] if tool in tools:
            return SetLevel(None, tool)
        case [tool, number] if tool in tools and _LEVEL.fullmatch(number):
            return SetLevel(Level(int(number)), tool)
        case [tool, _] if tool in tools:
            return _wants("level", f"{visible_line(words[1])!r} is no level from 0 to 4, nor `default`")
        case [word] if word == "default" or word.lstrip("-").isdecimal():
            return _wants("level", f"{visible_line(word)!r} is no level from 0 to 4")
        case [tool] | [tool, _]:
            return _wants("level", f"there is no tool {visible_line(tool)!r}{did_you_mean(tool, tools)}")
        case _:
            return _wants("level", "that is too much")


def _read_queue(rest: str, tools: Collection[str]) -> ShowQueue | Reword | Trouble:
    verb, _, more = rest.partition(" ")
    number, _, text = more.strip().partition(" ")
    named = _NUMBER.fullmatch(number)
    match verb.lower():
        case "":
            return ShowQueue()
        case "edit" | "drop" if named is None:
            return _wants("queue", f"{visible_line(number)!r} is no message's number" if number else "which one?")
        case "edit" if not text.strip():
            return _wants("queue", "what should it say?")
        case "drop" if text:
            return _wants("queue", "one at a time")
        case "edit" | "drop" as said:
            assert named is not None
            return Reword(int(named[1]), text.strip() if said == "edit" else None)
        case _:
            return _wants("queue", f"{visible_line(verb)!r} is neither edit nor drop")


def _read_book(rest: str, tools: Collection[str]) -> ShowBook | SaveBook | Trouble:
    form, _, path = rest.partition(" ")
    match form.lower():
        case "":
            return ShowBook()
        case "csv" if path.strip():
            return SaveBook(path.strip())
        case "csv":
            return _wants("book", "into which file?")
        case _:
            return _wants("book", f"{visible_line(form)!r} is not csv")


def _read_sessions(rest: str, tools: Collection[str]) -> ShowSessions | GoTo | Trouble:
    if " " in rest:
        return _wants("sessions", "one at a time")
    return GoTo(rest) if rest else ShowSessions()


def _read_new(rest: str, tools: Collection[str]) -> New | Trouble:
    if " " in rest:
        return _wants("new", "one at a time")
    return New(rest or None)


Reader = Callable[[str, Collection[str]], Wish | Trouble]


def _alone(name: str, wish: Wish) -> Reader:
    """Return the reader of a command that takes nothing."""
    return lambda rest, tools: (
        wish if not rest else Trouble(f"/{name} takes nothing; leave {visible_line(rest)!r} out")
    )


_READERS: Final[Mapping[str, Reader]] = {
    "": _read_help,
    "help": _read_help,
    "level": _read_level,
    "queue": _read_queue,
    "book": _read_book,
    "sessions": _read_sessions,
    "new": _read_new,
    **{
        name: _alone(name, wish)
        for name, wish in (
            ("status", ShowStatus()),
            ("tools", ShowTools()),
            ("facts", ShowFacts()),
            ("undo", Undo()),
            ("audit", ShowAudit()),
            ("quit", Quit()),
        )
    },
}

"""Reads lines that begin with `/`. Pure."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from agentcli.config.errors import did_you_mean, followed
from agentcli.gate.autonomy import Level
from agentcli.terminal.slash import wishes as w
from agentcli.terminal.slash.command_table import BY_NAME
from agentcli.visible import visible_line

_NUMBER: Final = re.compile(r"#?([1-9][0-9]{0,8})", re.ASCII)
_LEVEL: Final = re.compile(r"[0-4]", re.ASCII)

_ELSEWHERE: Final = {
    "autonomy": "level",
    "bye": "quit",
    "clear": "new",
    "csv": "book csv",
    "exit": "quit",
    "explain": "tools",
    "resume": "sessions",
}
"""What a command is called in other programs, or outside of a conversation."""

_SAID_OTHERWISE: Final = "a line that begins with / is a command: begin with a word to have it said"


def read_command(line: str, tools: Collection[str]) -> w.Wish | w.Trouble:
    """Return what a line that begins with `/` asks for.

    Args:
        tools: The names of the agent's tools.
    """
    name, _, rest = line.strip().removeprefix("/").partition(" ")
    read = _READERS.get(name.lower())
    if read is None:
        return _no_such(name.lower())
    return read(rest.strip(), tools)


def _no_such(name: str) -> w.Trouble:
    # A path that begins a sentence, most likely.
    then = _SAID_OTHERWISE if "/" in name.strip("/") else "/help lists all there are"
    return w.Trouble(followed(f"there is no /{visible_line(name)}{_nearest(name)}", then))


def _nearest(name: str) -> str:
    if name in _ELSEWHERE:
        return f"; did you mean '/{_ELSEWHERE[name]}'?"
    beginning = [f"'/{command}'" for command in BY_NAME if name and command.startswith(name)]
    if beginning:
        return f"; did you mean {' or '.join(beginning)}?"
    return did_you_mean(f"/{name}", [f"/{command}" for command in BY_NAME], alike=0.7)


def _wants(name: str, problem: str) -> w.Trouble:
    return w.Trouble(followed(problem, f"it is {BY_NAME[name].usage}"))


def _read_help(rest: str, tools: Collection[str]) -> w.Help | w.Trouble:
    name = rest.removeprefix("/").lower()
    if not name:
        return w.Help()
    if name not in BY_NAME:
        return _no_such(name)
    return w.Help(name)


def _read_level(rest: str, tools: Collection[str]) -> w.ShowLevels | w.SetLevel | w.Trouble:
    words = rest.split()
    match words:
        case []:
            return w.ShowLevels()
        case [number] if _LEVEL.fullmatch(number):
            return w.SetLevel(Level(int(number)))
        case [tool] if tool in tools:
            return w.ShowLevels(tool)
        case [tool, "default"] if tool in tools:
            return w.SetLevel(None, tool)
        case [tool, number] if tool in tools and _LEVEL.fullmatch(number):
            return w.SetLevel(Level(int(number)), tool)
        case [tool, _] if tool in tools:
            return _wants("level", f"{visible_line(words[1])!r} is no level from 0 to 4, nor `default`")
        case [word] if word == "default" or word.lstrip("-").isdecimal():
            return _wants("level", f"{visible_line(word)!r} is no level from 0 to 4")
        case [tool] | [tool, _]:
            return _wants("level", f"there is no tool {visible_line(tool)!r}{did_you_mean(tool, tools)}")
        case _:
            return _wants("level", "that is too much")


def _read_queue(rest: str, tools: Collection[str]) -> w.ShowQueue | w.Reword | w.Trouble:
    verb, _, more = rest.partition(" ")
    number, _, text = more.strip().partition(" ")
    named = _NUMBER.fullmatch(number)
    match verb.lower():
        case "":
            return w.ShowQueue()
        case "edit" | "drop" if named is None:
            return _wants("queue", f"{visible_line(number)!r} is no message's number" if number else "which one?")
        case "edit" if not text.strip():
            return _wants("queue", "what should it say?")
        case "drop" if text:
            return _wants("queue", "one at a time")
        case "edit" | "drop" as said:
            assert named is not None
            return w.Reword(int(named[1]), text.strip() if said == "edit" else None)
        case _:
            return _wants("queue", f"{visible_line(verb)!r} is neither edit nor drop")


def _read_book(rest: str, tools: Collection[str]) -> w.ShowBook | w.SaveBook | w.Trouble:
    form, _, path = rest.partition(" ")
    match form.lower():
        case "":
            return w.ShowBook()
        case "csv" if path.strip():
            return w.SaveBook(path.strip())
        case "csv":
            return _wants("book", "into which file?")
        case _:
            return _wants("book", f"{visible_line(form)!r} is not csv")


def _read_sessions(rest: str, tools: Collection[str]) -> w.ShowSessions | w.GoTo | w.Trouble:
    if " " in rest:
        return _wants("sessions", "one at a time")
    return w.GoTo(rest) if rest else w.ShowSessions()


def _read_new(rest: str, tools: Collection[str]) -> w.New | w.Trouble:
    if " " in rest:
        return _wants("new", "one at a time")
    return w.New(rest or None)


Reader = Callable[[str, Collection[str]], w.Wish | w.Trouble]


def _alone(name: str, wish: w.Wish) -> Reader:
    """Return the reader of a command that takes nothing."""
    return lambda rest, tools: (
        wish if not rest else w.Trouble(f"/{name} takes nothing; leave {visible_line(rest)!r} out")
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
            ("status", w.ShowStatus()),
            ("tools", w.ShowTools()),
            ("facts", w.ShowFacts()),
            ("undo", w.Undo()),
            ("audit", w.ShowAudit()),
            ("quit", w.Quit()),
        )
    },
}

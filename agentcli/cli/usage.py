"""What is wrong with a command line, told in one line with what the right one could be."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import typer

PROGRAM: Final = "agentcli"

BEFORE: Final = {"--config": "--config FILE", "--db": "--db FILE", "--version": "--version"}
"""What stands before the command."""

_MEANT: Final = {("--level", "--tool-level"): "--autonomy"}
"""The option that is meant where the one that looks most like what was typed means something else."""

_QUOTED: Final = {"MESSAGE": '"MESSAGE"', "TEXT": '"TEXT"', "TITLE": '"TITLE"', "JSON": "'JSON'"}
"""How an argument of several words is typed in a shell."""

_ALIKE: Final = 0.65
"""From 0 to 1, how much of two options has to be the same."""

_EXTRA: Final = re.compile(r"Got unexpected extra argument\(s\) \((?P<words>.*)\)", re.DOTALL)


def wrong_usage(error: typer.TyperException) -> str:
    """Return in one line what is wrong with a command line, and what the right one could be."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    command = context.command if context is not None else None
    said = " ".join(_said(error, path, command).split()).replace(". Did you mean", "; did you mean").rstrip(".")
    return f"{path}: {said[:1].lower()}{said[1:]}{'' if said.endswith('?') else ';'} see `{path} --help`"


def _said(error: typer.TyperException, path: str, command: Any) -> str:
    if hasattr(error, "possibilities"):
        return _no_option_said(error, path, command)
    extra = _EXTRA.fullmatch(error.message)
    if extra is not None:
        return f"got more than it takes: {extra['words']}{_quotes_advised(path, command)}"
    if error.message == "Missing command.":
        return f"say which: {', '.join(command.commands)}"
    return error.format_message()


def _no_option_said(error: Any, path: str, command: Any) -> str:
    """Return what is wrong with an option that a command does not have."""
    option = str(error.option_name)
    if option in BEFORE and path != PROGRAM:
        return f"{option} stands before the command, as in `{PROGRAM} {BEFORE[option]} {_below_root(path)}`"
    if option not in BEFORE and any(option in _options_of(one) for _, one in _commands_below(command)):
        return f"{option} stands after the command, as in `{path} COMMAND {option}`"
    near = ["--help"] if option == "-h" else _near(option, error.possibilities or ())
    arguments = _argument_names(command)
    if option.lstrip("-").upper() in arguments:
        return f"{error.message}; it is typed without that, as in `{' '.join([path, *arguments])}`"
    # What only begins so is nearer than what another command has, and that is nearer than what looks alike.
    elsewhere = "" if any(one.startswith(option) for one in near) else _with_option(option, error)
    if elsewhere:
        return f"{error.message}; `{PROGRAM} {elsewhere}` has it"
    if near:
        return f"{error.message}. Did you mean {_MEANT.get((option, near[0]), near[0])!r}?"
    return f"{error.message}{_dashes_advised(path, command)}"


def _near(option: str, found: Iterable[str]) -> list[str]:
    """Return those that may have been meant: two dashes alone make nothing alike."""
    import difflib  # noqa: PLC0415  # only a wrong word needs it, and every start would pay for it

    def is_near(one: str) -> bool:
        return difflib.SequenceMatcher(None, option.lstrip("-"), one.lstrip("-")).ratio() >= _ALIKE

    return [one for one in found if one.startswith(option) or is_near(one)]


def _quotes_advised(path: str, command: Any) -> str:
    """Return how what takes several words is typed, where the command ends with such an argument."""
    *others, last = _argument_names(command) or [""]
    if last not in _QUOTED:
        return ""
    return f"; {last} stands in quotes, as in `{' '.join([path, *others, _QUOTED[last]])}`"


def _dashes_advised(path: str, command: Any) -> str:
    """Return how words that begin with a dash are typed, where the command ends with such an argument."""
    *others, last = _argument_names(command) or [""]
    if last not in _QUOTED:
        return ""
    return f"; what begins with - stands after --, as in `{' '.join([path, *others, '--', _QUOTED[last]])}`"


def _argument_names(command: Any) -> list[str]:
    params = getattr(command, "params", ())
    return [param.metavar or param.name.upper() for param in params if param.param_type_name == "argument"]


def _with_option(option: str, error: typer.TyperException) -> str:
    """Return the first of all commands that has a long option, empty where none has."""
    context = getattr(error, "ctx", None)
    if context is None or not option.startswith("--"):
        return ""
    below = _commands_below(context.find_root().command)
    return next((name for name, command in below if option in _options_of(command)), "")


def _options_of(command: Any) -> set[str]:
    return {name for param in command.params for name in param.opts}


def _commands_below(group: Any) -> Iterator[tuple[str, Any]]:
    """Yield the commands of a group and those below them, each with what is typed for it."""
    for name, command in getattr(group, "commands", {}).items():
        yield name, command
        for more, one in _commands_below(command):
            yield f"{name} {more}", one


def _below_root(path: str) -> str:
    return path.removeprefix(f"{PROGRAM} ")

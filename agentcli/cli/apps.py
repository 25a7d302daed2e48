"""Typer apps as ours are: commands read off the table and loaded when asked for, and nothing slow at start."""

import importlib
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeVar

import typer
import typer.main
from msgspec import Struct
from typer.core import TyperCommand, TyperGroup

from agentcli.cli.command_table import BY_NAME, COMMANDS, Listed
from agentcli.cli.writing import output

_ALL: Final = 1_000_000

Function = TypeVar("Function", bound=Callable[..., Any])


class Reading(Struct, frozen=True):
    """Reads what was typed for a parameter by the parser that its option or argument names.

    Typer reads by pydantic, whose import takes as long as everything else that a short command does.
    """

    parser: Callable[[str], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value, a list for what can be repeated."""
        if value is None:
            return None
        try:
            return [self.parser(one) for one in value] if param.multiple or param.nargs < 0 else self.parser(value)
        except ValueError as error:
            raise typer.BadParameter(str(error), ctx=ctx, param=param) from error


class Command(TyperCommand):
    """A command whose parameters are read by their own parsers."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        _read_by_parsers(self.params)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read what was typed; a failure names the command also where a value is missing."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            error.ctx = getattr(error, "ctx", None) or ctx  # type: ignore[attr-defined]  # where it knows of one
            raise

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that asks for help."""
        return _help_option(super().get_help_option(ctx))


class Group(TyperGroup):
    """A group whose parameters are read by their own parsers."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        _read_by_parsers(self.params)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that asks for help."""
        return _help_option(super().get_help_option(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first of the words names; for one that is none, tell what may be meant."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException as error:
            meant = self.meant_by(args[0])
            if meant:
                # Nearer than any word that is only spelled alike.
                error.message = f"No such command {args[0]!r}. Did you mean {' or '.join(map(repr, meant))}?"
            raise

    def meant_by(self, word: str) -> Sequence[str]:
        """Return what is meant by a word that is no command, where it is more than spelled alike."""
        return ["--help"] if word == "help" else []

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command with the whole first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, self.commands[name].get_short_help_str(_ALL)) for name in self.list_commands(ctx)]
            )


class App(typer.Typer):
    """A Typer app with help as plain text; its failures are left to whoever runs it."""

    def __init__(self, **attributes: Any) -> None:
        attributes = {"cls": Group, **attributes}
        super().__init__(
            rich_markup_mode=None,
            add_completion=False,
            pretty_exceptions_enable=False,
            pretty_exceptions_show_locals=False,
            **attributes,
        )

    def command(self, name: str | None = None, **attributes: Any) -> Callable[[Function], Function]:
        """Register a command."""
        return super().command(name, **{"cls": Command, **attributes})


class Loaded(MutableMapping[str, Any]):
    """Every command under its name, imported when it is looked up."""

    def __init__(self) -> None:
        self._commands: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._commands:
            module = importlib.import_module(BY_NAME[name].module)
            self._commands[name] = typer.main.get_command(module.app)
        return self._commands[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(BY_NAME)

    def __len__(self) -> int:
        return len(BY_NAME)


class Commands(Group):
    """The group of all commands; its help needs none of their modules."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = Loaded()

    def meant_by(self, word: str) -> Sequence[str]:
        """Return what is meant by a word that is no command: an option, a message, or a command of some group."""
        if word == "version":
            return ["--version"]
        if " " in word:
            return ["run MESSAGE", "chat MESSAGE"]
        return super().meant_by(word) or self._below(word)

    def _below(self, name: str) -> list[str]:
        """Return the commands of groups that are called so, each with its group."""
        groups = ((group, getattr(command, "commands", {})) for group, command in self.commands.items())
        return [f"{group} {name}" for group, commands in groups if name in commands]

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the table."""
        return list(BY_NAME)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the table, a section for each group, the summaries in one column."""
        width = max(len(name) for name in BY_NAME)
        for group, listed in groupby(COMMANDS, key=_group):
            with formatter.section(group):
                formatter.write_dl([(f"{one.name:{width}}", one.summary) for one in listed])


def _group(listed: Listed) -> str:
    return listed.group


def _help_option(option: Any) -> Any:
    """Let the option that asks for help read and write as everything else does, and be read by our parsers."""

    def show(ctx: Any, param: Any, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            output.write(ctx.get_help() + "\n")
            ctx.exit()

    option.callback = show
    option.help = "show this, and exit"
    return _read_by_parser(option)


def _read_by_parsers(params: Iterable[Any]) -> None:
    for param in params:
        _read_by_parser(param)
        if not param.opts[0].startswith("-"):
            _show_plainly(param)


def _show_plainly(argument: Any) -> None:
    """Let help name an argument as it is typed, without the type that Python gives it."""
    name = argument.metavar or argument.name.upper()
    shown = (name if argument.required else f"[{name}]") + ("..." if argument.nargs < 0 else "")
    argument.get_usage_pieces = lambda ctx: [shown]
    argument.display_type_rich = lambda ctx: None


def _read_by_parser(param: Any) -> Any:
    """Let a parameter be read by its own parser; what has none is a switch, whose value needs no reading."""
    reading = Reading(param.type_descriptor.parameter_info.parser or bool)
    param.get_runtime_param = lambda: reading
    return param

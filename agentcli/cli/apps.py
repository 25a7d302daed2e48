"""The root's commands, read off the table: their help needs none of their modules."""

import importlib
from collections.abc import Iterator, MutableMapping
from itertools import groupby
from typing import Any

import typer
import typer.main
from typer.core import TyperGroup

from agentcli.cli.commands import BY_NAME, COMMANDS, Listed


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


class Commands(TyperGroup):
    """The group of all commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = Loaded()

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


def new_app(**attributes: Any) -> typer.Typer:
    """Return a Typer app as all of ours are: help as plain text, and failures left to whoever runs it."""
    return typer.Typer(
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,
        **attributes,
    )

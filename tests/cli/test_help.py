"""Help: what there is to type, and nothing slow to say so."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import typer.main

from agentcli import __version__
from agentcli.agents import SHIPPED
from agentcli.cli.app import app
from agentcli.cli.command_table import COMMANDS
from tests.cli.process import Home

ROOT: Any = typer.main.get_command(app)
NAMES = [command.name for command in COMMANDS]
NEVER_FOR_HELP = ("anthropic", "httpx2", "rich", "prompt_toolkit", "pydantic", "sqlite3", "asyncio")
NEVER = ("anthropic", "httpx2", "rich", "prompt_toolkit", "pydantic")
NEVER_FOR_LISTS = (*NEVER, "agentcli.engine", "agentcli.models")


def test_alone_it_prints_help(home: Home) -> None:
    """`agentcli` alone prints what can be typed, and that is no error."""
    ended = home.run()
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Usage: agentcli")


def test_help_lists_every_command_in_groups_with_examples(home: Home) -> None:
    """The root's help says what each command is for, in groups, with examples."""
    ended = home.run("--help")
    assert ended.code == 0
    said = " ".join(ended.out.split())
    for command in COMMANDS:
        assert f"{command.name} {command.summary}" in said
        assert f"{command.group}:" in ended.out
    assert "Examples:" in ended.out


@pytest.mark.parametrize("command", NAMES)
def test_every_command_has_help(home: Home, command: str) -> None:
    """Each command says what it does, in lines of 80 cells."""
    ended = home.run(command, "--help")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"Usage: agentcli {command}")
    assert max(map(len, ended.out.splitlines())) <= 80
    assert re.search(r"^ +--help +show this, and exit$", ended.out, re.MULTILINE)


def _commands(group: Any = ROOT, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, under the words that call it."""
    for name in group.commands:
        command = group.commands[name]
        if hasattr(command, "commands"):
            yield from _commands(command, *path, name)
        else:
            yield (*path, name), command


COMMANDS_THAT_DO = dict(_commands())


@pytest.mark.parametrize("path", COMMANDS_THAT_DO, ids=" ".join)
def test_the_help_of_every_command_has_examples_of_it(path: tuple[str, ...]) -> None:
    """Each a line of its own that calls the command, as it would be typed."""
    shown = COMMANDS_THAT_DO[path].get_help(_context(path))
    _, mark, examples = shown.partition("\n  Examples:\n")
    assert mark
    assert " ".join(path) in examples
    assert all(re.match(r"    |  Exit codes:$|$", line) for line in examples.splitlines())
    assert max(map(len, shown.splitlines())) <= 80


def _examples(path: tuple[str, ...]) -> Iterator[list[str]]:
    """The words of each call of agentcli in the examples of a command, as a shell takes them apart."""
    _, _, examples = COMMANDS_THAT_DO[path].get_help(_context(path)).partition("\n  Examples:\n")
    lines = examples.partition("\n\n")[0].replace("\\\n", "").splitlines()
    for line in lines:
        words = shlex.split(re.sub(r'"\$\((.*)\)"', r"\1", line), comments=True)
        if "agentcli" in words:
            yield list(takewhile(lambda word: word not in ("|", ">"), words[words.index("agentcli") + 1 :]))
        else:
            assert not words or words[0] == "mkdir", line


@pytest.mark.parametrize("path", COMMANDS_THAT_DO, ids=" ".join)
def test_an_example_can_be_typed_as_it_stands(path: tuple[str, ...]) -> None:
    """What is said of it stands in a comment, and its words are those that the command takes."""
    calls = list(_examples(path))
    assert calls
    for words in calls:
        context = ROOT.make_context("agentcli", words)
        command, rest = ROOT, words
        while hasattr(command, "commands"):
            _, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            context = command.make_context(" ".join(path), rest, parent=context)
        assert command is COMMANDS_THAT_DO[path]


def test_the_examples_of_completion_run_in_a_new_home(home: Home) -> None:
    """The folders that they write into are made."""
    _, _, examples = COMMANDS_THAT_DO["completion",].get_help(_context(("completion",))).partition("Examples:\n")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", examples],
        env={**home.environment(), "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("path", COMMANDS_THAT_DO, ids=" ".join)
def test_arguments_are_named_as_they_are_typed(path: tuple[str, ...]) -> None:
    """In capitals, in brackets where they can be left out, and without the type that Python gives them."""
    shown = COMMANDS_THAT_DO[path].get_help(_context(path))
    usage = shown.partition("\n\n")[0]
    assert usage.startswith(f"Usage: agentcli {' '.join(path)} [OPTIONS]")
    assert "{" not in usage
    assert "<str>" not in shown


def _context(path: tuple[str, ...]) -> Any:
    command: Any = COMMANDS_THAT_DO[path]
    return command.make_context(f"agentcli {' '.join(path)}", [], resilient_parsing=True, terminal_width=80)


@pytest.mark.parametrize("group", [name for name in NAMES if hasattr(ROOT.commands[name], "commands")])
def test_a_group_says_in_full_what_its_commands_do(home: Home, group: str) -> None:
    """No sentence is cut."""
    shown = home.run(group, "--help").out
    assert "..." not in shown.partition("Commands:")[2]


def test_the_agents_that_ship_are_named_in_help() -> None:
    """Nobody has to guess what --agent takes."""
    shown = " ".join(COMMANDS_THAT_DO["run",].get_help(_context(("run",))).split())
    assert f"--agent NAME {', '.join(SHIPPED)}, or one of yours" in shown


def test_version(home: Home) -> None:
    """`--version` says which version this is."""
    ended = home.run("--version")
    assert (ended.code, ended.out) == (0, f"agentcli {__version__}\n")


def _loaded_by(home: Home, *arguments: str) -> set[str]:
    """Return the modules that are loaded once a command is done."""
    program = (
        "import sys; from agentcli.cli.app import run; run(sys.argv[1:]);"
        "sys.stderr.write('\\n'.join(['', 'loaded:', *sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        # Measuring coverage loads modules of its own.
        env={name: value for name, value in home.environment().items() if not name.startswith("COVERAGE_")},
        capture_output=True,
        text=True,
        check=True,
        cwd=home.folder,
    )
    return set(done.stderr.partition("loaded:\n")[2].splitlines())


@pytest.mark.parametrize(
    ("arguments", "never"),
    [
        (("--help",), (*NEVER_FOR_HELP, "agentcli.agents", "agentcli.config")),
        (("run", "--help"), NEVER),
        (
            ("sessions", "list"),
            (*NEVER_FOR_LISTS, "agentcli.agents", "asyncio", "agentcli.terminal.question.frame"),
        ),
        (("audit", "show"), (*NEVER_FOR_LISTS, "agentcli.agents")),
        (("audit", "verify"), (*NEVER_FOR_LISTS, "agentcli.agents")),
        (("config", "show"), (*NEVER_FOR_LISTS, "agentcli.agents", "sqlite3")),
        (("tools", "list"), (*NEVER, "sqlite3")),
        (("run", "--model", "offline", "list"), NEVER),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_nothing_slow_is_loaded(home: Home, arguments: tuple[str, ...], never: tuple[str, ...]) -> None:
    """A command loads neither the SDK nor anything else that it has no use for."""
    home.run("run", "--model", "offline", "list")
    loaded = _loaded_by(home, *arguments)
    assert "agentcli.cli.app" in loaded
    assert {name for name in loaded if any(f"{name}.".startswith(f"{one}.") for one in never)} == set()


@pytest.mark.parametrize("arguments", [("tools", "list"), ("run", "--model", "offline", "list")])
def test_only_the_agent_asked_for_is_loaded(home: Home, arguments: tuple[str, ...]) -> None:
    """The other agents that ship are not loaded."""
    loaded = _loaded_by(home, *arguments)
    assert {name for name in SHIPPED if f"agentcli.agents.{name}.agent" in loaded} == {"expenses"}

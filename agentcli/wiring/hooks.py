"""The hooks that a config names, as the engine asks them; none that others can change is trusted."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Final, Literal

from agentcli.config import Config, UnsafeFileError, distrust_of
from agentcli.config.errors import Key
from agentcli.config.records import Hook as HookOptions
from agentcli.engine.hooks import Hook, Hooks, PythonHook
from agentcli.wiring.own_code import OwnCodeError, load_own_function

Table = Literal["pre_tool", "post_tool"]
Event = Literal["PreToolUse", "PostToolUse"]

_EVENTS: Final[Mapping[Table, Event]] = {"pre_tool": "PreToolUse", "post_tool": "PostToolUse"}


def hooks_of(config: Config) -> Hooks:
    """Return the hooks of a config, in its order.

    Raises:
        ConfigError: A function can't be loaded, or others can change a file of a hook; nothing runs without it.
    """
    loaded: dict[str, ModuleType] = {}
    return Hooks(
        pre_tool=tuple(_hooks(config, "pre_tool", config.hooks.pre_tool, loaded)),
        post_tool=tuple(_hooks(config, "post_tool", config.hooks.post_tool, loaded)),
    )


def _hooks(
    config: Config, table: Table, listed: Sequence[HookOptions], loaded: dict[str, ModuleType]
) -> Iterator[Hook]:
    for index, options in enumerate(listed):
        at: Key = ("hooks", table, index)
        if options.python:
            yield _python_hook(config, at, options, loaded)
        else:
            yield _command_hook(config, at, options, _EVENTS[table])


def _python_hook(config: Config, at: Key, options: HookOptions, loaded: dict[str, ModuleType]) -> Hook:
    try:
        function = load_own_function(options.python, loaded)
    except (OwnCodeError, UnsafeFileError) as error:
        raise config.sources.error((*at, "python"), str(error)) from error
    return PythonHook(name_of(options), function, options.tools, float(options.timeout))


def _command_hook(config: Config, at: Key, options: HookOptions, event: Event) -> Hook:
    problem = distrust_of_command(options.command, os.environ)
    if problem is not None:
        raise config.sources.error((*at, "command"), problem)
    # Starting programs needs modules that a session without hook commands never loads.
    from agentcli.engine.commands import CommandHook  # noqa: PLC0415

    return CommandHook(
        name_of(options),
        options.command,
        os.environ,
        event,
        tools=options.tools,
        timeout_s=float(options.timeout),
        # Looked at each time: a file may appear, or be opened to others, long after the config was read.
        distrust=partial(distrust_of_command, options.command, os.environ),
    )


def name_of(options: HookOptions) -> str:
    """Return what a hook is called in verdicts: its command line or its function, without the folders."""
    return " ".join(map(os.path.basename, options.command)) or os.path.basename(options.python)


def distrust_of_command(command: Sequence[str], environ: Mapping[str, str]) -> str | None:
    """Return which file that a command names is not trusted and why, or nothing where all are.

    Who can change the program, a script that it is given, or a list that it reads, decides what the hook says;
    and so does who made the folder that agentcli is started in, where a file is looked for there.
    What is not there is not distrusted: a program that can't be started denies.
    """
    for path in _files_of(command, environ):
        if not path.is_absolute():
            return f"{path} is a file of the current folder; name it by its absolute path"
        problem = None
        with suppress(OSError):
            problem = distrust_of(path)
        if problem is not None:
            return f"{path} {problem}"
    return None


def _files_of(command: Sequence[str], environ: Mapping[str, str]) -> Iterator[Path]:
    program = shutil.which(command[0], path=environ.get("PATH"))
    if program is not None:
        yield Path(program)
    yield from (Path(part) for part in command[1:] if os.path.isfile(part))

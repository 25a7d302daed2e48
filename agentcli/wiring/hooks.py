"""The hooks that a config names, as the engine asks them."""

import os
from typing import Literal

from agentcli.config import Config
from agentcli.config.records import Hook as HookOptions
from agentcli.engine.hooks import Hook, Hooks, PythonHook
from agentcli.wiring.own_code import load_own_function

Event = Literal["PreToolUse", "PostToolUse"]


def hooks_of(config: Config) -> Hooks:
    """Return the hooks of a config, in its order.

    Raises:
        OwnCodeError, UnsafeFileError: A Python hook can't be loaded; nothing runs without it.
    """
    return Hooks(
        pre_tool=tuple(_hook(options, "PreToolUse") for options in config.hooks.pre_tool),
        post_tool=tuple(_hook(options, "PostToolUse") for options in config.hooks.post_tool),
    )


def _hook(options: HookOptions, event: Event) -> Hook:
    name, timeout_s = name_of(options), float(options.timeout)
    if options.python:
        return PythonHook(name, load_own_function(options.python), options.tools, timeout_s)
    # Starting programs needs modules that a session without hook commands never loads.
    from agentcli.engine.commands import CommandHook  # noqa: PLC0415

    return CommandHook(name, options.command, os.environ, event, tools=options.tools, timeout_s=timeout_s)


def name_of(options: HookOptions) -> str:
    """Return what a hook is called in verdicts: its command line or its function, without the folders."""
    return " ".join(map(os.path.basename, options.command)) or os.path.basename(options.python)

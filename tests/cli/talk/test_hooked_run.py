"""`agentcli run` with hooks in the config: a program that we start, and what it is not given."""

import json
import os
import signal
from pathlib import Path
from typing import IO

import pytest

from agentcli.terminal.conversation.leaving import STOPPING
from tests.cli.process import Home
from tests.cli.waiting import until, until_gone

OFFLINE = ("--model", "offline")
ADD = 'call add_expense {"item":"tea","amount":4}'


def hook(home: Home, body: str, event: str = "pre_tool") -> Path:
    """Put a script in front of, or behind, every call."""
    path = home.folder / "guard.sh"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o700)
    # A busy machine may take longer to start a program than a hook has by default.
    home.configure(f"[[hooks.{event}]]\ncommand = {json.dumps([str(path)])}\ntimeout = 60\n")
    return path


@pytest.mark.parametrize("event", ["pre_tool", "post_tool"])
def test_a_hook_gets_nothing_that_is_ours(home: Home, event: str) -> None:
    """No key, no variable of agentcli, no way to a terminal multiplexer, and no terminal."""
    hook(home, f"env > {home.folder}/env; (exec < /dev/tty) 2> {home.folder}/tty || true", event)
    secrets = {
        "ANTHROPIC_API_KEY": "sk-ant-swordfish-1",
        "ANTHROPIC_AUTH_TOKEN": "swordfish-2",
        "AGENTCLI_AUTONOMY": "4",
        "TMUX": "/tmp/tmux-swordfish-3",
        "TMUX_PANE": "%1",
        "STY": "swordfish-4",
        "KEPT": "yes",
    }
    assert home.run("run", *OFFLINE, "What's my total?", env=secrets).code == 0
    given = (home.folder / "env").read_text()
    assert "KEPT=yes" in given
    assert not [name for name in secrets if name != "KEPT" and f"{name}=" in given]
    assert "swordfish" not in given
    assert (home.folder / "tty").read_text()


def test_a_hook_that_asks_leaves_the_question_open(home: Home) -> None:
    """Exit code 3, also for a read at level 4; who answers sees why."""
    hook(home, """echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"look"}}'""")
    ended = home.run("run", *OFFLINE, "--autonomy", "4", "What's my total?")
    assert ended.code == 3
    assert "[ask] get_total {}" in ended.err
    (waiting,) = home.run("approvals", "list", "--json").json
    assert "the hook guard.sh asks: look" in json.dumps(waiting["reasons"])


def test_a_hook_that_blocks_is_named_on_the_audit_line(home: Home) -> None:
    """Who decided can be seen at once; what a script writes can't repaint the screen."""
    hook(home, r"printf 'not \033[2J today\n' >&2; exit 2")
    ended = home.run("run", *OFFLINE, "--autonomy", "4", ADD)
    assert ended.code == 0
    assert (
        '[deny] add_expense {"item":"tea","amount":4} — blocked by the hook guard.sh: not ⟨U+001B⟩[2J today'
        in ended.err
    )
    assert "\033" not in ended.err + ended.out
    assert home.run("run", *OFFLINE, "list").code == 0


def test_nothing_runs_without_a_hook_that_can_not_be_loaded(home: Home) -> None:
    """A function that is missing is wrong config, found before anything begins."""
    home.configure('[[hooks.pre_tool]]\npython = "/nowhere/policy.py:check"\n')
    ended = home.run("run", *OFFLINE, "--autonomy", "4", ADD)
    assert ended.code == 2
    assert "/nowhere/policy.py" in ended.error
    assert home.run("sessions", "list", "--json").json == []


def test_nothing_runs_behind_a_hook_that_others_can_change(home: Home) -> None:
    """It is wrong config: file, key, line and what to do about it are told, and nothing has begun."""
    path = hook(home, "exit 0")
    path.chmod(0o777)
    ended = home.run("run", *OFFLINE, "--autonomy", "4", ADD)
    assert ended.code == 2
    assert f"{home.config}:2: hooks.pre_tool[0].command: {path} can be written by everybody" in ended.error
    assert "`chmod go-w`" in ended.error
    assert home.run("sessions", "list", "--json").json == []


def test_a_hook_for_a_tool_that_nobody_has_is_refused(home: Home) -> None:
    """A misspelt name would guard nothing."""
    home.configure('[[hooks.pre_tool]]\ntools = ["add_expence"]\ncommand = ["true"]\n')
    ended = home.run("run", *OFFLINE, ADD)
    assert ended.code == 2
    assert "add_expence" in ended.error


def test_who_leaves_at_once_takes_hooks_along(home: Home) -> None:
    """The second Ctrl-C waits for no program, and leaves none behind."""
    nap = f"sleep {60 + os.getpid() / 1e6:.6f}"
    hook(home, f"cat > /dev/null; touch {home.folder}/asked; {nap}")
    process = home.start("run", *OFFLINE, "--autonomy", "4", "What's my total?")
    until(home.folder / "asked")
    process.send_signal(signal.SIGINT)
    wait_for_line(process.stderr, STOPPING)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    until_gone(nap)


INTERRUPTS = """
import asyncio, signal
from agentcli.engine import children

async def check(consulted):
    global interrupting
    interrupting = asyncio.ensure_future(interrupt())

async def interrupt():
    while not children.is_any_starting():
        await asyncio.sleep(0)
    for _ in range({turns}):
        await asyncio.sleep(0)
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.parametrize("turns", range(3))
def test_who_leaves_at_once_takes_a_hook_along_that_just_starts(home: Home, turns: int) -> None:
    """Also a program that agentcli is about to start, or has started and does not know yet."""
    nap = f"sleep {160 + turns + os.getpid() / 1e6:.6f}"
    slow = hook(home, f"exec {nap}")
    interrupts = home.folder / "interrupts.py"
    interrupts.write_text(INTERRUPTS.format(turns=turns))
    interrupts.chmod(0o600)
    home.configure(
        f"[[hooks.pre_tool]]\npython = {json.dumps(f'{interrupts}:check')}\n"
        f"[[hooks.pre_tool]]\ncommand = {json.dumps([str(slow)])}\n"
    )
    assert home.run("run", *OFFLINE, "--autonomy", "4", "What's my total?").code == 130
    until_gone(nap)


def wait_for_line(stream: IO[bytes] | None, text: str) -> None:
    """Read until a line is there."""
    assert stream is not None
    while (line := stream.readline().decode().strip()) != text:
        assert line, f"{text!r} did not come"

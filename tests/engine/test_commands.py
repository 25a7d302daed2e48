"""A program may be a hook: it is told of the call, fenced off, and never outlives its answer."""

import asyncio
import fcntl
import json
import os
import random
import shutil
import signal
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agentcli.engine import children
from agentcli.engine.commands import CommandHook, fenced
from agentcli.engine.hooks import HookInput
from agentcli.gate.hooks import HookFault, HookOutput
from agentcli.gate.verdicts import Decision

CONSULTED = HookInput("s1", "t1", "erase", '{"id":1,"text":"Käse"}')


def script(folder: Path, body: str) -> str:
    """A shell script with this body."""
    path = folder / "hook"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


async def ask(*command: str, consulted: HookInput = CONSULTED, **more: Any) -> HookOutput:
    hook = CommandHook("guard", command, more.pop("environ", dict(os.environ)), **more)
    return await hook.ask(consulted)


async def test_a_program_is_told_of_the_call_on_standard_input(tmp_path: Path) -> None:
    """In the words of Claude Code's hooks, the input as the JSON that it is."""
    await ask(script(tmp_path, f"cat > {tmp_path}/told"))
    assert json.loads((tmp_path / "told").read_text()) == {
        "session_id": "s1",
        "cwd": os.getcwd(),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "erase",
        "tool_input": {"id": 1, "text": "Käse"},
        "tool_use_id": "t1",
    }


async def test_after_the_call_it_is_told_of_the_result(tmp_path: Path) -> None:
    """The event is another, and the response stands beside the input."""
    consulted = HookInput("s1", "t1", "erase", "{}", '{"status":"ok"}')
    await ask(script(tmp_path, f"cat > {tmp_path}/told"), consulted=consulted, event="PostToolUse")
    told = json.loads((tmp_path / "told").read_text())
    assert (told["hook_event_name"], told["tool_response"]) == ("PostToolUse", {"status": "ok"})


@pytest.mark.parametrize(
    ("body", "says"),
    [
        pytest.param("exit 0", HookOutput(), id="silent"),
        pytest.param("echo all is well", HookOutput(), id="words"),
        pytest.param("""echo '{"decision":"block","reason":"no"}'""", HookOutput(Decision.DENY, "no"), id="json"),
        pytest.param("echo too risky >&2; exit 2", HookOutput(Decision.DENY, "too risky"), id="exit-2"),
    ],
)
async def test_a_shell_script_is_understood(tmp_path: Path, body: str, says: HookOutput) -> None:
    """Scripts written for Claude Code run unchanged, whether they read their input or not."""
    assert await ask(script(tmp_path, body)) == says


@pytest.mark.parametrize(
    ("body", "told"),
    [
        pytest.param("exit 1", "exit code 1", id="exit-1"),
        pytest.param("kill -9 $$", "signal 9 ended it", id="killed"),
        pytest.param("echo '{'", "no JSON", id="broken-json"),
        pytest.param(r"printf '\377'", "not UTF-8", id="no-utf-8"),
        pytest.param("head -c 1000001 /dev/zero", "larger than 1 MB", id="too-much"),
        pytest.param("head -c 1000001 /dev/zero >&2", "larger than 1 MB", id="too-much-to-stderr"),
        pytest.param("yes", "larger than 1 MB", id="flood"),
        pytest.param("yes & exit 0", "larger than 1 MB", id="flood-of-a-child"),
        pytest.param("no_such_program", "exit code 127", id="not-found-inside"),
    ],
)
async def test_a_program_that_fails_is_a_fault(tmp_path: Path, body: str, told: str) -> None:
    """A hook that gates fails closed."""
    with pytest.raises(HookFault, match=told):
        await ask(script(tmp_path, body))


@pytest.mark.parametrize("name", ["missing", "folder", "not_executable", "nul\0byte"])
async def test_a_program_that_can_not_be_started_is_a_fault(tmp_path: Path, name: str) -> None:
    """A missing file is no leave."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "not_executable").write_text("#!/bin/sh\n")
    with pytest.raises(HookFault, match="can't be started"):
        await ask(str(tmp_path / name))


# Seconds to sleep for that no other run of these tests sleeps for.
LONG = str(10_000_000 + os.getpid())


def nap() -> str:
    """A sleep of a length that no other test sleeps, of this run or of another."""
    return f"sleep {random.uniform(3000, 4000):.9f}"


def runs(command: str) -> bool:
    """Tell whether a process of this command line is running."""
    marker = command.replace(" ", "\0")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if marker in (folder / "cmdline").read_text() and "Z" not in (folder / "stat").read_text().split()[2]:
                return True
        except OSError:
            continue
    return False


async def gone(command: str) -> bool:
    for _ in range(100):
        if not runs(command):
            return True
        await asyncio.sleep(0.02)
    return False


linux = pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(), reason="looks at processes where Linux shows them"
)


@linux
@pytest.mark.parametrize("body", ["{nap}", "{nap} & wait", "{nap} & sleep 0.2; exit 0"])
async def test_a_late_program_is_ended_with_all_its_children(tmp_path: Path, body: str) -> None:
    """Nothing of it is left running, also where it ended and left a child behind that keeps its output open."""
    sleeps, began = nap(), time.monotonic()
    with pytest.raises(HookFault, match="longer than"):
        await ask(script(tmp_path, body.format(nap=sleeps)), timeout_s=0.4)
    assert time.monotonic() - began < 5
    assert await gone(sleeps)


@pytest.mark.skipif(shutil.which("setsid") is None, reason="there is no setsid")
async def test_a_child_that_got_away_is_not_waited_for(tmp_path: Path) -> None:
    """One in a session of its own that keeps the output open can't hold the call up: the program is late."""
    began = time.monotonic()
    with pytest.raises(HookFault, match="longer than"):
        await ask(script(tmp_path, "setsid sleep 7 & sleep 7"), timeout_s=0.4)
    assert time.monotonic() - began < 5


@linux
async def test_a_program_is_ended_when_nobody_waits_any_more(tmp_path: Path) -> None:
    """Leaving takes the hooks along."""
    sleeps = nap()
    asking = asyncio.ensure_future(ask(script(tmp_path, sleeps)))
    while not runs(sleeps):
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert await gone(sleeps)


@linux
@pytest.mark.parametrize("turns", range(6))
async def test_a_program_is_ended_also_while_it_starts(tmp_path: Path, turns: int) -> None:
    """Whenever the asking is cancelled, nothing is left of what was about to run."""
    sleeps = nap()
    asking = asyncio.ensure_future(ask(script(tmp_path, sleeps)))
    while turns and not children.is_any_starting():
        await asyncio.sleep(0)
    for _ in range(turns):
        await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.sleep(0.1)
    assert not runs(sleeps)


@linux
@pytest.mark.parametrize("turns", range(6))
async def test_a_program_that_starts_is_known_or_said_to_start(tmp_path: Path, turns: int) -> None:
    """Who ends all programs, and waits for those that start to be known, misses none."""
    sleeps = nap()
    asking = asyncio.ensure_future(ask(script(tmp_path, sleeps), timeout_s=30.0))
    while not children.is_any_starting():
        await asyncio.sleep(0)
    for _ in range(turns):
        await asyncio.sleep(0)
    while children.is_any_starting():
        await asyncio.sleep(0)
    began = time.monotonic()
    children.end_all()
    with pytest.raises(HookFault, match="signal 9 ended it"):
        await asking
    assert time.monotonic() - began < 10
    assert not runs(sleeps)


@contextmanager
def hanging(path: str) -> Iterator[None]:
    """Have the system hold up whoever opens a file, as a network that hangs would."""
    former = signal.signal(signal.SIGIO, signal.SIG_IGN)
    held = os.open(path, os.O_RDONLY)
    fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    try:
        yield
    finally:
        os.close(held)
        signal.signal(signal.SIGIO, former)


leases = pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="only Linux lends files")


@leases
async def test_a_program_whose_file_hangs_is_late(tmp_path: Path) -> None:
    """Its time is over as ever, though the system would hold it up for 45 s; and once the file is there it runs."""
    guard, began = script(tmp_path, "exit 0"), time.monotonic()
    with hanging(guard):
        with pytest.raises(HookFault, match="longer than"):
            await ask(guard, timeout_s=0.4)
        assert time.monotonic() - began < 20
    assert await ask(guard, timeout_s=30.0) == HookOutput()


@leases
async def test_who_leaves_does_not_wait_for_a_file_that_hangs(tmp_path: Path) -> None:
    """Cancelled is cancelled, and the program is not started later."""
    guard = script(tmp_path, f"touch {tmp_path}/ran")
    with hanging(guard):
        asking, began = asyncio.ensure_future(ask(guard, timeout_s=60.0)), time.monotonic()
        await asyncio.sleep(0.2)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert time.monotonic() - began < 10
    await asyncio.sleep(0.2)
    assert not (tmp_path / "ran").exists()


async def test_a_program_that_can_not_be_started_is_no_fault_of_who_leaves(tmp_path: Path) -> None:
    """Cancelled is cancelled."""
    asking = asyncio.ensure_future(ask(str(tmp_path / "missing")))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not children.is_any_starting()


async def test_a_program_need_not_read_what_it_is_told(tmp_path: Path) -> None:
    """However long that is."""
    consulted = HookInput("s1", "t1", "erase", f'{{"text":"{"x" * 900_000}"}}')
    assert await ask(script(tmp_path, "exit 0"), consulted=consulted) == HookOutput()


LOOK_AROUND = """
import os, sys
try:
    open("/dev/tty").close()
    terminal = "a terminal"
except OSError:
    terminal = "none"
leads = os.getsid(0) == os.getpid()
open(sys.argv[1], "w").write(f"{terminal}, leads its session: {leads}")
"""


async def test_a_program_has_no_terminal_and_a_session_of_its_own(tmp_path: Path) -> None:
    """It can't type an answer for anybody."""
    await ask(sys.executable, "-c", LOOK_AROUND, str(tmp_path / "told"))
    assert (tmp_path / "told").read_text() == "none, leads its session: True"


def test_our_own_variables_and_the_way_to_a_multiplexer_are_fenced_off() -> None:
    """Neither keys nor sockets of the terminal reach a program that we start."""
    environ = {
        "PATH": "/bin", "HOME": "/home/ana", "LANG": "C", "STYLE": "x", "MY_TMUX": "y",
        "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "u", "AGENTCLI_DB": "d", "TMUX": "t", "TMUX_PANE": "p", "STY": "s",
    }  # fmt: skip
    assert sorted(fenced(environ)) == ["HOME", "LANG", "MY_TMUX", "PATH", "STYLE"]


async def test_a_program_gets_the_fenced_environment(tmp_path: Path) -> None:
    """What is fenced off is not there."""
    environ = {"PATH": os.environ["PATH"], "ANTHROPIC_API_KEY": "swordfish", "KEPT": "yes"}
    await ask(script(tmp_path, f"env > {tmp_path}/told"), environ=environ)
    told = (tmp_path / "told").read_text()
    assert "KEPT=yes" in told
    assert "swordfish" not in told


async def test_a_folder_that_is_gone_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where we are can't be told any more."""
    gone_folder = tmp_path / "gone"
    gone_folder.mkdir()
    monkeypatch.chdir(gone_folder)
    gone_folder.rmdir()
    with pytest.raises(HookFault, match="can't be started"):
        await ask("/bin/true")

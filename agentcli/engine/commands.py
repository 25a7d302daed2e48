"""Programs that we start: fenced off from the terminal and from what is ours in the environment."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import msgspec

from agentcli.engine.hooks import DEFAULT_TIMEOUT_S, Consulted
from agentcli.gate.hooks import HookFault, HookSays, read_command

MAX_OUTPUT_BYTES: Final = 1_000_000

_OURS: Final = ("AGENTCLI_", "ANTHROPIC_", "TMUX")


def fenced(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without our variables and without the way to somebody's terminal multiplexer."""
    return {name: value for name, value in environ.items() if not name.startswith(_OURS) and name != "STY"}


@dataclass(frozen=True, slots=True)
class CommandHook:
    """A program that is told of a call on standard input, and answers as Claude Code's hooks do."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str]
    event: str = "PreToolUse"
    tools: Sequence[str] = ()
    timeout_s: float = DEFAULT_TIMEOUT_S

    async def ask(self, consulted: Consulted) -> HookSays:
        """Run the program."""
        try:
            told = self._told(consulted)
            process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=fenced(self.environ),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise HookFault(f"{self.command[0]} can't be started") from error
        try:
            stdout, stderr = await asyncio.wait_for(process.communicate(told), self.timeout_s)
        except TimeoutError as error:
            raise HookFault(f"it took longer than {self.timeout_s:g} s") from error
        finally:
            await _end(process)
        if len(stdout) > MAX_OUTPUT_BYTES:
            raise HookFault("its output is larger than 1 MB")
        assert process.returncode is not None
        try:
            return read_command(process.returncode, stdout.decode(), stderr.decode("utf-8", "replace"))
        except UnicodeDecodeError as error:
            raise HookFault("its output is not UTF-8") from error

    def _told(self, consulted: Consulted) -> bytes:
        output = consulted.output
        told = {
            "session_id": consulted.session,
            "cwd": os.getcwd(),
            "permission_mode": "default",
            "hook_event_name": self.event,
            "tool_name": consulted.tool,
            "tool_input": msgspec.Raw(consulted.input.encode()),
            "tool_use_id": consulted.call_id,
        }
        return msgspec.json.encode(
            told if output is None else told | {"tool_response": msgspec.Raw(output.encode())}
        )


async def _end(process: asyncio.subprocess.Process) -> None:
    """See to it that nothing of the program is left running, its own children included."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()

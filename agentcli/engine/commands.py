"""Programs that we start: fenced off from the terminal and from what is ours in the environment."""

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from agentcli.engine import children
from agentcli.engine.hooks import DEFAULT_TIMEOUT_S, HookInput
from agentcli.engine.threads import in_thread
from agentcli.gate.hooks import HookFault, HookOutput, read_command

MAX_OUTPUT_BYTES: Final = 1_000_000

END_S: Final = 1.0
"""How long a program that was killed is waited for; the system may hold it back in a call that hangs."""

_OURS: Final = ("AGENTCLI_", "ANTHROPIC_", "TMUX")


def fenced(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without our variables and without the way to somebody's terminal multiplexer."""
    return {name: value for name, value in environ.items() if not name.startswith(_OURS) and name != "STY"}


class CommandHook(Struct, frozen=True):
    """A program that is told of a call on standard input, and answers as Claude Code's hooks do.

    `distrust` says, before each start, why the program is not to be started, or nothing.
    """

    name: str
    command: Sequence[str]
    environ: Mapping[str, str]
    event: str = "PreToolUse"
    tools: Sequence[str] = ()
    timeout_s: float = DEFAULT_TIMEOUT_S
    distrust: Callable[[], str | None] = lambda: None

    async def ask(self, hook_input: HookInput) -> HookOutput:
        """Run the program."""
        try:
            async with asyncio.timeout(self.timeout_s):
                return await self._ask(hook_input)
        except TimeoutError as error:
            raise HookFault(f"it took longer than {self.timeout_s:g} s") from error

    async def _ask(self, hook_input: HookInput) -> HookOutput:
        # Who starts a program is held up until its file is open, and with it the keyboard and every timeout. A
        # file that hangs, on a network for instance, holds a thread up first.
        problem = await in_thread(self._look_at_it)
        if problem is not None:
            raise HookFault(problem)
        try:
            told = self._told(hook_input)
            transport, heard = await _start(self.command, fenced(self.environ))
        except (OSError, ValueError) as error:
            why = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
            raise HookFault(f"{self.command[0]} can't be started{why}") from error
        try:
            _tell(transport, told)
            await heard.over
        finally:
            await _end(transport, heard)
        exit_code = transport.get_returncode()
        assert exit_code is not None
        try:
            return read_command(exit_code, heard.stdout.decode(), heard.stderr.decode("utf-8", "replace"))
        except UnicodeDecodeError as error:
            raise HookFault("its output is not UTF-8") from error

    def _look_at_it(self) -> str | None:
        """Open the program's file, and return why it is not to be started, or nothing."""
        problem = self.distrust()
        program = shutil.which(self.command[0], path=self.environ.get("PATH"))
        if problem is None and program is not None and os.path.isfile(program):
            # One that may be run but not read starts all the same.
            with suppress(OSError):
                open(program, "rb").close()
        return problem

    def _told(self, hook_input: HookInput) -> bytes:
        output = hook_input.output
        told = {
            "session_id": hook_input.session,
            "cwd": os.getcwd(),
            "permission_mode": "default",
            "hook_event_name": self.event,
            "tool_name": hook_input.tool,
            "tool_input": msgspec.Raw(hook_input.input.encode()),
            "tool_use_id": hook_input.call_id,
        }
        return msgspec.json.encode(
            told if output is None else told | {"tool_response": msgspec.Raw(output.encode())}
        )


class _Heard(asyncio.SubprocessProtocol):
    """What a program has written; `over` is done once it has ended and nobody can write any more."""

    def __init__(self) -> None:
        self.stdout, self.stderr = bytearray(), bytearray()
        self.exited = asyncio.Event()
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        children.started(transport.get_pid())

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        written = self.stdout if fd == 1 else self.stderr
        # A flood is not collected.
        if len(written) + len(data) <= MAX_OUTPUT_BYTES:
            written += data
        elif not self.over.done():
            self.over.set_exception(HookFault("its output is larger than 1 MB"))

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.over.done():
            self.over.set_result(None)


async def _start(command: Sequence[str], environ: Mapping[str, str]) -> tuple[asyncio.SubprocessTransport, _Heard]:
    """Start a program in a session of its own; who is cancelled meanwhile leaves nothing of it behind."""
    starting = asyncio.ensure_future(_spawn(command, environ))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        with suppress(OSError, ValueError):
            await _end(*await starting)
        raise


async def _spawn(command: Sequence[str], environ: Mapping[str, str]) -> tuple[asyncio.SubprocessTransport, _Heard]:
    loop = asyncio.get_running_loop()
    with children.starting():
        return await loop.subprocess_exec(_Heard, *command, env=environ, start_new_session=True)


def _tell(transport: asyncio.SubprocessTransport, told: bytes) -> None:
    """Hand the program what it is told, which it need not read."""
    stdin = transport.get_pipe_transport(0)
    assert isinstance(stdin, asyncio.WriteTransport)
    stdin.write(told)
    stdin.write_eof()


async def _end(transport: asyncio.SubprocessTransport, heard: _Heard) -> None:
    """See to it that nothing of the program is left running, its own children included."""
    children.end(transport.get_pid())
    # Whoever got away, and still holds the other ends of the pipes, is not waited for.
    transport.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(heard.exited.wait(), END_S)

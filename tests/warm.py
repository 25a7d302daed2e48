"""Programs as processes that need not import anything first: each is forked from one that has done so.

Half a second for every command is what a suite of hundreds can't afford. Apart from that nothing is different:
a program has its own process, streams, environment and folder, and ends as any other does. What starting afresh is
about (what is imported, and from where; encodings; descriptors that are closed) is tested with `Home.python`.
"""

import fcntl
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NamedTuple, NoReturn

from agentcli.cli.command_table import COMMANDS

ROOT: Final = Path(__file__).parents[1]
IMPORTED: Final = (
    *(command.module for command in COMMANDS),
    *(f"agentcli.agents.{name}" for name in ("expenses", "support", "library", "briefs")),
    "agentcli.models.sdk",
)


class Order(NamedTuple):
    """A program as it travels; with it go the descriptors of this text, of its streams, and of who is told.

    With `at_terminal` its stdin is the terminal that it is controlled by.
    """

    module: str
    arguments: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    at_terminal: bool = False


class Program:
    """A program at work; what `subprocess.Popen` has, as far as tests ask for it."""

    def __init__(self, told: int) -> None:
        self._told = os.fdopen(told, "rb", buffering=0)
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, or None while it is at work; negative is the signal that ended it."""
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode

    def wait(self, timeout_s: float = 60.0) -> int:
        """Wait for its end and return its exit code.

        Raises:
            TimeoutError: It is still at work.
        """
        if self.returncode is None:
            select.select([self._told], [], [], timeout_s)
        code = self.poll()
        if code is None:
            raise TimeoutError(f"the program did not end in {timeout_s:g} s")
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


class Warm:
    """The process that others are forked from."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        subprocess.Popen(
            [sys.executable, "-c", f"from tests.warm import serve; serve({theirs.fileno()})"],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()

    def start(self, order: Order, streams: tuple[int, int, int]) -> Program:
        """Start a program on three descriptors."""
        told, tell = os.pipe()
        with TemporaryFile() as text:
            text.write(json.dumps(order).encode())
            text.flush()
            socket.send_fds(self._orders, [b"order"], [text.fileno(), *streams, tell])
        os.close(tell)
        return Program(told)


@cache
def warm() -> Warm:
    """Return the one process that this one forks its programs from."""
    return Warm()


def serve(orders: int) -> None:
    """Fork what is ordered and tell how it ended, until nobody is there to order any more."""
    for module in IMPORTED:
        import_module(module)
    gc.freeze()
    at_work: dict[int, tuple[int, int]] = {}
    while True:
        ready, _, _ = select.select([orders, *at_work], [], [])
        for ended in set(ready) - {orders}:
            pid, tell = at_work.pop(ended)
            _tell(tell, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            os.close(ended)
            os.close(tell)
        if orders in ready:
            descriptors = _received(orders)
            if not descriptors:
                return
            pid = os.fork()
            if pid == 0:
                _become(descriptors)
            *given, tell = descriptors
            for descriptor in given:
                os.close(descriptor)
            _tell(tell, pid)
            at_work[os.pidfd_open(pid)] = pid, tell


def _tell(tell: int, number: int) -> None:
    with suppress(BrokenPipeError):
        os.write(tell, b"%d\n" % number)


def _received(orders: int) -> list[int]:
    listening = socket.socket(fileno=orders)
    try:
        return socket.recv_fds(listening, 16, 5)[1]
    finally:
        listening.detach()


def _become(descriptors: Sequence[int]) -> NoReturn:
    """Be the program that was ordered, to its end."""
    text, *streams, _ = descriptors
    with open(text, "rb", closefd=False) as file:
        file.seek(0)
        order = Order(*json.loads(file.read()))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, max(descriptors) + 64)
    if order.at_terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False, errors="backslashreplace", buffering=1)
    os.environ.clear()
    os.environ.update(order.env)
    time.tzset()
    os.chdir(order.cwd)
    sys.argv = [order.module, *order.arguments]
    try:
        runpy.run_module(order.module, run_name="__main__")
        code: object = 0
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001  # as Python itself does at the end of any program
        traceback.print_exc()
        code = 1
    with suppress(OSError):
        sys.stdout.flush()
    # Taking apart all that was imported would cost more than the program.
    os._exit(code if isinstance(code, int) else int(code is not None))

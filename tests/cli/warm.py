"""Commands as processes that need not import anything first: each is forked from one that has done so.

Half a second for every command is what a suite of hundreds can't afford. Apart from that nothing is different:
a command has its own process, streams, environment and folder, and ends as any other does. What starting afresh is
about (what is imported, and from where; encodings; descriptors that are closed) is tested with `Home.python`.
"""

import gc
import json
import os
import runpy
import select
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NamedTuple, NoReturn

from agentcli.cli.commands import BY_NAME

ROOT: Final = Path(__file__).parents[2]
PATIENCE_S: Final = 60
AGENTS: Final = ("expenses", "support", "library", "briefs")


class Order(NamedTuple):
    """A command as it travels: the descriptors that go with it are this text, three streams, and who is told."""

    arguments: Sequence[str]
    env: Mapping[str, str]
    cwd: str


class Warm:
    """The process that others are forked from."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        subprocess.Popen(
            [sys.executable, "-c", f"from tests.cli.warm import serve; serve({theirs.fileno()})"],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()

    def start(self, order: Order, streams: tuple[int, int, int]) -> int:
        """Start a command; return the descriptor on which its exit code will come."""
        told, tell = os.pipe()
        with TemporaryFile() as text:
            text.write(json.dumps(order).encode())
            text.flush()
            socket.send_fds(self._orders, [b"order"], [text.fileno(), *streams, tell])
        os.close(tell)
        return told


@cache
def warm() -> Warm:
    """Return the one process that this one forks its commands from."""
    return Warm()


def exit_code(told: int) -> int:
    """Wait for a command to end; negative is the signal that ended it.

    Raises:
        TimeoutError: It did not end in a minute.
    """
    ended, _, _ = select.select([told], [], [], PATIENCE_S)
    if not ended:
        raise TimeoutError("the command did not end")
    return int(os.read(told, 20))


def serve(orders: int) -> None:
    """Fork what is ordered and tell how it ended, until nobody is there to order any more."""
    for module in (
        *(command.module for command in BY_NAME.values()),
        *(f"agentcli.agents.{name}" for name in AGENTS),
    ):
        import_module(module)
    gc.freeze()
    at_work: dict[int, tuple[int, int]] = {}
    while True:
        ready, _, _ = select.select([orders, *at_work], [], [])
        for ended in set(ready) - {orders}:
            pid, tell = at_work.pop(ended)
            os.write(tell, b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
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
            at_work[os.pidfd_open(pid)] = pid, tell


def _received(orders: int) -> list[int]:
    listening = socket.socket(fileno=orders)
    try:
        return socket.recv_fds(listening, 16, 5)[1]
    finally:
        listening.detach()


def _become(descriptors: Sequence[int]) -> NoReturn:
    """Be the command that was ordered, to its end."""
    text, *streams, _ = descriptors
    with open(text, "rb", closefd=False) as file:
        file.seek(0)
        order = Order(*json.loads(file.read()))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, max(descriptors) + 64)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False, errors="backslashreplace", buffering=1)
    os.environ.clear()
    os.environ.update(order.env)
    time.tzset()
    with suppress(FileNotFoundError):
        os.chdir(order.cwd)
    sys.argv = ["agentcli", *order.arguments]
    try:
        runpy.run_module("agentcli", run_name="__main__")
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001  # as Python itself does at the end of any program
        traceback.print_exc()
        code = 1
    with suppress(OSError):
        sys.stdout.flush()
    # Taking apart all that was imported would cost more than the command.
    os._exit(code if isinstance(code, int) else 1)

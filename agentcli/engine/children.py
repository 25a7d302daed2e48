"""The programs that this process has started and that may still run, so that leaving at once takes them along."""

import os
import signal
from contextlib import suppress

_running: set[int] = set()


def started(pid: int) -> None:
    """Keep in mind a program that leads a session of its own."""
    _running.add(pid)


def end(pid: int) -> None:
    """End a program and its own children, as far as they are still in its session."""
    _running.discard(pid)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def end_all() -> None:
    """End all programs that were started; nobody is left to hear what they say."""
    for pid in tuple(_running):
        end(pid)

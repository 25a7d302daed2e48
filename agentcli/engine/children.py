"""The programs that this process has started and that may still run, so that leaving at once takes them along."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_starting: set[object] = set()
_running: set[int] = set()


@contextmanager
def starting() -> Iterator[None]:
    """Keep in mind that a program is about to be there, and can't be ended before it is known."""
    start = object()
    _starting.add(start)
    try:
        yield
    finally:
        _starting.discard(start)


def is_any_starting() -> bool:
    """Tell whether there may be a program that `end_all` would miss."""
    return bool(_starting)


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

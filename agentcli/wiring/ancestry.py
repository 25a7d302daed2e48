"""Other processes: those above this one, which of them is an agentcli at work, and which one stands still."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from agentcli.store.holder import FOLDER_SUFFIX

PROC: Final = Path("/proc")
MOST: Final = 1_000
"""Processes looked at; no real chain is as long."""


class Parent(Struct, frozen=True):
    """A process above this one, and what its program is called."""

    pid: int
    name: str


def parents(proc: Path = PROC) -> Iterator[Parent]:
    """Yield the processes above this one, the nearest first; none where /proc does not tell."""
    pid = os.getppid()
    for _ in range(MOST):
        try:
            name, fields = _stat(proc, pid)
        except OSError:
            return
        yield Parent(pid, name)
        pid = int(fields[1])


def is_stopped(pid: int, proc: Path = PROC) -> bool:
    """Tell whether a process was stopped, as Ctrl-Z does; False where /proc does not tell."""
    try:
        return _stat(proc, pid)[1][0] == "T"
    except OSError:
        return False


def _stat(proc: Path, pid: int) -> tuple[str, list[str]]:
    """Return a process's name, and what is told of it behind that: its state first, then its parent."""
    stat = (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    # The name stands in brackets and may hold brackets itself.
    head, _, tail = stat.rpartition(")")
    return head.partition("(")[2], tail.split()


def parents_by_ps(path: str = os.defpath) -> Mapping[int, int]:
    """Return the parent of every process, for systems without /proc; empty where that can't be had.

    Args:
        path: Where to look for the program `ps`.
    """
    import subprocess  # noqa: PLC0415  # most systems have /proc

    command = ["ps", "-A", "-o", "pid=,ppid="]
    try:
        listed = subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    pairs = (line.split() for line in listed.stdout.splitlines())
    return {int(pid): int(parent) for pid, parent in pairs}


def holder_above(
    holders: Mapping[int, str], proc: Path = PROC, ps: Callable[[], Mapping[int, int]] = parents_by_ps
) -> int | None:
    """Return the process above this one that holds a session, of whatever store, if there is one.

    Args:
        holders: The processes known to hold sessions.
    """
    pids = [parent.pid for parent in parents(proc)] or _pids_above(ps())
    return next((pid for pid in pids if pid in holders or _has_held_file(proc, pid)), None)


def _has_held_file(proc: Path, pid: int) -> bool:
    """Tell whether a process has the file open by which a session is held."""
    try:
        opened = [os.readlink(one) for one in (proc / str(pid) / "fd").iterdir()]
    except OSError:
        return False
    return any(Path(path).parent.name.endswith(FOLDER_SUFFIX) for path in opened)


def _pids_above(parent_of: Mapping[int, int]) -> list[int]:
    pids = [os.getppid()]
    while pids[-1] in parent_of and len(pids) < MOST:
        pids.append(parent_of[pids[-1]])
    return pids

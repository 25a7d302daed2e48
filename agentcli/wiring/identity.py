"""Who sits at this terminal, as far as the machine can tell."""

import os
import socket
import sys
from itertools import islice
from typing import Final

from agentcli.session.origin import Origin
from agentcli.session.persons import Person
from agentcli.wiring.ancestry import parents

MAX_CHAIN: Final = 12


def this_person(channel: str) -> Person:
    """Return the person this process runs as, with where they are."""
    return Person(login_name(), channel, Origin(_uid(), _tty(), socket.gethostname(), _chain()))


def login_name() -> str:
    """Return the login name that belongs to the user id, whatever the environment says."""
    uid = _uid()
    if uid is not None:
        import pwd  # noqa: PLC0415  # POSIX only

        try:
            return pwd.getpwuid(uid).pw_name
        except KeyError:
            return str(uid)
    return os.environ.get("USERNAME", "unknown")


def _uid() -> int | None:
    return os.getuid() if hasattr(os, "getuid") else None


def _tty() -> str | None:
    try:
        return os.ttyname(sys.__stdin__.fileno()) if sys.__stdin__ is not None else None
    except (OSError, ValueError, AttributeError):
        return None


def _chain() -> tuple[str, ...]:
    """Return the names of this process's parents, nearest first; empty where /proc does not tell."""
    return tuple(f"{parent.name}[{parent.pid}]" for parent in islice(parents(), MAX_CHAIN))

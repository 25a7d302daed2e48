"""What an agent starts is known by the processes above it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.ancestry import holder_above, is_stopped, parents, parents_by_ps

LOOK = "from agentcli.wiring.ancestry import holder_above; print(holder_above({}))"
NOWHERE = Path("/nowhere")


def looked_by(*command: str) -> str:
    """What a process at the end of a command finds above it."""
    return subprocess.run([*command, sys.executable, "-c", LOOK], capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.open(tmp_path / "store.db") as store:
        yield store


def test_the_parents_are_named_from_the_nearest_on() -> None:
    """The first one is this process's own parent."""
    found = list(parents())
    assert found[0].pid == os.getppid()
    assert found[0].name == (Path("/proc") / str(os.getppid()) / "comm").read_text().strip()[:15]
    assert found[-1].pid == 1


def test_a_name_with_brackets_is_read_whole(tmp_path: Path) -> None:
    """The system does not quote it."""
    mine = tmp_path / str(os.getppid())
    mine.mkdir()
    (mine / "stat").write_text(f"{os.getppid()} (odd) (name) S 0 1 1")
    assert [parent.name for parent in parents(tmp_path)] == ["odd) (name"]


def test_a_process_that_was_stopped_is_told_from_one_that_goes_on() -> None:
    """As the system tells it; of one that is gone nothing is told."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert not is_stopped(process.pid)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        assert is_stopped(process.pid)
        assert not is_stopped(process.pid, NOWHERE)
        process.send_signal(signal.SIGCONT)
        process.communicate(b"\n")
    assert not is_stopped(process.pid)


def test_nobody_above_holds_a_session() -> None:
    """A person's own command is below a shell."""
    assert looked_by() == "None"


def test_a_process_above_that_holds_a_session_is_found(store: SqliteStore) -> None:
    """Of whatever store, and also from below a shell or a session of its own."""
    with store.hold("s"):
        assert looked_by() == str(os.getpid())
        assert looked_by("/bin/sh", "-c", '"$@"; exit $?', "sh") == str(os.getpid())
        assert looked_by("/bin/sh", "-c", 'setsid -w "$@"', "sh") == str(os.getpid())
    assert looked_by() == "None"


def test_a_process_above_that_holds_a_session_in_memory_is_found() -> None:
    """A comparison works on copies that nobody else can reach, and what its tools start is no person either."""
    with SqliteStore.in_memory() as store, store.hold("s"):
        assert looked_by() == str(os.getpid())
    assert looked_by() == "None"


def test_a_process_above_that_is_known_to_hold_a_session_is_found() -> None:
    """Where its files can't be looked at, what the store knows counts."""
    assert holder_above({os.getppid(): "s"}) == os.getppid()
    assert holder_above({1: "s"}) == 1
    assert holder_above({os.getpid(): "s"}) is None


def test_without_proc_the_parents_are_asked_of_ps() -> None:
    """On systems that have no /proc the chain is known as well."""
    assert list(parents(NOWHERE)) == []
    assert holder_above({1: "s"}, NOWHERE) == 1
    assert holder_above({}, NOWHERE) is None


def test_without_proc_and_ps_the_direct_parent_is_known() -> None:
    """It is all that the system tells then."""
    assert parents_by_ps("/nowhere") == {}
    assert holder_above({1: "s"}, NOWHERE, lambda: {}) is None
    assert holder_above({os.getppid(): "s"}, NOWHERE, lambda: {}) == os.getppid()

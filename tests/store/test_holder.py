"""One process holds a session, and a lock that nobody holds any more is free."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from agentcli.session.ports import SessionBusy, StoreFailure, StoreFault
from agentcli.store.holder import hold_in_folder
from agentcli.store.sqlite import SqliteStore
from tests.store.processes import line_of, output_of, python

HOLDS = """
    import subprocess, sys
    from agentcli.store.holder import hold_in_folder
    hold = hold_in_folder(Path(sys.argv[1]), "s")
    if sys.argv[2] == "with a child":
        child = subprocess.Popen(["sleep", "60"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        print(child.pid, flush=True)
    print("held", flush=True)
    sys.stdin.readline()
    hold.release()
    print("released", flush=True)
    sys.stdin.readline()
    """

TRIES = """
    import sys
    from agentcli.store.holder import hold_in_folder
    try:
        hold_in_folder(Path(sys.argv[1]), "s").release()
        print("free")
    except SessionBusy as busy:
        print(busy)
    """


def test_second_process_is_told_who_holds_the_session(tmp_path: Path) -> None:
    """The one who comes second learns the process that was first, until that one lets go."""
    with python(HOLDS, tmp_path, "alone") as holder:
        assert line_of(holder) == "held"
        with pytest.raises(SessionBusy) as caught:
            hold_in_folder(tmp_path, "s")
        assert (caught.value.session, caught.value.pid) == ("s", holder.pid)
        assert holder.stdin is not None
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert line_of(holder) == "released"
        hold_in_folder(tmp_path, "s").release()


def test_killed_process_holds_nothing(tmp_path: Path) -> None:
    """A lock ends with its process, however that ended; there is nothing to clear away."""
    with python(HOLDS, tmp_path, "alone") as holder:
        assert line_of(holder) == "held"
        holder.kill()
        holder.wait()
        with hold_in_folder(tmp_path, "s"):
            assert (tmp_path / "s").read_text() == f"{os.getpid()}\n"


def test_child_that_outlives_its_parent_holds_nothing(tmp_path: Path) -> None:
    """What a session started does not keep the session."""
    with python(HOLDS, tmp_path, "with a child") as holder:
        child = int(line_of(holder))
        try:
            assert line_of(holder) == "held"
            holder.kill()
            holder.wait()
            hold_in_folder(tmp_path, "s").release()
            os.kill(child, 0)
        finally:
            os.kill(child, 9)


def test_hold_keeps_other_processes_out_until_it_is_released(tmp_path: Path) -> None:
    """A session is held as long as its block runs, and free afterwards."""
    with SqliteStore.open(tmp_path / "store.db") as store:
        with store.hold("s"):
            told = output_of(TRIES, tmp_path / "store.db-held")
            assert told == f"session 's' is held by process {os.getpid()}"
        assert output_of(TRIES, tmp_path / "store.db-held") == "free"


@pytest.mark.parametrize("where", ["on disk", "in memory"])
def test_one_process_does_not_hold_a_session_twice(tmp_path: Path, where: str) -> None:
    """A second hold is refused within a process as well; other sessions are free."""
    with SqliteStore.open(tmp_path / "store.db") if where == "on disk" else SqliteStore.in_memory() as store:
        hold = store.hold("s")
        with pytest.raises(SessionBusy, match=f"'s' is held by process {os.getpid()}"):
            store.hold("s")
        store.hold("other").release()
        hold.release()
        hold.release()
        store.hold("s").release()


def test_released_sessions_leave_no_files(tmp_path: Path) -> None:
    """The folder does not fill up with sessions of old."""
    hold_in_folder(tmp_path, "s").release()
    assert list(tmp_path.iterdir()) == []


def test_never_two_hold_a_session_however_they_come_and_go(tmp_path: Path) -> None:
    """A holder that leaves removes the file; who had just opened it does not lock a file that is gone."""
    inside, most = [0], [0]

    def come_and_go() -> int:
        taken = 0
        while taken < 200:
            with suppress(SessionBusy), hold_in_folder(tmp_path, "s"):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                taken += 1
                time.sleep(0)
                inside[0] -= 1
        return taken

    with ThreadPoolExecutor(4) as threads:
        assert [one.result() for one in [threads.submit(come_and_go) for _ in range(4)]] == [200] * 4
    assert most == [1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "12a", "-5"])
def test_holder_that_left_no_number_is_unknown(tmp_path: Path, content: str) -> None:
    """Where the file does not tell the process, nobody is named."""
    with hold_in_folder(tmp_path, "s"):
        (tmp_path / "s").write_text(content)
        with pytest.raises(SessionBusy, match="unknown"):
            hold_in_folder(tmp_path, "s")


def test_folder_that_cannot_be_made_is_a_failure_of_the_store(tmp_path: Path) -> None:
    """No lock, no session: it is told as any failure of the store."""
    (tmp_path / "file").touch()
    with pytest.raises(StoreFailure) as caught:
        hold_in_folder(tmp_path / "file" / "held", "s")
    assert caught.value.fault is StoreFault.UNREADABLE

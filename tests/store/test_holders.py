"""Whether a session is held can be seen without getting in anybody's way."""

import gc
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.holder import hold_in_folder, holders_in_folder, is_held_in_folder
from agentcli.store.sqlite import SqliteStore
from tests.store.processes import held_files, line_of, python

HOLDS = """
    import sys
    from agentcli.store.holder import hold_in_folder
    hold = hold_in_folder(Path(sys.argv[1]), "s")
    print("held", flush=True)
    sys.stdin.readline()
    """


@pytest.mark.parametrize("where", ["on disk", "in memory"])
def test_a_session_is_held_as_long_as_somebody_holds_it(tmp_path: Path, where: str) -> None:
    """Held from the moment it is taken to the moment it is let go; others are not."""
    with SqliteStore.open(tmp_path / "store.db") if where == "on disk" else SqliteStore.in_memory() as store:
        assert not store.is_held("s")
        with store.hold("s"):
            assert store.is_held("s")
            assert not store.is_held("other")
        assert not store.is_held("s")


def test_the_processes_that_hold_sessions_are_named(tmp_path: Path) -> None:
    """Another process and this one, each with its session; one that was killed is none of them."""
    with SqliteStore.open(tmp_path / "store.db") as store:
        assert store.holders() == {}
        with python(HOLDS, tmp_path / "store.db-held") as holder, store.hold("t"):
            assert line_of(holder) == "held"
            assert store.holders() == {holder.pid: "s", os.getpid(): "t"}
            holder.kill()
            holder.wait()
            assert not store.is_held("s")
            assert store.holders() == {os.getpid(): "t"}
            assert (tmp_path / "store.db-held" / "s").exists()


@pytest.mark.parametrize("where", ["on disk", "in memory"])
def test_a_store_that_is_closed_lets_its_sessions_go(tmp_path: Path, where: str) -> None:
    """Nothing can be done with them any more, so nobody is kept out; a hold of before is none then."""
    store = SqliteStore.open(tmp_path / "store.db") if where == "on disk" else SqliteStore.in_memory()
    hold = store.hold("s")
    store.close()
    assert not store.is_held("s")
    hold.release()
    store.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell which files are open")
@pytest.mark.parametrize("where", ["on disk", "in memory"])
def test_a_store_that_is_forgotten_lets_its_sessions_go(tmp_path: Path, where: str) -> None:
    """As a file that nobody has any more is closed: a program that goes on keeps nobody out."""
    store = SqliteStore.open(tmp_path / "store.db") if where == "on disk" else SqliteStore.in_memory()
    before = len(held_files())
    store.hold("s")
    assert len(held_files()) == before + 1
    del store
    gc.collect()
    assert len(held_files()) == before


def test_nobody_else_can_hold_a_session_in_memory() -> None:
    """No other process reaches it, so there is none to name."""
    with SqliteStore.in_memory() as store, store.hold("s"):
        assert store.holders() == {}


def test_a_holder_that_left_no_number_is_not_named(tmp_path: Path) -> None:
    """It holds the session all the same."""
    with hold_in_folder(tmp_path, "s"):
        (tmp_path / "s").write_text("")
        assert is_held_in_folder(tmp_path, "s")
        assert holders_in_folder(tmp_path) == {}


def test_looking_keeps_nobody_from_taking_the_session(tmp_path: Path) -> None:
    """Two processes look without end, and a third takes the session and lets it go, again and again."""
    until = time.monotonic() + 0.5

    def look() -> int:
        looks = 0
        while time.monotonic() < until:
            is_held_in_folder(tmp_path, "s")
            looks += 1
        return looks

    with ThreadPoolExecutor(2) as threads:
        looking = [threads.submit(look) for _ in range(2)]
        taken = 0
        while time.monotonic() < until:
            hold_in_folder(tmp_path, "s").release()
            taken += 1
        assert min(one.result() for one in looking) > 0
    assert taken > 0


def test_looking_never_sees_another_who_looks(tmp_path: Path) -> None:
    """A session that nobody holds is not taken for held because others look as well."""
    (tmp_path / "s").touch()

    def look() -> bool:
        return any(is_held_in_folder(tmp_path, "s") for _ in range(500))

    with ThreadPoolExecutor(4) as threads:
        assert not any(one.result() for one in [threads.submit(look) for _ in range(4)])


def test_a_file_that_cannot_be_opened_is_a_failure_of_the_store(tmp_path: Path) -> None:
    """Whether a session is held is not guessed."""
    (tmp_path / "s").mkdir()
    with pytest.raises(StoreFailure) as caught:
        is_held_in_folder(tmp_path, "s")
    assert caught.value.fault is StoreFault.UNREADABLE

"""A process that is killed takes nothing with it that was committed, and leaves nothing that was not."""

from pathlib import Path

import pytest

from agentcli.store.chain import verify
from agentcli.store.sqlite import SqliteStore
from tests.store.processes import line_of, python
from tests.store.samples import NOTES, notes, words, write

WRITES_AND_TELLS = """
    import sys
    from tests.store.samples import NOTES
    with SqliteStore.open(Path(sys.argv[1])) as store:
        store.prepare("notes", [NOTES])
        for no in range(1, 100_000):
            with store.transaction() as transaction:
                transaction.append("s", said(no), NOW)
                with transaction.attempt() as tables:
                    note(tables, f"message {no}")
            print(no, flush=True)
    """

HANGS_INSIDE = """
    import sys
    with SqliteStore.open(Path(sys.argv[1])) as store, store.transaction() as transaction:
        for no in range(2, 3_000):
            transaction.append("s", said(no), NOW)
        with transaction.attempt() as tables:
            note(tables, "lost")
            print("inside", flush=True)
            sys.stdin.readline()
    """


@pytest.mark.parametrize("commits", [1, 7, 400])
def test_what_was_told_as_written_survives_a_kill(tmp_path: Path, commits: int) -> None:
    """Every entry whose commit returned is there, its effect too, and the chain is whole and goes on."""
    path = tmp_path / "store.db"
    with python(WRITES_AND_TELLS, path) as process:
        for _ in range(commits):
            told = int(line_of(process))
        process.kill()
        process.wait()
    with SqliteStore.open(path) as store:
        kept = words(store, "s")
        assert kept[:told] == [f"message {no}" for no in range(1, told + 1)]
        assert notes(store) == kept
        assert verify(store.rows("s")).whole
        write(store, "s", 0)
        assert words(store, "s") == [*kept, "message 0"]


def test_transaction_that_was_killed_never_was(tmp_path: Path) -> None:
    """Entries and effects of an open transaction are gone with its process, and so is its lock."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store:
        store.prepare("notes", [NOTES])
        write(store, "s", 1)
    with python(HANGS_INSIDE, path) as process:
        assert line_of(process) == "inside"
        process.kill()
        process.wait()
    with SqliteStore.open(path) as store:
        assert words(store, "s") == ["message 1"]
        assert notes(store) == []
        write(store, "s", 2)
        assert verify(store.rows("s")).whole

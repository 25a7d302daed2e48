"""Several connections to one store: each notices the others, and together they make one chain."""

from contextlib import suppress
from pathlib import Path

from agentcli.store.chain import verify
from agentcli.store.sqlite import SqliteStore
from tests.store.samples import NOW, said, words, write


def test_others_are_noticed_once(tmp_path: Path) -> None:
    """`changed` tells of another connection's write, when asked for the first time after it."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store, SqliteStore.open(path) as other:
        assert not store.changed()
        write(other, "s", 1)
        assert store.changed()
        assert not store.changed()
        write(store, "s", 2)
        assert not store.changed()
        assert other.changed()


def test_a_write_follows_what_others_wrote_meanwhile(tmp_path: Path) -> None:
    """Two connections that take turns make one chain, also after a write that was undone."""
    path = tmp_path / "store.db"
    with SqliteStore.open(path) as store, SqliteStore.open(path) as other:
        for no in range(1, 10, 3):
            write(store, "s", no)
            with suppress(KeyboardInterrupt), other.transaction() as transaction:
                transaction.append("s", said(0), NOW)
                raise KeyboardInterrupt
            write(other, "s", no + 1, no + 2)
        assert words(store, "s") == [f"message {no}" for no in range(1, 10)]
        assert verify(store.rows("s")).whole

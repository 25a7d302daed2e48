"""Every store keeps the contract."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from agentcli.store.sqlite import SqliteStore
from tests.store.contract import RULES, Rule
from tests.store.samples import NOTES

OPENINGS: Final[dict[str, Callable[[Path], SqliteStore]]] = {
    "on disk": lambda folder: SqliteStore.open(folder / "store.db"),
    "in memory": lambda _: SqliteStore.in_memory(),
    "a sandbox": lambda _: SqliteStore.in_memory().sandbox(),
}


@pytest.fixture(params=list(OPENINGS.values()), ids=list(OPENINGS))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store with a book of notes."""
    opened: SqliteStore = request.param(tmp_path)
    with opened:
        opened.prepare("notes", [NOTES])
        yield opened


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_store_keeps_the_contract(rule: Rule, store: SqliteStore) -> None:
    """What the engine relies on holds for a store on disk, in memory, and for a sandbox."""
    rule(store)

"""What changed in an agent's tables: rows before and after."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from agentcli.store.sqlite import SqliteStore

Row = Mapping[str, Any]
Snapshot: TypeAlias = Mapping[tuple[str, Any], Row]


class ChangedRow(msgspec.Struct, frozen=True):
    """A row that is no longer what it was; None where there was none, or is none any more."""

    table: str
    id: Any
    before: Row | None
    after: Row | None


def snapshot(store: SqliteStore, keys: Mapping[str, str]) -> Snapshot:
    """Return every row of an agent's tables by its key.

    Args:
        keys: The tables with the name of their primary key.
    """
    return {(table, row[key]): row for table, key in keys.items() for row in store.book(table)}


def effects(before: Snapshot, after: Snapshot) -> tuple[ChangedRow, ...]:
    """Return what differs, in the order of the tables and their keys as they first appear."""
    keys = [*before, *(key for key in after if key not in before)]
    return tuple(
        ChangedRow(table, key, before.get((table, key)), after.get((table, key)))
        for table, key in keys
        if before.get((table, key)) != after.get((table, key))
    )

"""What somebody does to a store who edits the file by other means than agentcli."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any


def tamper(path: Path, sql: str, parameters: Sequence[Any] = ()) -> None:
    """Run a statement on a store's file, past the triggers that keep journals append-only."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(sql, parameters)


def change_entry(path: Path, session: str, seq: int) -> None:
    """Add a blank to the body of an entry, which reads the same."""
    tamper(
        path, "UPDATE journal SET body = CAST(body || ' ' AS BLOB) WHERE session = ? AND seq = ?", (session, seq)
    )

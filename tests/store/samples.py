"""Entries and stores to try things on."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from agentcli.gate.autonomy import Level
from agentcli.session.entries import Opened, Said
from agentcli.session.ports import Store
from agentcli.store.database import Database
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.tool import Tables

NOW: Final = datetime(2026, 11, 2, 9, 30, 15, 250_000, tzinfo=UTC)

OPENED: Final = Opened(
    v=1,
    agent="expenses",
    model="offline",
    level=Level(2),
    tool_levels={"save_note": Level(3)},
    require_approval=False,
    toolset_digest="t" * 64,
    prompt_digest="p" * 64,
    by="ana",
)

NOTES: Final = "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE)"


def said(no: int) -> Said:
    """A person's words."""
    return Said(no, f"message {no}", "ana", "terminal")


def later(seconds: float) -> datetime:
    """So many seconds after `NOW`."""
    return NOW + timedelta(seconds=seconds)


def write(store: Store, session: str, *numbers: int) -> None:
    """Append words to a session, in one transaction."""
    with store.transaction() as transaction:
        for no in numbers:
            transaction.append(session, said(no), NOW)


def note(tables: Tables, text: str) -> None:
    """Write a note into a book that has `NOTES`."""
    tables.execute("INSERT INTO notes (text) VALUES (?)", (text,))


def notes(store: SqliteStore) -> list[str]:
    """The notes in the book."""
    with store.look() as tables:
        return [text for (text,) in tables.execute("SELECT text FROM notes ORDER BY id")]


def words(store: Store, session: str) -> list[str]:
    """What was said in a session."""
    return [record.entry.text for record in store.records(session) if isinstance(record.entry, Said)]


def store_over(path: Path, *pragmas: str, uri_options: str = "") -> SqliteStore:
    """A store over a connection of its own, which the pragmas cripple."""
    connection = sqlite3.connect(f"{path.as_uri()}{uri_options}", uri=True, isolation_level=None, timeout=0)
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")
    return SqliteStore(Database(connection, str(path)))

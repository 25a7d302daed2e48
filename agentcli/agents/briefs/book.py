"""The table of the briefs agent: the drafts."""

from collections.abc import Mapping
from typing import Any, Final

from agentcli.agents.briefs.rules import Brief
from agentcli.tools.tool import Tables

MIGRATIONS: Final = (
    """
    CREATE TABLE briefs_drafts (
        id       TEXT PRIMARY KEY,
        title    TEXT NOT NULL,
        seconds  INTEGER NOT NULL,
        captions INTEGER NOT NULL,
        revision INTEGER NOT NULL
    )
    """,
)

TABLES: Final[Mapping[str, str]] = {"briefs_drafts": "id"}
"""The table and its primary key."""

_COLUMNS: Final = "id, title, seconds, captions, revision"


class Drafts:
    """The drafts in the open transaction."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def add(self, brief: Brief) -> None:
        """Write a new draft down."""
        self.tables.execute(
            f"INSERT INTO briefs_drafts ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
            (brief.id, brief.title, brief.seconds, brief.captions, brief.revision),
        )

    def put(self, brief: Brief) -> None:
        """Write a draft over the one that has its id."""
        self.tables.execute(
            "UPDATE briefs_drafts SET title = ?, seconds = ?, captions = ?, revision = ? WHERE id = ?",
            (brief.title, brief.seconds, brief.captions, brief.revision, brief.id),
        )

    def find(self, brief_id: str) -> Brief | None:
        """Return the draft with this id, if there is one."""
        rows = self.tables.execute(f"SELECT {_COLUMNS} FROM briefs_drafts WHERE id = ?", (brief_id,))
        return _brief(rows[0]) if rows else None

    def all(self) -> list[Brief]:
        """Return all drafts, in the order in which they were written down."""
        return [_brief(row) for row in self.tables.execute(f"SELECT {_COLUMNS} FROM briefs_drafts ORDER BY rowid")]


def _brief(row: tuple[Any, ...]) -> Brief:
    brief_id, title, seconds, captions, revision = row
    return Brief(brief_id, title, seconds, bool(captions), revision)

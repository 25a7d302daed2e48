"""The agents' tables as a whole: read row by row, and copied into a fresh store for trials that leave no trace."""

from typing import Any, Final

from agentcli.store.database import Database

_MADE_BY_AGENTS: Final = r"""
    SELECT type, name, sql FROM sqlite_master
    WHERE sql IS NOT NULL AND tbl_name NOT IN ('journal', 'migrated') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
    ORDER BY rowid
"""


def copy_books(source: Database, target: Database) -> None:
    """Copy the agents' tables with all that belongs to them; `target` has none yet."""
    with source.reading(), target.writing():
        made = source.rows(_MADE_BY_AGENTS)
        tables = [(name, sql) for kind, name, sql in made if kind == "table"]
        for _, sql in tables:
            target.rows(sql)
        for name in (*(name for name, _ in tables), "migrated"):
            _copy_rows(source, target, name)
        _copy_highest_numbers(source, target)
        # After the rows: an index is built faster so, and a trigger must not act on copies.
        for kind, _, sql in made:
            if kind != "table":
                target.rows(sql)


def book_rows(database: Database, table: str) -> list[dict[str, Any]]:
    """Return the rows of one of the agents' tables in the order of its key, each under the names of its columns.

    Raises:
        ValueError: It is no table of an agent.
    """
    if not any((kind, name) == ("table", table) for kind, name, _ in database.rows(_MADE_BY_AGENTS)):
        raise ValueError(f"{table!r} is no table of an agent")
    described = database.rows(f"PRAGMA table_info({_quoted(table)})")
    columns = [column[1] for column in described]
    key = [_quoted(column[1]) for column in sorted(described, key=lambda one: one[5]) if column[5]]
    rows = database.rows(f"SELECT * FROM {_quoted(table)} ORDER BY {', '.join(key) or 'rowid'}")
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _copy_rows(source: Database, target: Database, table: str) -> None:
    # Leaves out generated columns, which can't be written.
    columns = [_quoted(column[1]) for column in source.rows(f"PRAGMA table_info({_quoted(table)})")]
    listed, marks = ", ".join(columns), ", ".join("?" * len(columns))
    for row in source.rows(f"SELECT {listed} FROM {_quoted(table)}"):
        target.rows(f"INSERT INTO {_quoted(table)} ({listed}) VALUES ({marks})", row)


def _copy_highest_numbers(source: Database, target: Database) -> None:
    """Copy how far each table that never uses a number twice has counted."""
    if source.rows("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'"):
        target.rows("DELETE FROM sqlite_sequence")
        _copy_rows(source, target, "sqlite_sequence")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

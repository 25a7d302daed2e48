"""How the store's tables came to be, and how agents bring theirs: numbered steps, each run once."""

from collections.abc import Sequence
from typing import Final

from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.store.database import Database
from agentcli.store.lending import SHAPE, LentTables
from agentcli.tools.tool import Migration

REGISTER: Final = "register"
"""The session under which the register is kept; no session's id has an `i` in it."""

STORE_MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
        CREATE TABLE journal (
            session TEXT NOT NULL,
            seq     INTEGER NOT NULL,
            at      TEXT NOT NULL,
            kind    TEXT NOT NULL,
            body    BLOB NOT NULL,
            hash    BLOB NOT NULL,
            PRIMARY KEY (session, seq)
        )
        """,
        """
        CREATE TRIGGER journal_only_grows BEFORE INSERT ON journal
        WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal WHERE session = NEW.session)
        BEGIN SELECT RAISE(ABORT, 'a journal only grows at its end'); END
        """,
        """
        CREATE TRIGGER journal_never_changes BEFORE UPDATE ON journal
        BEGIN SELECT RAISE(ABORT, 'an entry of a journal is never changed'); END
        """,
        # A session may go while the register's newest entry says that it does.
        f"""
        CREATE TRIGGER journal_goes_as_a_whole BEFORE DELETE ON journal
        WHEN NOT EXISTS (
            SELECT 1 FROM journal
            WHERE session = '{REGISTER}' AND kind = 'deleted'
            AND seq = (SELECT max(seq) FROM journal WHERE session = '{REGISTER}')
            AND instr(body, CAST('"session":"' || OLD.session || '"' AS BLOB))
        )
        BEGIN SELECT RAISE(ABORT, 'a journal is only removed as a whole, and the register says so'); END
        """,
        "CREATE TABLE migrated (owner TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (owner, number))",
    ),
)
"""The statements that lead from each version of the store to the next."""

STORE_VERSION: Final = len(STORE_MIGRATIONS)


def migrate_store(database: Database, version: int) -> None:
    """Bring the store's own tables from `version` to ours, inside the open transaction."""
    for statements in STORE_MIGRATIONS[version:]:
        for statement in statements:
            database.rows(statement)
    database.rows(f"PRAGMA user_version = {STORE_VERSION}")


def prepare_tables(
    database: Database, owner: str, migrations: Sequence[Migration], sample: Migration | None
) -> None:
    """Run those of an agent's migrations that this store has not seen, and its sample with the first ones.

    Raises:
        StoreFailure: With `NEWER` where the store has seen more migrations than there are.
    """
    if _seen(database, owner, len(migrations)) == len(migrations):
        return
    with database.writing():
        seen = _seen(database, owner, len(migrations))
        for number, migration in enumerate(migrations[seen:], seen + 1):
            _run(database, migration)
            database.rows("INSERT INTO migrated (owner, number) VALUES (?, ?)", (owner, number))
        if seen == 0 and sample is not None:
            _run(database, sample)


def _seen(database: Database, owner: str, known: int) -> int:
    ((seen,),) = database.rows("SELECT coalesce(max(number), 0) FROM migrated WHERE owner = ?", (owner,))
    if seen > known:
        detail = f"{database.where}: {owner!r} has tables of version {seen} in it, this agentcli knows {known}"
        raise StoreFailure(StoreFault.NEWER, detail)
    return int(seen)


def _run(database: Database, migration: Migration) -> None:
    tables = LentTables(database, SHAPE)
    try:
        if callable(migration):
            migration(tables)
        else:
            tables.execute(migration)
    finally:
        tables.give_back()
    if tables.failure is not None:
        raise tables.failure

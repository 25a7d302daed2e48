"""Level 4 is watched: what runs alone starts only where a record of it works."""

from pathlib import Path

from agentcli.engine.journal import Unwitnessed
from agentcli.gate.autonomy import Level
from agentcli.session.ports import Witness
from agentcli.store.chain import verify
from agentcli.store.mirror import MirrorFailure, MirrorFile, mirrored
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.levels import Levels


class RecordBroken(Exception):
    """Nothing may run alone, since the record of it would not hold; the message says what is wrong with it."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"level 4 does not start without a record that works: {problem}")


def witness_of(mirror: str) -> Witness:
    """Return who copies a session's decisions to the mirror; nobody where there is none."""
    return mirrored(Path(mirror))() if mirror else Unwitnessed()


def require_record(levels: Levels, store: SqliteStore, session: str | None, mirror: str) -> None:
    """See that the record works, where anything may run alone.

    Args:
        session: None before there is one.

    Raises:
        RecordBroken: The mirror can't be written, or the session's chain is broken.
    """
    if Level.ALONE not in (levels.session, *levels.tools.values()):
        return
    if mirror:
        try:
            MirrorFile(Path(mirror)).require_writable()
        except MirrorFailure as failure:
            raise RecordBroken(str(failure)) from failure
    found = verify(() if session is None else store.rows(session))
    if not found.whole:
        first = found.breaks[0]
        where = f"session {session!r}, entry {first.first}"
        raise RecordBroken(f"{where}: {first.damage}; `agentcli audit verify` says more")

"""Level 4 is watched: what runs alone starts only where a record of it works."""

from pathlib import Path

from agentcli.engine.journal import Unwitnessed
from agentcli.gate.autonomy import Level
from agentcli.session.ports import Witness
from agentcli.store.chain import verify
from agentcli.store.migrations import REGISTER
from agentcli.store.mirror import MirrorFailure, MirrorFile, mirrored
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.levels import Levels


class RecordBroken(Exception):
    """Nothing may run alone, since the record of it would not hold; the message says what is wrong with it."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"level 4 does not start without a record that works: {problem}")


def witness_of(mirror: str) -> Witness:
    """Return what copies a session's decisions to the mirror; without a mirror it does nothing."""
    return mirrored(Path(mirror))() if mirror else Unwitnessed()


def require_record(levels: Levels, store: SqliteStore, session: str | None, mirror: str) -> None:
    """See that the record works, where anything may run alone.

    Args:
        session: None before there is one.

    Raises:
        RecordBroken: The mirror can't be written, or the chain of the session or of the register is broken.
    """
    if Level.ALONE not in (levels.session, *levels.tools.values()):
        return
    if mirror:
        try:
            MirrorFile(Path(mirror)).require_writable()
        except MirrorFailure as failure:
            raise RecordBroken(str(failure)) from failure
    for where, chain in (("the register", REGISTER), (f"session {session!r}", session)):
        found = verify(() if chain is None else store.rows(chain))
        if not found.whole:
            first = found.breaks[0]
            told = f"{where}, entry {first.first}: {first.damage}"
            raise RecordBroken(f"{told}; `agentcli audit verify` says more")

"""When a process is killed: at the point with a number, of all the points it passes before and after what it writes."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from agentcli.session.entries import Entry
from agentcli.session.record import Record
from agentcli.store.sqlite import SqliteStore, SqliteTransaction


class Fate:
    """Counts the points; at the one with the number `kill_at` the process is no more. 0: never."""

    def __init__(self, kill_at: int = 0) -> None:
        self.passed = 0
        self._kill_at = kill_at

    def point(self) -> None:
        """Pass a point, or die."""
        self.passed += 1
        if self.passed == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(60)


class MortalTransaction:
    """A transaction in which one can die before and after each entry."""

    def __init__(self, transaction: SqliteTransaction, fate: Fate) -> None:
        self._transaction = transaction
        self._fate = fate

    def append(self, session: str, entry: Entry, at: datetime) -> Record:
        self._fate.point()
        record = self._transaction.append(session, entry, at)
        self._fate.point()
        return record

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transaction, name)


class MortalStore(SqliteStore):
    """A store in whose transactions one can die, and right after them."""

    fate = Fate()

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        with super().transaction() as transaction:
            yield MortalTransaction(transaction, self.fate)
        self.fate.point()

"""A store in memory that can die or fail at any append: what is committed survives, nothing else does."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random
from typing import Any, Final

from agentcli.session.codec import decode_entry, encode_entry
from agentcli.session.entries import Entry
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.session.record import Record

MAX_APPENDS: Final = 800


class Crash(GeneratorExit):
    """The process dies here. It closes all that runs, so it is no fault of the tool in which it comes up."""


class Endless(GeneratorExit):
    """More was written than any world that comes to rest would write; it closes all that runs, as a crash does."""


@dataclass(frozen=True, slots=True)
class Death:
    """When a process dies: at the append with this number of the world, before or after it is durable."""

    append: int
    durable: bool


@dataclass(frozen=True, slots=True)
class Book:
    """The tables of the simulated tools: what was done, a revision that others raise, and whom they know."""

    rows: tuple[tuple[str, str], ...] = ()
    revision: int = 0
    known: frozenset[str] = frozenset()


class BookTables:
    """The book inside an attempt; `execute` knows a few verbs instead of SQL."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        match sql, tuple(parameters):
            case "add", (str(tool), str(text)):
                self.book = replace(self.book, rows=(*self.book.rows, (tool, text)))
                return []
            case "revision", ():
                return [(self.book.revision,)]
            case "known", (str(who),):
                return [(who in self.book.known,)]
            case _:
                raise ValueError(sql)


@dataclass(slots=True)
class Disk:
    """What is committed, and what will go wrong, `trouble` times as often as in other worlds.

    `begins` numbers the first append of each transaction, `firsts` the entry that it became.
    """

    death: Death | None = None
    weather: Random | None = None
    trouble: float = 1.0
    records: list[Record] = field(default_factory=list)
    book: Book = Book()
    version: int = 0
    appends: int = 0
    begins: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)

    def change_book(self, book: Book) -> None:
        """Another session of the same store writes."""
        self.book = book
        self.version += 1

    def fails(self, share: float) -> bool:
        """Tell whether something goes wrong now; it does so in this share of the cases."""
        return self.weather is not None and self.weather.random() < share * self.trouble


class DiskTransaction:
    """Entries and effects that are durable together or not at all."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._staged: list[Record] = []
        self._book = disk.book
        self._dies_durably = False

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        yield from self._disk.records[after:]
        yield from self._staged[max(0, after - len(self._disk.records)) :]

    def append(self, session: str, entry: Entry, at: datetime) -> Record:
        disk = self._disk
        disk.appends += 1
        if disk.appends > MAX_APPENDS:
            raise Endless
        if disk.death is not None and disk.death.append == disk.appends:
            if not disk.death.durable:
                raise Crash
            self._dies_durably = True
        if disk.fails(0.002):
            raise StoreFailure(StoreFault.FULL, "simulated")
        before = self._staged or disk.records
        body = encode_entry(entry)
        chained = hashlib.sha256((before[-1].hash if before else b"") + entry.kind.encode() + body).digest()
        seq = len(disk.records) + len(self._staged) + 1
        record = Record(session, seq, at, decode_entry(entry.kind, body), chained)
        self._staged.append(record)
        return record

    @contextmanager
    def attempt(self) -> Iterator[BookTables]:
        tables = BookTables(self._book)
        yield tables
        self._book = tables.book

    def commit(self) -> None:
        if self._staged and self._disk.fails(0.004):
            raise StoreFailure(StoreFault.FULL, "simulated")
        if self._staged:
            self._disk.begins.append(self._disk.appends - len(self._staged) + 1)
            self._disk.firsts.append(len(self._disk.records) + 1)
        self._disk.records.extend(self._staged)
        self._disk.book = self._book
        self._disk.version += bool(self._staged)
        if self._dies_durably:
            raise Crash


class Connection:
    """One process's way to the disk."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._seen = disk.version

    @contextmanager
    def transaction(self) -> Iterator[DiskTransaction]:
        if self._disk.fails(0.01):
            raise StoreFailure(StoreFault.BUSY, "simulated")
        others_wrote = self._seen != self._disk.version
        transaction = DiskTransaction(self._disk)
        yield transaction
        transaction.commit()
        if not others_wrote:
            self._seen = self._disk.version

    def records(self, session: str, *, after: int = 0) -> Iterator[Record]:
        yield from self._disk.records[after:]

    def changed(self) -> bool:
        changed = self._seen != self._disk.version
        self._seen = self._disk.version
        return changed

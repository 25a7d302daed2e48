"""What a person is shown of an agent's book: tables and charts as plain values, drawn elsewhere."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from enum import StrEnum

from msgspec import Struct

from agentcli.tools.tool import Tables


class Kind(StrEnum):
    """What the cells of a column are."""

    WORD = "word"  # an id, a day: never folded
    NUMBER = "number"  # never folded, lined up on the right
    UNIT = "unit"  # what the number before it counts: needs no heading
    TEXT = "text"


class Column(Struct, frozen=True):
    """A column of a table; one that `may_go` is left out first where there is little room."""

    title: str
    kind: Kind = Kind.WORD
    may_go: bool = False


class Table(Struct, frozen=True):
    """Rows of cells under their columns, the latest last; its name is one word, for the table and for a file."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


class Bar(Struct, frozen=True):
    """One bar of a chart: its length, and the same in words."""

    label: str
    length: Decimal
    shown: str


class Chart(Struct, frozen=True):
    """Bars that can be compared, all of one unit, which the title names."""

    title: str
    bars: tuple[Bar, ...]


class View(Struct, frozen=True):
    """An agent's book: its tables, the one that matters most first, charts of them, and lines that sum it up."""

    tables: tuple[Table, ...]
    charts: tuple[Chart, ...] = ()
    sums: tuple[str, ...] = ()


ReadView = Callable[[Tables, date], View]
"""Reads the view off an agent's tables, as it is on this day."""

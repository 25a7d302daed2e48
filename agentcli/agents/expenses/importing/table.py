"""A file's bytes as a table of cells, whatever separates them. Pure."""

import csv
import io
import re
from typing import Final

from msgspec import Struct

from agentcli.counted import counted

MOST_LINES: Final = 5_000
SEPARATORS: Final = ("\t", ";", ",")
"""The rarer inside texts the earlier: where two fit equally well, the first is it."""

SHOWN_LINES: Final = 3
LONGEST_SHOWN: Final = 40

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Malformed(ValueError):
    """What is in a file is no table of expenses; the message says where and why."""


class Line(Struct, frozen=True):
    """A row of the table, and the line of the file on which it begins."""

    number: int
    cells: tuple[str, ...]


class Table(Struct, frozen=True):
    """The rows that are not blank, all equally long; `header` is the first one where it holds no values."""

    header: tuple[str, ...] | None
    lines: tuple[Line, ...]

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.lines[0].cells)

    def label(self, column: int) -> str:
        """Return what a column is called: by its title if no other has it, else by its number and beginning."""
        title = "" if self.header is None else _short(self.header[column])
        if self.header is not None and title and self.header.count(self.header[column]) == 1:
            return title
        return f"column {column + 1}: {title or _short(self.lines[0].cells[column])}".rstrip(": ")

    def beginning(self) -> tuple[str, ...]:
        """Return how the file begins, for a person who has to tell what it is."""
        rows = [line.cells for line in self.lines[:SHOWN_LINES]]
        titles = [] if self.header is None else [self.header]
        return tuple(" | ".join(map(_short, cells)) for cells in [*titles, *rows])


def read_table(data: bytes) -> Table:
    """Return the table that is in a file.

    Raises:
        Malformed: There is none: it is no text in UTF-8, has one column, or rows of different lengths.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise Malformed("it is not UTF-8: save it as CSV in UTF-8") from None
    if control := _CONTROL.search(text):
        number = text.count("\n", 0, control.start()) + 1
        raise Malformed(f"line {number}: it holds a control character")
    readings = [_Reading(text, separator) for separator in SEPARATORS]
    tables = [reading for reading in readings if reading.width > 1 and not reading.problem]
    if not tables:
        problem = max(readings, key=lambda reading: reading.width).problem
        raise Malformed(problem or "there is no table in it: separate the columns by comma, semicolon or tab")
    best = max(tables, key=lambda reading: reading.width)
    first, *others = best.lines
    if _is_header(first):
        header, lines = tuple(cell.strip() for cell in first.cells), tuple(others)
    else:
        header, lines = None, tuple(best.lines)
    if not lines:
        raise Malformed("there are no expenses in it")
    return Table(header, lines)


class _Reading:
    """The text read with one separator, and what speaks against it."""

    def __init__(self, text: str, separator: str) -> None:
        self.problem = ""
        self.lines: list[Line] = []
        reader, number = csv.reader(io.StringIO(text), delimiter=separator, strict=True), 1
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    self.lines.append(Line(number, tuple(cells)))
                number = reader.line_num + 1
        except csv.Error as error:
            self.problem = f"line {number}: the quotes don't fit ({error})"
        self.width = len(self.lines[0].cells) if self.lines else 0
        odd = next((line for line in self.lines if len(line.cells) != self.width), None)
        if odd is not None and not self.problem:
            have = f"it has {counted(len(odd.cells), 'cell')}, the first line has {self.width}"
            self.problem = f"line {odd.number}: {have}; a text with the separator in it has to be in quotes"
        if len(self.lines) > MOST_LINES:
            self.problem = f"it has more than {MOST_LINES:,} lines; split it"


def _is_header(line: Line) -> bool:
    return not any(char.isdigit() for cell in line.cells for char in cell)


def _short(cell: str) -> str:
    line = " ".join(cell.split())
    return line if len(line) <= LONGEST_SHOWN else line[: LONGEST_SHOWN - 1] + "…"

"""An agent's book as CSV, such that a spreadsheet takes no cell of it for a formula. Pure."""

import csv
import io
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from agentcli.agents.view import Table, View

FORMULA_BEGINS: Final = frozenset("=+-@＝＋－＠")
"""What a spreadsheet takes for the beginning of a formula, behind blanks too; the wide ones in some locales."""

MARK: Final = "'"
"""Put before such a cell: spreadsheets then take it for text."""


class CsvFile(Struct, frozen=True):
    """A file's name, its bytes, and how many rows and marked cells are in it."""

    path: PurePath
    content: bytes
    rows: int
    marked: int


def csv_files(view: View, path: PurePath) -> list[CsvFile]:
    """Return a file for each table: the first under the name given, the others with their own name behind it."""
    first, *others = view.tables
    beside = [(path.parent / f"{path.stem}-{table.name}{path.suffix}", table) for table in others]
    return [_csv_file(name, table) for name, table in ((path, first), *beside)]


def _csv_file(path: PurePath, table: Table) -> CsvFile:
    rows = [[_safe(cell) for cell in row] for row in table.rows]
    written = io.StringIO(newline="")
    # Every cell is quoted: a program that splits at semicolons, too, must not find the beginning of one inside.
    writer = csv.writer(written, quoting=csv.QUOTE_ALL)
    writer.writerow(column.title for column in table.columns)
    writer.writerows(rows)
    marked = sum(
        cell != safe
        for row, made in zip(table.rows, rows, strict=True)
        for cell, safe in zip(row, made, strict=True)
    )
    # With a byte order mark, by which spreadsheets know UTF-8.
    return CsvFile(path, written.getvalue().encode("utf-8-sig"), len(rows), marked)


def _safe(cell: str) -> str:
    is_formula = cell.lstrip()[:1] in FORMULA_BEGINS or cell[:1] in ("\t", "\r", "\n")
    return MARK + cell if is_formula else cell

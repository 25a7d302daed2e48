"""A book as CSV: all of it, and nothing that a spreadsheet would run."""

import csv
import io
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.view import Column, Table, View
from agentcli.terminal.slash.book_csv import csv_files


def view_of(*cells: str) -> View:
    return View((Table("expenses", (Column("id"), Column("item")), tuple(("1", cell) for cell in cells)),))


def written(*cells: str) -> list[str]:
    """The cells as a program reads them back."""
    [file] = csv_files(view_of(*cells), PurePath("x.csv"))
    rows = list(csv.reader(io.StringIO(file.content.decode("utf-8-sig"), newline=""), strict=True))
    assert rows[0] == ["id", "item"]
    assert {row[0] for row in rows[1:]} <= {"1"}
    return [row[1] for row in rows[1:]]


def test_a_file_begins_with_its_columns_in_utf_8() -> None:
    """Marked as such, with every cell in quotes."""
    [file] = csv_files(view_of("tea", 'a "b"; c'), PurePath("x.csv"))
    assert file.content == b'\xef\xbb\xbf"id","item"\r\n"1","tea"\r\n"1","a ""b""; c"\r\n'
    assert (file.rows, file.marked) == (2, 0)


@pytest.mark.parametrize(
    "cell",
    [
        *("=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x","y")', "＝1", "－1"),
        *(" =1", "\t=1", "\n=1", "\tx", "\rx", "\nx", "\u00a0+1"),
    ],
)
def test_what_a_spreadsheet_would_run_is_marked_as_text(cell: str) -> None:
    """By an apostrophe before it; how many there are is told."""
    assert written(cell) == [f"'{cell}"]
    assert csv_files(view_of("tea", cell), PurePath("x.csv"))[0].marked == 1


@pytest.mark.parametrize("cell", ["", "tea", "a=b", "3-1", "me@home", "'=1", "12.50", "x\n=1", " tea"])
def test_everything_else_is_as_it_was(cell: str) -> None:
    """Nothing is changed that does not have to be."""
    assert written(cell) == [cell]


@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=5))
def test_every_text_comes_back(cells: list[str]) -> None:
    """With an apostrophe before it at most, and never at the beginning of a formula."""
    for cell, read in zip(cells, written(*cells), strict=True):
        assert read in (cell, f"'{cell}")
        assert read.lstrip()[:1] not in tuple("=+-@")


def test_each_table_has_a_file() -> None:
    """The first under the name given, the others beside it."""
    tables = tuple(Table(name, (Column("id"),), ()) for name in ("orders", "customers", "cases"))
    files = csv_files(View(tables), PurePath("/home/ana/book.2026.csv"))
    assert [str(file.path) for file in files] == [
        "/home/ana/book.2026.csv",
        "/home/ana/book.2026-customers.csv",
        "/home/ana/book.2026-cases.csv",
    ]

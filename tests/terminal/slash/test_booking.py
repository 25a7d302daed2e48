"""What `/book` answers."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from agentcli.agents import shipped
from agentcli.agents.expenses.book import Book
from agentcli.agents.expenses.importing.reading import Found, read_expenses
from agentcli.agents.money import Money
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.slash.booking import Page, answer_about_book
from agentcli.terminal.slash.wishes import SaveBook, ShowBook
from agentcli.wiring.stores import prepare_books

TODAY = date(2026, 11, 30)
PAGE = Page(width=80, colour=False, shapes=True)
EXPENSES = shipped("expenses")


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    with SqliteStore.in_memory() as store:
        prepare_books(store, EXPENSES, dict(EXPENSES.options), sample=True, today=TODAY)
        yield store


def answer(wish: ShowBook | SaveBook, store: SqliteStore) -> str:
    return answer_about_book(wish, EXPENSES, store, TODAY, PAGE)


def test_the_book_is_shown_as_it_is_now(store: SqliteStore) -> None:
    """Tables, bars and sums."""
    shown = answer(ShowBook(), store)
    assert " 1  2026-10-02  tea   food       40.00  USD" in shown
    assert "by month, USD\n2026-10  40.00  ███" in shown
    assert shown.endswith("total 40.00 USD over 1 expense")


def test_the_book_is_written_whole(store: SqliteStore, tmp_path: Path) -> None:
    """Each table into a file; it says how many rows went where."""
    told = answer(SaveBook(str(tmp_path / "my book.csv")), store)
    assert told.split("\n") == [
        f"wrote 1 row to {tmp_path}/my book.csv",
        f"wrote 0 rows to {tmp_path}/my book-notes.csv",
    ]
    assert b'"1","2026-10-02","tea","food","40.00","USD"' in (tmp_path / "my book.csv").read_bytes()


def test_what_was_written_can_be_imported(store: SqliteStore, tmp_path: Path) -> None:
    """Amounts to the last decimal, each in its currency, nothing to be asked."""
    with store.transaction() as transaction, transaction.attempt() as tables:
        Book(tables).add('寿司, "best"', Money(Decimal(4500), "JPY"), "food", TODAY)
    answer(SaveBook(str(tmp_path / "book.csv")), store)
    found = read_expenses((tmp_path / "book.csv").read_bytes(), {}, currency="USD", today=TODAY)
    assert isinstance(found, Found)
    assert [str(entry) for entry in found.entries] == [
        "tea, 40.00 USD, 2026-10-02, food",
        '寿司, "best", 4500 JPY, 2026-11-30, food',
    ]


def test_a_file_that_is_there_is_not_written_over(store: SqliteStore, tmp_path: Path) -> None:
    """Then nothing is written at all, and it says so."""
    there = tmp_path / "book-notes.csv"
    there.write_text("mine")
    told = answer(SaveBook(str(tmp_path / "book.csv")), store)
    assert told == f"nothing was written: {there} is there already; name another file, or remove that one first"
    assert [path.name for path in tmp_path.iterdir()] == ["book-notes.csv"]
    assert there.read_text() == "mine"


@pytest.mark.parametrize(
    ("items", "told"),
    [
        (["=1+1"], "1 cell that a spreadsheet would take for a formula begins with an apostrophe there"),
        (["=1+1", "@x"], "2 cells that a spreadsheet would take for formulas begin with an apostrophe there"),
        (["tea"], ""),
    ],
)
def test_what_is_not_as_in_the_book_is_told(
    store: SqliteStore, tmp_path: Path, items: list[str], told: str
) -> None:
    """A cell that a spreadsheet would run is changed, and a person should know."""
    with store.transaction() as transaction, transaction.attempt() as tables:
        for item in items:
            Book(tables).add(item, Money(Decimal(1), "USD"), "other", TODAY)
    assert answer(SaveBook(str(tmp_path / "book.csv")), store).split("\n")[2:] == ([told] if told else [])


def test_a_name_with_something_hidden_in_it_is_shown_as_marks(store: SqliteStore, tmp_path: Path) -> None:
    """Also the name of a file goes through what makes text safe to draw."""
    told = answer(SaveBook(str(tmp_path / "a\u202eb")), store)
    assert "a⟨U+202E⟩b" in told


def test_an_agent_without_a_book_says_so(store: SqliteStore) -> None:
    """The tools of an agent of one's own act outside the store."""
    own = replace(EXPENSES, name="garage", view=None)
    told = answer_about_book(ShowBook(), own, store, TODAY, PAGE)
    assert told == "garage keeps no book here: its tools act outside the store"

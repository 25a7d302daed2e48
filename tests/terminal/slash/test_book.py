"""How an agent's book is drawn, on terminals of any width."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from agentcli.agents.view import Bar, Chart, Column, Kind, Table, View
from agentcli.terminal.slash.book import MOST_ROWS, book_text

COLUMNS = (
    *(Column("id", Kind.NUMBER), Column("date"), Column("item", Kind.TEXT)),
    *(Column("category", Kind.TEXT, may_go=True), Column("amount", Kind.NUMBER), Column("currency", Kind.UNIT)),
)
TEA = ("1", "2026-10-02", "tea", "food", "40.00", "USD")
BREAD = ("2", "2026-11-30", "bread of the better sort", "food", "300.10", "EUR")


def book(*rows: tuple[str, ...], charts: tuple[Chart, ...] = ()) -> View:
    return View((Table("expenses", COLUMNS, rows),), charts, ("total 40.00 USD over 1 expense",))


def drawn(view: View, width: int = 80, *, shapes: bool = True) -> list[str]:
    return book_text(view, width, colour=False, shapes=shapes).split("\n")


def test_a_table_has_its_numbers_on_the_right_and_needs_no_heading_for_units() -> None:
    """The whole of it where there is room."""
    assert drawn(book(TEA, BREAD)) == [
        "expenses",
        "id  date        item                      category  amount",
        "───────────────────────────────────────────────────────────────",
        " 1  2026-10-02  tea                       food       40.00  USD",
        " 2  2026-11-30  bread of the better sort  food      300.10  EUR",
        "",
        "total 40.00 USD over 1 expense",
    ]


def test_on_40_columns_a_column_is_left_out_and_texts_are_folded() -> None:
    """What is left out is named, and nothing is cut."""
    assert drawn(book(TEA, BREAD), 40) == [
        "expenses",
        "id  date        item         amount",
        "────────────────────────────────────────",
        " 1  2026-10-02  tea           40.00  USD",
        " 2  2026-11-30  bread of     300.10  EUR",
        "                the better",
        "                sort",
        "no room for: category",
        "",
        "total 40.00 USD over 1 expense",
    ]


def test_where_no_columns_have_room_each_cell_has_a_line() -> None:
    """Nothing is left out then."""
    assert drawn(book(BREAD), 24) == [
        "expenses",
        "id        2",
        "date      2026-11-30",
        "item      bread of the",
        "          better sort",
        "category  food",
        "amount    300.10",
        "currency  EUR",
        "",
        "total 40.00 USD over 1",
        "expense",
    ]


def test_an_empty_table_says_so() -> None:
    """In a line."""
    assert drawn(book())[0] == "expenses: none"


@pytest.mark.parametrize("more", [0, 1, 1_000])
def test_of_a_long_table_the_latest_rows_are_drawn(more: int) -> None:
    """And how many there are besides."""
    rows = [(str(number), *TEA[1:]) for number in range(1, MOST_ROWS + more + 1)]
    lines = drawn(book(*rows))
    assert lines[3].split()[0] == str(more + 1)
    told = f"{more:,} more above these; /book csv FILE writes all"
    assert (told in lines) == (more > 0)


CHART = Chart("by month, USD", (Bar("2026-10", Decimal(40), "40.00"), Bar("2026-11", Decimal(0), "0.00")))


@pytest.mark.parametrize(
    ("width", "bar"), [(80, "█" * 48), (60, "█" * (60 - 16)), (24, "█" * 8), (23, ""), (18, "")]
)
def test_bars_take_the_room_there_is(width: int, bar: str) -> None:
    """The longest fills it; where hardly any is left the numbers have to do."""
    lines = drawn(View((), (CHART,)), width)
    assert f"2026-10  40.00  {bar}".rstrip() in lines
    assert "2026-11   0.00" in lines


def test_without_shapes_words_and_numbers_have_to_do() -> None:
    """Read out, a bar or a rule is a row of equal words."""
    table = ["id  date        item  category  amount", " 1  2026-10-02  tea   food       40.00  USD"]
    assert drawn(book(TEA), shapes=False)[1:3] == table
    assert drawn(View((), (CHART,)), shapes=False)[1:] == ["2026-10  40.00", "2026-11   0.00"]


def test_bars_of_nothing_are_no_fault() -> None:
    """A chart may stand for nothing at all."""
    nothing = Chart("refunds", (Bar("C-1", Decimal(0), "0.00"),))
    assert drawn(View((), (nothing,))) == ["refunds", "C-1  0.00"]


def test_nothing_in_a_book_is_read_as_markup_or_reaches_the_terminal() -> None:
    """What hides becomes a mark; a text of two lines keeps to its column."""
    lines = drawn(book(("1", "2026-10-02", "[red]x[/]\x1b[2J\nback", "a\u202eb", "1.00", "USD")))
    assert " 1  2026-10-02  [red]x[/]⟨U+001B⟩[2J  a⟨U+202E⟩b    1.00  USD" in lines
    assert "                back" in lines


def test_no_line_ends_in_blanks_in_colour_either() -> None:
    """In a window that becomes narrower they would fold into rows of nothing."""
    text = book_text(book(TEA, BREAD, charts=(CHART,)), 80, colour=True, shapes=True)
    lines = re.sub("\x1b\\[[0-9;]*m", "", text).split("\n")
    assert [line for line in lines if line.endswith(" ")] == []
    assert any("█" in line for line in lines)


def test_colours_come_only_where_they_are_wanted() -> None:
    """Bars and headings have them."""
    assert "\x1b[" in book_text(book(TEA, charts=(CHART,)), 80, colour=True, shapes=True)
    assert "\x1b" not in book_text(book(TEA, charts=(CHART,)), 80, colour=False, shapes=True)


WORDS = st.text(st.characters(codec="utf-8"), max_size=30)


@given(item=WORDS, category=WORDS, width=st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal(item: str, category: str, width: int) -> None:
    """From 40 columns to 200, whatever is in the book: wide characters, marks, words without a blank."""
    view = book(("1", "2026-10-02", item, category, "40.00", "USD"), charts=(CHART,))
    lines = drawn(view, width)
    assert max(map(cell_len, lines)) <= width
    assert any("40.00  USD" in line for line in lines)

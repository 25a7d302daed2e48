"""What a person is shown of each agent's book."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from agentcli.agents import SHIPPED, shipped
from agentcli.agents.expenses.book import Book as Expenses
from agentcli.agents.expenses.view import MONTHS, MOST_CATEGORIES
from agentcli.agents.library.rules import LOAN_DAYS
from agentcli.agents.money import Money
from agentcli.agents.support.book import Book as Desk
from agentcli.agents.support.rules import dollars
from agentcli.agents.view import Table, View
from tests.agents.bench import TODAY, Bench


def seen(bench: Bench, today: date = TODAY) -> View:
    read = bench.agent.view
    assert read is not None
    return read(bench.tables, today)


def table(view: View, name: str) -> Table:
    return next(one for one in view.tables if one.name == name)


def bars(view: View, title: str) -> list[tuple[str, str]]:
    return [(bar.label, bar.shown) for chart in view.charts if chart.title == title for bar in chart.bars]


def spending(*expenses: tuple[str, str, str, str]) -> View:
    """The view of a book with expenses of these amounts, currencies, categories and days."""
    bench = Bench(shipped("expenses"))
    for amount, currency, category, day in expenses:
        Expenses(bench.tables).add("thing", Money(Decimal(amount), currency), category, date.fromisoformat(day))
    return seen(bench)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("sample", [True, False], ids=["sample", "empty"])
def test_every_agent_that_ships_has_a_view(name: str, sample: bool) -> None:
    """Also of an empty book; each row has a cell for every column, and no two tables have one name."""
    view = seen(Bench(shipped(name), sample=sample))
    assert view.tables
    assert len({one.name for one in view.tables}) == len(view.tables)
    for one in view.tables:
        assert one.name.isalpha()
        assert {len(row) for row in one.rows} <= {len(one.columns)}
        assert not one.columns[0].may_go
    assert sample or not any(one.rows for one in view.tables)
    assert all(chart.bars for chart in view.charts)


def test_expenses_and_notes_are_shown_as_they_are() -> None:
    """A row an expense, in the order of their numbers; notes in a table of their own."""
    bench = Bench(shipped("expenses"), sample=True)
    Expenses(bench.tables).add_note("buy less tea", TODAY)
    view = seen(bench)
    assert table(view, "expenses").rows == (("1", "2026-10-02", "tea", "food", "40.00", "USD"),)
    assert table(view, "notes").rows == (("1", "2026-11-30", "buy less tea"),)
    assert view.sums == ("total 40.00 USD over 1 expense",)


def test_currencies_are_never_summed_together() -> None:
    """Each has its own total and its own charts."""
    view = spending(
        ("10", "USD", "food", "2026-11-01"),
        ("7", "EUR", "food", "2026-11-01"),
        ("900", "JPY", "food", "2026-11-02"),
    )
    assert view.sums == (
        "total 7.00 EUR over 1 expense",
        "total 900 JPY over 1 expense",
        "total 10.00 USD over 1 expense",
    )
    assert [chart.title for chart in view.charts] == [
        *("by category, EUR", "by month, EUR"),
        *("by category, JPY", "by month, JPY"),
        *("by category, USD", "by month, USD"),
    ]
    assert bars(view, "by category, JPY") == [("food", "900")]


def test_what_cost_most_comes_first() -> None:
    """Equal ones are in the order of their names."""
    view = spending(
        ("5", "USD", "b", "2026-11-01"), ("5", "USD", "a", "2026-11-01"), ("9.50", "USD", "c", "2026-11-01")
    )
    assert bars(view, "by category, USD") == [("c", "9.50"), ("a", "5.00"), ("b", "5.00")]


@pytest.mark.parametrize("more", [0, 1, 3])
def test_many_categories_end_in_one_bar_for_the_rest(more: int) -> None:
    """The rest is summed, and the bars together are the total."""
    count = MOST_CATEGORIES + more
    view = spending(*((str(100 - number), "USD", f"c{number:02}", "2026-11-01") for number in range(count)))
    shown = bars(view, "by category, USD")
    assert len(shown) == MOST_CATEGORIES + (more > 0)
    assert more == 0 or shown[-1] == (f"{more} more", f"{sum(100 - n for n in range(MOST_CATEGORIES, count))}.00")
    assert sum(Decimal(amount) for _, amount in shown) == sum(100 - number for number in range(count))


def test_months_without_an_expense_have_a_bar_of_nothing() -> None:
    """So that the distance between two bars is the time between them."""
    view = spending(("3", "USD", "food", "2026-02-28"), ("1", "USD", "food", "2025-11-30"))
    assert bars(view, "by month, USD") == [
        *(("2025-11", "1.00"), ("2025-12", "0.00"), ("2026-01", "0.00"), ("2026-02", "3.00")),
    ]


@pytest.mark.parametrize(("first", "shown"), [("2025-12-31", "2025-12"), ("2025-11-30", "2025-12")])
def test_the_last_months_are_drawn(first: str, shown: str) -> None:
    """A year, up to the last month with an expense."""
    months = bars(spending(("1", "USD", "x", first), ("1", "USD", "x", "2026-11-01")), "by month, USD")
    assert (months[0][0], months[-1][0], len(months)) == (shown, "2026-11", MONTHS)


def test_the_desk_shows_what_was_paid_what_went_back_and_what_is_open() -> None:
    """Orders come with their customer's name; refunds are summed by customer."""
    bench = Bench(shipped("support"), sample=True)
    desk = Desk(bench.tables)
    desk.add_refund("C-1", "O-1001", dollars(Decimal(20)), None, TODAY)
    desk.add_refund("C-1", "O-1002", dollars(Decimal("0.50")), "late", TODAY)
    desk.add_case("C-2", "is angry", None, None, TODAY)
    desk.add_case("C-2", "is angry still", "O-2001", dollars(Decimal(60)), TODAY)
    view = seen(bench)
    assert table(view, "orders").rows[0] == ("O-1001", "C-1", "Ana Ruiz", "120.00", "20.00", "100.00", "USD")
    assert table(view, "customers").rows[1] == ("C-2", "Ben Okafor", "not verified")
    assert table(view, "refunds").rows == (
        ("1", "2026-11-30", "C-1", "O-1001", "20.00", "USD", ""),
        ("2", "2026-11-30", "C-1", "O-1002", "0.50", "USD", "late"),
    )
    assert table(view, "cases").rows == (
        ("1", "2026-11-30", "C-2", "", "", "", "is angry"),
        ("2", "2026-11-30", "C-2", "O-2001", "60.00", "USD", "is angry still"),
    )
    assert view.sums == ("refunded 20.50 USD of 1125.50 USD",)
    assert bars(view, "refunded by customer, USD") == [("C-1 Ana Ruiz", "20.50")]


@pytest.mark.parametrize(("days", "standing"), [(LOAN_DAYS - 14, "on loan"), (LOAN_DAYS - 13, "overdue")])
def test_the_library_shows_where_each_book_is(days: int, standing: str) -> None:
    """A book is overdue from the day after the last one of its loan."""
    view = seen(Bench(shipped("library"), sample=True), TODAY + timedelta(days=days))
    assert table(view, "books").rows[1] == ("B-2", "Emma", "Jane Austen", standing, "M-2", "2026-12-14")
    assert table(view, "books").rows[0] == ("B-1", "Dune", "Frank Herbert", "free", "", "")
    assert table(view, "members").rows == (
        ("M-1", "Ines Costa", "0.00", "USD", "0"),
        ("M-2", "Jonas Lind", "4.50", "USD", "1"),
    )
    assert view.sums == ("1 of 3 books on loan",)


def test_the_drafts_are_shown_with_their_length() -> None:
    """One bar a draft, in seconds."""
    view = seen(Bench(shipped("briefs"), sample=True))
    assert table(view, "briefs").rows[1] == ("V-2", "The whole tour", "600", "on", "1")
    assert bars(view, "length, seconds")[1] == ("V-2 The whole tour", "600")

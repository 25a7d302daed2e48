"""Dates and amounts in all the ways in which they could be meant."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.expenses.importing.values import DateOrder, DecimalMark, amounts_in, dates_in

DAY, MONTH = DateOrder.DAY_FIRST, DateOrder.MONTH_FIRST
POINT, COMMA = DecimalMark.POINT, DecimalMark.COMMA
APRIL, MARCH, LAST = date(2026, 4, 3), date(2026, 3, 4), date(2026, 3, 25)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("03/04/2026", {DAY: APRIL, MONTH: MARCH}),
        ("3.4.2026", {DAY: APRIL, MONTH: MARCH}),
        ("3-4-26", {DAY: APRIL, MONTH: MARCH}),
        (" 03/04/2026 ", {DAY: APRIL, MONTH: MARCH}),
        ("25/03/2026", {DAY: LAST}),
        ("03/25/2026", {MONTH: LAST}),
        ("2026-04-03", {DAY: APRIL, MONTH: APRIL}),
        ("2026/4/3", {DAY: APRIL, MONTH: APRIL}),
        ("2026.04.03", {DAY: APRIL, MONTH: APRIL}),
        ("29/02/2028", {DAY: date(2028, 2, 29)}),
    ],
)
def test_a_date_means_a_day_in_each_order_in_which_there_is_one(
    text: str, meant: Mapping[DateOrder, date]
) -> None:
    """Where the year comes first there is one order; where it comes last there may be two."""
    assert dates_in(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "", "yesterday", "31/02/2026", "13/13/2026", "2026-13-01", "00/01/2026", "03/04.2026", "03/04/026", "03/04",
        "2026-04-03 10:00", "1/1/1/2026", "٠٣/٠٤/٢٠٢٦", "0000-01-01", "03/04/20260",
    ],
)  # fmt: skip
def test_what_is_no_date_means_none(text: str) -> None:
    """Days that do not exist, other separators, other digits."""
    assert dates_in(text) == {}


@given(st.dates(), st.sampled_from("-/."))
def test_every_day_written_with_the_year_first_is_that_day(day: date, sign: str) -> None:
    """In both orders."""
    text = f"{day.year:04}{sign}{day.month:02}{sign}{day.day:02}"
    assert dates_in(text) == {DAY: day, MONTH: day}


@given(st.dates())
def test_every_day_is_among_what_it_could_mean(day: date) -> None:
    """However it is written, the right reading is there."""
    assert dates_in(f"{day.day}/{day.month}/{day.year:04}")[DAY] == day
    assert dates_in(f"{day.month}/{day.day}/{day.year:04}")[MONTH] == day


@pytest.mark.parametrize(
    ("text", "currency", "meant"),
    [
        ("12", "USD", {POINT: "12", COMMA: "12"}),
        ("12.5", "USD", {POINT: "12.5"}),
        ("12,50", "USD", {COMMA: "12.50"}),
        ("1,234", "USD", {POINT: "1234"}),
        ("1.234", "USD", {COMMA: "1234"}),
        ("1,234", "KWD", {POINT: "1234", COMMA: "1.234"}),
        ("1,234", "JPY", {POINT: "1234"}),
        ("1,234.50", "USD", {POINT: "1234.50"}),
        ("1.234,50", "USD", {COMMA: "1234.50"}),
        ("1,234,567", "USD", {POINT: "1234567"}),
        ("1 234,50", "USD", {COMMA: "1234.50"}),
        ("1\u00a0234\u00a0567", "USD", {POINT: "1234567", COMMA: "1234567"}),
        ("1'234.50", "CHF", {POINT: "1234.50"}),
        ("0.01", "USD", {POINT: "0.01"}),
        ("999999999999999", "USD", {POINT: "999999999999999", COMMA: "999999999999999"}),
        ("12.5", "KWD", {POINT: "12.5"}),
        ("4.00", "JPY", {}),
        ("12.345", "USD", {COMMA: "12345"}),
        ("12.3456", "USD", {}),
    ],
)  # fmt: skip
def test_an_amount_means_what_can_be_spent_with_each_mark(
    text: str, currency: str, meant: Mapping[DecimalMark, str]
) -> None:
    """Three digits after a mark are thousands where the currency has fewer decimals."""
    assert amounts_in(text, currency) == {mark: Decimal(amount) for mark, amount in meant.items()}


@pytest.mark.parametrize(
    "text",
    [
        "", "free", "0", "0,00", "-4", "+4", "4-", "(4)", "$4", "4 EUR", "4.", ",5", ".5", "1,23,456", "12,34,567.00", "1,234.567,8",
        "1 23", "1, 234", "1.2.3", "1,,234", "1e3", "NaN", "٤", "1_000", "1234567890123456", "1,234 567",
    ],
)  # fmt: skip
def test_what_is_no_amount_means_none(text: str) -> None:
    """Signs, currencies, groups of other lengths, nothing, and what is not above nothing."""
    assert amounts_in(text, "USD") == {}


@given(st.integers(1, 10**12))
def test_every_amount_is_among_what_it_could_mean(cents: int) -> None:
    """Grouped or not, with point or comma."""
    amount = Decimal(cents).scaleb(-2)
    assert amounts_in(f"{amount:.2f}", "USD")[POINT] == amount
    grouped = f"{amount:,.2f}"
    assert amounts_in(grouped, "USD")[POINT] == amount
    assert amounts_in(grouped.translate({44: ".", 46: ","}), "USD")[COMMA] == amount

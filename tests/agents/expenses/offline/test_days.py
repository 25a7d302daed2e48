"""Days and periods as people name them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.expenses.offline.days import Period, last_day_before_month, take_day, take_period

MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        ("lunch", None, "lunch"),
        ("lunch today", "2026-11-30", "lunch"),
        ("lunch yesterday at noon", "2026-11-29", "lunch at noon"),
        ("the day before yesterday", "2026-11-28", ""),
        ("tomorrow", "2026-12-01", ""),
        ("lunch on Monday", "2026-11-30", "lunch"),
        ("last monday", "2026-11-23", ""),
        ("on tuesday", "2026-11-24", ""),
        ("last tuesday", "2026-11-24", ""),
        ("on sunday", "2026-11-29", ""),
        ("3 days ago", "2026-11-27", ""),
        ("a week ago", "2026-11-23", ""),
        ("2 weeks ago", "2026-11-16", ""),
        ("tea on 2026-11-02", "2026-11-02", "tea"),
        ("on 2026-02-30", "2026-02-30", ""),
        ("on nov 2", "2026-11-02", ""),
        ("30 november", "2026-11-30", ""),
        ("2nd of December", "2025-12-02", ""),
        ("December 5th, 2024", "2024-12-05", ""),
        ("someday", None, "someday"),
        ("mondays", None, "mondays"),
    ],
)
def test_a_day_is_the_latest_one_that_fits(text: str, day: str | None, rest: str) -> None:
    """A weekday or a day without its year is never in the future; one that does not exist stays as written."""
    assert take_day(text, MONDAY) == (day, rest)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("food", None, None),
        ("this month", "2026-11-01", "2026-11-30"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("this week", "2026-11-30", "2026-12-06"),
        ("previous week", "2026-11-23", "2026-11-29"),
        ("this year", "2026-01-01", "2026-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("in November", "2026-11-01", "2026-11-30"),
        ("in december", "2025-12-01", "2025-12-31"),
        ("in february 2024", "2024-02-01", "2024-02-29"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("yesterday", "2026-11-29", "2026-11-29"),
        ("is this month's total", "2026-11-01", "2026-11-30"),
        ("from sunday", "2026-11-29", "2026-11-29"),
        ("since monday", "2026-11-30", None),
        ("since last month", "2026-10-01", None),
        ("after 2026-11-02", "2026-11-03", None),
        ("after october", "2026-11-01", None),
        ("until yesterday", None, "2026-11-29"),
        ("up to last month", None, "2026-10-31"),
        ("before 2026-11-01", None, "2026-10-31"),
        ("older than this month", None, "2026-10-31"),
        ("before 2026-02-30", None, "2026-02-30"),
        ("between 2026-11-01 and yesterday", "2026-11-01", "2026-11-29"),
        ("from 2026-11-01 to 2026-11-15", "2026-11-01", "2026-11-15"),
    ],
)
def test_a_period_has_its_first_and_its_last_day(text: str, since: str | None, until: str | None) -> None:
    """Both are included, and an end that was not named is open."""
    assert take_period(f"how much {text}", MONDAY)[0] == Period(since, until)


def test_what_is_no_period_stays_in_the_text() -> None:
    """The rest of a question says what was asked about."""
    assert take_period("how much on food this month", MONDAY)[1] == "how much on food"


@pytest.mark.parametrize(
    ("today", "day"),
    [
        (date(2026, 12, 1), "2026-11-30"),
        (date(2026, 12, 31), "2026-11-30"),
        (date(2027, 1, 1), "2026-12-31"),
        (date(2028, 3, 15), "2028-02-29"),
    ],
)
def test_old_is_what_is_dated_before_this_month(today: date, day: str) -> None:
    """The last day that is old is the last one of last month."""
    assert last_day_before_month(today) == day


NAMES = (
    "yesterday", "tomorrow", "on friday", "last friday", "999 weeks ago", "on 31 december", "29 february",
    "last month", "last year", "this week", "in december", "before 0001-01-01", "after 9999-12-31", "since last week",
)  # fmt: skip


@given(st.sampled_from(NAMES), st.dates())
def test_no_day_is_too_early_or_too_late(name: str, today: date) -> None:
    """At the ends of the calendar too a name has a day, or one that the tools refuse."""
    day, _ = take_day(name, today)
    period, _ = take_period(name, today)
    found = [text for text in (day, period.since, period.until) if text is not None]
    assert found
    assert all(len(text) == 10 for text in found)

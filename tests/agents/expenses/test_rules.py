"""How the book guesses a category, and which day its sample has."""

from datetime import date

import pytest

from agentcli.agents.expenses.rules import category_for, sample_day


@pytest.mark.parametrize(
    ("item", "category"),
    [
        ("tea", "food"),
        ("Groceries", "food"),
        ("lunches", "food"),
        ("a big coffee, to go", "food"),
        ("taxi to dinner", "transport"),
        ("bus-ticket", "transport"),
        ("buses", "transport"),
        ("Rent (November)", "housing"),
        ("books", "entertainment"),
        ("food", "food"),
        ("teak table", "other"),
        ("sofa", "other"),
        ("", "other"),
        ("…", "other"),
    ],
)
def test_the_first_word_that_is_known_says_the_category(item: str, category: str) -> None:
    """Where nobody names a category, the item decides by whole words, and `other` is what is left."""
    assert category_for(item) == category


@pytest.mark.parametrize(
    ("today", "day"),
    [
        (date(2026, 12, 1), date(2026, 11, 2)),
        (date(2026, 12, 31), date(2026, 11, 2)),
        (date(2027, 1, 1), date(2026, 12, 2)),
        (date(2028, 3, 31), date(2028, 2, 2)),
    ],
)
def test_the_sample_is_of_last_month(today: date, day: date) -> None:
    """So that a first clean-up of old entries has something to find, whatever the day."""
    assert sample_day(today) == day

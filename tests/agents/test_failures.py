"""Failures of the agents that ship have the category of their status."""

import pytest

from agentcli.agents.failures import changed_since, refused
from agentcli.tools.outcome import Category


@pytest.mark.parametrize(
    ("status", "category", "is_retryable"),
    [
        ("order_not_found", Category.VALIDATION, True),
        ("malformed", Category.VALIDATION, True),
        ("exceeds_order", Category.BUSINESS, False),
        ("book_on_loan", Category.BUSINESS, False),
    ],
)
def test_the_status_says_who_can_do_something_about_it(
    status: str, category: Category, is_retryable: bool
) -> None:
    """Another input may help where the input is to blame; a rule of the domain stays one."""
    failure = refused(status, "That is so.")
    assert (failure.category, failure.retryable, failure.message) == (category, is_retryable, "That is so.")


def test_a_status_of_unknown_category_is_a_mistake() -> None:
    """Nothing is guessed about a status that the contract of results does not name."""
    with pytest.raises(ValueError, match="'out_of_tea'"):
        refused("out_of_tea", "There is none.")


def test_an_undo_that_comes_too_late_is_a_rule_of_the_domain() -> None:
    """It is not tried again."""
    failure = changed_since("It was changed.")
    assert (failure.status, failure.category, failure.retryable) == ("changed_since", Category.BUSINESS, False)

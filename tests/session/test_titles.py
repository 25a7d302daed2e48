"""What a session is called."""

import pytest

from agentcli.session.titles import LONGEST_TITLE, title_of
from tests.session import telling as t


@pytest.mark.parametrize(
    ("given", "said", "title"),
    [
        pytest.param("tea", ["Add 300"], "tea", id="given"),
        pytest.param("", ["Add 300\n for  tea", "list"], "Add 300 for tea", id="said-first"),
        pytest.param("", ["x" * LONGEST_TITLE], "x" * LONGEST_TITLE, id="just-short-enough"),
        pytest.param("", ["x" * (LONGEST_TITLE + 1)], "x" * (LONGEST_TITLE - 1) + "…", id="too-long"),
        pytest.param("", [], "", id="nothing-said"),
    ],
)
def test_a_session_is_called_what_somebody_called_it_or_said_first(
    given: str, said: list[str], title: str
) -> None:
    """On one line, and no longer than fits one."""
    words = [t.said(number, text) for number, text in enumerate(said, start=1)]
    assert title_of(given, t.state_of(t.opened(), t.attached(), *words)) == title

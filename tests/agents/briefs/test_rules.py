"""What is new about a brief, and what a person is told about an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.briefs.rules import (
    HINTS,
    LONGEST_WAIT_S,
    Brief,
    address,
    differences,
    disruption_message,
    edited,
    option_problem,
    review_message,
)
from agentcli.problems import DECISIONS, Review

TOUR = Brief("V-2", "The whole tour", 600, True, 1)

briefs = st.builds(Brief, st.text(), st.text(), st.integers(1, 86_400), st.booleans(), st.integers(1, 99))


@given(briefs)
def test_a_brief_can_be_read_back_from_a_result(brief: Brief) -> None:
    """What a tool hands out holds the whole brief."""
    assert Brief.from_result(brief.as_result()) == brief


def test_an_edit_raises_the_revision_and_leaves_the_rest() -> None:
    """Also an edit that changes nothing else."""
    assert edited(TOUR, title=None, seconds=90, captions=False) == Brief("V-2", "The whole tour", 90, False, 2)
    assert edited(TOUR, title=" Tour ", seconds=None, captions=None) == Brief("V-2", "Tour", 600, True, 2)


def test_differences_are_a_line_each() -> None:
    """Before and after stand side by side; what is the same is left out."""
    assert differences(TOUR, Brief("V-2", "Tour", 90, False, 2)) == [
        "title “The whole tour” → “Tour”",
        "seconds 600 → 90",
        "captions on → off",
        "revision 1 → 2",
    ]
    assert differences(TOUR, TOUR) == []


def test_every_category_has_a_hint_of_ours() -> None:
    """A person is never left with a code alone."""
    assert set(HINTS) == set(DECISIONS)


@pytest.mark.parametrize(
    ("http_status", "shown"), [(422, "REVIEW_INPUT (SOME_REASON, HTTP 422)"), (None, "(SOME_REASON, no valid HTTP status)")]
)  # fmt: skip
def test_a_review_names_category_reason_status_and_hint(http_status: int | None, shown: str) -> None:
    """And leaves what to do next to a person."""
    message = review_message("V-2", Review(decision="REVIEW_INPUT", reason="SOME_REASON", http_status=http_status))
    assert shown in message
    assert HINTS["REVIEW_INPUT"] in message
    assert message.endswith("What to do next is for a person to say.")


def test_a_disruption_says_whether_the_api_may_have_the_brief() -> None:
    """What surely did not happen and what nobody knows are told apart; both name the place in the log."""
    not_sent = disruption_message("V-1", sent=False, reference="ab12")
    sent = disruption_message("V-1", sent=True, reference="ab12")
    assert "V-1 was not submitted (reference ab12 in the log)" in not_sent
    assert "nobody knows" in sent
    assert "reference ab12 in the log" in sent


@pytest.mark.parametrize("url", ["https://api.example.test/v1", "https://api.example.test/v1/"])
def test_briefs_are_posted_below_the_address_of_the_api(url: str) -> None:
    """With or without a slash at its end."""
    assert address(url) == "https://api.example.test/v1/briefs"


OPTIONS = [
    pytest.param("", 10, None, id="the-embedded-api"),
    pytest.param("https://api.example.test", 0.1, None, id="an-address"),
    pytest.param("http://[::1]:8080/v1", LONGEST_WAIT_S, None, id="the-longest-wait"),
    pytest.param("", LONGEST_WAIT_S + 0.5, "timeout_s", id="a-longer-wait"),
    pytest.param("http://host:65536", 10, "api_url", id="a-port-that-is-none"),
    pytest.param("http://host:0", 10, "api_url", id="port-0"),
    pytest.param("http://:80", 10, "api_url", id="no-host"),
    pytest.param("http://[::1", 10, "api_url", id="half-an-address"),
]


@pytest.mark.parametrize(("url", "timeout_s", "option"), OPTIONS)
def test_an_option_that_can_t_work_is_named_before_anything_runs(
    url: str, timeout_s: float, option: str | None
) -> None:
    """So that it can be found in the config."""
    problem = option_problem({"api_url": url, "timeout_s": timeout_s})
    assert (problem and problem[0]) == option

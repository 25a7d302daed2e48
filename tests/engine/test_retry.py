"""A failed request is tried again at most three times, within thirty seconds, and only where it may help."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.engine.retry import DELAYS_S, WINDOW, retry_at
from agentcli.session.ports import FailureKind, ReplyFailed
from tests.fakes import NOON


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def again(attempt: int = 1, *, after_s: float = 0, retry_after_s: float | None = None, failure: FailureKind = FailureKind.OVERLOADED) -> float | None:  # fmt: skip
    """Seconds from the first try to the next one, for a try that fails `after_s` seconds after the first."""
    failed = ReplyFailed(failure, "…", retry_after_s=retry_after_s)
    at = retry_at(failed, attempt=attempt, first_at=NOON, now=later(after_s))
    return None if at is None else (at - NOON).total_seconds()


# fmt: off
TABLE = [
    # what is special                 attempt  after   retry-after  next try, seconds after the first
    ("first-failure",                 1,       0,      None,        1),
    ("second-failure",                2,       1,      None,        4),
    ("third-failure",                 3,       4,      None,        12),
    ("fourth-failure",                4,       12,     None,        None),
    ("the-service-says-when",         1,       0,      7,           7),
    ("the-service-says-at-once",      3,       5,      0,           5),
    ("the-service-says-yesterday",    1,       2,      -5,          2),
    ("exactly-30-seconds",            1,       10,     20,          30),
    ("30-seconds-at-once",            1,       0,      30,          30),
    ("later-than-30-seconds",         1,       10,     20.01,       None),
    ("slow-failures",                 2,       27,     None,        30),
    ("too-slow-failures",             2,       27.01,  None,        None),
    ("the-service-says-tomorrow",     1,       0,      86_400,      None),
    ("the-service-says-never",        1,       0,      float("inf"), None),
    ("the-service-says-nonsense",     1,       0,      1e300,       None),
    ("the-service-says-no-number",    1,       0,      float("nan"), None),
]
# fmt: on


@pytest.mark.parametrize(
    ("attempt", "after_s", "retry_after_s", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_the_next_try(attempt: int, after_s: float, retry_after_s: float | None, expected: float | None) -> None:
    """Longer pauses each time, or what the service asks for, as long as it is within thirty seconds."""
    assert again(attempt, after_s=after_s, retry_after_s=retry_after_s) == expected


@pytest.mark.parametrize("failure", FailureKind, ids=str)
def test_only_what_may_go_away_is_tried_again(failure: FailureKind) -> None:
    """A refused key or a rejected request would be refused again."""
    tried_again = again(failure=failure) is not None
    assert tried_again is (failure not in (FailureKind.UNAUTHORIZED, FailureKind.REJECTED))


@given(st.integers(1, 10), st.floats(0, 100), st.none() | st.floats())
def test_no_try_is_ever_later_than_the_window(attempt: int, after_s: float, retry_after_s: float | None) -> None:
    """Whatever a service says, it gets at most four tries, the last thirty seconds after the first."""
    at = again(attempt, after_s=after_s, retry_after_s=retry_after_s)
    assert at is None or (after_s - 1e-3 <= at <= WINDOW.total_seconds() and attempt <= len(DELAYS_S))

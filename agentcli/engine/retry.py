"""When a request that failed is tried again."""

from datetime import datetime, timedelta
from typing import Final

from agentcli.session.ports import ReplyFailed
from agentcli.session.steps import MAX_ATTEMPTS

WINDOW: Final = timedelta(seconds=30)
DELAYS_S: Final = (1.0, 3.0, 8.0)
"""Seconds before the second, third and fourth try, unless the service says otherwise."""


def retry_at(failed: ReplyFailed, *, attempt: int, first_at: datetime, now: datetime) -> datetime | None:
    """Return when to try again, or None where it is of no use or would be later than 30 s after the first try."""
    if not failed.failure.retryable or attempt >= MAX_ATTEMPTS:
        return None
    delay_s = DELAYS_S[attempt - 1] if failed.retry_after_s is None else failed.retry_after_s
    # What a service asks for may be no number at all, or more than any time can hold.
    if not delay_s <= WINDOW.total_seconds():
        return None
    at = now + timedelta(seconds=max(0.0, delay_s))
    return at if at - first_at <= WINDOW else None

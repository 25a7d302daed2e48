"""Times are stored in UTC, and shown as the clock beside the reader has them."""

import time
from datetime import UTC, datetime

import pytest

from agentcli.local_time import local_minute, local_second


def test_times_are_read_in_the_time_zone_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The day is the one that it is there."""
    at = datetime(2026, 11, 30, 23, 30, 5, tzinfo=UTC)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        minute, second = local_minute(at), local_second(at)
    time.tzset()
    assert (minute, second) == ("2026-12-01 08:30", "2026-12-01 08:30:05")

"""The clock of the machine tells the machine's time."""

from datetime import UTC, datetime, timedelta

from agentcli.engine.clock import SystemClock


def test_now_is_now_in_utc() -> None:
    """Entries are dated in one time zone, wherever they are written."""
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert abs(datetime.now(UTC) - now) < timedelta(seconds=5)


def test_today_is_the_day_where_the_machine_is() -> None:
    """A person's today is a local one."""
    before, today, after = datetime.now().date(), SystemClock().today(), datetime.now().date()
    assert before <= today <= after


async def test_sleeping_takes_time() -> None:
    """And holds up nobody else."""
    clock = SystemClock()
    before = clock.now()
    await clock.sleep(0.02)
    assert clock.now() - before >= timedelta(seconds=0.019)

"""The clock of the machine."""

import asyncio
from datetime import UTC, date, datetime


class SystemClock:
    """Time as the machine tells it."""

    def now(self) -> datetime:
        """The time in UTC."""
        return datetime.now(UTC)

    def today(self) -> date:
        """The day in the machine's time zone."""
        return datetime.now().astimezone().date()

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up the event loop."""
        await asyncio.sleep(seconds)

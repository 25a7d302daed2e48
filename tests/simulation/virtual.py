"""Time that passes only when nobody has anything left to do, so that a world of minutes takes milliseconds."""

import asyncio
import selectors
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

START: Final = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


class Stuck(BaseException):
    """Everybody waits, and nothing that could wake them is on its way."""


class _Selector(selectors.SelectSelector):
    """Never waits: where a real one would, time jumps."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Stuck
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that lives in virtual time."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)
        self.set_exception_handler(lambda loop, context: None)

    def time(self) -> float:
        return self._virtual.now


class VirtualClock:
    """The clock of a world."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def now(self) -> datetime:
        return START + timedelta(microseconds=round(self._loop.time() * 1e6))

    def today(self) -> date:
        return self.now().date()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

"""Where a demo plays: a loop whose time is its own, as fast as wished or without any waiting at all."""

import asyncio
import selectors
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any, Final

from msgspec import Struct, field

_PATIENCE_S: Final = 0.02


class _Pace:
    """How time goes: `speed` times as fast as the world's, or, without one, from one timer to the next."""

    def __init__(self, speed: float | None) -> None:
        self._speed = speed
        self._began = time.monotonic()
        self._jumped = 0.0
        self.is_held: Callable[[], bool] = lambda: False

    def now(self) -> float:
        """Seconds since the stage was set."""
        return self._jumped if self._speed is None else (time.monotonic() - self._began) * self._speed

    def skip(self, seconds: float) -> None:
        """Let time pass at once."""
        self._jumped += seconds

    def select(self, select: Callable[[float | None], list[Any]], timeout: float | None) -> list[Any]:
        """Wait for something to be read, at most until the next timer is due."""
        if self._speed is not None:
            return select(None if timeout is None else timeout / self._speed)
        ready = select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if timeout is None or self.is_held():
            # The world outside takes its time, in which none passes on the stage.
            return select(_PATIENCE_S)
        self._jumped += timeout
        return []


class _Selector(selectors.DefaultSelector):
    def __init__(self, pace: _Pace) -> None:
        super().__init__()
        self._pace = pace

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return self._pace.select(super().select, timeout)


class StageLoop(asyncio.SelectorEventLoop):
    """An event loop on a time of its own; without a speed the same work always takes the same time."""

    def __init__(self, speed: float | None = None) -> None:
        self._pace = _Pace(speed)
        super().__init__(_Selector(self._pace))

    def time(self) -> float:
        """Seconds since the stage was set."""
        return self._pace.now()

    def skip(self, seconds: float) -> None:
        """Let time pass at once in which nothing can happen, as when everything stands still."""
        self._pace.skip(seconds)

    def hold_while(self, is_held: Callable[[], bool]) -> None:
        """Let no time pass while something is at work outside that takes as long as it takes."""
        self._pace.is_held = is_held


class StageClock(Struct, frozen=True):
    """The clock of those who play: it shows `start` when the stage is set."""

    start: datetime
    loop: asyncio.AbstractEventLoop

    def now(self) -> datetime:
        """The time, in the zone of the start."""
        return self.start + timedelta(seconds=round(self.loop.time(), 6))

    def today(self) -> date:
        """The day in that zone."""
        return self.now().date()

    async def sleep(self, seconds: float) -> None:
        """Wait on the stage's time."""
        await asyncio.sleep(seconds)


class Tape(Struct):
    """Takes down what is written, and when; a file to write to like any other."""

    seconds: Callable[[], float]
    frames: list[tuple[float, str]] = field(default_factory=list)
    encoding: str = "utf-8"

    def write(self, text: str) -> int:
        """Take down a piece of output."""
        if text:
            self.frames.append((round(self.seconds(), 6), text))
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""

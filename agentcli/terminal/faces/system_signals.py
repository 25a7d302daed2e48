"""The signals by which the system asks the process to end, as far as it has them."""

import asyncio
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

HANG_UP: Final[int] = getattr(signal, "SIGHUP", signal.SIGTERM)
"""What a terminal that is gone is told as."""

ENDING: Final = (signal.SIGTERM, HANG_UP)


def heed(numbers: Iterable[int], act: Callable[[int], object]) -> None:
    """Have a function called in the running loop when one of the signals comes."""
    for number in numbers:
        # Not every system's loop can.
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, act, number)


def ignore(numbers: Iterable[int]) -> None:
    """Leave the signals to the system again."""
    for number in numbers:
        # Where the loop can't, none was heeded.
        with suppress(NotImplementedError):
            asyncio.get_running_loop().remove_signal_handler(number)

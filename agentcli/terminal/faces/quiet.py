"""A timer that runs out only when nothing came meanwhile, not even unread."""

import asyncio
from collections.abc import Callable


class QuietTimer:
    """Calls back after a time of quiet; input that waits unread while it runs out starts it anew.

    The check matters when the loop was held up: keys typed meanwhile have not been handled yet, but they
    were typed before the timer ran out.
    """

    def __init__(self, is_input_waiting: Callable[[], bool], on_quiet: Callable[[], None]) -> None:
        self._is_input_waiting = is_input_waiting
        self._on_quiet = on_quiet
        self._timer: asyncio.TimerHandle | None = None

    def restart(self, seconds: float) -> None:
        """Begin to wait, or begin anew."""
        self.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._run_out, seconds)

    def cancel(self) -> None:
        """Stop waiting."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _run_out(self, seconds: float) -> None:
        if self._is_input_waiting():
            self.restart(seconds)
        else:
            self._timer = None
            self._on_quiet()

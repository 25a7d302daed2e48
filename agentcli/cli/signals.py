"""Signals while a run is going on: the first stops or leaves at a safe point, a second Ctrl-C leaves at once."""

import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, Self

from agentcli.cli.exits import Exit

AGAIN_S: Final = 2.0

EXITS: Final = {
    signal.SIGINT: Exit.INTERRUPTED,
    signal.SIGTERM: Exit.TERMINATED,
    **({signal.SIGHUP: Exit.HUNG_UP} if hasattr(signal, "SIGHUP") else {}),
}


class Signals:
    """Tells what to do when a signal comes, for as long as it is entered.

    Args:
        stop: Ask the run to stop; called for a Ctrl-C, from within the signal's handler.
        leave: Begin nothing new; called for the other signals.
        give_up: End the process; called for the second Ctrl-C within `AGAIN_S`.
    """

    def __init__(
        self, *, stop: Callable[[], object], leave: Callable[[], object], give_up: Callable[[], object]
    ) -> None:
        self.exit: Exit | None = None
        self._stop, self._leave, self._give_up = stop, leave, give_up
        self._interrupted_at: float | None = None
        self._former: dict[signal.Signals, Any] = {}

    def listen(self) -> None:
        """Handle the signals from here on; also after somebody else has handled them for a while."""
        for number in EXITS:
            former = signal.signal(number, self._handle)
            self._former.setdefault(number, former)

    def __enter__(self) -> Self:
        self.listen()
        return self

    def __exit__(self, *_: object) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.exit = EXITS[signal.Signals(number)]
        if number != signal.SIGINT:
            self._leave()
            return
        now = time.monotonic()
        if self._interrupted_at is not None and now - self._interrupted_at <= AGAIN_S:
            self._give_up()
            return
        self._interrupted_at = now
        self._stop()

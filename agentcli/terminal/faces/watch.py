"""Tells the rule for answers what came from the keyboard, and when nothing did for long enough."""

from collections.abc import Callable

from prompt_toolkit.buffer import Buffer

from agentcli.terminal.faces.desk import Desk
from agentcli.terminal.faces.quiet import QuietTimer
from agentcli.terminal.question.arming import SETTLE_S


class Watch:
    """Looks at the line before and after each key, and runs the two timers."""

    def __init__(self, desk: Desk, buffer: Buffer, is_input_waiting: Callable[[], bool]) -> None:
        self._desk = desk
        self._buffer = buffer
        self._arm = QuietTimer(is_input_waiting, self._armed)
        self._settle = QuietTimer(is_input_waiting, self._settled)
        self._before = ("", 0)
        self._typed = ""

    def key_begins(self) -> None:
        """A key is about to be handled."""
        self._typed = ""
        self._before = (self._buffer.text, self._buffer.working_index)
        self._desk.key_begins()

    def typed(self, text: str) -> None:
        """The key that is being handled stands for these characters."""
        self._typed = text

    def key_ends(self) -> None:
        """A key was handled."""
        before, index = self._before
        recalled = index != self._buffer.working_index
        arming = self._desk.arming.keyed(before, self._buffer.text, typed=self._typed, recalled=recalled)
        self._desk.arming = arming
        if self._typed:
            self._settle.restart(SETTLE_S)
        self._wait_for_quiet()

    def painted(self) -> None:
        """The question is on the screen in full."""
        self._wait_for_quiet()

    def disturbed(self) -> None:
        """Something came that is no key, or the question has to be painted anew: it must be quiet first."""
        self._desk.arming = self._desk.arming.disturbed()
        self._wait_for_quiet()

    def stop(self) -> None:
        """Watch no longer."""
        self._arm.cancel()
        self._settle.cancel()

    def _wait_for_quiet(self) -> None:
        self._arm.cancel()
        if self._desk.asking is not None and self._desk.asking.is_painted:
            self._arm.restart(self._desk.arming.quiet_s)

    def _armed(self) -> None:
        self._desk.arming = self._desk.arming.quiet()

    def _settled(self) -> None:
        self._desk.arming = self._desk.arming.settled()

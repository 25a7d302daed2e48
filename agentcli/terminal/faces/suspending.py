"""Ctrl-Z: the shell has the terminal until its `fg`."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.keys import Keys

from agentcli.terminal.faces.linear import LinearOutput
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.system_signals import heed, ignore

CONTINUED: Final = (signal.SIGCONT,) if hasattr(signal, "SIGCONT") else ()


def stop_job() -> None:
    """Stop all that the shell started with us, until it has us go on; nothing where no shell could."""
    if hasattr(signal, "SIGTSTP"):
        os.kill(0, signal.SIGTSTP)


class Suspending:
    """Gives the terminal to the shell, and takes it back; without a way to `stop` it never does.

    `taken_back` is called before all is drawn anew, for nobody has seen what was drawn before.
    """

    def __init__(
        self,
        app: Application[None],
        input: Input,
        output: SteadyOutput | LinearOutput,
        stop: Callable[[], object] | None,
        taken_back: Callable[[], object],
    ) -> None:
        self._app, self._output = app, output
        self._modes = input.raw_mode()
        self._stop, self._taken_back = stop, taken_back

    def heed(self) -> None:
        """See to it that we have the terminal again also where a stop came from elsewhere."""
        if self._stop is not None:
            heed(CONTINUED, lambda _: self._take_back())

    def ignore(self) -> None:
        """Leave what goes on after a stop to the system again."""
        if self._stop is not None:
            ignore(CONTINUED)

    def leave(self) -> None:
        """Leave the terminal as a shell expects it."""
        with suppress(OSError):
            self._output.leave()
        self._modes.__exit__(None, None, None)

    def suspend(self) -> None:
        """Stop until the shell has us go on."""
        if self._stop is None:
            return
        self._app.renderer.erase()
        self.leave()
        # Going on is seen to here, also where the shell has us go on behind it first; two would draw twice.
        self.ignore()
        self._stop()
        keys = self._app.key_processor.input_queue
        while keys and keys[0].key is Keys.ControlZ:
            # Pressed twice in haste: it has stopped, and is not to stop again as soon as it is wanted.
            keys.popleft()
        self._take_back()
        self.heed()

    def _take_back(self) -> None:
        # The shell has written where the frame was, and has set the terminal's modes as it wants them.
        self.leave()
        self._modes.__enter__()
        self._app.renderer.reset()
        self._taken_back()
        self._app.invalidate()

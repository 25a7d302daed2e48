"""Lines that go above the input line for good: written once, all of a loop's turn together."""

import asyncio

from prompt_toolkit.application import Application

from agentcli.terminal.faces.linear import LinearOutput
from agentcli.terminal.faces.output import SteadyOutput


class Printing:
    """Takes finished lines and writes them where the input line was, which is then drawn below them."""

    def __init__(self, app: Application[None], output: SteadyOutput | LinearOutput) -> None:
        self._app = app
        self._output = output
        self._texts: list[str] = []
        self._is_due = False

    def add(self, text: str) -> None:
        """Have the text printed in this turn of the loop."""
        self._texts.append(text if text.endswith("\n") else text + "\n")
        if self._app.is_running and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self.now)

    def now(self) -> None:
        """Print what there is."""
        self._is_due = False
        if not self._texts:
            return
        text = "".join(self._texts)
        self._texts.clear()
        if isinstance(self._output, LinearOutput):
            self._output.write_lines(text)
            self._app.invalidate()
            return
        # The terminal stays raw: in the usual mode an Enter that comes meanwhile would turn into Ctrl-J.
        self._output.hold()
        self._app.renderer.erase()
        self._output.write_raw(text.replace("\n", "\r\n"))
        self._app.invalidate()

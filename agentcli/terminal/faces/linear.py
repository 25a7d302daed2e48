"""A terminal that is only ever written on: nothing drawn is drawn anew, so that it can be read out or kept.

What a screen shows in its parts comes out as lines, each once when it changes; what is typed is echoed.
"""

import os
from collections.abc import Callable, Mapping
from typing import Final, TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import DummyOutput

from agentcli.terminal.drawing.fold import cell_width, is_width_unsure
from agentcli.terminal.drawing.styled import is_dumb, plain
from agentcli.terminal.faces.output import NOTIFICATION
from agentcli.terminal.faces.picture import BELOW_PROMPT, PROMPT, Seen
from agentcli.visible import visible

_PASTE_ON: Final = "\x1b[?2004h"
_PASTE_OFF: Final = "\x1b[?2004l"
_RUB_OUT: Final = "\b \b"


class LinearOutput(DummyOutput):
    """The terminal that stdout is. What prompt-toolkit draws is not written; `show` writes what has changed."""

    def __init__(self, stdout: TextIO, size: Callable[[], Size], *, is_dumb: bool, notifies: bool = False) -> None:
        self._stdout = stdout
        self._size = size
        self._is_dumb = is_dumb
        self._notifies = notifies and not is_dumb
        self._seen = Seen()
        self._echoed = ""
        self._is_pasting = False

    def get_size(self) -> Size:
        """The terminal's size."""
        return self._size()

    def enable_bracketed_paste(self) -> None:
        """Have pastes marked, from the first line on."""
        if not (self._is_dumb or self._is_pasting):
            self._is_pasting = True
            self._write(_PASTE_ON)

    def bell(self) -> None:
        """Ring."""
        self._write("\a")

    def notify(self, text: str) -> None:
        """Have a notification shown on the desktop, if that is wanted and the terminal may know the sequence."""
        if self._notifies:
            self._write(NOTIFICATION.format(text))

    def write_lines(self, text: str) -> None:
        """Write lines that are safe to draw; what was being typed comes again below them."""
        self._end_line()
        self._write(text)

    def show(self, seen: Seen) -> None:
        """Write what is not as it was."""
        before, self._seen = self._seen, seen
        # What a wrong answer to a form leads to is the same form again, as a rule.
        panel_before = before.panel if seen.times_asked == before.times_asked else ()
        # A line may come in one piece with Enter, and then be told what the one before was told.
        hint_before = before.hint if seen.line_no == before.line_no else ()
        for part, was in ((seen.panel, panel_before), (seen.hint, hint_before)):
            if part and part != was:
                self.write_lines("".join(plain(line) + "\n" for line in part))
        if seen.line_no != before.line_no:
            self._end_line()
        if seen.text or seen.waits or self._echoed:
            self._echo(seen.prompt + _typed(seen.text))

    def complete_line(self, text: str) -> None:
        """Echo the rest of a line that is about to go: it may have come in one piece with Enter."""
        if text:
            self._echo((self._seen.prompt or PROMPT) + _typed(text))

    def leave(self) -> None:
        """Leave the terminal as a shell expects it; what is shown after that is told anew."""
        self._end_line()
        self._seen = Seen()
        if self._is_pasting:
            self._write(_PASTE_OFF)
            self._is_pasting = False

    def _echo(self, line: str) -> None:
        is_rubbed_out = len(self._echoed) == len(line) + 1 and self._echoed.startswith(line)
        if is_rubbed_out and not is_width_unsure(self._echoed[-1]):
            self._write(_RUB_OUT * cell_width(self._echoed[-1]))
        elif line.startswith(self._echoed):
            self._write(line[len(self._echoed) :])
        else:
            self._end_line()
            self._write(line)
        self._echoed = line

    def _end_line(self) -> None:
        if self._echoed:
            self._write("\n")
            self._echoed = ""

    def _write(self, text: str) -> None:
        # What the encoding does not have is spelled out, not lost and no error.
        encoding = self._stdout.encoding or "utf-8"
        self._stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        self._stdout.flush()


def _typed(text: str) -> str:
    """Return what was typed so far, safe to draw; blanks at its ends are still to be followed by something.

    Set in, so that no later line of a text can pass for one of ours.
    """
    return visible(f"-{text}-")[1:-1].replace("\n", f"\n{BELOW_PROMPT}")


def open_linear(stdout: TextIO, environment: Mapping[str, str], *, notifies: bool) -> LinearOutput:
    """Return the terminal that stdout is."""

    def size() -> Size:
        columns, rows = os.get_terminal_size(stdout.fileno())
        return Size(rows=rows or 24, columns=columns or 80)

    return LinearOutput(stdout, size, is_dumb=is_dumb(environment), notifies=notifies)

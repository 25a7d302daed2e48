"""The terminal as it is written to: each frame in one piece, and paste mode left on until the end."""

import os
from typing import Final, TextIO

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import get_term_environment_variable

from agentcli.terminal.faces.reflow import folds_on_resize

NOTIFICATION: Final = "\x1b]9;{}\x07"
"""OSC 9, which several terminals show as a notification and others pass over."""

ERASE_DOWN: Final = "\x1b7\x1b[B\r\x1b[J\x1b8\x1b[K"
"""Remember where the cursor is, erase from the row below on, go back, erase the row."""


class SteadyOutput(Vt100_Output):
    """A terminal between whose frames nothing shows, and that is never asked where its cursor is.

    The renderer switches paste mode off and on with each frame; a paste that came between would be taken for
    keys. The cursor's position is not asked for because the answer would arrive among the keys.
    """

    folds_on_resize = False
    """Whether the terminal is known to fold rows that a narrower window has no room for."""

    notifies = False

    has_shortened = False
    """Whether the end of a row was erased since this was last set to False."""

    _is_held = False
    _is_pasting = False
    _is_leaving = False

    def notify(self, text: str) -> None:
        """Have a notification shown on the desktop, if that is wanted and the terminal knows the sequence."""
        if self.notifies:
            self.write_raw(NOTIFICATION.format(text))
            self.flush()

    def hold(self) -> None:
        """Keep what is written back until `release`."""
        self._is_held = True

    def release(self) -> None:
        """Write what was kept back."""
        if self._is_held:
            self._is_held = False
            self.flush()

    def leave(self) -> None:
        """Write out everything and leave the terminal as a shell expects it; the next frame has it again."""
        self._is_held, self._is_leaving = False, True
        self.disable_bracketed_paste()
        self.reset_attributes()
        self.enable_autowrap()
        self.show_cursor()
        self.flush()
        self._is_leaving = self._is_pasting = False

    def flush(self) -> None:
        """Write, unless the frame is not finished."""
        if not self._is_held:
            super().flush()

    def erase_down(self) -> None:
        """Erase from the beginning of the cursor's row on.

        The rows below go first: tmux takes it for a clear when all goes at once from the top, and keeps a copy of
        what was drawn in its history.
        """
        self.write_raw(ERASE_DOWN)

    def erase_end_of_line(self) -> None:
        """Erase from the cursor to the end of its row."""
        self.has_shortened = True
        super().erase_end_of_line()

    def to_first_column(self) -> None:
        """Have the cursor at the beginning of its row."""
        self.write_raw("\r")

    def enable_bracketed_paste(self) -> None:
        """Have pastes marked, from the first frame on."""
        if not self._is_pasting:
            self._is_pasting = True
            super().enable_bracketed_paste()

    def disable_bracketed_paste(self) -> None:
        """Stop marking pastes, but only on leaving."""
        if self._is_leaving:
            super().disable_bracketed_paste()


def open_output(stdout: TextIO, *, colour: bool, notifies: bool = False) -> SteadyOutput:
    """Return the terminal that stdout is."""
    depth = None if colour else ColorDepth.DEPTH_1_BIT
    output = SteadyOutput.from_pty(stdout, term=get_term_environment_variable(), default_color_depth=depth)
    assert isinstance(output, SteadyOutput)
    output.enable_cpr = False
    output.notifies = notifies
    output.folds_on_resize = folds_on_resize(os.environ)
    return output

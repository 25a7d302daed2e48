"""Takes the frame away in full, also when the window has become narrower since it was drawn."""

from collections.abc import Mapping

from prompt_toolkit.layout.screen import Char
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import BaseStyle

from agentcli.terminal.output import SteadyOutput
from agentcli.terminal.reflow import rows_above_cursor


class FoldAwareRenderer(Renderer):
    """Finds the first row of a frame that the terminal has folded anew."""

    def __init__(self, style: BaseStyle, output: SteadyOutput) -> None:
        super().__init__(style, output)
        self._steady = output

    def erase(self, leave_alternate_screen: bool = True) -> None:
        """Erase the frame and leave the cursor where it began."""
        if self._steady.folds_on_resize:
            self._steady.cursor_up(self._rows_more())
        super().erase(leave_alternate_screen)

    def _rows_more(self) -> int:
        """Return how many rows higher the frame begins than where it was drawn."""
        screen, at = self.last_rendered_screen, self._cursor_pos
        if screen is None:
            return 0
        frame = [_cells(screen.data_buffer[row]) for row in range(at.y)]
        return rows_above_cursor(frame, at.y, at.x, self._steady.get_size().columns) - at.y


def _cells(row: Mapping[int, Char]) -> list[int]:
    """Return the width of each character of a row, up to the last that is no space."""
    end = max((at for at, char in row.items() if char.char != " "), default=-1)
    widths, at = [], 0
    while at <= end:
        widths.append(max(row[at].width, 1))
        at += widths[-1]
    return widths

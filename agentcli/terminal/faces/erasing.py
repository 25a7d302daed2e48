"""Draws the frame and takes it away in full: in a window that became narrower, and of whatever width it is."""

from collections.abc import Mapping
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import Layout
from prompt_toolkit.layout.screen import Char, Screen
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import BaseStyle

from agentcli.terminal.drawing.fold import is_width_unsure
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.reflow import rows_above_cursor


class FoldAwareRenderer(Renderer):
    """Finds the first row of a frame that the terminal has folded anew.

    A frame with characters that terminals draw in different widths is drawn anew in full, each row from its
    beginning: of what has changed nobody knows in which cells it stands, and it would be drawn into other text.
    So is one in which a row becomes shorter, where rows are folded: tmux folds a row as long as it once was,
    unless it was erased from its beginning.
    """

    def __init__(self, style: BaseStyle, output: SteadyOutput) -> None:
        super().__init__(style, output)
        self._steady = output

    def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:
        """Draw the frame."""
        # What may be drawn twice shows once.
        self._steady.hold()
        former = self.last_rendered_screen
        if former is not None and _is_unsure(former):
            self._begin_anew()
        is_of_changes = self.last_rendered_screen is not None
        self._steady.has_shortened = False
        super().render(app, layout, is_done)
        drawn = self.last_rendered_screen
        if is_of_changes and drawn is not None and (_is_unsure(drawn) or self._is_longer_than_drawn()):
            self._begin_anew()
            super().render(app, layout, is_done)
        self._steady.release()

    def _is_longer_than_drawn(self) -> bool:
        """Tell whether a row would fold as the longer one that it was."""
        return self._steady.folds_on_resize and self._steady.has_shortened

    def _begin_anew(self) -> None:
        """Have the next frame drawn as if nothing stood there; where the cursor is, only the row is sure."""
        self._to_first_column()
        self._last_screen = None

    def _to_first_column(self) -> None:
        self._steady.to_first_column()
        self._cursor_pos = Point(0, self._cursor_pos.y)

    def erase(self, leave_alternate_screen: bool = True) -> None:
        """Erase the frame and leave the cursor where it began."""
        if self._steady.folds_on_resize:
            self._steady.cursor_up(self._rows_more())
        self._to_first_column()
        super().erase(leave_alternate_screen)

    def _rows_more(self) -> int:
        """Return how many rows higher the frame begins than where it was drawn."""
        screen, at = self.last_rendered_screen, self._cursor_pos
        if screen is None:
            return 0
        frame = [_cells(screen.data_buffer[row]) for row in range(at.y)]
        return rows_above_cursor(frame, at.y, at.x, self._steady.get_size().columns) - at.y


def _is_unsure(screen: Screen) -> bool:
    return any(is_width_unsure(cell.char) for row in screen.data_buffer.values() for cell in row.values())


def _cells(row: Mapping[int, Char]) -> list[int]:
    """Return the width of each character of a row, up to the last that is no space."""
    end = max((at for at, char in row.items() if char.char != " "), default=-1)
    widths, at = [], 0
    while at <= end:
        widths.append(max(row[at].width, 1))
        at += widths[-1]
    return widths

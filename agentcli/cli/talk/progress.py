"""Lines on stderr while a run is going on and, where that is a terminal, one line below them that is redrawn."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final, TextIO

from agentcli.cli.writing import output
from agentcli.session.state import State
from agentcli.terminal.drawing.fold import fit
from agentcli.terminal.drawing.styled import Line, Span
from agentcli.terminal.drawing.telling import PATIENCE_S, retry_text, running_calls
from agentcli.terminal.faces.printed import NO_SIZE
from agentcli.visible import visible_line

CLEAR_LINE: Final = "\r\x1b[K"

PutLine = Callable[[Line], object]


class Progress:
    """Writes lines, and keeps the redrawn line out of their way."""

    def __init__(
        self, stream: TextIO | None, *, is_live: bool, is_read_out: bool = False, colour: bool = False
    ) -> None:
        """Make it.

        Args:
            is_live: Whether a line can be drawn anew.
            is_read_out: Whether somebody sits there all the same, to whom lines only come.
        """
        self._stream = stream
        self._is_live = is_live
        self._is_read_out = is_read_out
        self._quiet_since: datetime | None = None
        self._colour = colour
        self._shown = ""
        self._held: list[Line] | None = None
        self._put: PutLine | None = None

    @property
    def fresh_line(self) -> str:
        """What begins a line of its own for who can't wait for the redrawn one to be taken away."""
        return CLEAR_LINE if self._is_live else "\n"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep lines back while somebody else draws on the terminal."""
        self.show("")
        self._held = []
        try:
            yield
        finally:
            lines, self._held = self._held, None
            for line in lines:
                self.line(line)

    @contextmanager
    def put_by(self, put: PutLine) -> Iterator[None]:
        """Leave lines to who draws on the terminal meanwhile; what goes elsewhere is not theirs."""
        self._put = put if self._is_live or self._is_read_out else None
        try:
            yield
        finally:
            self._put = None

    def line(self, line: Line) -> None:
        """Write a line."""
        self._quiet_since = None
        if self._put is not None:
            self._put(line)
            return
        if self._held is not None:
            self._held.append(line)
            return
        shown = self._shown
        self.show("")
        output.note_line(line, colour=self._colour)
        self.show(shown)

    def show(self, text: str) -> None:
        """Have the text stand in the redrawn line; an empty one takes the line away."""
        if not self._is_live or self._stream is None or self._held is not None or text == self._shown:
            return
        self._shown = text
        width = output.terminal_width(self._stream) or NO_SIZE.columns
        try:
            self._stream.write(CLEAR_LINE + fit(visible_line(text), width - 1) if text else CLEAR_LINE)
            self._stream.flush()
        except OSError:
            self._is_live = False

    def reassure(self, text: str, now: datetime) -> None:
        """Where nothing is drawn anew, say what is going on once nothing was told for a while."""
        if not self._is_read_out or self._held is not None:
            return
        if not text or self._quiet_since is None:
            self._quiet_since = now
        elif (now - self._quiet_since).total_seconds() >= PATIENCE_S:
            self.line((Span(f"still going on: {visible_line(text)}"),))
            self._quiet_since = now


def can_redraw(stream: TextIO | None, *, is_plain: bool) -> bool:
    """Tell whether a line can be drawn anew where the stream goes to."""
    is_terminal = stream is not None and stream.isatty()
    return is_terminal and not is_plain and os.environ.get("TERM", "dumb") != "dumb"


def at_work(state: State, now: datetime) -> str:
    """Return what is going on, for the redrawn line: what changes first, so that it is not cut."""
    run = state.run
    if run is None:
        return ""
    if again := retry_text(state, now):
        return again
    if state.current_call is None:
        step = min(run.steps + 1, run.limits.steps)
        return f"step {step} of {run.limits.steps} · {run.seconds(now):.0f} s · {state.model}"
    running = running_calls(state)
    if not running:
        return ""
    longest = max((now - (call.started_at or now)).total_seconds() for call in running)
    return f"{longest:.0f} s · {', '.join(call.tool for call in running)} …"

"""A reply shown while it comes: what is finished is printed for good, what is still open is the tail."""

from typing import Final

from agentcli.session import events as ev
from agentcli.terminal.drawing.fold import fit, fold
from agentcli.terminal.drawing.markdown import draw_block
from agentcli.terminal.drawing.reply import MOST_TAIL, SET_IN, Blocks
from agentcli.terminal.face import Face

MOST_FORMING: Final = 3
"""Rows that an input takes while it forms: the tool's name, and the end of what has come."""

TIME_ROOM: Final = " … 999.9 s"


def forming_text(tool: str, input: str, width: int) -> str:
    """Return as much of a call that forms as is shown, in rows of so many cells; not yet safe to draw.

    Its time has room behind the last of them.
    """
    # Between the members of JSON there may be line breaks.
    rows = fold(f"{tool} {' '.join(input.splitlines())}", width - len(TIME_ROOM))
    if len(rows) <= MOST_FORMING:
        return "".join(rows)
    # Each stays a row of its own: folded once more they could become more rows, or fewer, with every piece.
    return "\n".join([f"{fit(tool, width - 2)} …", *rows[1 - MOST_FORMING :]])


class Speech:
    """Takes the events of replies, one reply after the other, and prints on a face what is said."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._blocks = Blocks()
        self._tool: str | None = None
        self._input = ""
        self._has_printed = False
        self._has_streamed = False

    @property
    def is_forming(self) -> bool:
        """Whether what comes is the input of a call."""
        return self._tool is not None

    @property
    def tail(self) -> str:
        """What has come and is not finished: text, or the input of a call that forms."""
        if self._tool is not None:
            return forming_text(self._tool, self._input, self._face.width - len(SET_IN))
        text = self._blocks.tail
        # It stands where it will stand once it is finished: a row below what was said before.
        return "\n" + text if text and self._has_printed else text

    def take(self, event: ev.Event) -> None:
        """Take what an event adds; those of other kinds add nothing."""
        match event:
            case ev.TextDelta(text=text):
                self._has_streamed = True
                self._tool = None
                self._print(self._blocks.feed(text))
            case ev.ToolInputStarted(tool=tool):
                self._print(self._blocks.finish())
                self._tool, self._input = tool, ""
            case ev.ToolInputDelta(delta=delta):
                self._input = (self._input + delta)[-MOST_TAIL:]
            case ev.Replied(text=text):
                if not self._has_streamed:
                    self._print(self._blocks.feed(text))
                self.end()
            case _:
                pass

    def end(self) -> None:
        """The reply is over, or broken off: nothing of it stays unfinished."""
        self._print(self._blocks.finish())
        self._tool = None
        self._has_printed = self._has_streamed = False

    def _print(self, blocks: list[str]) -> None:
        for block in blocks:
            drawn = draw_block(block, width=self._face.width - len(SET_IN), colour=self._face.colour)
            lines = "".join(SET_IN + line if line.strip() else line for line in drawn.splitlines(keepends=True))
            self._face.write("\n" + lines if self._has_printed else lines)
            self._has_printed = True

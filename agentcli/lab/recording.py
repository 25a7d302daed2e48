"""A demo played on tape: without waiting, and with the same bytes each time."""

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import ColorDepth

from agentcli.lab.playing import Played, Stage, play
from agentcli.lab.script import Script
from agentcli.lab.stage import StageLoop, Tape
from agentcli.lab.svg import picture
from agentcli.terminal.drawing.folded import fold_line
from agentcli.terminal.drawing.styled import Line
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.visible import visible_line

COLUMNS: Final = 80
ROWS: Final = 24
TERM: Final = "xterm-256color"


class Recording(Struct, frozen=True):
    """The outcome of a demo, and what was written to its terminal: seconds from the start, and text."""

    script: Script
    played: Sequence[Played]
    frames: Sequence[tuple[float, str]]
    columns: int
    rows: int

    @property
    def lines(self) -> list[Line]:
        """What a reader would have seen, level after level, in lines that fit the terminal."""
        lines: list[Line] = []
        for one in self.played:
            lines += [(), *one.lines] if lines else one.lines
        return [part for line in lines for part in fold_line(line, self.columns)]


def record(script: Script, *, columns: int = COLUMNS, rows: int = ROWS) -> Recording:
    """Play a demo on a terminal of that size that nobody sees."""
    loop = StageLoop()
    tape = Tape(loop.time)
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        played = runner.run(play(script, stage_of(loop, tape, columns=columns, rows=rows)))
    return Recording(script, played, tape.frames, columns, rows)


def stage_of(loop: StageLoop, tape: Tape, *, columns: int = COLUMNS, rows: int = ROWS) -> Stage:
    """Return a stage whose terminal is a tape."""
    output = SteadyOutput(
        tape,  # type: ignore[arg-type]  # of a file it needs no more than the tape has
        lambda: Size(rows=rows, columns=columns),
        term=TERM,
        default_color_depth=ColorDepth.DEPTH_4_BIT,
        enable_cpr=False,
    )
    return Stage(loop, output, colour=True)


def cast(recording: Recording) -> str:
    """Return the recording as an asciicast.

    Source: asciicast v2, https://docs.asciinema.org/manual/asciicast/v2/
    """
    header = {
        "version": 2,
        "width": recording.columns,
        "height": recording.rows,
        "timestamp": int(recording.script.now.timestamp()),
        "title": recording.script.title,
        "env": {"TERM": TERM},
    }
    frames = ([seconds, "o", text] for seconds, text in recording.frames)
    return "".join(msgspec.json.encode(one).decode() + "\n" for one in [header, *frames])


def drawn(recording: Recording) -> str:
    """Return the recording as a picture of all that could be read."""
    return picture(recording.lines, columns=recording.columns, title=visible_line(recording.script.title))

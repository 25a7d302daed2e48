"""The terminal that this process was started at, as a face."""

import os
import sys
from pathlib import Path

from agentcli.config.records import Terminal
from agentcli.terminal.face import Face
from agentcli.terminal.faces.printed import beneath


def this_terminal(wishes: Terminal, history: Path | None = None) -> Face:
    """Return the terminal; one that can't be drawn on anew is only written on.

    Args:
        history: The file of the lines that were entered before; without it they are only kept here.
    """
    # What draws and reads keys is only loaded where there is something to ask.
    from prompt_toolkit.input import create_input  # noqa: PLC0415

    from agentcli.terminal.drawing.styled import has_colour, is_dumb  # noqa: PLC0415
    from agentcli.terminal.faces.linear import open_linear  # noqa: PLC0415
    from agentcli.terminal.faces.output import open_output  # noqa: PLC0415
    from agentcli.terminal.faces.screen import Screen  # noqa: PLC0415
    from agentcli.terminal.faces.suspending import stop_job  # noqa: PLC0415

    keys, stdout = create_input(beneath(sys.stdin)), beneath(sys.stdout)
    if wishes.plain or is_dumb(os.environ):
        linear = open_linear(stdout, os.environ, notifies=wishes.notify)
        return Screen(keys, linear, colour=False, bell=wishes.bell, history=history, stop=stop_job)
    colour = has_colour(os.environ, is_terminal=True)
    output = open_output(stdout, colour=colour, notifies=wishes.notify)
    return Screen(keys, output, colour=colour, bell=wishes.bell, history=history, stop=stop_job)

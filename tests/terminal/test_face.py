"""A conversation is held the same way on a screen and in plain lines."""

import io

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input

from agentcli.terminal.face import Face
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.plain import Plain
from agentcli.terminal.faces.screen import Screen


def test_screen_and_plain_lines_are_faces() -> None:
    """The type checker holds them to it; here they are made."""
    output = SteadyOutput(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    with create_pipe_input() as keys:
        faces: list[Face] = [Screen(keys, output, colour=True), Plain(None, io.StringIO(), width=60)]
    assert [(face.width, face.colour, face.is_at_work) for face in faces] == [
        (80, True, False),
        (60, False, False),
    ]

"""Writes what is drawn into files that the command line names."""

from collections.abc import Sequence

from agentcli.cli.replacing import Writes, write_file
from agentcli.lab.svg import picture
from agentcli.terminal.drawing.styled import Line
from agentcli.visible import visible_line

COLUMNS = 80


def write_picture(path: str, lines: Sequence[Line], *, title: str, columns: int = COLUMNS) -> None:
    """Write lines as an SVG; raises as `write_file` does."""
    write_file(path, Writes.PICTURE, picture(lines, columns=columns, title=visible_line(title)))

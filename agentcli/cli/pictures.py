"""Writes what is drawn into files that the command line names."""

from collections.abc import Sequence
from pathlib import Path

from agentcli.cli.exits import WrongUsage
from agentcli.lab.svg import picture
from agentcli.terminal.styled import Line
from agentcli.visible import visible_line

COLUMNS = 80


def write_picture(path: str, lines: Sequence[Line], *, title: str, columns: int = COLUMNS) -> None:
    """Write lines as an SVG; raises as `write_file` does."""
    write_file(path, picture(lines, columns=columns, title=visible_line(title)))


def write_file(path: str, text: str) -> None:
    """Write a file anew.

    Raises:
        WrongUsage: It can't be written there.
    """
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise WrongUsage(f"{path}: can't be written: {error.strerror}") from error

"""What is written: answers and JSON to stdout, everything else to stderr, each line flushed."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, TextIO

from agentcli.terminal.drawing import styled
from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.folded import INDENT, draw_folded
from agentcli.terminal.drawing.styled import Line, Span, draw
from agentcli.terminal.faces.printed import NO_SIZE, beneath
from agentcli.visible import visible, visible_json, visible_line

_ESCAPED: Final = "backslashreplace"


class ReaderGone(Exception):
    """Whoever read the output has gone away; there is nobody left to write to."""


class Unwritable(Exception):
    """The output can't be written, for instance since the disk is full."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"the output can't be written: {problem}")


def answer(text: str) -> None:
    """Write text that may come from outside to stdout.

    Raises:
        ReaderGone: Nobody reads it any more.
        Unwritable: It can't be written.
    """
    write(visible(text) + "\n")


def told(text: str) -> None:
    """Write one line that may hold text from outside to stdout, folded at a terminal; raises as `answer` does."""
    width = terminal_width(beneath(sys.stdout))
    line = visible_line(text)
    rows = [line] if width is None else fold(line, width, INDENT)
    write("\n".join(row.rstrip() for row in rows) + "\n")


def lines(found: Iterable[Line | str]) -> None:
    """Write lines to stdout, which are safe to draw, folded at a terminal; raises as `answer` does."""
    stdout, colour = beneath(sys.stdout), has_colour(sys.stdout)
    width = terminal_width(stdout)
    styled_lines = ((Span(line),) if isinstance(line, str) else line for line in found)
    write("".join(f"{_drawn(line, width, colour=colour)}\n" for line in styled_lines))


def json_line(value: Any) -> None:
    """Write a value as one line of JSON in UTF-8 to stdout; raises as `answer` does."""
    _write(lambda stdout: stdout.buffer.write(encoded(value)))


def encoded(value: Any) -> bytes:
    """Return a value as one line of JSON, in which what would hide on a screen is spelled out."""
    import msgspec  # noqa: PLC0415  # not every command has JSON to write

    return visible_json(msgspec.json.encode(value).decode()).encode() + b"\n"


def write(text: str) -> None:
    """Write text that is safe to draw to stdout as it is; raises as `answer` does."""
    _write(lambda stdout: stdout.write(text))


def _write(put: Callable[[TextIO], object]) -> None:
    stdout = beneath(sys.stdout)
    if stdout is None:
        raise ReaderGone
    try:
        put(stdout)
        stdout.flush()
    except (BrokenPipeError, ConnectionResetError) as error:
        _redirect(stdout)
        raise ReaderGone from error
    except OSError as error:
        _redirect(stdout)
        raise Unwritable(error.strerror or str(error)) from error


def note(text: str) -> None:
    """Write one line to stderr, folded at a terminal; where nobody reads it, nothing can be done about it."""
    note_line((Span(visible_line(text)),))


def note_line(line: Line, *, colour: bool = False) -> None:
    """Write a line to stderr; a terminal gets it folded, so that no row of it can pass for a line of ours."""
    note_drawn(_drawn(line, terminal_width(beneath(sys.stderr)), colour=colour))


def _drawn(line: Line, width: int | None, *, colour: bool) -> str:
    return draw(line, colour=colour) if width is None else draw_folded(line, width, colour=colour)


def terminal_width(stream: TextIO | None) -> int | None:
    """Return how many cells a line has in the terminal that a stream leads to; None where it leads to none."""
    if stream is None or not stream.isatty():
        return None
    try:
        return os.get_terminal_size(stream.fileno()).columns or NO_SIZE.columns
    except OSError:
        return NO_SIZE.columns


def has_colour(stream: TextIO | None) -> bool:
    """Tell whether a stream may be written to in colour."""
    return styled.has_colour(os.environ, is_terminal=stream is not None and stream.isatty())


def note_drawn(text: str) -> None:
    """Write lines that are safe to draw to stderr."""
    stderr = beneath(sys.stderr)
    if stderr is None:
        return
    try:
        stderr.write(text + "\n")
        stderr.flush()
    except OSError:
        _redirect(stderr)


def write_past_buffers(stream: TextIO | None, content: bytes) -> None:
    """Write to where a standard stream leads from a signal's handler, which may have interrupted a write to it."""
    if beneath(stream) is not None:
        os.write(beneath(stream).fileno(), content)


def use_any_encoding() -> None:
    """Let no character fail to be written or read: what the encoding lacks is an escape there, U+FFFD here."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _ESCAPED), (sys.stderr, _ESCAPED)):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)


def _redirect(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that the interpreter does not complain about it at its end."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)

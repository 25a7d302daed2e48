"""What is written to a descriptor is led to whoever is told of it, and nothing of ours goes astray."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from agentcli.terminal.faces.diverted import LATE_S, LONGEST, Diversion


@pytest.fixture
def written(tmp_path: Path) -> Iterator[TextIO]:
    """A stream with a descriptor of its own, as stdout is one."""
    with (tmp_path / "written").open("w") as stream:
        yield stream


@contextmanager
def diverted(stream: TextIO, lines: list[str]) -> Iterator[TextIO]:
    """The stream's descriptor is diverted in the block, which gets the stream that goes past it."""
    diversion = Diversion([stream.fileno()], lines.append)
    try:
        yield diversion.past(stream)
    finally:
        diversion.end()


def test_what_programs_and_libraries_write_is_told_line_by_line(written: TextIO) -> None:
    """Also bytes that are no text, and a line that does not end."""
    lines: list[str] = []
    with diverted(written, lines):
        os.write(written.fileno(), b"by \xff descriptor\r\n")
        subprocess.run(["sh", "-c", "echo one; printf two"], stdout=written, check=True)
    assert lines == ["by \\xff descriptor\r", "one", "two"]
    assert Path(written.name).read_text() == ""


def test_ours_goes_where_it_went(written: TextIO) -> None:
    """Meanwhile past the diversion, each line at once; afterwards as before."""
    lines: list[str] = []
    with diverted(written, lines) as past:
        past.write("ours\n")
        assert Path(written.name).read_text() == "ours\n"
        assert (past.encoding, past.errors) == (written.encoding, written.errors)
    written.write("after\n")
    written.flush()
    assert Path(written.name).read_text() == "ours\nafter\n"
    assert lines == []


def test_a_program_gets_no_other_way_to_where_ours_goes(written: TextIO) -> None:
    """The duplicate is not inherited, even by a program that inherits all it can."""
    with diverted(written, []) as past:
        program = f"test -e /proc/self/fd/{past.fileno()}"
        assert subprocess.run(["sh", "-c", program], close_fds=False, check=False).returncode == 1


@pytest.mark.parametrize(("length", "told"), [(LONGEST - 1, 1), (LONGEST + 1, 2)])
def test_a_flood_without_an_end_is_told_in_parts(written: TextIO, length: int, told: int) -> None:
    """It is not collected for ever."""
    lines: list[str] = []
    with diverted(written, lines):
        subprocess.run(["sh", "-c", f"head -c {length} /dev/zero | tr '\\0' x"], stdout=written, check=True)
    assert len(lines) == told
    assert "".join(lines) == "x" * length


def test_a_program_that_is_left_behind_holds_nobody_up(written: TextIO) -> None:
    """What it writes later goes nowhere near the terminal."""
    lines: list[str] = []
    diversion = Diversion([written.fileno()], lines.append)
    with subprocess.Popen(["sh", "-c", "read go; echo late"], stdin=subprocess.PIPE, stdout=written) as behind:
        begun = time.monotonic()
        diversion.end()
        assert time.monotonic() - begun < LATE_S + 5
        behind.communicate(b"\n", timeout=30)
    end = time.monotonic() + 30
    while not lines and time.monotonic() < end:
        time.sleep(0.01)
    assert lines == ["late"]
    assert Path(written.name).read_text() == ""


def test_it_ends_once(written: TextIO, tmp_path: Path) -> None:
    """Both streams of a process end it; where a descriptor leads later is nobody's business here."""
    diversion = Diversion([written.fileno()], list[str]().append)
    diversion.end()
    with (tmp_path / "later").open("w") as later:
        os.dup2(later.fileno(), written.fileno())
        diversion.end()
        os.write(written.fileno(), b"later")
    assert (tmp_path / "later").read_text() == "later"

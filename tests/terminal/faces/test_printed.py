"""What own code prints is caught, line by line, and told as what it is."""

import io
import os
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import pytest

from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.faces.diverted import Sink
from agentcli.terminal.faces.printed import (
    MOST,
    NO_SIZE,
    Caught,
    beneath,
    catch_prints,
    listening,
    printed_line,
    streams_given_back,
    terminal_size,
)


@contextmanager
def prints_caught(sink: Sink) -> Iterator[None]:
    """What is printed in the block is caught."""
    with streams_given_back():
        catch_prints(sink)
        yield


def test_what_is_printed_goes_to_who_listens_and_no_further() -> None:
    """On both streams, line by line; what did not end is told at the end."""
    lines: list[str] = []
    with redirect_stdout(io.StringIO()) as stdout, redirect_stderr(io.StringIO()) as stderr:
        with prints_caught(lines.append):
            sys.stdout.write("one\ntwo ")
            sys.stderr.writelines(["three\n"])
            sys.stdout.flush()
            sys.stdout.write("and more\nunfinished")
            assert lines == ["one", "three", "two and more"]
        sys.stdout.write("out")
        sys.stderr.write("err")
    assert lines == ["one", "three", "two and more", "unfinished"]
    assert (stdout.getvalue(), stderr.getvalue()) == ("out", "err")


def test_what_is_caught_already_is_not_caught_again() -> None:
    """A command that looks into its config twice loses nothing of what was begun, and gives back what there was."""
    first: list[str] = []
    second: list[str] = []
    with redirect_stdout(io.StringIO()), prints_caught(first.append):
        sys.stdout.write("begun ")
        catch_prints(second.append)
        sys.stdout.write("and ended")
    assert (first, second) == (["begun and ended"], [])


def test_what_is_written_to_the_descriptors_of_the_process_is_caught_too() -> None:
    """As programs write that it starts; afterwards they lead where they led before."""
    lines: list[str] = []
    before = os.fstat(1)
    with open(1, "w", closefd=False) as stdout, redirect_stdout(stdout):
        with prints_caught(lines.append):
            os.write(1, b"by descriptor\n")
        assert os.path.samestat(os.fstat(1), before)
    assert lines == ["by descriptor"]


def test_threads_print_lines_of_their_own() -> None:
    """A line of one is not torn by another."""
    lines: list[str] = []
    with prints_caught(lines.append):
        sys.stdout.write("first ")
        other = threading.Thread(target=lambda: sys.stdout.write("second\n"))
        other.start()
        other.join()
        sys.stdout.write("ends\n")
    assert lines == ["second", "first ends"]


def test_whoever_listens_last_is_told() -> None:
    """A conversation, while there is one."""
    told: list[str] = []
    lines: list[str] = []
    with prints_caught(lines.append):
        with listening(told.append):
            sys.stdout.write("in between\n")
        sys.stdout.write("after\n")
    assert (told, lines) == (["in between"], ["after"])


def test_where_nothing_is_caught_nobody_is_told() -> None:
    """Listening alone catches nothing."""
    lines: list[str] = []
    with redirect_stdout(io.StringIO()) as stdout, listening(lines.append):
        sys.stdout.write("out\n")
    assert (lines, stdout.getvalue()) == ([], "out\n")


def test_the_stream_beneath_is_the_real_one() -> None:
    """Ours write to it, and what it is can be asked of either."""
    lines = list[str]()
    with redirect_stdout(io.StringIO()) as real:
        with prints_caught(lines.append), prints_caught(lines.append):
            assert isinstance(sys.stdout, Caught)
            assert beneath(sys.stdout) is real
            assert sys.stdout.isatty() is real.isatty()
        assert beneath(sys.stdout) is real


def test_a_stream_that_is_not_there_stays_away() -> None:
    """A process may be started without one."""
    lines: list[str] = []
    with redirect_stdout(None), prints_caught(lines.append):
        assert sys.stdout is None
        sys.stderr.write("told\n")
    assert lines == ["told"]


def test_a_printed_line_is_one_line_set_in() -> None:
    """Nothing in it steers the terminal, and a long one says how much more there is."""
    assert plain(printed_line("a\x1b[2J\rb")) == "  printed: a⟨U+001B⟩[2J⟨U+000D⟩b"
    assert plain(printed_line("x" * (MOST + 7))).endswith("x… +7 more")


def test_the_size_is_that_of_the_terminal_beneath(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while descriptor 1 leads away from it; without one it is the usual size."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("LINES", raising=False)
    ours, theirs = os.openpty()
    termios.tcsetwinsize(ours, (7, 33))
    with os.fdopen(theirs, "w") as terminal, redirect_stdout(terminal), prints_caught(list[str]().append):
        assert terminal_size() == (33, 7)
        termios.tcsetwinsize(ours, (0, 0))
        assert terminal_size() == NO_SIZE
    with redirect_stdout(io.StringIO()):
        assert terminal_size() == NO_SIZE
    os.close(ours)

"""Own code finds nothing to read; what there is to read is ours."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import pytest

from agentcli.terminal.faces.printed import beneath, keep_input, streams_given_back
from agentcli.terminal.faces.unread import Unread


@pytest.fixture
def typed() -> Iterator[TextIO]:
    """A stream with a descriptor of its own, to which a line was typed."""
    reading, writing = os.pipe()
    os.write(writing, b"y\n")
    os.close(writing)
    with os.fdopen(reading) as stream:
        yield stream


@contextmanager
def kept(stream: TextIO) -> Iterator[Unread]:
    """The stream is kept from own code in the block."""
    unread = Unread(stream)
    try:
        yield unread
    finally:
        unread.end()


def test_own_code_and_its_programs_find_nothing(typed: TextIO) -> None:
    """However they read, and though they close it; what was typed is there for us."""
    with kept(typed) as stdin:
        assert subprocess.run("cat", stdin=typed, capture_output=True, check=True).stdout == b""
        assert (stdin.readline(), stdin.read(), list(stdin), stdin.isatty()) == ("", "", [], False)
        stdin.close()
        assert beneath(stdin).readline() == "y\n"


def test_afterwards_the_descriptor_leads_where_it_led(typed: TextIO) -> None:
    """Who comes next reads what there is."""
    with kept(typed):
        pass
    assert os.read(typed.fileno(), 9) == b"y\n"


def test_an_input_that_is_no_descriptor_of_the_process_is_left_alone(typed: TextIO) -> None:
    """A program that has put a stream of its own there goes on reading it."""
    with streams_given_back():
        sys.stdin = typed
        keep_input()
        assert sys.stdin is typed


def test_standard_input_is_kept_until_the_streams_are_given_back() -> None:
    """Which terminal a person sits at is asked of what is beneath."""
    former, before = (sys.stdin, sys.__stdin__), os.fstat(0)
    with open(0, closefd=False) as stdin:
        with streams_given_back():
            sys.stdin = stdin
            keep_input()
            assert isinstance(sys.stdin, Unread)
            assert sys.__stdin__ is beneath(sys.stdin)
            assert os.fstat(0).st_rdev == os.stat(os.devnull).st_rdev
        assert (sys.stdin, sys.__stdin__) == former
        assert os.path.samestat(os.fstat(0), before)

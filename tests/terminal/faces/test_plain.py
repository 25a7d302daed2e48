"""Where there is no terminal on both ends."""

import asyncio
import io
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agentcli.terminal import happened as h
from agentcli.terminal.faces.plain import Plain, is_one_terminal
from tests.terminal.views import view_of


def face(text: str = "") -> tuple[Plain, io.StringIO]:
    """Plain lines over a text that is piped in."""
    out = io.StringIO()
    return Plain(io.StringIO(text), out, width=60), out


async def test_lines_come_in_as_messages_and_commands() -> None:
    """Blank ones are nothing; at the end there are no more."""
    plain, _ = face("hello\n\n  \n/level\r\nlast")
    assert [await plain.next() for _ in range(4)] == [
        h.WordsEntered("hello"),
        h.CommandEntered("/level"),
        h.WordsEntered("last"),
        h.InputEnded(),
    ]


async def test_the_mark_that_begins_a_file_is_no_part_of_what_is_said() -> None:
    """Some editors put one there; anywhere else it is a character like any other."""
    plain, _ = face("\ufeff/level\n\ufeffhello\n")
    assert [await plain.next() for _ in range(2)] == [h.CommandEntered("/level"), h.WordsEntered("\ufeffhello")]


async def test_a_yes_that_is_piped_in_is_a_message() -> None:
    """A pipe never approves."""
    plain, _ = face("y\n")
    plain.ask(view_of())
    plain.close_question()
    assert await plain.next() == h.WordsEntered("y")


async def test_while_a_question_is_open_nothing_more_is_read() -> None:
    """What stands in the pipe stays there."""
    stdin = io.StringIO("one\ntwo\n")
    plain = Plain(stdin, io.StringIO(), width=60)
    assert await plain.next() == h.WordsEntered("one")
    plain.ask(view_of())
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(plain.next(), 0.05)
    assert stdin.readline() == "two\n"


async def test_without_stdin_there_are_no_lines() -> None:
    """A program started without one is told that they have ended."""
    assert await Plain(None, io.StringIO(), width=60).next() == h.InputEnded()


async def test_input_that_can_not_be_read_has_ended(tmp_path: Path) -> None:
    """It is not waited for."""
    with (tmp_path / "written").open("w") as stdin:
        plain = Plain(stdin, io.StringIO(), width=60)
        assert await asyncio.wait_for(plain.next(), 30) == h.InputEnded()


async def test_a_signal_is_told_while_a_line_is_waited_for() -> None:
    """An open pipe that says nothing holds nobody up."""
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as stdin, os.fdopen(write_end, "w"):
        async with Plain(stdin, io.StringIO(), width=60) as plain:
            os.kill(os.getpid(), signal.SIGTERM)
            assert await asyncio.wait_for(plain.next(), 60) == h.Signalled(signal.SIGTERM)


def test_output_is_plain_lines() -> None:
    """No control codes, nothing for what is unfinished, and every line has its end."""
    plain, out = face()
    plain.write("a line")
    plain.write("another\n")
    plain.tail("unfin")
    plain.status(["level 2"])
    plain.notice("queued #7")
    plain.restore()
    assert out.getvalue() == "a line\nanother\nqueued #7\n"


def test_a_question_is_shown_whole() -> None:
    """On one page, with its answer line."""
    plain, out = face()
    plain.ask(view_of(input='{"text":"' + "row\\n" * 100 + '"}'))
    lines = out.getvalue().splitlines()
    assert lines.count("│     row") == 100
    assert "".join(lines).endswith("? (y/n)")
    assert "\x1b" not in out.getvalue()


def test_what_the_encoding_lacks_is_spelled_out() -> None:
    """A frame on an ASCII terminal is no error."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    Plain(None, out, width=60).write("│ é")
    assert raw.getvalue() == b"\\u2502 \\xe9\n"


def test_both_ends_must_be_one_terminal() -> None:
    """Two terminals, a pipe, or nothing at all: nobody can be asked."""
    (one, first_fd), (other, second_fd) = pty.openpty(), pty.openpty()
    with os.fdopen(first_fd) as first, os.fdopen(second_fd) as second, open(os.devnull) as nothing:
        assert is_one_terminal(first, first)
        assert not is_one_terminal(first, second)
        assert not is_one_terminal(first, nothing)
        assert not is_one_terminal(nothing, first)
        assert not is_one_terminal(None, first)
        assert not is_one_terminal(first, None)
    os.close(one)
    os.close(other)


def test_a_program_that_waits_for_a_line_can_end() -> None:
    """The thread that reads holds nobody up."""
    script = (
        "import asyncio, sys\n"
        "from agentcli.terminal.faces.plain import Plain\n"
        "async def main():\n"
        "    plain = Plain(sys.stdin, sys.stdout, width=60)\n"
        "    try:\n"
        "        await asyncio.wait_for(plain.next(), 0.1)\n"
        "    except asyncio.TimeoutError:\n"
        "        plain.write('left')\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        assert program.stdout.read() == b"left\n"
        assert program.wait(60) == 0


async def test_while_something_is_at_work_no_line_is_read() -> None:
    """The next one is a message of its own, for when the run before is over."""
    stdin = io.StringIO("one\ntwo\n")
    plain = Plain(stdin, io.StringIO(), width=60)
    assert await plain.next() == h.WordsEntered("one")
    plain.is_at_work = True
    coming = asyncio.ensure_future(plain.next())
    await asyncio.sleep(0.05)
    assert not coming.done()
    assert stdin.tell() == len("one\n")
    plain.is_at_work = False
    assert await asyncio.wait_for(coming, 60) == h.WordsEntered("two")


async def test_a_question_that_closes_lets_lines_be_read_again() -> None:
    """Also by one who waits for a line already."""
    plain = Plain(io.StringIO("one\n"), io.StringIO(), width=60)
    plain.ask(view_of())
    coming = asyncio.ensure_future(plain.next())
    await asyncio.sleep(0.05)
    plain.close_question()
    assert await asyncio.wait_for(coming, 60) == h.WordsEntered("one")


async def test_a_reader_that_has_gone_is_a_hang_up() -> None:
    """Writing raises nothing: what is at work may go on to its end."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w", buffering=1) as out:
        plain = Plain(None, out, width=60)
        plain.write("a line")
        assert await plain.next() == h.Signalled(signal.SIGHUP)
        os.dup2(os.open(os.devnull, os.O_WRONLY), write_end)

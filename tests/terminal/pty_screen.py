"""A real program on a virtual terminal: what it draws is read off the screen, keys are sent as a person would."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import pyte

from tests.warm import Order, Program, warm

ENTER, ESC, CTRL_C, CTRL_D, CTRL_U = "\r", "\x1b", "\x03", "\x04", "\x15"
PATIENCE_S = 40.0
"""What nobody waits for unless something is wrong, or the machine has much else to do."""

END_MARK = b"\x1b]end of the program\x07"
"""What the tests write where a program has ended; it shows nothing."""

PAGE_DOWN, PAGE_UP = "\x1b[6~", "\x1b[5~"

Condition = str | re.Pattern[str] | Callable[["PtyScreen"], bool]


class Left(NamedTuple):
    """How a program left the terminal; true if echo and line mode are on, paste mode off, the cursor visible."""

    is_cooked: bool
    paste_mode: str
    cursor_mode: str

    def __bool__(self) -> bool:
        return self.is_cooked and self.paste_mode != "h" and self.cursor_mode != "l"


class _Terminal(pyte.HistoryScreen):
    """A screen that answers what a terminal is asked, such as where its cursor is.

    As in tmux, a row is as long as it ever was since it was erased from its beginning.
    """

    def __init__(self, columns: int, rows: int, answer: Callable[[str], None], *, folds: bool) -> None:
        super().__init__(columns, rows, history=10_000, ratio=0.5)
        self._answer = answer
        self._folds = folds

    def write_process_input(self, data: str) -> None:
        self._answer(data)

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        """Erase the row or a part of it."""
        line = self.buffer[self.cursor.y]
        length = 0 if how == 2 or (how == 0 and self.cursor.x == 0) else max(line, default=-1) + 1
        super().erase_in_line(how, private)
        for at in [at for at in line if at >= length]:
            del line[at]

    def erase_in_display(self, how: int = 0, *args: Any, **options: Any) -> None:
        """Erase the screen or a part of it."""
        super().erase_in_display(how, *args, **options)
        for row in range(self.cursor.y + 1, self.lines) if how == 0 else range(self.lines) if how > 1 else ():
            self.buffer[row].clear()

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Keep the cursor's line on the screen as terminals do: what does not fit above it scrolls away."""
        rows = self.lines if lines is None else lines
        if self._folds and columns is not None:
            self._fold(columns)
        gone = max(self.cursor.y - rows + 1, 0)
        for _ in range(gone):
            self.history.top.append(self.buffer[0])
            for at in range(self.lines - 1):
                self.buffer[at] = self.buffer[at + 1]
            self.buffer.pop(self.lines - 1, None)
        self.cursor.y -= gone
        self.lines, self.columns = rows, self.columns if columns is None else columns
        for at in [at for at in self.buffer if at >= rows]:
            del self.buffer[at]
        self.cursor.x = min(self.cursor.x, self.columns - 1)
        self.dirty.update(range(rows))
        self.set_margins()

    def _fold(self, columns: int) -> None:
        """Fold the rows that are too long, the cursor staying on its character."""
        folded: list[dict[int, Any]] = []
        at_row, at_column = self.cursor.y, self.cursor.x
        for row in range(at_row + 1):
            line = self.buffer[row]
            self.cursor.y = len(folded) + at_column // columns if row == at_row else self.cursor.y
            end = max((at + 1 for at in line), default=1)
            for start in range(0, end, columns):
                folded.append({at - start: line[at] for at in range(start, min(start + columns, end))})
        self.cursor.x = at_column % columns
        self.lines = max(self.lines, len(folded))
        for row, cells in enumerate(folded):
            self.buffer[row].clear()
            self.buffer[row].update(cells)


class PtyScreen:
    """A program in a terminal of a given size; use it with `with`, which ends the program."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        self.raw = b""
        self._master, self._slave = pty.openpty()
        self._set_size(columns, rows)
        environment = terminal_environment(env or {})
        self._terminal = _Terminal(columns, rows, self._write, folds="TMUX" in environment)
        self._stream = pyte.Stream(self._terminal)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._process = self._started(argv, environment, os.fspath(cwd or Path.cwd()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for fd in (self._master, self._slave):
            if fd >= 0:
                os.close(fd)

    # What is on the screen

    @property
    def lines(self) -> list[str]:
        """The screen, line by line, without blanks at the ends."""
        return [line.rstrip() for line in self._terminal.display]

    @property
    def text(self) -> str:
        """The screen without the blank lines below."""
        return "\n".join(self.lines).rstrip()

    @property
    def everything(self) -> str:
        """What has scrolled away, and the screen."""
        columns = range(self._terminal.columns)
        gone = ("".join(line[at].data for at in columns).rstrip() for line in self._terminal.history.top)
        return "\n".join([*gone, self.text])

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cursor, from 0."""
        return self._terminal.cursor.y, self._terminal.cursor.x

    @property
    def title(self) -> str:
        """The window's title."""
        return str(self._terminal.title)

    def colour_at(self, text: str) -> str:
        """The colour of the first letter of a text on the screen."""
        row = next(at for at, line in enumerate(self.lines) if text in line)
        return str(self._terminal.buffer[row][self.lines[row].index(text)].fg)

    # What a person does

    def send(self, keys: str) -> None:
        """Send keys at once, as a paste without marks or a program would."""
        self._write(keys)

    def type(self, keys: str, gap_s: float = 0.04) -> None:
        """Type key by key."""
        for key in keys:
            self._write(key)
            self.read(gap_s)

    def enter(self, line: str = "", gap_s: float = 0.04) -> None:
        """Type a line and Enter."""
        self.type(line + ENTER, gap_s)

    def answer(self, line: str, quiet_s: float = 0.7) -> None:
        """Answer a question as a person would: look at it first, and see each key in the line."""
        self.read(quiet_s)
        self.wait_idle()
        for key in line:
            drawn = len(self.raw)
            self._write(key)
            self._wait(partial(self._has_drawn_more, drawn), f"{key!r} is not in the line", PATIENCE_S)
            self.wait_idle()
            self.read(0.06)
        self._write(ENTER)

    def paste(self, text: str) -> None:
        """Paste as terminals do."""
        self._write(f"\x1b[200~{text}\x1b[201~")

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self._terminal.resize(rows, columns)
        self._set_size(columns, rows)
        os.killpg(self._process.pid, signal.SIGWINCH)

    @property
    def pid(self) -> int:
        """The program's process."""
        return self._process.pid

    def kill(self, number: int) -> None:
        """Send a signal to the program."""
        self._process.send_signal(number)

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1

    # Waiting

    def read(self, seconds: float) -> None:
        """Let the program go on for a while and take in what it draws."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read_once(left)

    def wait_for(self, condition: Condition, timeout_s: float = PATIENCE_S) -> None:
        """Wait until a text, a pattern or a condition holds on the screen."""
        self._wait(lambda: self._holds(condition), f"{condition!r} did not appear", timeout_s)
        self._settle()

    def wait_gone(self, condition: Condition, timeout_s: float = PATIENCE_S) -> None:
        """Wait until it no longer holds."""
        self._wait(lambda: not self._holds(condition), f"{condition!r} did not go", timeout_s)
        self._settle()

    def wait_idle(self, timeout_s: float = PATIENCE_S) -> None:
        """Wait until the program sleeps: then timers that were due have run out, however busy the machine is."""
        end = time.monotonic() + timeout_s
        while any(_is_running(thread) for thread in self._threads()) and time.monotonic() < end:
            self.read(0.01)

    def wait_exit(self, timeout_s: float = PATIENCE_S) -> int:
        """Wait until the program has ended and return its exit code; a signal's number is negative."""
        end = time.monotonic() + timeout_s
        while self._process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError(f"it did not end; on the screen:\n{self.text}")
            self._read_once(0.05)
        self._read_rest(end)
        code = self._process.poll()
        assert code is not None
        return code

    # How the terminal was left

    @property
    def is_sane(self) -> "Left":
        """Whether a shell could go on."""
        local_flags = termios.tcgetattr(self._slave)[3]
        is_cooked = bool(local_flags & termios.ECHO and local_flags & termios.ICANON)
        return Left(is_cooked, self.last_mode("2004"), self.last_mode("25"))

    def last_mode(self, mode: str) -> str:
        """`h` if the private mode was last switched on, `l` if off, `` if never."""
        switches: list[bytes] = re.findall(rb"\x1b\[\?" + mode.encode() + rb"([hl])", self.raw)
        return switches[-1].decode() if switches else ""

    def _started(
        self, argv: Sequence[str], env: Mapping[str, str], cwd: str
    ) -> "Program | subprocess.Popen[bytes]":
        if list(argv[:2]) == python_module(*argv[2:3])[:2]:
            order = Order(argv[2], argv[3:], env, cwd, at_terminal=True)
            return warm().start(order, (self._slave, self._slave, self._slave))
        return subprocess.Popen(  # the tests' own programs
            argv,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=env,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=self._take_terminal,  # noqa: PLW1509  # the child has no threads yet
        )

    def _settle(self) -> None:
        """Let what is being drawn be drawn to its end: lines may have come, and what stands below them not yet."""
        self.wait_idle(timeout_s=1.0)
        while self._read_once(0.0):
            pass

    def _has_drawn_more(self, drawn: int) -> bool:
        return len(self.raw) > drawn

    def _read_rest(self, end: float) -> None:
        """Take in all that was written: the system may take its time to hand it on, but keeps the order."""
        if self._master < 0:
            return
        os.write(self._slave, END_MARK)
        while not self.raw.endswith(END_MARK):
            if time.monotonic() > end:
                raise AssertionError(f"the terminal kept back what was written; on the screen:\n{self.text}")
            self._read_once(0.05)
        self.raw = self.raw.removesuffix(END_MARK)

    def _threads(self) -> list[Path]:
        return list(Path(f"/proc/{self.pid}/task").glob("*/stat"))

    def _holds(self, condition: Condition) -> bool:
        match condition:
            case str():
                return condition in self.text
            case re.Pattern():
                return condition.search(self.text) is not None
            case _:
                return condition(self)

    def _wait(self, holds: Callable[[], bool], complaint: str, timeout_s: float) -> None:
        end = time.monotonic() + timeout_s
        while not holds():
            code = self._process.poll()
            if code is not None:
                self._read_rest(end)
            if time.monotonic() > end or (code is not None and not holds()):
                raise AssertionError(f"{complaint}; exit code {code}, on the screen:\n{self.everything}")
            self._read_once(0.05)

    def _read_once(self, timeout_s: float) -> bool:
        if self._master < 0:
            time.sleep(timeout_s)
            return False
        if not select.select([self._master], [], [], timeout_s)[0]:
            return False
        data = os.read(self._master, 65536)
        self.raw += data
        self._stream.feed(self._decoder.decode(data))
        return True

    def _write(self, keys: str) -> None:
        os.write(self._master, keys.encode("utf-8", "surrogateescape"))

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _take_terminal(self) -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _is_running(stat: Path) -> bool:
    """Whether a thread is at work or waits for a processor; one that has just ended is not."""
    try:
        return stat.read_text().rpartition(")")[2].split()[0] == "R"
    except (FileNotFoundError, ProcessLookupError):
        return False


def terminal_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program in a terminal, free of what the person running the tests has set."""
    ours = ("AGENTCLI_", "ANTHROPIC_", "PROMPT_TOOLKIT_", "NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR")
    # What tells which terminal the person sits at, and so whether it folds what no longer fits.
    theirs = ("TERM", "TMUX", "STY", "VTE_", "KITTY_", "ALACRITTY_", "KONSOLE_", "WT_")
    kept: dict[str, Any] = {
        name: value for name, value in os.environ.items() if not name.startswith(ours + theirs)
    }
    return kept | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | dict(extra)


def python_module(name: str, *arguments: str) -> list[str]:
    """The command that runs a module of this checkout with this Python."""
    return [sys.executable, "-m", name, *arguments]

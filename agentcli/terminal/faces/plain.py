"""Where there is no terminal on both ends: plain lines out, lines in as messages, nothing redrawn."""

import asyncio
import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Self, TextIO

from agentcli.terminal import happened as h
from agentcli.terminal.faces.printed import beneath
from agentcli.terminal.faces.system_signals import ENDING, HANG_UP, heed, ignore
from agentcli.terminal.picking import Choice
from agentcli.terminal.question.answer import Command, read_message
from agentcli.terminal.question.arming import Standing
from agentcli.terminal.question.asking import View, card_of
from agentcli.terminal.question.card import NO_END, as_text
from agentcli.terminal.surroundings import Vocabulary
from agentcli.visible import ENCODING_MARK, valid_unicode

_HEEDED: Final = (*ENDING, signal.SIGINT)


def is_one_terminal(stdin: TextIO | None, stdout: TextIO | None) -> bool:
    """Return whether both ends are the same terminal, so that who reads is who types."""
    stdin, stdout = beneath(stdin), beneath(stdout)
    if stdin is None or stdout is None or not (stdin.isatty() and stdout.isatty()):
        return False
    return os.fstat(stdin.fileno()).st_rdev == os.fstat(stdout.fileno()).st_rdev


class Plain:
    """Writes lines, and reads one when the one before is dealt with; what is asked can't be answered here."""

    colour = False
    can_answer = False
    is_redrawn = False
    keeps_lines = False

    def __init__(self, stdin: TextIO | None, stdout: TextIO, *, width: int) -> None:
        self.width = width
        self._is_at_work = False
        self._stdin, self._stdout = stdin, stdout
        self._happened: asyncio.Queue[h.Happened] = asyncio.Queue()
        self._is_reading = False
        self._is_first_line = True
        self._is_asking = False
        self._is_awaited = False

    @property
    def is_at_work(self) -> bool:
        """Whether a model or a tool is at work; meanwhile no line is read."""
        return self._is_at_work

    @is_at_work.setter
    def is_at_work(self, at_work: bool) -> None:
        self._is_at_work = at_work
        self._read_if_due()

    def write(self, text: str) -> None:
        """Print lines that are safe to draw; where nobody reads them any more, that is told as a SIGHUP."""
        # What the encoding does not have is spelled out, not lost and no error.
        encoding = self._stdout.encoding or "utf-8"
        known = text.encode(encoding, "backslashreplace").decode(encoding)
        try:
            self._stdout.write(known if known.endswith("\n") else known + "\n")
            self._stdout.flush()
        except OSError:
            self._happened.put_nowait(h.Signalled(HANG_UP))

    def notice(self, text: str) -> None:
        """Print lines of our own."""
        self.write(text)

    def tail(self, text: str) -> None:
        """Nothing: what is unfinished is printed when it is finished."""

    def status(self, parts: Sequence[str]) -> None:
        """Nothing: there is no status line."""

    def ask(self, view: View) -> None:
        """Show a question; from here on nothing more is read."""
        self._is_asking = True
        self.write(as_text(card_of(view, width=self.width, height=NO_END)))

    def close_question(self) -> None:
        """The question was answered elsewhere: lines are read again."""
        self._is_asking = False
        self._read_if_due()

    def knows(self, vocabulary: Vocabulary) -> None:
        """Nothing: no word is completed here."""

    def pick(self, title: str, choices: Sequence[Choice]) -> None:
        """Never called: nobody can pick here."""
        raise AssertionError(title)

    async def next(self) -> h.Happened:
        """Return the next line, or what the system did; a line is only read when it is asked for."""
        self._is_awaited = True
        self._read_if_due()
        try:
            return await self._happened.get()
        finally:
            self._is_awaited = False

    async def __aenter__(self) -> Self:
        heed(_HEEDED, lambda number: self._happened.put_nowait(h.Signalled(number)))
        return self

    async def __aexit__(self, *_: object) -> None:
        ignore(_HEEDED)

    def restore(self) -> None:
        """Nothing: no mode of a terminal was changed."""

    def _read_if_due(self) -> None:
        may_read = not (self._is_reading or self._is_asking or self._is_at_work)
        if self._is_awaited and may_read and self._happened.empty():
            self._is_reading = True
            # A thread of our own, which dies with the process: one that a pool waits for could wait for ever.
            threading.Thread(target=self._read, args=(asyncio.get_running_loop(),), daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        happened = self._next_line()
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(self._was_read, happened)

    def _was_read(self, happened: h.Happened) -> None:
        self._is_reading = False
        self._happened.put_nowait(happened)

    def _next_line(self) -> h.Happened:
        while line := self._read_line():
            text = valid_unicode(line.rstrip("\r\n"))
            if self._is_first_line:
                text = text.removeprefix(ENCODING_MARK)
                self._is_first_line = False
            reading = read_message(text, Standing.ANSWER)
            if isinstance(reading, Command):
                return h.CommandEntered(reading.text)
            if text.strip():
                return h.WordsEntered(text)
        return h.InputEnded()

    def _read_line(self) -> str:
        """Return the next line as it came; empty where there is none, or none that can be read."""
        if self._stdin is None:
            return ""
        try:
            return self._stdin.readline()
        except OSError:
            return ""

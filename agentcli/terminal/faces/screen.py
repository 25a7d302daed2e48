"""The terminal of a session: one application that owns keyboard and screen from the first line to the last."""

import asyncio
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from prompt_toolkit.input import Input

from agentcli.terminal import happened as h
from agentcli.terminal.faces.application import application_of
from agentcli.terminal.faces.desk import Desk, Move
from agentcli.terminal.faces.input_line import InputLine
from agentcli.terminal.faces.keyboard import is_input_waiting, sift_keys
from agentcli.terminal.faces.layout import build
from agentcli.terminal.faces.linear import LinearOutput
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.picture import Picture
from agentcli.terminal.faces.printing import Printing
from agentcli.terminal.faces.suspending import Suspending
from agentcli.terminal.faces.system_signals import ENDING, HANG_UP, heed, ignore
from agentcli.terminal.keys import Key
from agentcli.terminal.picking import Choice
from agentcli.terminal.question.asking import View
from agentcli.terminal.surroundings import Vocabulary

FRAME_S: Final = 0.05  # the open block is drawn anew at most this often
WAITS: Final = "agentcli: a question waits"
"""What a notification says; never anything of the call."""

_TYPED_AHEAD_S: Final = 0.2  # what was typed before the first frame was drawn has been read by then
_PROMPT_S: Final = 0.15  # where nothing is drawn anew, an empty prompt comes once it was quiet for so long


class Screen:
    """Where lines are written, the line is typed and the question is asked; what happens comes out of `next`.

    Used with `async with`, which gives the terminal back whatever happens inside. `stop` is what Ctrl-Z does.
    """

    can_answer = True

    def __init__(  # noqa: PLR0913  # a way of the terminal each
        self,
        input: Input,
        output: SteadyOutput | LinearOutput,
        *,
        colour: bool,
        bell: bool = True,
        clock: Callable[[], float] = time.monotonic,
        history: Path | None = None,
        heeds_signals: bool = True,
        stop: Callable[[], object] | None = None,
    ) -> None:
        self.colour = colour
        self._input, self._output, self._bell, self._clock = input, output, bell, clock
        self._heeds_signals = heeds_signals
        self._desk = Desk()
        self._held: list[str] = []
        self._tail_timer: asyncio.TimerHandle | None = None
        self._prompt_timer: asyncio.TimerHandle | None = None
        self._happened: asyncio.Queue[h.Happened | BaseException] = asyncio.Queue()
        self._line = InputLine(self._desk, partial(is_input_waiting, input), self._follow, clock, history)
        self._watch = self._line.watch
        self._picture = Picture(self._desk, self._size)
        self._parts = build(self._picture, self._line.buffer)
        self._app = application_of(self._parts.layout, self._line, input, output, self._rendered)
        self._printing = Printing(self._app, output)
        self._suspending = Suspending(self._app, input, output, stop, self._uncovered)
        self._line.suspend = self._suspending.suspend
        self._running: asyncio.Task[None]
        self._drawn = asyncio.Event()
        self._former_handler: Callable[[asyncio.AbstractEventLoop, dict[str, Any]], object] | None = None
        sift_keys(input, self._watch.disturbed)

    # Written by the conversation

    @property
    def is_redrawn(self) -> bool:
        """Whether what is shown may be drawn anew."""
        return not self.keeps_lines

    @property
    def keeps_lines(self) -> bool:
        """Whether a line that was entered stays where it was typed, so that it need not be told."""
        return isinstance(self._output, LinearOutput)

    @property
    def width(self) -> int:
        """Cells in a line."""
        return self._size()[0]

    @property
    def is_at_work(self) -> bool:
        """Whether a model or a tool is at work, which decides what Ctrl-C does."""
        return self._desk.is_at_work

    @is_at_work.setter
    def is_at_work(self, at_work: bool) -> None:
        self._desk.is_at_work = at_work

    def write(self, text: str) -> None:
        """Print lines that are safe to draw above the input line; held back while a question is open."""
        if self._desk.asking is None:
            self._printing.add(text)
        else:
            self._held.append(text if text.endswith("\n") else text + "\n")

    def notice(self, text: str) -> None:
        """Print lines of our own at once, even while a question is open."""
        self._printing.add(text)

    def tail(self, text: str) -> None:
        """Show the end of a text that is still coming; not while a question is open."""
        self._picture.unfinished = text
        if self._tail_timer is None and self._app.is_running:
            self._tail_timer = asyncio.get_running_loop().call_later(FRAME_S, self._draw_tail)

    def status(self, parts: Sequence[str]) -> None:
        """Show the status, the most important part first."""
        self._picture.state = tuple(parts) or ("",)
        self._app.invalidate()

    def ask(self, view: View) -> None:
        """Open a question; it can be answered once it is painted and the keyboard was quiet."""
        is_first = self._desk.asking is None
        self._desk.open(view, self._line.buffer.text)
        if is_first:
            self._output.notify(WAITS)
        if self._bell and is_first:
            self._output.bell()
        self._app.invalidate()

    def close_question(self) -> None:
        """Take away what is asked, answered elsewhere or no longer asked."""
        if self._desk.asking is not None:
            self._follow(self._desk.close(self._line.buffer.text))

    def knows(self, vocabulary: Vocabulary) -> None:
        """Have the names that can be completed from here on."""
        self._line.vocabulary = vocabulary

    def pick(self, title: str, choices: Sequence[Choice]) -> None:
        """Open a list; what is picked from it comes out of `next`."""
        self._line.pick(title, choices, lambda value: self._happened.put_nowait(h.Picked(value)))
        self._app.invalidate()

    async def next(self) -> h.Happened:
        """Return the next thing that a person or the system did.

        Raises:
            BaseException: The screen itself failed; the terminal is given back on leaving.
        """
        happened = await self._happened.get()
        if isinstance(happened, BaseException):
            raise happened
        return happened

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._former_handler = loop.get_exception_handler()
        loop.set_exception_handler(self._callback_failed)
        if self._heeds_signals:
            heed(ENDING, lambda number: self._happened.put_nowait(h.Signalled(number)))
            heed([signal.SIGINT], lambda _: self._line.stopped(Key.CTRL_C))
            self._suspending.heed()
        if isinstance(self._output, LinearOutput):
            # What is written is never drawn anew, so the first lines come before the prompt.
            self._printing.now()
        self._running = loop.create_task(self._app.run_async(set_exception_handler=False, handle_sigint=False))
        self._running.add_done_callback(self._ended)
        waiting = loop.create_task(self._drawn.wait())
        try:
            await asyncio.wait((self._running, waiting), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # Nobody calls the exit of what was not entered.
            await self.__aexit__()
            raise
        finally:
            waiting.cancel()
        self._printing.now()
        loop.call_later(_TYPED_AHEAD_S, self._line.begin)
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            await self._end()
        finally:
            self.restore()
            if self._heeds_signals:
                ignore((*ENDING, signal.SIGINT))
                self._suspending.ignore()
            asyncio.get_running_loop().set_exception_handler(self._former_handler)

    def restore(self) -> None:
        """Give the terminal back at once; for an exit that can't wait."""
        # The last that was drawn wants its prompt too, which would stand among what is written after this.
        self._hold_prompt_back()
        self._suspending.leave()

    # Inside

    def _uncovered(self) -> None:
        """What is asked was out of sight for a while."""
        self._desk.come_back()
        self._watch.disturbed()

    def _size(self) -> tuple[int, int]:
        size = self._output.get_size()
        return size.columns, size.rows

    async def _end(self) -> None:
        self._watch.stop()
        self._hold_prompt_back()
        # Words that somebody was typing are left on the screen; an answer is of no use any more.
        given_up = list(self._line.given_up())
        self.close_question()
        for told in given_up:
            self._printing.add(told)
        self._line.buffer.reset()
        with suppress(OSError, EOFError):
            self._printing.now()
            if not self._app.is_running:
                # It may not have begun, and would then never end.
                self._running.cancel()
            elif not self._app.is_done:
                self._app.exit()
            await asyncio.wait((self._running,))
            if not self._running.cancelled():
                self._running.result()

    def _draw_tail(self) -> None:
        self._tail_timer = None
        self._app.invalidate()

    def _rendered(self) -> None:
        if isinstance(self._output, LinearOutput):
            self._write_changes(self._output, is_quiet=False)
        self._drawn.set()
        asking = self._desk.asking
        if asking is None or asking.is_painted:
            return
        self._watch.disturbed()
        # Its window has a fixed height: where that does not fit, it is not drawn at all.
        if self._parts.card in self._app.layout.visible_windows:
            asking.painted(self._clock())
            self._watch.painted()

    def _write_changes(self, output: LinearOutput, *, is_quiet: bool) -> None:
        """Write what has changed; an empty prompt waits until nothing else comes for a moment."""
        output.show(self._picture.seen(self._line.buffer.text, self._line.lines_ended, is_quiet=is_quiet))
        self._hold_prompt_back()
        if not is_quiet:
            write = partial(self._write_changes, output, is_quiet=True)
            self._prompt_timer = asyncio.get_running_loop().call_later(_PROMPT_S, write)

    def _hold_prompt_back(self) -> None:
        if self._prompt_timer is not None:
            self._prompt_timer.cancel()

    def _follow(self, move: Move) -> None:
        if isinstance(self._output, LinearOutput) and move.line is not None:
            self._output.complete_line(self._line.buffer.text)
        self._line.become(move)
        if self._desk.asking is None and self._held:
            self._printing.add("".join(self._held))
            self._held.clear()
        if move.happened is not None:
            self._happened.put_nowait(move.happened)
        self._app.invalidate()

    def _ended(self, running: asyncio.Task[None]) -> None:
        error = None if running.cancelled() else running.exception()
        if error is not None:
            self._failed(error)

    def _callback_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is None or "handle" not in context:
            loop.default_exception_handler(context)
        else:
            self._failed(error)

    def _failed(self, error: BaseException) -> None:
        self._happened.put_nowait(h.Signalled(HANG_UP) if isinstance(error, EOFError | OSError) else error)

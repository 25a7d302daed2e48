"""Carries a session's run out for `run` and `resume`: events out, questions as wished, an exit code at the end."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec.structs import replace

from agentcli.cli.exits import Exit, Problem, explain
from agentcli.cli.signals import EXITS, Signals
from agentcli.cli.talk.ending import Ending, ending_of, kept_while_draining, not_heard
from agentcli.cli.talk.manner import AT_A_QUESTION, AT_START, Manner
from agentcli.cli.talk.opening import hang_up
from agentcli.cli.talk.progress import Progress, at_work, can_redraw
from agentcli.cli.writing import output
from agentcli.engine import children
from agentcli.engine.bookkeeping import Draining
from agentcli.session import events as ev
from agentcli.session.announcing import run_finished, still_asked
from agentcli.session.entries import RequestFailed
from agentcli.session.origin import ON_ASK
from agentcli.session.persons import Given, Person
from agentcli.session.ports import StoreFailure
from agentcli.session.steps import AwaitAnswer, AwaitPerson, AwaitSupply, Idle
from agentcli.terminal.conversation.leaving import ENDING, GRACE_S, STOPPED_ELSEWHERE, STOPPING
from agentcli.terminal.drawing.styled import Line, Span
from agentcli.terminal.drawing.telling import audit_lines, lines_of, retry_line
from agentcli.terminal.faces.printed import NO_SIZE, beneath, listening, printed_line
from agentcli.visible import visible
from agentcli.wiring.identity import this_person
from agentcli.wiring.opening import Opening

NOBODY_THERE: Final = "nobody is there to be asked"
TICK_S: Final = 0.2
STREAMED: Final = (ev.TextDelta, ev.ToolInputStarted, ev.ToolInputDelta, ev.ToolInputReady)


class Run:
    """One run, from here to where it ends or somebody else has to act."""

    def __init__(self, opening: Opening, manner: Manner) -> None:
        self._opening, self._session = opening, opening.session
        self._manner = manner
        stderr = beneath(sys.stderr)
        is_live, is_plain = can_redraw(stderr, is_plain=manner.terminal.plain), manner.terminal.plain
        self._progress = Progress(
            stderr,
            is_live=is_live,
            is_read_out=stderr is not None and stderr.isatty() and not is_live,
            colour=output.has_colour(stderr) and not is_plain,
        )
        self._said: int | None = None
        self._is_told_to_stop = False
        self._is_ending = False
        self._finished: ev.RunFinished | None = None
        self._asked: ev.ApprovalRequested | ev.Suspended | None = None
        self._unwritten: Problem | None = None
        self._signals = Signals(stop=self._stop_soon, leave=self._leave_soon, give_up=self._give_up)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: list[asyncio.Future[None]] = []

    def carry_out(self, text: str | None) -> Exit:
        """Say the text, if there is one, and go on until the run ends; return the exit code."""
        # The import takes a second: it goes on beside what is done until the first request.
        threading.Thread(target=self._session.preload, daemon=True).start()
        try:
            asyncio.run(self._go_on(text))
        except Exception as error:  # noqa: BLE001  # also a run that fails ends with its last event
            return self._fail(error)
        return self._end(self._ending())

    def _ending(self) -> Ending:
        assert self._finished is not None
        match self._session.last_step:
            case Draining():
                return kept_while_draining(self._finished, program=self._manner.program)
            case Idle():
                # There was nothing to go on with, and no run of which something could be said.
                return Ending(Exit.DONE)
            case _:
                return ending_of(self._finished, self._session.state, program=self._manner.program)

    async def _go_on(self, text: str | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._session.observe(self._take)
        ticking = asyncio.ensure_future(self._tick())
        try:
            with self._signals, listening(self._tell_printed):
                if text is not None:
                    self._said = await self._session.say(text, this_person(AT_START))
                step = await self._session.carry_on()
                while isinstance(step, AwaitPerson) and await self._settled(step):
                    step = await self._session.carry_on()
            await hang_up(self._opening)
            # That takes a while, and what is said meanwhile is named with what else was not heard.
            with suppress(StoreFailure):
                self._session.catch_up()
        finally:
            ticking.cancel()
            self._progress.show("")

    def _tell_printed(self, line: str) -> None:
        """Tell what own code has printed, in whichever thread."""
        with suppress(RuntimeError):  # the loop is over
            self._soon(lambda: self._progress.line(printed_line(line)))

    async def _settled(self, step: AwaitPerson) -> bool:
        """Have settled what a person is waited for, as wished; return whether to go on."""
        if self._signals.exit is not None:
            return False
        match self._manner.on_ask, step:
            case "prompt", _:
                return await self._prompt(step)
            case "decline", AwaitAnswer(call_id):
                code = self._session.state.calls[call_id].question_code
                given = Given("declined", code, NOBODY_THERE)
                await self._session.answer_as(_nobody(), call_id, given)
                return True
            case "decline", AwaitSupply(call_id):
                await self._session.decline_form(_nobody(), call_id, NOBODY_THERE)
                return True
            case _:
                return False

    async def _prompt(self, step: AwaitPerson) -> bool:
        # What draws is only loaded where there is something to ask.
        from agentcli.cli.talk.asking import Stopped, ask_here  # noqa: PLC0415
        from agentcli.terminal.conversation.one_question import Left  # noqa: PLC0415

        # Who stops the run by a key at the question knows it.
        self._is_told_to_stop = True
        with self._progress.held():
            came = await ask_here(self._session, step, self._manner.terminal, self._progress)
        self._is_told_to_stop = isinstance(came, Stopped) and self._session.state.stop_asked
        self._tell_of_stop()
        # The screen has had the signals meanwhile.
        self._signals.listen()
        if isinstance(came, Left) and came.signal:
            self._signals.exit = EXITS[signal.Signals(came.signal)]
        return not isinstance(came, Left)

    async def _tick(self) -> None:
        told: RequestFailed | None = None
        while True:
            state, now = self._session.state, datetime.now(UTC)
            self._tell_of_stop()
            if state.failure is not None and state.failure is not told:
                line = retry_line(state, now, told)
                told = state.failure
                if line is not None:
                    self._progress.line(line)
            going_on = at_work(state, now)
            self._progress.show(going_on)
            self._progress.reassure(going_on, now)
            await asyncio.sleep(TICK_S)

    def _tell_of_stop(self) -> None:
        if self._session.state.stop_asked and not self._is_told_to_stop:
            self._is_told_to_stop = True
            self._progress.line((Span(STOPPED_ELSEWHERE),))

    def _take(self, event: ev.Event) -> None:
        """Take an event; nothing is raised here, since a call may be about to run."""
        for line in self._lines_of(event):
            self._progress.line(line)
        if isinstance(event, ev.ApprovalRequested | ev.Suspended):
            self._asked = event
        if isinstance(event, ev.Queued) and self._finished is not None:
            unheard = tuple(self._session.state.unheard)
            self._finished = msgspec.structs.replace(self._finished, undelivered=unheard)
        if isinstance(event, ev.RunFinished):
            self._finished = event
        elif self._manner.as_json and (self._manner.has_deltas or not isinstance(event, STREAMED)):
            self._write(event)

    def _lines_of(self, event: ev.Event) -> Iterator[Line]:
        """Yield what is told of an event, but nothing of words that who started this knows of already."""
        state = self._session.state
        match event:
            case ev.Queued(message=number) if state.messages[number].channel in (AT_START, AT_A_QUESTION):
                return
            case ev.Heard(message=number) if number == self._said:
                return
            case ev.Queued() | ev.Heard():
                width = output.terminal_width(beneath(sys.stderr)) or NO_SIZE.columns
                yield from lines_of(event, state, width=width)
            case _:
                yield from audit_lines(event, state)

    def _write(self, event: ev.Event) -> None:
        try:
            output.json_line(event)
        except (output.ReaderGone, output.Unwritable) as error:
            # Nobody hears any more what it does, so it begins nothing new.
            self._unwritten = self._unwritten or explain(error)
            self._session.leave(grace_s=GRACE_S)

    def _end(self, ending: Ending) -> Exit:
        assert self._finished is not None
        text = self._finished.text
        if self._manner.as_json:
            self._ask_again(self._finished)
            self._write(self._finished)
        elif self._finished.outcome == "completed" and text.strip():
            output.answer(text)
        elif self._finished.outcome in ("waiting", "stopped") and text:
            # Not the answer: that was still to come.
            output.note_drawn(visible(text))
        if self._unwritten is not None and self._unwritten.message:
            output.note(f"agentcli: {self._unwritten.message}")
        if ending.unheard:
            output.note(not_heard(ending.unheard))
        if ending.words:
            output.note(ending.words)
        if self._unwritten is not None:
            return self._unwritten.code
        return ending.exit if self._signals.exit is None else self._signals.exit

    def _ask_again(self, finished: ev.RunFinished) -> None:
        """Write what is asked since an earlier process: its events are not among these."""
        asked = still_asked(self._session.state) if finished.outcome == "waiting" else None
        if asked is not None and asked != self._asked:
            self._write(asked)

    def _fail(self, error: Exception) -> Exit:
        problem = explain(error)
        if self._manner.as_json:
            with suppress(Exception):
                self._write(run_finished(self._session.state, datetime.now(UTC), "failed", problem.message))
        if problem.message:
            output.note(f"agentcli: {problem.message}")
        return problem.code

    def _stop_soon(self) -> None:
        self._soon(lambda: self._stopping.append(asyncio.ensure_future(self._stop())))

    async def _stop(self) -> None:
        self._is_told_to_stop = True
        self._progress.line((Span(STOPPING),))
        await self._session.stop(this_person("signal").by)
        if not self._session.state.stop_asked:
            # No run is open, and none is to begin.
            self._session.leave(grace_s=0)

    def _leave_soon(self) -> None:
        self._soon(self._leave)

    def _leave(self) -> None:
        if not self._is_ending:
            self._is_ending = True
            self._progress.line((Span(ENDING),))
            self._session.leave(grace_s=GRACE_S)

    def _soon(self, work: Callable[[], object]) -> None:
        """Do something in the loop, whatever the signal has interrupted."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(work)

    def _give_up(self) -> None:
        """End the process at once; what is at work is left behind, but no program that we have started."""
        if children.is_any_starting():
            # It would be missed: it is known a few turns of the loop later.
            self._soon(self._give_up)
            return
        children.end_all()
        last = run_finished(self._session.state, datetime.now(UTC), "stopped", "")
        resume = f"{self._manner.program} resume {self._session.id}"
        unheard = f"{not_heard(last.undelivered)}\n" if last.undelivered else ""
        words = f"{self._progress.fresh_line}{unheard}left at once; `{resume}` says what became of it\n"
        if self._manner.as_json:
            output.write_past_buffers(sys.stdout, output.encoded(last))
        output.write_past_buffers(sys.stderr, words.encode(errors="backslashreplace"))
        os._exit(Exit.INTERRUPTED)


def _nobody() -> Person:
    """Return what answers where nobody is there: an option, given by whoever started this."""
    return replace(this_person(ON_ASK), by="--on-ask decline")

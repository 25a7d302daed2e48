"""Shows on a face what happens in a session: events as they come, and at every tick what changes by itself."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from agentcli.gate.verdicts import Decision
from agentcli.session import events as ev
from agentcli.session.entries import RequestFailed
from agentcli.session.run import Run
from agentcli.session.steps import AwaitReconcile, End
from agentcli.terminal.conversation.resting import Resting
from agentcli.terminal.conversation.speech import Speech
from agentcli.terminal.conversation.status import GAP, Part, Unasked, fitting, spent_by, status_parts, unasked_by
from agentcli.terminal.drawing.folded import draw_folded
from agentcli.terminal.drawing.render import heard_line, queued_line
from agentcli.terminal.drawing.styled import Line, Span, Style, draw
from agentcli.terminal.drawing.telling import (
    PATIENCE_S,
    SAID,
    ending_lines,
    lines_of,
    retry_line,
    retry_reason,
    retry_text,
    running_text,
    seconds_since,
    usage_line,
)
from agentcli.terminal.face import Face, tell
from agentcli.visible import visible_line
from agentcli.wiring.session import Session

DRAINING: Final = "draining: no run begins until that is over"
MODEL: Final = "the model"
NOTHING_YET: Final = "…"
"""The tail while something is at work that has not shown anything yet."""


class Display:
    """Turns what happens into lines, the tail and the status; `is_at_work` is whether anything does.

    Below the first fault it says where the `log` is, which has the detail.
    """

    def __init__(self, session: Session, face: Face, log: str = "") -> None:
        self.is_at_work = False
        self._log = log
        self._session = session
        self._face = face
        self._speech = Speech(face)
        self._told: RequestFailed | None = None
        self._run: Run | None = None
        self._ended_at: datetime | None = None
        self._decided: dict[str, tuple[Decision, Any]] = {}
        self._forming_since: datetime | None = None
        self._quiet_since: datetime | None = None
        self._tail = self._above = ""
        self._status: list[str] = []
        self._entered: str | None = None
        self._heard: list[ev.Heard] = []
        self._resting: Resting | None = None

    def entered(self, words: str) -> None:
        """Know the words that were entered at this face, before they are stored."""
        self._entered = words

    def command(self, text: str) -> None:
        """Show a command as it was entered."""
        if not self._face.keeps_lines:
            tell(self._face, f"{SAID}{visible_line(text)}")

    def answer(self, lines: Iterable[str]) -> None:
        """Print at once what a command answers, in lines that are safe to draw."""
        self._face.notice("\n".join(self._drawn((Span(line),)) for line in lines))

    def how_things_stand(self, now: datetime) -> Iterator[str]:
        """Yield the whole status and what is at work, as lines that are safe to draw."""
        yield GAP.join(part.text for part in self._status_parts(now))
        if self._session.is_draining:
            yield DRAINING
        if not self.is_at_work:
            yield "nothing is at work"
            return
        for line in self._what_is_at_work(now):
            yield visible_line(line)

    def take(self, event: ev.Event) -> None:
        """Show an event."""
        self._quiet_since = None
        if isinstance(event, ev.Heard):
            # Those of one step are told in one line, once the last of them is there.
            self._heard.append(event)
            return
        self._tell_heard()
        state = self._session.state
        self._speech.take(event)
        if isinstance(event, ev.RunFinished):
            self._speech.end()
        if isinstance(event, ev.ToolInputStarted):
            self._forming_since = event.at
        self._show_tail(self._coming(event.at))
        if isinstance(event, ev.Decided) and self._is_told_already(event):
            return
        if isinstance(event, ev.Queued):
            if self._stands_there(event):
                self.notice(queued_line(event.message))
                return
            if state.run is None:
                # A turn of its own stands apart from the one before.
                self._face.notice("")
        # Words and answers are no output of the agent: they show while a question is open.
        is_ours = isinstance(event, ev.Queued | ev.Answered)
        lines = list(lines_of(event, state, width=self._face.width, above=self._above))
        for line in lines:
            (self.notice if is_ours else self.write)(line)
        if lines and isinstance(event, ev.Decided):
            self._above = event.call_id
        if isinstance(event, ev.ToolFinished) and self._log:
            finished = state.calls[event.call_id].finished
            if finished is not None and finished.status == "fault":
                self.write((Span(f"the log is {visible_line(self._log)}", Style.FAINT),))
                self._log = ""

    def _tell_heard(self) -> None:
        heard, self._heard = self._heard, []
        for step, messages in groupby(heard, key=lambda event: event.step):
            self.write(heard_line([event.message for event in messages], step))

    def write(self, line: Line) -> None:
        """Print a line; while a question is open it waits."""
        self._above = ""
        self._face.write(self._drawn(line))

    def notice(self, line: Line) -> None:
        """Print a line at once."""
        self._above = ""
        self._face.notice(self._drawn(line))

    def _drawn(self, line: Line) -> str:
        # Where a terminal folds a long line, what stands in it could pass for a line of ours. Who reads lines by a
        # program wants each of them whole.
        if not self._face.can_answer:
            return draw(line, colour=self._face.colour)
        return draw_folded(line, self._face.width, colour=self._face.colour)

    def tick(self, now: datetime) -> None:
        """Show what changes by itself."""
        self._tell_heard()
        state = self._session.state
        if state.failure is not None and state.failure is not self._told:
            line = retry_line(state, now, self._told)
            self._told = state.failure
            if line is not None:
                self._speech.end()
                self.write(line)
        waiting = NOTHING_YET if self.is_at_work else ""
        self._show_tail(self._coming(now) or running_text(state, now) or retry_text(state, now) or waiting)
        self._reassure(now)
        self._show_status(now)

    def rest(self, resting: Resting, now: datetime) -> None:
        """Say how the run has ended, if it has."""
        self._tell_heard()
        state = self._session.state
        self.is_at_work, self._resting = False, resting
        self._show_tail("")
        if isinstance(resting, End) and state.ended is not None and state.last_run is not None:
            self._run, self._ended_at = state.last_run, now
            for line in ending_lines(state.ended, state):
                self.write(line)
            if self._run.usage.total:
                self.write(usage_line(self._run, now))

    def _reassure(self, now: datetime) -> None:
        """Where nothing is drawn anew, say that something is still at work once nothing was told for a while."""
        if self._face.is_redrawn or not self._face.can_answer:
            return
        if not self.is_at_work or self._quiet_since is None:
            self._quiet_since = now
        elif (now - self._quiet_since).total_seconds() >= PATIENCE_S:
            for line in self._what_is_at_work(now):
                self.write((Span(f"still {visible_line(line)}", Style.FAINT),))
            self._quiet_since = now

    def _what_is_at_work(self, now: datetime) -> Iterator[str]:
        """Yield what is waited for: tools with their time, a service that is tried again and why, or the model."""
        state = self._session.state
        if again := retry_text(state, now):
            yield f"waiting, {again} {retry_reason(state)}"
            return
        for line in (running_text(state, now) or MODEL).split("\n"):
            yield f"at work: {line}"

    def _coming(self, now: datetime) -> str:
        """Return what has come of a reply and is not finished; an input that forms with the time it has taken."""
        tail = self._speech.tail
        if not self._speech.is_forming or self._forming_since is None:
            return tail
        return f"{tail.rstrip()} … {seconds_since(self._forming_since, now)}"

    def _is_told_already(self, event: ev.Decided) -> bool:
        """Whether a call was looked at once more, with the same outcome; who is asked again is told again."""
        told, self._decided[event.call_id] = self._decided.get(event.call_id), (event.decision, event.input)
        return event.decision is not Decision.ASK and told == (event.decision, event.input)

    def _stands_there(self, queued: ev.Queued) -> bool:
        """Whether the words stand where they were typed."""
        entered, self._entered = self._entered, None
        return self._face.keeps_lines and queued.text == entered

    def _show_tail(self, text: str) -> None:
        if text != self._tail:
            self._tail = text
            self._face.tail(text)

    def _show_status(self, now: datetime) -> None:
        parts = fitting(self._status_parts(now), self._face.width)
        if parts != self._status:
            self._status = parts
            self._face.status(parts)

    def _status_parts(self, now: datetime) -> list[Part]:
        state, agent = self._session.state, self._session.agent.name
        self._run = state.run or self._run
        spent, unasked = None, Unasked()
        if self._run is not None:
            # What was used stands still once a run is over; the last minute goes on.
            spent = spent_by(state, self._run, now if state.run is not None else self._ended_at or now)
            unasked = unasked_by(self._run, now)
        asks_for_outcome = not self.is_at_work and isinstance(self._resting, AwaitReconcile)
        return status_parts(state, agent, spent, unasked=unasked, asks_for_outcome=asks_for_outcome)

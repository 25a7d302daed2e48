"""Types a demo's lines when it is their time, and takes down what is decided, answered and said."""

import asyncio
from collections import deque
from typing import Final

from msgspec import Struct
from prompt_toolkit.input import PipeInput

from agentcli.lab.script import AnswerLine, Turn, is_command, is_yes
from agentcli.lab.staged import StagedFace
from agentcli.session import events as ev
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.question.asking import View
from agentcli.terminal.question.frame import QuestionView
from agentcli.wiring.session import Session

KEY_S: Final = 0.05
BREATH_S: Final = 0.3
READS_S: Final = 1.4
"""How long a question is looked at before it is answered: longer than it takes to be armed."""

LOOK_S: Final = 0.05
PATIENCE_S: Final = 600.0

ENTER, NEW_LINE, CTRL_U = "\r", "\x1b\r", "\x15"


class Stuck(Exception):
    """The demo can't go on; the message says why."""


class CallPlayed(Struct, frozen=True):
    """What was decided about a call, and answered where it was asked."""

    tool: str
    decision: str
    answer: str | None = None


class TurnPlayed(Struct, frozen=True):
    """The outcome of a turn: its calls, its final text or what a command printed, and the answers left over."""

    calls: tuple[CallPlayed, ...] = ()
    text: str = ""
    unused: tuple[AnswerLine, ...] = ()


class Cast(Struct, frozen=True):
    """Who plays: the session, the face it is shown on, and the keys."""

    session: Session
    face: StagedFace
    keys: PipeInput


class Director:
    """Plays one turn after the other."""

    def __init__(self, cast: Cast) -> None:
        self._session, self._face, self._keys = cast.session, cast.face, cast.keys
        self._calls: dict[str, CallPlayed] = {}
        self._answers: deque[AnswerLine] = deque()
        self._meanwhile: dict[int, list[str]] = {}
        self._finished: ev.RunFinished | None = None
        self._printed_before = 0
        self._is_editing = False
        self._heard_of = asyncio.Event()
        self._session.observe(self._take)

    @property
    def so_far(self) -> TurnPlayed:
        """The outcome of the turn until now."""
        return TurnPlayed(tuple(self._calls.values()), self._text, tuple(self._answers))

    async def play(self, turn: Turn) -> TurnPlayed:
        """Say what the turn says, answer what is asked, and return the outcome once all of it is over.

        Raises:
            Stuck: A question has no answer in the script, or nothing happens any more.
        """
        self._calls, self._finished = {}, None
        self._answers = deque(turn.answers)
        self._meanwhile = {}
        for words in turn.meanwhile:
            self._meanwhile.setdefault(words.step, []).append(words.say)
        await self.pause()
        self._printed_before, taken = len(self._face.lines), self._face.taken
        await self._type(turn.say)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while self._face.taken == taken or not self._is_over(turn):
                    await asyncio.sleep(LOOK_S)
                    if self._face.asking is not None and self._is_waited_for(turn):
                        await self._answer(self._face.asking)
        except TimeoutError as error:
            raise Stuck(f"nothing has happened for {PATIENCE_S:.0f} seconds") from error
        if self._meanwhile:
            steps = ", ".join(map(str, sorted(self._meanwhile)))
            raise Stuck(f"step {steps} never came, so what was to be said meanwhile was not said")
        return self.so_far

    def _is_over(self, turn: Turn) -> bool:
        if self._face.is_at_work or self._face.is_acted_on:
            return False
        return not self._is_waited_for(turn)

    def _is_waited_for(self, turn: Turn) -> bool:
        """Tell whether something is to be answered, or the run is still going on; an offer to go on can wait."""
        if is_command(turn.say):
            call = self._session.state.current_call
            return isinstance(self._face.asking, QuestionView) or (call is not None and call.waits_for_form)
        return self._finished is None

    @property
    def _text(self) -> str:
        if self._finished is not None:
            return self._finished.text
        return "\n".join(plain(line) for line in self._face.lines[self._printed_before :])

    async def pause(self) -> None:
        """Let those who watch read."""
        await asyncio.sleep(READS_S)

    async def speak_meanwhile(self) -> None:
        """Say what is to be said while this step is at work; return once it is stored."""
        run = self._session.state.run
        assert run is not None
        for words in self._meanwhile.pop(run.steps + 1, ()):
            self._heard_of.clear()
            await self._type(words)
            await self._heard_of.wait()

    async def _answer(self, view: View) -> None:
        call = self._session.state.current_call
        tool = view.tool if isinstance(view, QuestionView) else "" if call is None else call.tool
        answer = next((one for one in self._answers if one.tool == tool), None)
        if answer is None:
            raise Stuck(f"{tool} is asked about, and the script has no answer left for it")
        self._answers.remove(answer)
        await self.pause()
        if is_yes(answer.line) and not self._is_editing:
            await self._turn_to_the_last_page(view)
        if self._face.asking is not view:
            return
        if self._is_editing:
            self._keys.send_text(CTRL_U)
        self._is_editing = not self._is_editing and answer.line.strip().lower() == "e"
        await self._type(answer.line, is_answer=True)
        await asyncio.sleep(BREATH_S)

    async def _turn_to_the_last_page(self, view: View) -> None:
        """Have a small screen show all of the question: a yes counts no sooner."""
        for _ in range(1, self._face.pages):
            if self._face.asking is view:
                await self._type("v")
                await self.pause()

    async def _type(self, text: str, *, is_answer: bool = False) -> None:
        for char in text:
            self._keys.send_text(NEW_LINE if char == "\n" else char)
            await asyncio.sleep(KEY_S * (2 if char in " ,." else 1))
        await asyncio.sleep(BREATH_S)
        if is_answer:
            self._face.typed(text)
        self._keys.send_text(ENTER)

    def _take(self, event: ev.Event) -> None:
        match event:
            case ev.Decided(call_id=call_id):
                self._calls.setdefault(call_id, CallPlayed(event.tool, str(event.decision)))
            case ev.Answered(call_id=call_id, answer=answer) if call_id in self._calls:
                before = self._calls[call_id]
                self._calls[call_id] = CallPlayed(before.tool, before.decision, answer)
            case ev.Queued():
                self._heard_of.set()
            case ev.RunFinished(outcome=outcome) if outcome != "waiting":
                self._finished = event
            case _:
                pass

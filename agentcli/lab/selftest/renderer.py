"""What is put to the test: how calls are drawn, and the screen that asks about them."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Protocol, Self

from prompt_toolkit.input import Input

from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.session import events as ev
from agentcli.terminal.conversation.speech import Speech
from agentcli.terminal.drawing.folded import draw_folded
from agentcli.terminal.drawing.render import decision_line, result_line, spelling_line
from agentcli.terminal.drawing.styled import Line
from agentcli.terminal.face import Face
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.happened import Happened
from agentcli.terminal.question.asking import View


class Asker(Protocol):
    """The part of a face that attacks are played on."""

    @property
    def width(self) -> int:
        """Cells in a line."""
        ...

    def write(self, text: str) -> None:
        """Print lines of the agent."""
        ...

    def tail(self, text: str) -> None:
        """Show the end of a text that is still coming."""
        ...

    def ask(self, view: View) -> None:
        """Open a question."""
        ...

    def close_question(self) -> None:
        """Take the question away."""
        ...

    async def next(self) -> Happened:
        """Return the next thing that a person did."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...


class Renderer(Protocol):
    """Draws what a person sees."""

    def open(self, input: Input, output: SteadyOutput) -> Asker:
        """Return a screen on a terminal; its clock is the running loop's."""
        ...

    def decision(self, asker: Asker, tool: str, sent: str, reason: str) -> None:
        """Print the audit line of a call that was asked about or, for a reason, denied."""
        ...

    def result(self, asker: Asker, tool: str, result: Mapping[str, Any]) -> None:
        """Print the line of a result."""
        ...

    def reply(self, asker: Asker, text: str) -> None:
        """Print a model's reply."""
        ...


class RealRenderer:
    """The one that `chat` uses."""

    def open(self, input: Input, output: SteadyOutput) -> Screen:
        """Return the screen of a conversation."""
        return Screen(input, output, colour=True, bell=False, clock=asyncio.get_running_loop().time)

    def decision(self, asker: Asker, tool: str, sent: str, reason: str) -> None:
        """Print the audit line, and its second line where it has one."""
        decision = Decision.DENY if reason else Decision.ASK
        _print(
            asker,
            decision_line(decision, tool, sent, [Verdict(RuleName.HOOK, decision, reason)]),
            *spelling_line(sent),
        )

    def result(self, asker: Asker, tool: str, result: Mapping[str, Any]) -> None:
        """Print the line."""
        _print(asker, result_line(tool, result))

    def reply(self, asker: Asker, text: str) -> None:
        """Print the reply block by block."""
        assert isinstance(asker, Screen)
        face: Face = asker
        speech = Speech(face)
        speech.take(ev.TextDelta(session="selftest", at=datetime.now(UTC), text=text))
        speech.end()


def _print(asker: Asker, *lines: Line) -> None:
    for line in lines:
        asker.write(draw_folded(line, asker.width, colour=True))

"""A conversation without an agent: it says what happened at the terminal, and asks when it is told to."""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from prompt_toolkit.input import create_input

from agentcli.terminal import happened as h
from agentcli.terminal.drawing.styled import has_colour
from agentcli.terminal.faces.output import open_output
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.keys import Effect
from tests.terminal.views import view_of

_CODES: Final = {Effect.LEAVE: 0, Effect.LEAVE_OPEN: 3, Effect.LEAVE_SAFELY: 4}


class EchoChat:
    """What the words of a person make it do."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._doing: set[asyncio.Task[None]] = set()
        self._commands: Mapping[str, Callable[[str], None]] = {
            "/ask": lambda _: screen.ask(view_of()),
            "/long": lambda _: screen.ask(view_of(input=f'{{"text":"{"line" + chr(92) + "n"}{"x" * 5000}"}}')),
            "/lines": lambda count: screen.ask(
                view_of(
                    tool="save_note",
                    input='{"text":"' + "\\n".join(f"row {at}" for at in range(int(count))) + '"}',
                )
            ),
            "/later": lambda wait: self._start(self._ask_later(float(wait))),
            "/chatter": lambda _: self._start(self._chatter()),
            "/stream": lambda text: self._start(self._stream(text)),
            "/close": lambda _: screen.close_question(),
            "/notice": lambda text: screen.notice(f"notice: {text}"),
            "/work": lambda _: self._work(),
            "/status": lambda text: screen.status(text.split("|")),
            "/stall": lambda wait: self._start(self._stall(float(wait))),
            "/crash": self._crash,
        }

    async def run(self) -> int:
        self._screen.write("echo chat")
        while True:
            match await self._screen.next():
                case h.CommandEntered(text):
                    name, _, rest = text.partition(" ")
                    self._commands[name](rest)
                case h.WordsEntered(text, standing):
                    self._screen.notice(f"said {text!r}: {standing.name}")
                case h.AnswerGiven(said=said, seconds=seconds):
                    self._screen.write(f"answered {said}")
                    self._screen.write(f"seconds {seconds:.2f}")
                case h.KeyPressed(effect):
                    self._screen.notice(f"key {effect.name}")
                    if effect in _CODES:
                        return _CODES[effect]
                case h.Signalled(number):
                    return 128 + number
                case h.InputEnded():
                    return 0

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        self._doing.add(asyncio.create_task(doing))

    async def _ask_later(self, wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        self._screen.ask(view_of())

    async def _chatter(self) -> None:
        for number in range(200):
            self._screen.write(f"chatter {number}")
            await asyncio.sleep(0.01)

    async def _stream(self, text: str) -> None:
        for end in range(1, len(text) + 1):
            self._screen.tail(text[:end])
            await asyncio.sleep(0.01)
        self._screen.tail("")
        self._screen.write(text)

    async def _stall(self, wait_s: float) -> None:
        self._screen.ask(view_of())
        await asyncio.sleep(0.2)
        time.sleep(wait_s)

    def _work(self) -> None:
        self._screen.is_at_work = not self._screen.is_at_work

    def _crash(self, _: str) -> None:
        raise RuntimeError("crashed on purpose")


async def main() -> int:
    colour = has_colour(os.environ, is_terminal=True)
    output = open_output(sys.stdout, colour=colour)
    async with Screen(create_input(sys.stdin), output, colour=colour, bell=False) as screen:
        return await EchoChat(screen).run()


if __name__ == "__main__":
    with contextlib.suppress(RuntimeError):
        sys.exit(asyncio.run(main()))
    sys.exit(1)

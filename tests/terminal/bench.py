"""A screen with keys from a pipe, and what a person does at it."""

import asyncio
import io
from collections.abc import Callable

from prompt_toolkit.input import PipeInput

from agentcli.terminal import happened as h
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.question.arming import Arming
from tests.terminal.views import view_of

GAP_S = 0.05


class Bench:
    """A screen, its keyboard, and what was written to it."""

    def __init__(self, keys: PipeInput, written: io.StringIO, screen: Screen) -> None:
        self.keys = keys
        self.written = written
        self.screen = screen

    async def type(self, text: str) -> None:
        """Type key by key, each once the line has settled after the one before."""
        for key in text:
            self.keys.send_text(key)
            await asyncio.sleep(GAP_S)
            await self.until(lambda arming: arming.is_settled)

    async def ask(self, **changes: object) -> None:
        """Ask, and let the keyboard be quiet until the question is armed."""
        self.screen.ask(view_of(**changes))
        await self.armed()

    async def armed(self) -> None:
        """Let the keyboard be quiet until the open question is armed."""
        await self.until(lambda arming: arming.is_armed)

    async def until(self, holds: Callable[[Arming], bool]) -> None:
        """Wait for how the line stands, however busy the machine is."""
        async with asyncio.timeout(60):
            while not holds(self.screen._desk.arming):
                await asyncio.sleep(0.005)

    async def written_until(self, text: str) -> None:
        """Wait until something is drawn."""
        async with asyncio.timeout(60):
            while text not in self.written.getvalue():
                await asyncio.sleep(0.005)

    async def next(self) -> h.Happened:
        """What happened next."""
        return await asyncio.wait_for(self.screen.next(), 60)

    async def none(self) -> bool:
        """Whether nothing happens for a while."""
        try:
            await asyncio.wait_for(self.screen.next(), 0.1)
        except TimeoutError:
            return True
        return False

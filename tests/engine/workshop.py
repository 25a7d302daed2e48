"""An agent with one tool of each kind, in the store and elsewhere, whose work a test can hold up."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from agentcli.tools.tool import Acts, Place
from agentcli.tools.toolset import Toolset


@dataclass
class Workshop:
    """What happens elsewhere: which calls began and ended, in order, and what holds them up.

    A call whose text is in `held` waits until its event is set.
    """

    began: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    held: dict[str, asyncio.Event] = field(default_factory=dict)

    async def work(self, text: str) -> dict[str, Any]:
        self.began.append(text)
        if text in self.held:
            await self.held[text].wait()
        self.ended.append(text)
        return {"text": text}

    def hold(self, *texts: str) -> None:
        self.held.update((text, asyncio.Event()) for text in texts)

    def let_go(self, *texts: str) -> None:
        for text in texts:
            self.held[text].set()

    def toolset(self, *, timeout: float = 30.0) -> Toolset:
        tools = Toolset("workshop", acts=Acts.IN_STORE)
        elsewhere: dict[str, Any] = {"acts": Acts.ELSEWHERE, "timeout": timeout}

        @tools.read
        def look(place: Place) -> dict[str, Any]:
            return {"notes": [text for (text,) in place.tables.execute("list")]}

        @tools.write(undo=lambda values, result: None, preview=lambda values: [f"will note {values['text']}"])
        def note(place: Place, text: str) -> dict[str, Any]:
            place.tables.execute("note", (text,))
            return {"text": text}

        @tools.irreversible
        def erase(place: Place, text: str) -> dict[str, Any]:
            place.tables.execute("erase", (text,))
            return {"text": text}

        @tools.read(**elsewhere)
        async def peek(text: str) -> dict[str, Any]:
            return await self.work(text)

        @tools.read(**elsewhere, approval=True)
        async def pry(text: str) -> dict[str, Any]:
            return await self.work(text)

        @tools.irreversible(**elsewhere)
        async def post(text: str) -> dict[str, Any]:
            return await self.work(text)

        @tools.irreversible(**elsewhere, idempotent="text")
        async def pay(text: str) -> dict[str, Any]:
            return await self.work(text)

        return tools


def text(words: str) -> str:
    """The input that all tools of the workshop but `look` take."""
    return f'{{"text":"{words}"}}'

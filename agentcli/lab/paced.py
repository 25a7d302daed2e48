"""A model that takes its time, so that a person can follow it, and speak while it works."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final

from agentcli.session.ports import InputDelta, Model, ModelEvent, Request, TextDelta

THINKS_S: Final = 0.6
WRITES_S: Final = 0.035

Waits = Callable[[], Awaitable[None]]


class PacedModel:
    """Another model, slowed down; `meanwhile` is waited for at each reply before it begins."""

    def __init__(self, model: Model, meanwhile: Waits) -> None:
        self._model = model
        self._meanwhile = meanwhile

    @property
    def name(self) -> str:
        """The other model's name."""
        return self._model.name

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream the other model's reply, piece by piece."""
        await asyncio.sleep(THINKS_S)
        await self._meanwhile()
        async with aclosing(self._model.reply(request)) as events:
            async for event in events:
                if isinstance(event, TextDelta | InputDelta):
                    await asyncio.sleep(WRITES_S)
                yield event

"""What happens at a face, taken one thing after the other; what was entered before the end is not lost."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from agentcli.terminal import happened as h
from agentcli.terminal.face import Face

AT_ONCE_S: Final = 1.0
"""How long what is broken off may take to end."""


class Happenings:
    """Waits for what happens next at a face, however long, while other things are done."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._coming: asyncio.Future[h.Happened] | None = None

    @property
    def coming(self) -> asyncio.Future[h.Happened]:
        """What is waited for."""
        if self._coming is None:
            self._coming = asyncio.ensure_future(self._face.next())
        return self._coming

    def take(self) -> h.Happened | None:
        """Return what has happened, None if nothing has yet."""
        if self._coming is None or not self._coming.done():
            return None
        coming, self._coming = self._coming, None
        return coming.result()

    async def words_left(self) -> AsyncIterator[str]:
        """Yield the words that were entered at a terminal and not taken yet."""
        while self._face.can_answer:
            if not self.coming.done():
                # What has happened already is there at once.
                await asyncio.sleep(0)
            happened = self.take()
            if happened is None:
                return
            if isinstance(happened, h.WordsEntered):
                yield happened.text

    async def stop(self, work: asyncio.Future[Any] | None = None) -> None:
        """Wait no longer, and break work off: a program that is asked about a call is ended, a tool is not."""
        broken_off = {one for one in (self._coming, work) if one is not None}
        self._coming = None
        for one in broken_off:
            one.cancel()
        if broken_off:
            await asyncio.wait(broken_off, timeout=AT_ONCE_S)

"""What happens at a face, taken one thing after the other; what was entered before the end is not lost."""

import asyncio
from collections.abc import AsyncIterator

from agentcli.terminal import happened as h
from agentcli.terminal.face import Face


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

    def stop(self) -> asyncio.Future[h.Happened] | None:
        """Wait no longer; return what was waited for and comes to its end now."""
        coming, self._coming = self._coming, None
        if coming is not None:
            coming.cancel()
        return coming

"""The models that keep a real session's replies in a file, and play them back to the same requests."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

from agentcli.models.differing import Asked, asked_of, first_difference
from agentcli.models.recording import append, read_recording, unwritten
from agentcli.session.ports import FailureKind, Model, ModelEvent, RemoteModel, ReplyFailed, ReplyFinished, Request


class RecordingModel:
    """Another model, whose whole replies are kept in a file as they come."""

    def __init__(self, model: Model, path: Path) -> None:
        self._model = model
        self._path = path
        self._before: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The other model's name."""
        return self._model.name

    def preload(self) -> None:
        """Let the other model load what it needs."""
        if isinstance(self._model, RemoteModel):
            self._model.preload()

    async def close(self) -> None:
        """Let the other model close its connections."""
        if isinstance(self._model, RemoteModel):
            await self._model.close()

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream the other model's reply; once it is whole, it is kept before its end is told.

        One that can't be kept has failed.
        """
        events: list[ModelEvent] = []
        async with aclosing(self._model.reply(request)) as stream:
            async for event in stream:
                events.append(event)
                if isinstance(event, ReplyFinished):
                    try:
                        self._keep(request, events)
                    except OSError as error:
                        yield _failed(f"The reply is not in {self._path}, which {unwritten(error)}")
                        return
                yield event

    def _keep(self, request: Request, events: Sequence[ModelEvent]) -> None:
        asked = asked_of(request)
        append(self._path, asked, events, before=self._before)
        self._before = asked.messages


class ReplayModel:
    """Gives the replies of a recording; where a request differs from the recorded one, it says where instead.

    A recording may hold several conversations: one that begins later is found by its first request.
    """

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path
        self._recording = read_recording(path)
        self._next = 0

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream the recorded reply to this request."""
        now = asked_of(request)
        exchanges = self._recording.exchanges
        left = range(self._next, len(exchanges))
        place = next((at for at in left if first_difference(exchanges[at][0], now) is None), None)
        if place is None:
            yield _failed(self._difference(now))
            return
        self._next = place + 1
        for event in exchanges[place][1]:
            yield event

    def _difference(self, now: Asked) -> str:
        """Return how the request differs from the one that was to come."""
        exchanges, number = self._recording.exchanges, self._next + 1
        if number > len(exchanges):
            return f"{self._path.name} holds {self._recording.size}, and this is request {number}"
        differs = first_difference(exchanges[self._next][0], now)
        return f"request {number} differs from the one in {self._path.name} at {differs}"


def _failed(text: str) -> ReplyFailed:
    # The same request would differ again: it is not tried once more.
    return ReplyFailed(FailureKind.REJECTED, f"{text}.")

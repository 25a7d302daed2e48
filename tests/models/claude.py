"""Claude in front of a loopback service, for the tests of its model."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
from agentcli.session.ports import ModelEvent, ReplyFailed
from tests.loopback import Brain, Loopback, Reply, text
from tests.loopback.replies import Scripted, sse_events
from tests.models.making import collect

KEY = "sk-ant-canary-0123456789"

SAID = Reply(blocks=[text("Your total is 340.00.")])
FRAMES = list(sse_events(SAID))


@asynccontextmanager
async def claude(
    answers: Iterable[Scripted] | Brain, *, silence_s: float = 5.0
) -> AsyncIterator[tuple[AnthropicModel, Loopback]]:
    """The model and the service that it talks to."""
    async with Loopback(answers) as server:
        connection = Connection(api_key=KEY, base_url=server.base_url)
        async with open_model(connection, silence_s=silence_s) as model:
            yield model, server


@asynccontextmanager
async def open_model(connection: Connection, **changed: Any) -> AsyncIterator[AnthropicModel]:
    """A model whose connections are closed in the end."""
    model = AnthropicModel("claude-sonnet-5", connection, **changed)
    yield model
    await model.close()


async def replies(*answers: Scripted, silence_s: float = 5.0) -> list[list[ModelEvent]]:
    """What comes back when the service gives these answers, one after the other."""
    async with claude(answers, silence_s=silence_s) as (model, server):
        events = [await collect(model) for _ in answers]
        server.assert_finished()
        return events


async def failure(answer: Scripted, silence_s: float = 5.0) -> ReplyFailed:
    """How a reply ends when the service gives this answer."""
    (events,) = await replies(answer, silence_s=silence_s)
    assert isinstance(events[-1], ReplyFailed)
    return events[-1]

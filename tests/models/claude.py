"""Claude in front of a loopback service, for the tests of its model."""

from typing import Any

from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
from agentcli.session.ports import (
    ModelEvent,
    ReplyFailed,
)
from tests.loopback import Loopback, Reply, text
from tests.loopback.replies import Scripted, sse_events
from tests.models.making import collect

KEY = "sk-ant-canary-0123456789"

SAID = Reply(blocks=[text("Your total is 340.00.")])
FRAMES = list(sse_events(SAID))


def model_at(base_url: str, **changed: Any) -> AnthropicModel:
    return AnthropicModel("claude-sonnet-5", Connection(api_key=KEY, base_url=base_url), **changed)


async def replies(*answers: Scripted, silence_s: float = 5.0) -> list[list[ModelEvent]]:
    """What comes back when the service gives these answers, one after the other."""
    async with Loopback(answers) as server:
        model = model_at(server.base_url, silence_s=silence_s)
        events = [await collect(model) for _ in answers]
        await model.close()
        server.assert_finished()
        return events


async def failure(answer: Scripted, silence_s: float = 5.0) -> ReplyFailed:
    (events,) = await replies(answer, silence_s=silence_s)
    assert isinstance(events[-1], ReplyFailed)
    return events[-1]

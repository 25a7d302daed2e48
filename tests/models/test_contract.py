"""What every model keeps to, however it comes by its replies."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import httpx2
import pytest

from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
from agentcli.models.offline import OfflineModel
from agentcli.models.scripted import ScriptedCall, ScriptedModel, ScriptedReply
from agentcli.session.ports import (
    BlockClosed,
    FailureKind,
    InputDelta,
    InputReady,
    InputStarted,
    Model,
    ModelEvent,
    ReplyFailed,
    ReplyFinished,
    TextDelta,
)
from agentcli.tools.offline import Exchange, OfflineReply
from agentcli.tools.proposal import Proposal
from tests.loopback import Loopback, Reply, text, tool_use
from tests.loopback.protocol import Checker
from tests.models.making import blocks_of, collect, parsed, reply_of, request, user


@dataclass(frozen=True)
class Plan:
    """A reply that a model is brought to give."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()

    def reply(self) -> Reply:
        said = [text(self.text)] if self.text else []
        calls = [tool_use(f"toolu_{index}", tool, written) for index, (tool, written) in enumerate(self.calls)]
        return Reply(blocks=[*said, *calls])


Build = Callable[[Plan], AbstractAsyncContextManager[Model]]


@asynccontextmanager
async def over_loopback(plan: Plan) -> AsyncIterator[Model]:
    async with Loopback([plan.reply()] * 3) as server:
        model = AnthropicModel("claude-sonnet-5", Connection(api_key="sk-loopback", base_url=server.base_url))
        yield model
        await model.close()


class Frames(httpx2.AsyncByteStream):
    def __init__(self, pieces: tuple[bytes, ...]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        for piece in self._pieces:
            yield piece


@asynccontextmanager
async def over_a_mock_transport(plan: Plan) -> AsyncIterator[Model]:
    def respond(_: httpx2.Request) -> httpx2.Response:
        frames = plan.reply().frames()
        return httpx2.Response(200, headers=dict(frames.headers), stream=Frames(tuple(frames.pieces)))

    model = AnthropicModel(
        "claude-sonnet-5", Connection(api_key="sk-mock"), transport=httpx2.MockTransport(respond)
    )
    yield model
    await model.close()


@asynccontextmanager
async def offline(plan: Plan) -> AsyncIterator[Model]:
    def rules(_: Exchange) -> OfflineReply:
        return OfflineReply(plan.text, tuple(Proposal(tool, written) for tool, written in plan.calls))

    yield OfflineModel(rules)


@asynccontextmanager
async def scripted(plan: Plan) -> AsyncIterator[Model]:
    calls = tuple(ScriptedCall(tool, written) for tool, written in plan.calls)
    yield ScriptedModel([ScriptedReply(text=plan.text, calls=calls)] * 3)


MODELS = [over_loopback, over_a_mock_transport, offline, scripted]

PLANS = {
    "a text": Plan("Your total is 340.00."),
    "a text beyond ASCII": Plan("Gesamt: 340 € – 合計 🧾 " * 20),
    "a call": Plan("", (("get_total", "{}"),)),
    "a text and two calls": Plan("Let me see.", (("get_total", "{}"), ("delete_expense", '{"id": 1}'))),
    "a call twice": Plan("", (("get_total", "{}"), ("get_total", "{}"))),
    "numbers as written": Plan("", (("add_expense", '{"item":"tea","amount":1.50,"n":1e2}'),)),
    "an input that is no JSON": Plan("", (("delete_expense", '{"id": 1'),)),
    "an input that is no object": Plan("", (("delete_expense", "[1]"),)),
    "an input with half a surrogate pair": Plan("", (("add_expense", '{"item":"\\ud83d"}'),)),
    "a member twice": Plan("", (("delete_expense", '{"id":1,"id":2}'),)),
    "nothing at all": Plan(),
}


@pytest.fixture(params=MODELS, ids=lambda build: build.__name__)
def build(request: pytest.FixtureRequest) -> Build:
    chosen: Build = request.param
    return chosen


@pytest.fixture(params=list(PLANS.values()), ids=list(PLANS))
def plan(request: pytest.FixtureRequest) -> Plan:
    chosen: Plan = request.param
    return chosen


async def reply_to(build: Build, plan: Plan) -> list[ModelEvent]:
    async with build(plan) as model:
        return await collect(model)


async def test_a_reply_ends_with_its_one_end(build: Build, plan: Plan) -> None:
    """The last event, and no other, says how the reply ended."""
    events = await reply_to(build, plan)
    ends = [event for event in events if isinstance(event, ReplyFinished | ReplyFailed)]
    assert ends == [events[-1]]
    assert isinstance(events[-1], ReplyFinished)
    assert events[-1].stop_reason == ("tool_use" if plan.calls else "end_turn")


async def test_every_block_is_json_with_a_type(build: Build, plan: Plan) -> None:
    """A closed block is a JSON object that says of what type it is."""
    types = [parsed(block)["type"] for block in blocks_of(await reply_to(build, plan))]
    assert types == ["text"] * bool(plan.text) + ["tool_use"] * len(plan.calls)


async def test_text_is_streamed_before_its_block_is_closed(build: Build, plan: Plan) -> None:
    """What was shown as it came is what the block holds."""
    events = await reply_to(build, plan)
    shown = ""
    for event in events:
        match event:
            case TextDelta(more):
                shown += more
            case BlockClosed(block) if parsed(block)["type"] == "text":
                assert parsed(block)["text"] == shown
    assert shown == plan.text


async def test_a_call_begins_forms_is_ready_and_is_closed(build: Build, plan: Plan) -> None:
    """For each call: its start, its input in pieces, the whole input, then the block, and nothing in between."""
    events = [event for event in await reply_to(build, plan) if not isinstance(event, TextDelta)]
    seen = []
    for position, event in enumerate(events):
        if not isinstance(event, InputReady):
            continue
        deltas = [one.delta for one in events if isinstance(one, InputDelta) and one.call_id == event.call_id]
        started = InputStarted(event.call_id, event.tool)
        assert events[position - len(deltas) - 1] == started
        assert "".join(deltas) == event.input
        closed = events[position + 1]
        assert isinstance(closed, BlockClosed)
        assert (parsed(closed.block)["id"], parsed(closed.block)["name"]) == (event.call_id, event.tool)
        seen.append((event.tool, event.input))
    assert tuple(seen) == plan.calls


async def test_call_ids_are_unique_and_well_formed(build: Build, plan: Plan) -> None:
    """No two calls of a reply share an id."""
    ids = [event.call_id for event in await reply_to(build, plan) if isinstance(event, InputReady)]
    assert len(set(ids)) == len(ids) == len(plan.calls)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", call_id) for call_id in ids)


async def test_the_service_takes_the_blocks_back(build: Build, plan: Plan) -> None:
    """Whatever a model sent, the conversation can go on: its blocks are valid in the next request."""
    events = await reply_to(build, plan)
    if not blocks_of(events):
        return
    ids = [event.call_id for event in events if isinstance(event, InputReady)]
    following = user("go on", results=[(call_id, {"status": "ok"}) for call_id in ids])
    asked = request(user("hello"), reply_of(events), following)
    body = b'{"model":"m","max_tokens":1,"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":['
    Checker().check(body + b",".join(asked.messages) + b"]}")


async def test_a_reply_can_be_left_at_any_event(build: Build, plan: Plan) -> None:
    """Closing the stream raises nothing, and the model can be asked again."""
    async with build(plan) as model:
        first = model.reply(request())
        await anext(first)
        await first.aclose()
        events = await collect(model)
        assert isinstance(events[-1], ReplyFinished)


async def test_a_model_has_a_name(build: Build) -> None:
    """The name under which its replies are recorded is not empty."""
    async with build(Plan()) as model:
        assert model.name


async def test_a_failure_is_an_event() -> None:
    """A reply that fails ends with a failure, on every model that can fail, and raises nothing."""
    gone = ReplyFailed(FailureKind.UNREACHABLE, "gone")
    unreachable = AnthropicModel("claude", Connection())
    for model in (unreachable, ScriptedModel([ScriptedReply(failure=gone)])):
        events = await collect(model)
        assert [type(event) for event in events] == [ReplyFailed]

"""A model whose replies are recorded, in tests: requests, and what is said to them."""

from pathlib import Path

from msgspec import structs

from agentcli.models.recording import begin_recording
from agentcli.models.replay import RecordingModel
from agentcli.models.scripted import ScriptedCall, ScriptedModel, ScriptedReply
from agentcli.session.allowance import Usage
from agentcli.session.ports import Model, ModelEvent, Request, ToolOffer

HELLO = b'{"role":"user","content":[{"type":"text","text":"hello"}]}'
ANSWER = b'{"role":"assistant","content":[{"type":"text","text":"hi"}]}'
MORE = b'{"role":"user","content":[{"type":"text","text":"more"}]}'
REQUEST = Request(
    session="s1",
    model="m",
    max_tokens=100,
    system="be kind",
    tools=[ToolOffer("look", "Look.", {"type": "object"})],
    may_call=True,
    messages=[HELLO],
    today="2026-11-30",
)
LATER = structs.replace(REQUEST, messages=[HELLO, ANSWER, MORE])
SAID = ScriptedReply(
    text="hi “you”\x00\u202e",
    calls=(ScriptedCall("look", '{"a": 1.50}'),),
    usage=Usage(input_tokens=7, output_tokens=3),
)


async def reply(model: Model, request: Request) -> list[ModelEvent]:
    return [event async for event in model.reply(request)]


async def recorded(path: Path, *exchanges: tuple[Request, ScriptedReply]) -> list[list[ModelEvent]]:
    begin_recording(path)
    model = RecordingModel(ScriptedModel([said for _, said in exchanges]), path)
    return [await reply(model, request) for request, _ in exchanges]

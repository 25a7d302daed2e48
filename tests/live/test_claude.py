"""By hand, with a key: `ANTHROPIC_API_KEY=… pytest -m live tests/live`. Costs less than a cent."""

import os

import pytest

from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import connection_from
from agentcli.session.ports import InputReady, ReplyFinished, Request, ToolOffer
from tests.conftest import outside
from tests.models.making import collect, reply_of, user

MODEL = os.environ.get("LIVE_MODEL", "claude-sonnet-5")
TOTAL = ToolOffer("get_total", "Return the total of all expenses.", {"type": "object", "properties": {}})


def request(*messages: bytes, may_call: bool = True) -> Request:
    return Request(
        session="live",
        model=MODEL,
        max_tokens=2000,
        system="You keep expenses. Use the tool for every total. Answer in one short sentence.",
        tools=[TOTAL],
        may_call=may_call,
        messages=messages,
        today="2026-11-30",
    )


@pytest.mark.live
async def test_a_call_its_result_and_words_behind_it() -> None:
    """The real service proposes a call, takes its blocks back, and takes words behind the results."""
    model = AnthropicModel(MODEL, connection_from(outside))
    asked = user("What is my total?")
    first = await collect(model, request(asked))
    assert isinstance(first[-1], ReplyFinished), first[-1]
    assert first[-1].stop_reason == "tool_use"
    results = [
        (event.call_id, {"status": "ok", "total": "340.00"}) for event in first if isinstance(event, InputReady)
    ]
    assert results

    following = user("In one word, please.", results=results)
    second = await collect(model, request(asked, reply_of(first), following, may_call=False))
    await model.close()
    assert isinstance(second[-1], ReplyFinished), second[-1]
    assert second[-1].stop_reason == "end_turn"

"""Blocks are the same as the SDK's, however a reply was cut into events."""

from typing import Any

import httpx2
import pytest
from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
from hypothesis import given
from hypothesis import strategies as st

from agentcli.session.ports import TextDelta
from tests.loopback import Reply, text, thinking, tool_use
from tests.models.events import frames, take
from tests.models.making import blocks_of, parsed

RECORDED = {
    "text": Reply(blocks=[text("Your total is 340.00 €.")]),
    "thinking, text, two calls": Reply(
        blocks=[
            thinking("Add first, then delete."),
            text("Let me do that."),
            tool_use("t1", "add_expense", {"item": "groceries 🧾", "amount": 300}),
            tool_use("t2", "delete_expense", {"id": 1, "why": ["a", None, True]}),
        ]
    ),
    "an empty input": Reply(blocks=[tool_use("t1", "get_total", "")]),
    "a block of the service": Reply(blocks=[{"type": "redacted_thinking", "data": "abc"}]),
    "unknown members": Reply(blocks=[{"type": "text", "text": "x", "mood": "calm"}]),
}


async def sdk_blocks(reply: Reply) -> list[Any]:
    """The blocks that the SDK's own message stream makes of the same bytes."""
    frames = reply.frames()
    replay = httpx2.MockTransport(
        lambda _: httpx2.Response(200, headers=dict(frames.headers), content=b"".join(frames.pieces))
    )
    async with AsyncAnthropic(api_key="sk", http_client=DefaultAsyncHttpxClient(transport=replay)) as client:
        asked: Any = {"role": "user", "content": "x"}
        async with client.messages.stream(model="m", max_tokens=1, messages=[asked]) as stream:
            return [block.to_dict() for block in (await stream.get_final_message()).content]


@pytest.mark.parametrize("reply", RECORDED.values(), ids=RECORDED.keys())
async def test_the_sdk_makes_the_same_blocks(reply: Reply) -> None:
    """The same recorded stream gives the same blocks here and in the SDK's own message stream."""
    ours = [parsed(block) for block in blocks_of(take(frames(reply))[1])]
    assert ours == await sdk_blocks(reply)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    words=st.text(),
    input=st.dictionaries(st.text(), json_values, max_size=4),
    chunk=st.integers(min_value=1, max_value=40),
)
def test_how_a_reply_is_cut_into_deltas_makes_no_difference(words: str, input: dict[str, Any], chunk: int) -> None:
    """The blocks depend on what was sent, not on the pieces it came in."""
    blocks = [text(words), tool_use("t1", "add_expense", input)]
    _, events = take(frames(Reply(blocks=blocks, chunk=chunk)))
    assert [parsed(block) for block in blocks_of(events)] == blocks
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == words

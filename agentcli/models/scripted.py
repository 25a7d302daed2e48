"""Replies from a script, in order: for tests and demos."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

from msgspec import Struct, field

from agentcli.models.stream import Call, stream_blocks
from agentcli.session.allowance import Usage
from agentcli.session.ports import BlockClosed, ModelEvent, ReplyFailed, ReplyFinished, Request
from agentcli.tools.proposal import Proposal

Sleep = Callable[[float], Awaitable[None]]

AUTO = "auto"


class ScriptedCall(Struct, frozen=True):
    """A call of a scripted reply; without an id it gets the next free one."""

    tool: str
    input: str = "{}"
    call_id: str | None = None


class ScriptedReply(Struct, frozen=True, kw_only=True):
    """One reply: what it says and calls, and how it ends.

    With the stop reason `AUTO` it is `tool_use` where there are calls, else `end_turn`. With a `failure` the reply
    breaks off with it after all of its blocks. `blocks` come first, as they are. Seconds: `delay_s` before
    the first event, `pause_s` before each further one. A delta has at most `chunk` characters.
    """

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    stop_reason: str | None = AUTO
    usage: Usage = field(default_factory=Usage)
    failure: ReplyFailed | None = None
    blocks: tuple[bytes, ...] = ()
    delay_s: float = 0.0
    pause_s: float = 0.0
    chunk: int = 16


class ScriptMismatch(AssertionError):
    """The model was asked more or less often than its script has replies."""


class ScriptedModel:
    """Gives its replies one after the other; `requests` holds what it was asked."""

    def __init__(
        self, replies: Iterable[ScriptedReply], *, name: str = "scripted", sleep: Sleep = asyncio.sleep
    ) -> None:
        self.name = name
        self.requests: list[Request] = []
        self._replies = list(replies)
        self._sleep = sleep
        self._calls = 0

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Stream the next reply of the script.

        Raises:
            ScriptMismatch: There is none left.
        """
        self.requests.append(request)
        if len(self.requests) > len(self._replies):
            raise ScriptMismatch(f"request {len(self.requests)} of a script with {len(self._replies)} replies")
        scripted = self._replies[len(self.requests) - 1]
        pause_s = scripted.delay_s
        for event in self._events(scripted):
            if pause_s:
                await self._sleep(pause_s)
            pause_s = scripted.pause_s
            yield event

    def assert_finished(self) -> None:
        """Check that the script was played to its end.

        Raises:
            ScriptMismatch: A reply is left over.
        """
        left = len(self._replies) - len(self.requests)
        if left > 0:
            raise ScriptMismatch(f"{left} of {len(self._replies)} replies were never asked for")

    def _events(self, scripted: ScriptedReply) -> Iterable[ModelEvent]:
        yield from map(BlockClosed, scripted.blocks)
        calls = [Call(call.call_id or self._next_id(), Proposal(call.tool, call.input)) for call in scripted.calls]
        yield from stream_blocks(scripted.text, calls, chunk=scripted.chunk)
        automatic = "tool_use" if calls else "end_turn"
        stop_reason = automatic if scripted.stop_reason == AUTO else scripted.stop_reason
        yield scripted.failure or ReplyFinished(stop_reason, scripted.usage)

    def _next_id(self) -> str:
        self._calls += 1
        return f"call_{self._calls}"

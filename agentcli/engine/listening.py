"""One model reply as it comes in: shown while it streams, and turned into the entry that keeps it."""

from collections.abc import Callable
from contextlib import aclosing
from datetime import datetime
from decimal import Decimal
from typing import assert_never

import msgspec

from agentcli.engine.journal import Journal
from agentcli.engine.retry import retry_at
from agentcli.session import events
from agentcli.session.allowance import Usage
from agentcli.session.entries import Replied, RequestFailed
from agentcli.session.ports import (
    BlockClosed,
    Clock,
    FailureKind,
    InputDelta,
    InputReady,
    InputStarted,
    Model,
    ModelEvent,
    ReplyFailed,
    ReplyFinished,
    Request,
    TextDelta,
)
from agentcli.session.reply import UNREADABLE, fault_in, is_readable
from agentcli.tools.outcome import input_as_json

Price = Callable[[str, Usage], Decimal | None]


class Listening:
    """Collects one reply. Its finished blocks and the text of an open one outlive a cancellation."""

    def __init__(self, journal: Journal, clock: Clock, price: Price) -> None:
        self._journal = journal
        self._clock = clock
        self._price = price
        self._blocks: list[bytes] = []
        self._open_text: list[str] = []
        self._has_said = False
        self._fault: str | None = None
        self._tools: dict[str, str] = {}
        self._end: ReplyFinished | ReplyFailed | None = None

    async def listen(self, model: Model, request: Request) -> None:
        """Take the whole reply in."""
        async with aclosing(model.reply(request)) as stream:
            async for event in stream:
                self._take(event)

    def entry(self, *, step: int, attempt: int, first_at: datetime, model: str) -> Replied | RequestFailed:
        """Return what to store of a reply that has ended, one way or another."""
        end = self._end or ReplyFailed(FailureKind.MALFORMED, "the reply ended without saying so")
        if isinstance(end, ReplyFailed):
            now = self._clock.now()
            return RequestFailed(
                step=step,
                attempt=attempt,
                failure=str(end.failure),
                text=end.text,
                status=end.status,
                request_id=end.request_id,
                retry_at=retry_at(end, attempt=attempt, first_at=first_at, now=now),
            )
        cost = self._price(model, end.usage)
        return Replied(
            step=step,
            blocks=tuple(map(msgspec.Raw, self._blocks)),
            stop_reason=end.stop_reason,
            usage=end.usage,
            cost_usd=None if cost is None else format(cost, "f"),
            request_id=end.request_id,
            explanation=end.explanation,
            fault=self._fault or fault_in(self._blocks, self._journal.state.calls),
        )

    def interrupted(self, *, step: int) -> Replied:
        """Return what to store of a reply that a person cut short; what it cost nobody can say."""
        return Replied(
            step=step,
            blocks=tuple(map(msgspec.Raw, self._blocks)),
            stop_reason="interrupted",
            usage=Usage(),
            partial="".join(self._open_text),
        )

    def _take(self, event: ModelEvent) -> None:
        session, at = self._journal.session, self._clock.now()
        match event:
            case TextDelta(text):
                # Blocks of text stand apart, as they do in the text of the whole reply.
                gap = events.BETWEEN_TEXTS if text and self._has_said and not self._open_text else ""
                if text:
                    self._open_text.append(text)
                self._journal.publish(events.TextDelta(session=session, at=at, text=gap + text))
            case InputStarted(call_id, tool):
                self._tools[call_id] = tool
                self._journal.publish(events.ToolInputStarted(session=session, at=at, call_id=call_id, tool=tool))
            case InputDelta(call_id, delta):
                tool = self._tools.get(call_id, "")
                self._journal.publish(
                    events.ToolInputDelta(session=session, at=at, call_id=call_id, tool=tool, delta=delta)
                )
            case InputReady(call_id, tool, text):
                ready = input_as_json(text)
                self._journal.publish(
                    events.ToolInputReady(session=session, at=at, call_id=call_id, tool=tool, input=ready)
                )
            case BlockClosed(block):
                if is_readable(block):
                    self._blocks.append(block)
                else:
                    self._fault = UNREADABLE
                self._has_said = self._has_said or bool(self._open_text)
                self._open_text.clear()
            case ReplyFinished() | ReplyFailed():
                self._end = event
            case _:
                assert_never(event)

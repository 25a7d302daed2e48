"""What happens while something is done, as a stream of events."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from typing import Any

from agentcli.engine.journal import Journal
from agentcli.session.events import Event


async def events_while(journal: Journal, work: Coroutine[Any, Any, Any]) -> AsyncIterator[Event]:
    """Do the work, and yield the events that it makes; closing the stream cancels it."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    journal.observers.append(events.put_nowait)
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        task.result()
    finally:
        journal.observers.remove(events.put_nowait)
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

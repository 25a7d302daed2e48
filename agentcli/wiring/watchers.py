"""Watchers: functions of a program that see calls go by. They steer nothing: what fails in them is logged."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypedDict

from agentcli.engine.journal import Observer
from agentcli.session.events import Event, ToolFinished, ToolInputDelta, ToolInputReady, ToolInputStarted

log = logging.getLogger(__name__)


class Watchers(TypedDict, total=False):
    """What can be watched; a plain function is called where the session runs, a coroutine runs beside it.

    `on_output` sees what the model gets for each call, once, also for one that never ran.
    """

    on_input_start: Callable[[ToolInputStarted], object]
    on_input_delta: Callable[[ToolInputDelta], object]
    on_input_available: Callable[[ToolInputReady], object]
    on_output: Callable[[ToolFinished], object]


_SEES: Final[Mapping[str, type[Event]]] = {
    "on_input_start": ToolInputStarted,
    "on_input_delta": ToolInputDelta,
    "on_input_available": ToolInputReady,
    "on_output": ToolFinished,
}


def observer_of(watchers: Watchers) -> Observer:
    """Return what hands each event to the watcher that wants to see it.

    Raises:
        TypeError: There is no such watcher, or it is no function.
    """
    unknown = watchers.keys() - _SEES.keys()
    if unknown:
        raise TypeError(f"there is no watcher {sorted(unknown)[0]!r}; there are {', '.join(_SEES)}")
    for name, watcher in watchers.items():
        if not callable(watcher):
            raise TypeError(f"{name} is {watcher!r} and has to be a function")
    wanted: dict[type[Event], Any] = {_SEES[name]: watcher for name, watcher in watchers.items()}
    at_work: set[asyncio.Future[None]] = set()

    def observe(event: Event) -> None:
        watcher = wanted.get(type(event))
        if watcher is None:
            return
        try:
            returned = watcher(event)
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001  # whatever a watcher raises
            _log_fault(event)
            return
        if inspect.isawaitable(returned):
            beside = asyncio.ensure_future(_see_through(returned, event))
            at_work.add(beside)
            beside.add_done_callback(at_work.discard)

    return observe


async def _see_through(watching: Awaitable[object], event: Event) -> None:
    try:
        await watching
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise
    except BaseException:  # noqa: BLE001  # whatever a watcher raises
        _log_fault(event)


def _log_fault(event: Event) -> None:
    log.exception("a watcher failed over %s in session %r", type(event).__name__, event.session)

"""Plain functions run beside the event loop, in threads that never keep the process from ending."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[[], T]) -> T:
    """Return what a function returns, run in a thread of its own.

    A thread can't be stopped: one that is no longer waited for goes on by itself, and ends with the process.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def report(returned: T | None, raised: BaseException | None) -> None:
        if outcome.done():
            return
        if raised is not None:
            outcome.set_exception(raised)
        else:
            outcome.set_result(returned)  # type: ignore[arg-type]  # without an exception it is a T

    def work() -> None:
        returned: T | None = None
        raised: BaseException | None = None
        try:
            returned = context.run(function)
        except (StopIteration, GeneratorExit) as error:
            # A future takes no StopIteration, and who waits would wait for ever; the other says that it is closed.
            raised = RuntimeError(f"a plain function ended with {type(error).__name__}")
            raised.__cause__ = error
        except BaseException as error:  # noqa: BLE001  # it is raised again where it is waited for
            raised = error
        # The loop may be gone by now, and then nobody waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(report, returned, raised)

    threading.Thread(target=work, daemon=True).start()
    return await outcome

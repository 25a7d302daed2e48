"""A plain function runs beside the loop, and never keeps the process from ending."""

import asyncio
import subprocess
import sys
import threading
from contextvars import ContextVar
from functools import partial
from textwrap import dedent
from typing import Any, NoReturn

import pytest

from agentcli.engine.threads import in_thread

who: ContextVar[str] = ContextVar("who", default="nobody")


async def test_it_runs_in_another_thread() -> None:
    """The loop is not held up."""
    assert await in_thread(threading.get_ident) != threading.get_ident()


async def test_what_it_returns_is_returned() -> None:
    """Nothing as well as something."""
    assert await in_thread(lambda: 7) == 7
    assert await in_thread(dict) == {}


def fail(error: BaseException) -> NoReturn:
    raise error


@pytest.mark.parametrize(
    "error", [ValueError("no"), SystemExit(3), KeyboardInterrupt()], ids=lambda one: type(one).__name__
)
async def test_what_it_raises_is_raised(error: BaseException) -> None:
    """Even what is no ordinary exception reaches the one who waits."""
    with pytest.raises(type(error)):
        await in_thread(partial(fail, error))


@pytest.mark.parametrize("error", [StopIteration(), GeneratorExit()], ids=lambda one: type(one).__name__)
async def test_what_ends_a_generator_reaches_the_one_who_waits(error: BaseException) -> None:
    """Who waits can't be given it, so it comes as a runtime error, with the true one as its cause."""
    with pytest.raises(RuntimeError, match=type(error).__name__) as caught:
        await asyncio.wait_for(in_thread(partial(fail, error)), 60)
    assert caught.value.__cause__ is error


async def test_it_knows_the_context() -> None:
    """What was set where it was called is set where it runs, and what it sets stays there."""

    def swap() -> str:
        before = who.get()
        who.set("somebody else")
        return before

    who.set("ana")
    assert await in_thread(swap) == "ana"
    assert who.get() == "ana"


async def test_many_run_at_once() -> None:
    """However many hang, the next one starts at once."""
    go_on = threading.Event()
    hanging = [asyncio.ensure_future(in_thread(go_on.wait)) for _ in range(50)]
    assert await asyncio.wait_for(in_thread(lambda: "done"), 60) == "done"
    go_on.set()
    await asyncio.wait_for(asyncio.gather(*hanging), 60)


async def test_one_that_is_no_longer_waited_for_goes_on_by_itself() -> None:
    """It can't be stopped, and its report goes nowhere."""
    go_on, ended = threading.Event(), threading.Event()

    def work() -> None:
        go_on.wait()
        ended.set()

    waiting = asyncio.ensure_future(in_thread(work))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go_on.set()
    assert await asyncio.to_thread(ended.wait, 5)
    await asyncio.sleep(0.01)


def run(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", dedent(program)], timeout=60, check=False, capture_output=True, text=True
    )


def test_a_hanging_one_does_not_keep_the_process_from_ending() -> None:
    """Leaving is leaving at once."""
    ended: Any = run(
        """
        import asyncio, threading
        from agentcli.engine.threads import in_thread
        async def main():
            asyncio.ensure_future(in_thread(threading.Event().wait))
            await asyncio.sleep(0.05)
        asyncio.run(main())
        """
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_report_after_the_loop_has_ended_goes_nowhere() -> None:
    """Nobody waits any more, and nothing is said about it."""
    ended = run(
        """
        import asyncio, threading, time
        from agentcli.engine.threads import in_thread
        go_on = threading.Event()
        async def main():
            asyncio.ensure_future(in_thread(go_on.wait))
            await asyncio.sleep(0.05)
        asyncio.run(main())
        go_on.set()
        time.sleep(0.2)
        """
    )
    assert (ended.returncode, ended.stderr) == (0, "")

"""The time of a demo: its own, and the same for the same work."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agentcli.lab.stage import StageClock, StageLoop, Tape


def run(loop: StageLoop, work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(work)


def test_without_a_speed_nothing_waits() -> None:
    """An hour on the stage is over at once, and is an hour there."""
    loop = StageLoop()
    before = time.monotonic()
    run(loop, asyncio.sleep(3600))
    assert time.monotonic() - before < 60
    assert loop.time() == pytest.approx(3600)


def test_with_a_speed_it_goes_so_many_times_as_fast() -> None:
    """Ten minutes at ten thousand times the speed take a sixteenth of a second."""
    loop = StageLoop(10_000.0)
    before = time.monotonic()
    run(loop, asyncio.sleep(600))
    assert 0.05 < time.monotonic() - before < 60


def test_no_time_passes_while_the_world_outside_is_waited_for() -> None:
    """What takes as long as it takes is over at the same moment of the stage each time."""
    loop = StageLoop()
    outside = threading.Event()
    loop.hold_while(lambda: not outside.is_set())

    async def wait() -> float:
        ended = loop.create_future()

        def work() -> None:
            time.sleep(0.1)
            outside.set()
            loop.call_soon_threadsafe(ended.set_result, None)

        threading.Thread(target=work).start()
        await asyncio.wait({ended}, timeout=1000)
        return loop.time() if ended.done() else -1

    assert run(loop, wait()) == 0


def test_what_comes_from_a_thread_is_waited_for_where_nothing_else_is() -> None:
    """With no timer left, the loop waits as every loop does."""
    loop = StageLoop()
    assert run(loop, asyncio.to_thread(lambda: "came")) == "came"


def test_the_clock_shows_the_demos_time() -> None:
    """It begins when the script says, and goes with the stage."""
    start = datetime(2026, 11, 30, 23, 59, tzinfo=UTC)
    loop = StageLoop()
    clock = StageClock(start, loop)
    assert (clock.now(), clock.today().day) == (start, 30)
    run(loop, clock.sleep(90))
    assert clock.now() == start + timedelta(seconds=90)
    assert (clock.today().month, clock.today().day) == (12, 1)


def test_a_tape_takes_down_what_is_written_and_when() -> None:
    """Nothing is nothing."""
    moments = iter([0.5, 1.25])
    tape = Tape(lambda: next(moments))
    for text in ("a", "", "b"):
        assert tape.write(text) == len(text)
    tape.flush()
    assert tape.frames == [(0.5, "a"), (1.25, "b")]

"""A loop that is cancelled can go on, and a process that dies leaves to the next what it can know."""

import asyncio
from typing import Any

import pytest

from agentcli.engine.runner import Runner
from agentcli.session import entries as e
from agentcli.session.steps import AwaitReconcile, End, InFlight
from tests.engine.bench import Bench
from tests.engine.workshop import Workshop, text
from tests.fakes import Line, ScriptedModel, calls, reply, says


def a_bench(*replies: list[Line], workshop: Workshop | None = None, **more: Any) -> Bench:
    return Bench(toolset=(workshop or Workshop()).toolset(), model=ScriptedModel(*replies), **more)


async def when(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0)


async def cancel(going: "asyncio.Future[Any]") -> None:
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going


async def test_a_loop_that_is_cancelled_while_the_model_streams_can_go_on() -> None:
    """The stream is closed, nothing of the reply is kept, and going on asks again."""
    reached = asyncio.Event()
    bench = a_bench([*says("well"), reached.set, asyncio.Event()], reply(says("done")))
    going = asyncio.ensure_future(bench.run("go"))
    await reached.wait()
    await cancel(going)
    assert (bench.model.cut, bench.written(e.Replied)) == (1, [])
    assert await bench.run() == End("completed")
    assert [entry.attempt for entry in bench.written(e.Requested)] == [1, 2]


async def test_a_loop_that_is_cancelled_while_a_tool_works_can_go_on() -> None:
    """The tool is not cut, and its report is taken when the loop goes on; it does not run twice."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", "post", text("tea"))), reply(says("done")), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: workshop.began)
    await cancel(going)
    workshop.let_go("tea")
    await when(lambda: workshop.ended)
    assert await bench.run() == End("completed")
    assert (workshop.began, bench.statuses()) == (["tea"], ["ok"])


async def test_a_tool_of_another_loop_is_in_flight() -> None:
    """Who has not started it does not wait for it, and does not start it again."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", "post", text("tea"))), reply(says("done")), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: workshop.began)

    assert await Runner(bench.parts).go_on() == InFlight("t1")
    workshop.let_go("tea")
    assert await going == End("completed")
    assert workshop.began == ["tea"]


async def test_what_a_process_left_at_work_is_an_unknown_outcome_to_the_next() -> None:
    """It is shown to a person and never repeated by itself."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", "post", text("tea"))), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: workshop.began)
    await cancel(going)
    again = a_bench(reply(says("done")), workshop=workshop, store=bench.store)
    assert await again.run() == AwaitReconcile("t1")
    assert workshop.began == ["tea"]


@pytest.mark.parametrize("tool", ["peek", "pay"], ids=["read", "idempotent"])
async def test_what_may_be_repeated_is_run_again_by_the_next_process(tool: str) -> None:
    """A read, or a call under its own idempotency key."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", tool, text("tea"))), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: workshop.began)
    await cancel(going)
    workshop.let_go("tea")
    again = a_bench(reply(says("done")), workshop=workshop, store=bench.store)
    assert await again.run() == End("completed")
    assert workshop.began == ["tea", "tea"]
    keys = {entry.key for entry in again.written(e.Started)}
    assert keys == ({None} if tool == "peek" else {"tea"})

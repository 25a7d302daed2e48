"""A run stops at the next safe point: a reply is cut, a tool at work never is."""

import asyncio
from typing import Any

import msgspec

from agentcli.engine.bookkeeping import Draining, Left
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session import events
from agentcli.session.ports import BlockClosed, TextDelta
from agentcli.session.steps import End, Step
from tests.engine.bench import SESSION, Bench, heard_texts
from tests.engine.workshop import Workshop, text
from tests.fakes import FakeClock, Line, ScriptedModel, calls, fails, reply, says


def a_bench(*replies: list[Line], workshop: Workshop | None = None, **more: Any) -> Bench:
    return Bench(toolset=(workshop or Workshop()).toolset(), model=ScriptedModel(*replies), **more)


async def when(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0)


def ask_to_stop(bench: Bench) -> None:
    bench.append(e.StopAsked("ana"))
    bench.runner.nudge()


async def cut_short(*lines: Line) -> tuple[Bench, Step | Left | Draining]:
    """Stop a run while its model has said these lines and goes on."""
    reached, hold = asyncio.Event(), asyncio.Event()
    bench = a_bench([*lines, reached.set, hold])
    going = asyncio.ensure_future(bench.run("go"))
    await reached.wait()
    ask_to_stop(bench)
    async with asyncio.timeout(60):
        return bench, await going


async def test_stopping_while_the_model_streams_cuts_the_reply() -> None:
    """The stream is closed and the run ends as stopped."""
    bench, step = await cut_short(TextDelta("well, "))
    assert step == End("stopped")
    assert bench.model.cut == 1
    assert [entry.outcome for entry in bench.written(e.RunEnded)] == ["stopped"]


async def test_of_a_reply_that_was_cut_only_finished_text_stays() -> None:
    """No call of it runs or stays, no thinking, and no half sentence; what was shown is in the record."""
    thinking = b'{"type":"thinking","thinking":"hm","signature":"c2ln"}'

    bench, _ = await cut_short(
        BlockClosed(thinking), *says("First,"), *calls("t1", "erase", text("tea")), TextDelta("and th")
    )
    (replied,) = bench.written(e.Replied)
    assert (replied.stop_reason, replied.partial) == ("interrupted", "and th")
    assert (bench.written(e.Decided), bench.state.calls) == ([], {})
    bench.model.left = [reply(says("fine"))]
    await bench.run("go on")
    assert bench.model.heard() == [
        {"role": "user", "content": [{"type": "text", "text": "go"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "First,"}]},
        {"role": "user", "content": [{"type": "text", "text": "go on"}]},
    ]


async def test_of_a_reply_without_finished_text_nothing_stays() -> None:
    """The next request still ends with the user, and begins with one."""
    bench, _ = await cut_short(TextDelta("wel"))
    bench.model.left = [reply(says("fine"))]
    await bench.run("go on")
    assert bench.model.heard() == [
        {"role": "user", "content": [{"type": "text", "text": "go"}, {"type": "text", "text": "go on"}]}
    ]


async def test_a_stop_of_another_process_is_noticed() -> None:
    """`agentcli stop` reaches a run wherever it is."""
    reached = asyncio.Event()
    bench = a_bench([reached.set, asyncio.Event()])
    going = asyncio.ensure_future(bench.run("go"))
    await reached.wait()
    bench.store.write_elsewhere(SESSION, e.StopAsked("bea"))
    async with asyncio.timeout(60):
        assert await going == End("stopped")


async def test_a_tool_at_work_is_never_cut() -> None:
    """It comes to its end, its result is kept, and only then the run stops; the rest is cancelled."""
    workshop = Workshop()
    workshop.hold("tea")
    batch = reply(calls("t1", "post", text("tea")), calls("t2", "note", text("milk")))
    bench = a_bench(batch, workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: workshop.began)
    ask_to_stop(bench)
    await asyncio.sleep(0.3)
    assert not going.done()
    workshop.let_go("tea")
    assert await going == End("stopped")
    assert bench.statuses() == ["ok", "cancelled"]
    assert bench.store.effects == []


async def test_stopping_at_a_question_cancels_what_is_not_yet_run() -> None:
    """Every call of the reply still gets its result, so that the conversation can go on."""
    batch = reply(calls("t1", "erase", text("tea")), calls("t2", "note", text("milk")))
    bench = a_bench(batch, level=Level.PROPOSE)
    await bench.run("go")
    bench.answer("t1", "cancelled")
    ask_to_stop(bench)
    assert await bench.run() == End("stopped")
    assert bench.statuses() == ["cancelled", "cancelled"]
    bench.model.left = [reply(says("fine"))]
    await bench.run("go on")
    assert [block["type"] for block in bench.model.heard()[-1]["content"]] == ["tool_result"] * 2 + ["text"]


async def test_stopping_during_a_retry_wait_ends_the_wait() -> None:
    """Nobody waits for a service that nobody wants to ask any more."""
    bench = a_bench(fails(), clock=FakeClock(held=True))
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: bench.clock.slept)
    ask_to_stop(bench)
    async with asyncio.timeout(60):
        assert await going == End("stopped")
    assert len(bench.model.requests) == 1


async def test_a_stop_between_runs_stops_nothing() -> None:
    """It was meant for a run that is over; the next one goes on."""
    bench = a_bench(reply(says("done")))
    bench.append(e.StopAsked("ana"))
    assert await bench.run("go") == End("completed")


async def test_leaving_lets_a_reply_come_to_its_end() -> None:
    """What is streaming may finish within the grace; its calls are left to whoever goes on."""
    reached, hold = asyncio.Event(), asyncio.Event()
    bench = a_bench([reached.set, hold, *reply(calls("t1", "note", text("tea")))])
    going = asyncio.ensure_future(bench.run("go"))
    await reached.wait()
    bench.runner.leave(grace_s=10)
    hold.set()
    async with asyncio.timeout(60):
        assert isinstance(await going, Left)
    assert (bench.store.effects, len(bench.written(e.Replied)), bench.written(e.RunEnded)) == ([], 1, [])


async def test_leaving_cuts_a_reply_after_the_grace() -> None:
    """Nothing of it is kept, and it is asked for again by whoever goes on."""
    reached = asyncio.Event()
    bench = a_bench([*says("well"), reached.set, asyncio.Event()])
    going = asyncio.ensure_future(bench.run("go"))
    await reached.wait()
    bench.runner.leave(grace_s=10)
    await asyncio.sleep(0.3)
    assert not going.done()
    bench.clock.advance(10)
    async with asyncio.timeout(60):
        assert isinstance(await going, Left)
    assert (bench.model.cut, bench.written(e.Replied), bench.state.run is not None) == (1, [], True)
    again = a_bench(reply(says("done")), store=bench.store)
    assert await again.run() == End("completed")
    assert heard_texts(again.model.heard()) == ["go"]


async def test_the_first_end_of_a_grace_counts() -> None:
    """Who is asked to end again and again gets no more time for it."""
    reached = asyncio.Event()
    bench = a_bench([*says("well"), reached.set, asyncio.Event()])
    going = asyncio.ensure_future(bench.run("go"))
    await reached.wait()
    bench.runner.leave(grace_s=10)
    bench.clock.advance(6)
    bench.runner.leave(grace_s=10)
    bench.clock.advance(4)
    async with asyncio.timeout(60):
        assert isinstance(await going, Left)


async def test_leaving_does_not_wait_for_the_next_try() -> None:
    """A pause before a retry is nothing in hand: the process leaves at once."""
    bench = a_bench(fails(), clock=FakeClock(held=True))
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: bench.clock.slept)
    bench.runner.leave(grace_s=10)
    async with asyncio.timeout(60):
        assert isinstance(await going, Left)


async def test_leaving_waits_for_a_tool_at_work() -> None:
    """Its report is stored, and nothing follows it."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", "post", text("tea"))), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await when(lambda: workshop.began)
    bench.runner.leave(grace_s=0)
    await asyncio.sleep(0.3)
    assert not going.done()
    workshop.let_go("tea")
    assert isinstance(await going, Left)
    assert bench.statuses() == ["ok"]
    assert len(bench.model.requests) == 1


async def test_while_the_store_is_drained_no_run_begins() -> None:
    """The words are kept, and start a run when it is over."""
    bench = a_bench(reply(says("done")), is_draining=True)
    assert await bench.run("go") == Draining()
    assert bench.kinds() == ["said"]
    bench.is_draining = False
    assert await bench.run() == End("completed")


async def test_a_run_that_goes_on_is_not_drained() -> None:
    """It comes to its end and takes words as ever."""
    bench = a_bench(level=Level.PROPOSE)
    bench.model.left = [reply(calls("t1", "note", text("tea"))), reply(says("done"))]
    await bench.run("go")
    bench.is_draining = True
    bench.answer("t1")
    bench.say("and milk")
    assert await bench.run() == End("completed")
    assert heard_texts(bench.model.heard()) == ["and milk"]


async def test_an_interrupted_reply_is_told_as_it_was_seen() -> None:
    """The event holds finished text and the half sentence."""
    bench, _ = await cut_short(*says("First,"), TextDelta("and th"))
    (replied,) = [event for event in bench.events if isinstance(event, events.Replied)]
    assert (replied.text, replied.stop_reason) == ("First,\n\nand th", "interrupted")
    assert msgspec.json.encode(replied)

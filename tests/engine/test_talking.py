"""Words of a person are heard at the next step, once, behind all results, and never stop what is at work."""

import asyncio
from typing import Any

import pytest

from agentcli.engine.bookkeeping import Left
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session import events
from agentcli.session.allowance import RunLimits
from agentcli.session.ports import TextDelta
from agentcli.session.steps import AwaitAnswer, End
from tests.engine.bench import SESSION, Bench, heard_texts
from tests.engine.workshop import Workshop, text
from tests.fakes import FakeClock, Line, ScriptedModel, calls, fails, reply, says


def a_bench(*replies: list[Line], workshop: Workshop | None = None, **more: Any) -> Bench:
    return Bench(toolset=(workshop or Workshop()).toolset(), model=ScriptedModel(*replies), **more)


def say_elsewhere(bench: Bench, words: str) -> None:
    """Say something in another process."""
    no = max((entry.no for entry in bench.written(e.Said)), default=0) + 1
    bench.store.write_elsewhere(SESSION, e.Said(no, words, "bea", "say"))


async def test_words_said_while_the_model_streams_are_in_the_very_next_request() -> None:
    """The reply is not cut, its call runs, and the words come behind the result, as typed."""
    bench = a_bench()
    bench.model.left = [
        [*says("I will"), lambda: bench.say("  not\nthat one "), *reply(calls("t1", "note", text("tea")))],
        reply(says("done")),
    ]
    assert await bench.run("go") == End("completed")
    last = bench.model.heard()[-1]
    assert [block["type"] for block in last["content"]] == ["tool_result", "text"]
    assert heard_texts(bench.model.heard()) == ["  not\nthat one "]
    assert bench.store.effects == [("note", ("tea",))]


async def test_words_are_heard_at_the_end_of_a_reply_without_calls() -> None:
    """The run is steered: it goes on instead of ending."""
    bench = a_bench()
    bench.model.left = [
        [*says("that's it"), lambda: bench.say("one more"), *reply()],
        reply(says("and now it is")),
    ]
    assert await bench.run("go") == End("completed")
    assert len(bench.model.requests) == 2
    assert heard_texts(bench.model.heard()) == ["one more"]
    assert len(bench.written(e.RunStarted)) == 1


async def test_several_words_are_heard_in_order_each_by_itself() -> None:
    """One entry says which messages a request holds."""
    bench = a_bench(reply(says("yes")))
    bench.say("one")
    bench.say("two")
    await bench.run("three")
    assert heard_texts(bench.model.heard()) == ["one", "two", "three"]
    assert bench.written(e.Heard) == [e.Heard((1, 2, 3), 1)]
    assert [event.message for event in bench.events if isinstance(event, events.Heard)] == [1, 2, 3]


async def test_words_are_heard_once() -> None:
    """What was heard is in the conversation, not in the next message again."""
    bench = a_bench(reply(calls("t1", "look")), reply(says("done")), reply(says("hm")))
    await bench.run("go")
    await bench.run("again")
    assert [heard_texts(bench.model.heard(number)) for number in range(3)] == [["go"], [], ["again"]]


async def test_words_of_another_process_are_noticed_while_a_tool_works() -> None:
    """The state follows other processes, and the observers are told; the tool is not disturbed."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", "post", text("tea"))), reply(says("done")), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await began(workshop)
    say_elsewhere(bench, "stop that")
    bench.runner.nudge()
    async with asyncio.timeout(60):
        while not [event for event in bench.events if isinstance(event, events.Queued) and event.message == 2]:
            await asyncio.sleep(0)
    assert workshop.ended == []
    workshop.let_go("tea")
    assert await going == End("completed")
    assert heard_texts(bench.model.heard()) == ["stop that"]


async def test_words_of_another_process_are_noticed_without_a_nudge() -> None:
    """Within half a second somebody looks; a machine may be busy for a second more."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", "post", text("tea"))), reply(says("done")), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await began(workshop)
    say_elsewhere(bench, "hello?")
    async with asyncio.timeout(0.5 + 1.0):
        while 2 not in bench.state.messages:
            await asyncio.sleep(0.01)
    workshop.let_go("tea")
    await going


async def began(workshop: Workshop) -> None:
    async with asyncio.timeout(60):
        while not workshop.began:
            await asyncio.sleep(0)


async def test_words_at_an_open_question_are_no_answer() -> None:
    """They are kept, and reach the model together with the result after the answer."""
    bench = a_bench(reply(calls("t1", "erase", text("tea"))), reply(says("done")), level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t1")
    bench.say("yes")
    assert await bench.run() == AwaitAnswer("t1")
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert [block["type"] for block in bench.model.heard()[-1]["content"]] == ["tool_result", "text"]


async def test_words_said_during_a_retry_wait_are_in_the_next_try() -> None:
    """A failed request loses nothing and repeats nothing."""
    bench = a_bench(clock=FakeClock(held=True))
    bench.model.left = [fails(), reply(says("done"))]
    going = asyncio.ensure_future(bench.run("go"))
    async with asyncio.timeout(60):
        while not bench.clock.slept:
            await asyncio.sleep(0)
    bench.say("and hurry")
    bench.clock.advance(1)
    assert await going == End("completed")
    assert [heard_texts(bench.model.heard(number)) for number in range(2)] == [["go"], ["go", "and hurry"]]
    assert bench.written(e.Heard) == [e.Heard((1,), 1), e.Heard((2,), 1)]


async def test_words_wait_for_the_end_of_a_paused_reply() -> None:
    """It is sent back unchanged, and nothing is put between."""
    bench = a_bench()
    bench.model.left = [
        [*says("thinking"), lambda: bench.say("well?"), *reply(stop="pause_turn")],
        reply(says("done")),
        reply(says("yes")),
    ]
    assert await bench.run("go") == End("completed")
    assert bench.model.heard(1)[-1]["role"] == "assistant"
    assert heard_texts(bench.model.heard(2)) == ["well?"]


@pytest.mark.parametrize(
    ("replies", "outcome"),
    [
        pytest.param([reply(says("no"), stop="refusal")], "refused", id="refused"),
        pytest.param([reply(says("long"), stop="max_tokens")], "failed", id="cut"),
        pytest.param([reply(calls("t1", "look"))], "limit", id="at-the-step-limit"),
    ],
)
async def test_words_left_over_when_a_run_ends_start_the_next(replies: list[list[Line]], outcome: str) -> None:
    """They are named when it ends, and heard in the first request of the next run."""
    bench = a_bench(limits=RunLimits(steps=1))
    bench.model.left = [[lambda: bench.say("wait"), *replies[0]], reply(says("done"))]
    step = await bench.run("go")
    assert isinstance(step, End)
    assert step.outcome == outcome
    (ended,) = bench.written(e.RunEnded)
    assert ended.undelivered == (2,)
    assert await bench.run() == End("completed")
    assert "wait" in heard_texts(bench.model.heard())
    assert [entry.run for entry in bench.written(e.RunStarted)] == [1, 2]


async def test_words_survive_a_process_that_leaves() -> None:
    """The next one hears them, once."""
    bench = a_bench()
    bench.say("go")
    bench.runner.leave(grace_s=0)
    assert isinstance(await bench.run(), Left)
    again = a_bench(reply(says("done")), store=bench.store)
    assert await again.run() == End("completed")
    assert heard_texts(again.model.heard()) == ["go"]


async def test_text_is_shown_before_the_reply_is_whole() -> None:
    """Observers get deltas at once, and the reply when it is stored."""
    bench = a_bench()
    seen: list[int] = []
    bench.model.left = [[TextDelta("he"), lambda: seen.append(len(bench.events)), *reply(says("hello"))]]
    await bench.run("go")
    assert isinstance(bench.events[seen[0] - 1], events.TextDelta)

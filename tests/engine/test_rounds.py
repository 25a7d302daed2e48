"""One round of a run: what is written in which commit, and which calls run side by side."""

import asyncio

import pytest

from agentcli.engine.bookkeeping import Left
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits
from agentcli.session.steps import AwaitAnswer, End
from tests.engine.bench import Bench
from tests.engine.workshop import Workshop, text
from tests.fakes import Line, ScriptedModel, calls, reply, says


def a_bench(
    *replies: list[Line], level: Level = Level.ALONE, workshop: Workshop | None = None, **more: object
) -> Bench:
    model = ScriptedModel(*replies, reply(says("done")))
    return Bench(toolset=(workshop or Workshop()).toolset(), model=model, level=level, **more)  # type: ignore[arg-type]


async def commits(bench: Bench, step: type) -> int:
    """Go on, and count the commits until then."""
    before = bench.store.commits
    assert isinstance(await bench.run(), step)
    return bench.store.commits - before


# A first round begins with the words; its request is one commit with what goes before. A round is what lies between
# two requests: the reply, the call, and the next request.
FIRST_REQUEST, LAST_REPLY_AND_END = 1, 2


@pytest.mark.parametrize(
    ("tool", "most"),
    [pytest.param("note", 2, id="in-the-store"), pytest.param("post", 3, id="elsewhere")],
)
async def test_a_round_whose_call_is_allowed_has_few_commits(tool: str, most: int) -> None:
    """Each commit is a sync to the disk: two for a call in the store, three for one elsewhere."""
    bench = a_bench(reply(calls("t1", tool, text("tea"))))
    bench.say("go")
    assert await commits(bench, End) == FIRST_REQUEST + most + LAST_REPLY_AND_END
    assert bench.statuses() == ["ok"]


@pytest.mark.parametrize(
    ("tool", "most"),
    [pytest.param("note", 4, id="in-the-store"), pytest.param("post", 5, id="elsewhere")],
)
async def test_a_round_whose_call_is_asked_has_two_more(tool: str, most: int) -> None:
    """The question and its answer are durable each on its own."""
    bench = a_bench(reply(calls("t1", tool, text("tea"))), level=Level.PROPOSE)
    bench.say("go")
    asked = await commits(bench, AwaitAnswer)
    bench.answer("t1")
    assert asked + 1 + await commits(bench, End) == FIRST_REQUEST + most + LAST_REPLY_AND_END
    assert bench.statuses() == ["ok"]


async def test_looking_again_writes_nothing() -> None:
    """While a question is open, going on changes nothing."""
    bench = a_bench(reply(calls("t1", "note", text("tea"))), level=Level.PROPOSE)
    await bench.run("go")
    assert await commits(bench, AwaitAnswer) == 0


async def test_effect_and_entry_are_one_commit() -> None:
    """A call of the store is decided, run and finished in the commit that also asks the model again."""
    bench = a_bench(reply(calls("t1", "note", text("tea"))))
    await bench.run("go")
    assert bench.kinds() == [
        *("said", "run_started", "heard", "requested", "replied"),
        *("decided", "finished", "requested", "replied", "run_ended"),
    ]
    assert bench.store.effects == [("note", ("tea",))]


async def test_a_call_elsewhere_is_durable_before_it_runs() -> None:
    """A crash leaves a trace of what may have happened."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(reply(calls("t1", "post", text("tea"))), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    while not workshop.began:
        await asyncio.sleep(0)
    assert bench.kinds()[-2:] == ["decided", "started"]
    workshop.let_go("tea")
    await going
    assert bench.statuses() == ["ok"]


async def until(condition: list[str], count: int) -> None:
    """Wait until a list is so long."""
    async with asyncio.timeout(60):
        while len(condition) < count:
            await asyncio.sleep(0)


async def test_adjacent_reads_run_side_by_side() -> None:
    """They start in one commit, whichever ends first, and their results come in the model's order."""
    workshop = Workshop()
    workshop.hold("a", "b", "c")
    batch = [calls(f"t{name}", "peek", text(name)) for name in ("a", "b", "c")]
    bench = a_bench(reply(*batch), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await until(workshop.began, 3)
    assert bench.kinds()[-6:] == ["decided", "started"] * 3
    workshop.let_go("c")
    await until(workshop.ended, 1)
    workshop.let_go("b", "a")
    await going
    assert workshop.ended[0] == "c"
    sent = bench.model.heard()[-1]["content"]
    assert [block["tool_use_id"] for block in sent] == ["ta", "tb", "tc"]


# fmt: off
BATCHES = [
    # what is special                 calls                                            begin at once
    ("two-reads",                     ["peek", "peek"],                                2),
    ("read-behind-a-write",           ["post", "peek"],                                1),
    ("write-behind-a-read",           ["peek", "post"],                                1),
    ("read-write-read",               ["peek", "post", "peek"],                        1),
    ("read-behind-an-asked-read",     ["peek", "pry", "peek"],                         1),
    ("read-behind-one-in-the-store",  ["peek", "look", "peek"],                        1),
    ("read-behind-an-unknown-tool",   ["peek", "rob_bank", "peek"],                    1),
    ("read-behind-a-bad-input",       ["peek", "bad", "peek"],                         1),
]
# fmt: on


@pytest.mark.parametrize(("batch", "at_once"), [row[1:] for row in BATCHES], ids=[row[0] for row in BATCHES])
async def test_only_adjacent_reads_that_nothing_holds_up_begin_together(batch: list[str], at_once: int) -> None:
    """A call behind one that is gated, writes or is denied waits for its turn."""
    workshop = Workshop()
    workshop.hold(*(f"x{number}" for number in range(len(batch))))
    proposed = []
    for number, tool in enumerate(batch):
        given = {"look": "{}", "bad": "[]"}.get(tool, text(f"x{number}"))
        proposed.append(calls(f"t{number}", "peek" if tool == "bad" else tool, given))
    bench = a_bench(reply(*proposed), workshop=workshop)
    going = asyncio.ensure_future(bench.run("go"))
    await until(workshop.began, at_once)
    await asyncio.sleep(0.01)
    assert len(workshop.began) == at_once
    workshop.let_go(*workshop.held)
    step = await going
    assert isinstance(step, AwaitAnswer if "pry" in batch else End)


async def test_a_read_that_was_approved_does_not_drag_others_along() -> None:
    """What ran because a person said so ran alone."""
    workshop = Workshop()
    workshop.hold("b")
    bench = a_bench(reply(calls("t1", "pry", text("a")), calls("t2", "peek", text("b"))), workshop=workshop)
    await bench.run("go")
    bench.answer("t1")
    going = asyncio.ensure_future(bench.run())
    await until(workshop.began, 2)
    assert workshop.ended == ["a"]
    assert bench.kinds()[-3:] == ["finished", "decided", "started"]
    workshop.let_go("b")
    await going


async def test_reads_beside_each_other_keep_to_the_limit_per_minute() -> None:
    """Starting together does not run past a limit."""
    workshop = Workshop()
    batch = [calls(f"t{name}", "peek", text(name)) for name in ("a", "b", "c")]
    bench = a_bench(reply(*batch), workshop=workshop, limits=RunLimits(per_minute=2))
    assert await bench.run("go") == End("limit", "per_minute")
    assert workshop.began == ["a", "b"]


async def test_calls_are_settled_in_the_model_s_order() -> None:
    """Each call is decided when the ones before it have their results."""
    bench = a_bench(
        reply(calls("t1", "note", text("tea")), calls("t2", "look"), calls("t3", "note", text("milk")))
    )
    await bench.run("go")
    assert bench.result("t2")["notes"] == ["tea"]
    assert bench.kinds()[5:11] == ["decided", "finished"] * 3


async def test_a_call_is_not_looked_at_while_one_before_it_is_open() -> None:
    """There is one question at a time."""
    bench = a_bench(
        reply(calls("t1", "note", text("tea")), calls("t2", "note", text("milk"))), level=Level.PROPOSE
    )
    assert await bench.run("go") == AwaitAnswer("t1")
    assert [entry.call_id for entry in bench.written(e.Decided)] == ["t1"]
    bench.answer("t1")
    assert await bench.run() == AwaitAnswer("t2")


async def test_a_declined_call_stops_nothing_but_itself() -> None:
    """Its siblings run, and the model gets the reason before it says another word."""
    bench = a_bench(
        reply(calls("t1", "erase", text("tea")), calls("t2", "note", text("milk"))), level=Level.BOUNDED
    )
    await bench.run("go")
    bench.answer("t1", "declined", "keep that one")
    assert isinstance(await bench.run(), End)
    assert bench.result("t1")["message"] == "the user declined this action: keep that one"
    assert bench.store.effects == [("note", ("milk",))]


async def test_the_same_call_after_a_no_is_not_asked_again() -> None:
    """Within a run the answer stands; the model is told so."""
    bench = a_bench(
        reply(calls("t1", "erase", text("tea"))), reply(calls("t2", "erase", text("tea"))), level=Level.BOUNDED
    )
    await bench.run("go")
    bench.answer("t1", "declined")
    assert isinstance(await bench.run(), End)
    assert (bench.statuses(), bench.result("t2")["status"]) == (["declined", "declined"], "declined")
    assert len(bench.written(e.Asked)) == 1


async def test_leaving_begins_nothing_new() -> None:
    """Asked to leave, a run does not even start; the words are kept."""
    bench = a_bench()
    bench.runner.leave(grace_s=10)
    assert isinstance(await bench.run("go"), Left)
    assert bench.kinds() == ["said"]


async def test_leaving_runs_no_call_that_was_allowed() -> None:
    """The decision is written down, the effect is left to whoever goes on."""
    bench = a_bench(reply(calls("t1", "note", text("tea"))), level=Level.PROPOSE)
    await bench.run("go")
    bench.answer("t1")
    bench.runner.leave(grace_s=10)
    assert isinstance(await bench.run(), Left)
    assert (bench.store.effects, bench.statuses()) == ([], [])

"""After a yes there are four outcomes: it runs, it is denied, it is asked again, or the question has expired."""

from datetime import timedelta
from typing import Any

import pytest

from agentcli.engine.bookkeeping import Left
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.allowance import RunLimits
from agentcli.session.steps import AwaitAnswer, End
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset
from tests.engine.bench import ANA, SESSION, Bench
from tests.fakes import FakeStore, ScriptedModel, calls, reply, says


def a_bench(*, level: Level = Level.PROPOSE, store: FakeStore | None = None, **more: Any) -> Bench:
    """A session whose model wants to erase a note; the preview shows what is there."""
    tools = Toolset("notes", acts=Acts.IN_STORE)

    def show(place: Place, values: Values) -> list[str]:
        return [f"will erase one of {len(place.tables.execute('list'))}"]

    @tools.irreversible(preview=show)
    def erase(place: Place, id: int) -> dict[str, Any]:
        place.tables.execute("erase", (id,))
        return {"id": id}

    replies = [reply(says("done"))] if store else [reply(calls("t1", "erase", '{"id":1}')), reply(says("done"))]
    return Bench(toolset=tools, model=ScriptedModel(*replies), level=level, store=store or FakeStore(), **more)


async def asked(**more: Any) -> Bench:
    bench = a_bench(**more)
    assert await bench.run("go") == AwaitAnswer("t1")
    return bench


async def test_a_yes_lets_the_call_run_once() -> None:
    """Looked at again, nothing has changed: it runs."""
    bench = await asked()
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("erase", (1,))]
    assert len(bench.written(e.Decided)) == 2


async def test_a_level_lowered_meanwhile_denies_after_the_yes() -> None:
    """The model is told why, and nothing runs."""
    bench = await asked()
    bench.append(e.LevelSet(Level.LOOK, "ana", "/level"))
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [])


@pytest.mark.parametrize("level", [Level.LOOK, Level.BOUNDED, Level.ALONE], ids=str)
async def test_a_level_answers_no_open_question(level: Level) -> None:
    """Raised or lowered, the question stays as it is until a person answers."""
    bench = await asked()
    bench.append(e.LevelSet(level, "ana", "/level"))
    assert await bench.run() == AwaitAnswer("t1")
    assert bench.store.effects == []


async def test_what_changes_for_ever_is_not_asked_for_ever() -> None:
    """Asking again counts as a question; going on has a fresh allowance, and the old yes still counts for nothing."""
    bench = await asked(limits=RunLimits(asks=2))
    for number in (1, 2):
        bench.store.effects.append(("note", (number,)))
        bench.answer("t1")
        step = await bench.run()
        assert step == (AwaitAnswer("t1") if number == 1 else End("limit", "asks"))
    assert len(bench.written(e.Asked)) == 2
    again = a_bench(store=bench.store)
    assert await again.run() == AwaitAnswer("t1")
    assert again.written(e.Asked)[-1].preview == ("will erase one of 2",)
    assert again.store.effects == [("note", (1,)), ("note", (2,))]


async def test_what_a_limit_kept_from_being_asked_is_decided_anew_in_the_next_run() -> None:
    """What would be shown is drawn then: hours may have gone by, in the same process too."""
    bench = a_bench(limits=RunLimits(asks=0))
    assert await bench.run("go") == End("limit", "asks")
    bench.store.effects.append(("note", (7,)))
    assert await bench.run() == End("limit", "asks")
    shown = [entry.preview for entry in bench.written(e.Decided)]
    assert shown == [("will erase one of 0",), ("will erase one of 1",)]


async def test_words_after_that_limit_block_the_call() -> None:
    """Though a person had said yes to what it was before."""
    bench = await asked(limits=RunLimits(asks=1))
    bench.store.effects.append(("note", (7,)))
    bench.answer("t1")
    assert await bench.run() == End("limit", "asks")
    assert await bench.run("leave it") == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [("note", (7,))])


async def test_what_was_shown_has_changed_and_is_asked_again() -> None:
    """The yes was to something else."""
    bench = await asked()
    bench.store.effects.append(("note", (7,)))
    bench.answer("t1")
    assert await bench.run() == AwaitAnswer("t1")
    assert [entry.preview for entry in bench.written(e.Asked)] == [
        ("will erase one of 0",),
        ("will erase one of 1",),
    ]
    assert bench.store.effects == [("note", (7,))]
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("note", (7,)), ("erase", (1,))]


async def test_an_answer_to_an_earlier_asking_counts_for_nothing() -> None:
    """It names the question that was seen."""
    bench = await asked()
    old = bench.state.calls["t1"].question_code
    bench.store.effects.append(("note", (7,)))
    bench.answer("t1")
    await bench.run()
    refused = persons.answer(bench.state, "t1", persons.Given("approved", old), ANA, bench.clock.now())
    assert isinstance(refused, persons.Refused)
    assert "has changed" in refused.reason


async def test_a_question_that_has_expired_takes_no_yes() -> None:
    """The call gets `expired`, whoever says what now."""
    bench = await asked(expires_after=timedelta(minutes=5))
    code = bench.state.calls["t1"].question_code
    bench.clock.advance(300)
    late = persons.answer(bench.state, "t1", persons.Given("approved", code), ANA, bench.clock.now())
    assert isinstance(late, persons.Refused)
    assert await bench.run() == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["expired"], [])


async def test_the_second_of_two_answers_is_told_who_was_first() -> None:
    """One question has one answer."""
    bench = await asked()
    code = bench.state.calls["t1"].question_code
    bench.clock.advance(2.1)
    bench.answer("t1", "declined")
    second = persons.answer(bench.state, "t1", persons.Given("approved", code), ANA, bench.clock.now())
    assert second == persons.Refused("ana was first: declined after 2.1 s")


async def test_an_answer_of_another_process_counts() -> None:
    """It was given to the very same question."""
    bench = await asked()
    entry = persons.answer(
        bench.state, "t1", persons.Given("approved", bench.state.calls["t1"].question_code), ANA, bench.clock.now()
    )
    assert isinstance(entry, e.Answered)
    bench.store.write_elsewhere(SESSION, entry)
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("erase", (1,))]


async def test_a_question_outlives_its_process() -> None:
    """The next one waits for the same answer, and a reload grants nothing."""
    bench = await asked()
    again = a_bench(store=bench.store)
    assert await again.run() == AwaitAnswer("t1")
    assert len(again.written(e.Asked)) == 1
    again.answer("t1")
    assert await again.run() == End("completed")
    assert again.store.effects == [("erase", (1,))]


async def test_a_yes_outlives_its_process_and_is_looked_at_again() -> None:
    """What was approved in an earlier process still has to pass the rules of this one."""
    bench = await asked()
    bench.answer("t1")
    lower = a_bench(store=bench.store, level=Level.LOOK)
    assert await lower.run() == End("completed")
    assert (lower.statuses(), lower.store.effects) == (["blocked"], [])


async def test_a_no_outlives_its_process_whatever_the_level() -> None:
    """A declined call never runs by any path."""
    bench = await asked()
    bench.answer("t1", "declined")
    alone = a_bench(store=bench.store, level=Level.ALONE)
    assert await alone.run() == End("completed")
    assert (alone.statuses(), alone.store.effects) == (["declined"], [])


async def test_what_was_allowed_in_an_earlier_process_is_decided_anew() -> None:
    """A decision holds only in the process that made it."""
    bench = a_bench(level=Level.ALONE)
    bench.model.left[0].insert(0, lambda: bench.runner.leave(grace_s=10))
    assert await bench.run("go") == Left()
    assert [entry.decision for entry in bench.written(e.Decided)] == [Decision.ALLOW]
    lower = a_bench(store=bench.store, level=Level.PROPOSE)
    assert await lower.run() == AwaitAnswer("t1")
    assert lower.store.effects == []

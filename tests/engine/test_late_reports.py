"""A call that is later than its timeout is left behind; its report counts until a person has settled it."""

import asyncio
from typing import Any, Literal

import pytest

from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.steps import AwaitReconcile, End
from tests.engine.bench import ANA, Bench
from tests.engine.workshop import Workshop, text
from tests.fakes import Line, ScriptedModel, calls, reply, says

LATE_S = 0.02


def a_bench(workshop: Workshop, *replies: list[Line], **more: Any) -> Bench:
    return Bench(toolset=workshop.toolset(timeout=LATE_S), model=ScriptedModel(*replies), **more)


async def left_behind(tool: str = "post") -> tuple[Workshop, Bench]:
    """A session whose only call is later than its timeout."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(workshop, reply(calls("t1", tool, text("tea"))), reply(says("done")))
    assert await bench.run("go") == AwaitReconcile("t1")
    return workshop, bench


def reconcile(bench: Bench, outcome: e.Reconciliation) -> None:
    entry = persons.reconcile(bench.state, "t1", outcome, ANA)
    assert isinstance(entry, e.Reconciled), entry
    bench.append(entry)


async def until(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0)


async def test_a_late_call_is_a_person_s_to_settle() -> None:
    """It is not cut, not repeated, and not given up: nobody knows yet."""
    workshop, bench = await left_behind()
    assert bench.kinds()[-2:] == ["started", "overdue"]
    assert await bench.run() == AwaitReconcile("t1")
    assert (workshop.began, workshop.ended) == (["tea"], [])


async def test_even_a_call_with_an_idempotency_key_is_not_repeated_while_it_may_be_at_work() -> None:
    """It may still come to its end."""
    workshop, _ = await left_behind("pay")
    assert workshop.began == ["tea"]


async def test_a_late_report_counts() -> None:
    """Where nobody has settled the call, its own word does."""
    workshop, bench = await left_behind()
    workshop.let_go("tea")
    await until(lambda: bench.statuses() == ["ok"])
    assert await bench.run() == End("completed")
    assert bench.result("t1")["text"] == "tea"


@pytest.mark.parametrize(
    ("outcome", "status"),
    [pytest.param("happened", "unknown_outcome", id="happened"), pytest.param("not", "fault", id="not")],
)
async def test_a_report_after_a_person_s_word_no_longer_counts(
    outcome: Literal["happened", "not"], status: str
) -> None:
    """A call has one result."""
    workshop, bench = await left_behind()
    reconcile(bench, outcome)
    assert await bench.run() == End("completed")
    workshop.let_go("tea")
    await until(lambda: workshop.ended)
    await asyncio.sleep(0.02)
    assert bench.statuses() == [status]


async def test_a_report_of_the_first_try_is_none_of_the_second() -> None:
    """A person let the call run again: what the first says late is not taken for the second's word."""
    workshop, bench = await left_behind()
    first = workshop.held["tea"]
    workshop.hold("tea")
    reconcile(bench, "retry")
    going = asyncio.ensure_future(bench.run())
    await until(lambda: len(workshop.began) == 2)
    first.set()
    await until(lambda: workshop.ended)
    await asyncio.sleep(0)
    assert bench.statuses() == []
    workshop.let_go("tea")
    await going
    assert bench.statuses() == ["ok"]


async def test_a_late_read_is_a_fault_and_the_run_goes_on() -> None:
    """Nothing can have happened: the model is told and may look again."""
    workshop = Workshop()
    workshop.hold("tea")
    bench = a_bench(workshop, reply(calls("t1", "peek", text("tea"))), reply(says("done")))
    assert await bench.run("go") == End("completed")
    assert bench.statuses() == ["fault"]
    assert bench.written(e.Overdue) == []


async def test_a_late_report_that_has_come_is_not_lost_if_the_store_is_locked() -> None:
    """It is written as soon as it can be."""
    workshop, bench = await left_behind()
    bench.store.busy = 3
    workshop.let_go("tea")
    await until(lambda: bench.statuses() == ["ok"])

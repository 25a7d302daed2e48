"""A call may stop for a form: it runs from its start when a person has filled it in, and is decided anew."""

from datetime import UTC, datetime
from typing import Any

import pytest

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.steps import AwaitAnswer, AwaitSupply, End
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset
from tests.engine.bench import ANA, Bench
from tests.fakes import FakeClock, ScriptedModel, calls, reply, says

FORM = {
    "type": "object",
    "properties": {"order": {"type": "string", "enum": ["day", "month"]}},
    "required": ["order"],
}
LOAD = calls("t1", "load", '{"file":"a.csv"}')


def a_bench(*, level: Level = Level.ALONE, acts: Acts = Acts.IN_STORE, asks_in_preview: bool = False) -> Bench:
    tools = Toolset("loader", acts=acts)

    def preview(place: Place, values: Values, resumed: Any = None) -> list[str]:
        if asks_in_preview and resumed is None:
            raise Suspend("Which comes first?", FORM)
        return [f"will load {values['file']}, {(resumed or {}).get('order', 'nothing')} first"]

    @tools.write(undo=lambda values, result: None, preview=preview)
    def load(place: Place, file: str, resumed: Any = None) -> dict[str, Any]:
        if acts is Acts.IN_STORE:
            place.tables.execute("load", (file,))
        if resumed is None:
            raise Suspend("Which comes first?", FORM, shown=["01/02/2026"])
        return {"order": resumed["order"]}

    return Bench(toolset=tools, model=ScriptedModel(reply(LOAD), reply(says("done"))), level=level)


def fill_in(bench: Bench, data: str = '{"order":"day"}') -> None:
    entry = persons.supply(bench.state, "t1", data, ANA, bench.clock.now())
    assert isinstance(entry, e.Supplied), entry
    bench.append(entry)


@pytest.mark.parametrize("acts", Acts, ids=str)
async def test_a_call_waits_for_its_form_and_then_runs_from_its_start(acts: Acts) -> None:
    """What it did before it stopped is rolled back; what a person filled in comes beside the input."""
    bench = a_bench(acts=acts)
    assert await bench.run("go") == AwaitSupply("t1")
    assert bench.store.effects == []
    assert await bench.run() == AwaitSupply("t1")
    fill_in(bench)
    assert await bench.run() == End("completed")
    assert bench.result("t1")["order"] == "day"
    assert bench.store.effects == ([("load", ("a.csv",))] if acts is Acts.IN_STORE else [])


async def test_after_the_form_the_call_is_decided_again() -> None:
    """A level lowered meanwhile holds."""
    bench = a_bench()
    await bench.run("go")
    bench.append(e.LevelSet(Level.LOOK, "ana", "/level"))
    fill_in(bench)
    assert await bench.run() == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [])


async def test_a_preview_may_ask_before_the_question() -> None:
    """The form comes first; what it holds is shown in the question, and one yes is enough."""
    bench = a_bench(level=Level.PROPOSE, asks_in_preview=True)
    assert await bench.run("go") == AwaitSupply("t1")
    assert bench.written(e.Decided) == []
    fill_in(bench)
    assert await bench.run() == AwaitAnswer("t1")
    (asked,) = bench.written(e.Asked)
    assert asked.preview == ("will load a.csv, day first",)
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("load", ("a.csv",))]


async def test_a_form_after_the_yes_changes_what_was_shown_and_is_asked_about_again() -> None:
    """A person approved something else."""
    bench = a_bench(level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t1")
    bench.answer("t1")
    assert await bench.run() == AwaitSupply("t1")
    fill_in(bench)
    assert await bench.run() == AwaitAnswer("t1")
    assert [entry.preview[0] for entry in bench.written(e.Asked)] == [
        "will load a.csv, nothing first",
        "will load a.csv, day first",
    ]
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.result("t1")["order"] == "day"


async def test_words_while_a_form_is_open_wait_behind_the_result() -> None:
    """They are no data, and are heard with it."""
    bench = a_bench()
    await bench.run("go")
    bench.say('{"order":"month"}')
    assert await bench.run() == AwaitSupply("t1")
    fill_in(bench)
    await bench.run()
    assert bench.result("t1")["order"] == "day"
    assert [block["type"] for block in bench.model.heard()[-1]["content"]] == ["tool_result", "text"]


@pytest.mark.parametrize(
    "again", ['{"file":"a.csv"}', '{ "file": "a.csv" }', '{"file":"a.csv","day":"2026-11-02"}']
)
@pytest.mark.parametrize("asks_in_preview", [True, False])
async def test_a_form_that_was_declined_is_not_opened_again_for_the_same_call(
    asks_in_preview: bool, again: str
) -> None:
    """A no to what is asked is a no to the call, in this run, also where nothing had been decided yet."""
    tools = Toolset("loader", acts=Acts.IN_STORE)

    def preview(place: Place, values: Values, resumed: Any = None) -> list[str]:
        if asks_in_preview and resumed is None:
            raise Suspend("Which comes first?", FORM)
        return ["…"]

    @tools.irreversible(preview=preview, defaults={"day": lambda place: place.today.isoformat()})
    def load(file: str, day: str, resumed: Any = None) -> dict[str, Any]:
        raise Suspend("Which comes first?", FORM)

    model = ScriptedModel(reply(LOAD), reply(calls("t2", "load", again)), reply(says("done")))
    level = Level.PROPOSE if asks_in_preview else Level.ALONE
    bench = Bench(toolset=tools, model=model, level=level, clock=FakeClock(datetime(2026, 11, 2, tzinfo=UTC)))
    assert await bench.run("go") == AwaitSupply("t1")
    declined = persons.decline_form(bench.state, "t1", "not now", ANA, bench.clock.now())
    assert isinstance(declined, e.Answered)
    bench.append(declined)
    assert await bench.run() == End("completed")
    assert bench.statuses() == ["declined", "declined"]
    assert len(bench.written(e.Suspended)) == 1

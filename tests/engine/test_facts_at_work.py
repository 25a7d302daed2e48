"""Facts in a session: where they come from, how long they hold, and what a yes is worth once they don't."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from agentcli.engine.hooks import HookInput, Hooks, PythonHook
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.steps import AwaitAnswer, End
from agentcli.tools.conditions import at_most, fact
from agentcli.tools.tool import Acts, Place
from agentcli.tools.toolset import Toolset
from tests.engine.bench import ANA, Bench
from tests.fakes import Line, ScriptedModel, calls, fails, reply, says

ANN, BOB = '{"who":"ann"}', '{"who":"bob"}'


@dataclass
class World:
    """Who is known, and who was paid."""

    known: set[str] = field(default_factory=lambda: {"ann"})
    paid: list[str] = field(default_factory=list)
    price: int = 5

    def toolset(self, *, acts: Acts = Acts.IN_STORE) -> Toolset:
        tools = Toolset("desk", acts=acts)
        known = fact("known", subject="who", when=lambda result: result["known"] is True, expires_s=60)

        @tools.read(establishes=known)
        def look(who: str) -> dict[str, Any]:
            return {"known": who in self.known}

        @tools.irreversible(requires=[known], preview=lambda place, values: [f"{values['who']} gets {self.price}"])
        def pay(place: Place, who: str, amount: int = 5) -> dict[str, Any]:
            self.paid.append(who)
            return {}

        @tools.irreversible(limits=[at_most("amount", option="most")])
        def give(who: str, amount: int) -> dict[str, Any]:
            self.paid.append(who)
            return {}

        return tools


@pytest.fixture
def world() -> World:
    return World()


def a_bench(world: World, *replies: list[Line], acts: Acts = Acts.IN_STORE, **more: Any) -> Bench:
    return Bench(toolset=world.toolset(acts=acts), model=ScriptedModel(*replies, reply(says("done"))), **more)


LOOK, PAY = calls("t1", "look", ANN), calls("t2", "pay", ANN)


@pytest.mark.parametrize("acts", Acts)
async def test_within_one_reply_order_counts(world: World, acts: Acts) -> None:
    """Look-up then payment runs; payment then look-up does not, and works in the next reply."""
    bench = a_bench(world, reply(LOOK, PAY), acts=acts)
    assert await bench.run("go") == End("completed")
    assert bench.statuses() == ["ok", "ok"]
    again = World()
    bench = a_bench(again, reply(PAY, LOOK), reply(calls("t3", "pay", ANN)), acts=acts)
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), again.paid) == (["blocked", "ok", "ok"], ["ann"])


async def test_a_read_that_requires_a_fact_waits_for_the_look_up_that_takes_it_away(world: World) -> None:
    """Reads run at the same time, but none on what the one before it may be about to disprove."""
    tools = world.toolset(acts=Acts.ELSEWHERE)
    seen: list[str] = []

    @tools.read(requires=fact("known", subject="who"))
    def peek(who: str) -> dict[str, Any]:
        seen.append(who)
        return {}

    later = reply(calls("t3", "look", ANN), calls("t4", "peek", ANN))
    replies = [reply(LOOK, calls("t2", "peek", ANN)), [world.known.clear, *later], reply(says("done"))]
    bench = Bench(toolset=tools, model=ScriptedModel(*replies))
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), seen) == (["ok", "ok", "ok", "blocked"], ["ann"])


async def test_a_fact_names_the_call_that_showed_it(world: World) -> None:
    """So that a person can see where it comes from."""
    bench = a_bench(world, reply(LOOK))
    await bench.run("go")
    shown = bench.state.facts["known", "ann"]
    assert (shown.holds, shown.call_id, bench.state.calls[shown.call_id].tool) == (True, "t1", "look")


async def test_a_later_result_takes_the_fact_away(world: World) -> None:
    """Also between a payment and the next."""
    bench = a_bench(
        world, reply(LOOK, PAY), reply(calls("t3", "look", ANN), calls("t4", "pay", ANN)), level=Level.PROPOSE
    )
    await bench.run("go")
    world.known.clear()
    bench.answer("t2")
    assert await bench.run() == End("completed")
    assert (bench.statuses(), world.paid) == (["ok", "ok", "ok", "blocked"], ["ann"])


@pytest.mark.parametrize(("seconds", "status"), [(59, "ok"), (60, "blocked")])
async def test_a_fact_that_has_expired_by_the_yes_counts_no_more(world: World, seconds: int, status: str) -> None:
    """The rules are looked at again right before running."""
    bench = a_bench(world, reply(LOOK, PAY), level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t2")
    bench.clock.advance(seconds)
    bench.answer("t2")
    assert await bench.run() == End("completed")
    assert bench.statuses() == ["ok", status]
    if status == "blocked":
        assert "is no longer known for who ann" in bench.result("t2")["message"]


async def test_a_yes_has_four_outcomes(world: World) -> None:
    """The call runs; it is denied; it is asked again since what was shown has changed; or the question has expired."""
    ran = a_bench(world, reply(LOOK, PAY), level=Level.PROPOSE)
    await ran.run("go")
    ran.answer("t2")
    assert (await ran.run(), ran.statuses()) == (End("completed"), ["ok", "ok"])

    denied = a_bench(world, reply(LOOK, PAY), level=Level.PROPOSE)
    await denied.run("go")
    denied.append(e.LevelSet(Level.LOOK, "ana", "/level"))
    denied.answer("t2")
    assert (await denied.run(), denied.statuses()) == (End("completed"), ["ok", "blocked"])
    assert denied.result("t2")["message"] == "not permitted at this autonomy level (1)"

    again = a_bench(world, reply(LOOK, PAY), level=Level.PROPOSE)
    await again.run("go")
    world.price = 6
    again.answer("t2")
    assert await again.run() == AwaitAnswer("t2")
    assert [asked.preview for asked in again.written(e.Asked)] == [("ann gets 5",), ("ann gets 6",)]
    assert world.paid == ["ann"]

    expired = a_bench(world, reply(LOOK, PAY), level=Level.PROPOSE, expires_after=timedelta(seconds=30))
    await expired.run("go")
    code = expired.state.calls["t2"].question_code
    expired.clock.advance(30)
    late = persons.answer(expired.state, "t2", persons.Given("approved", code), ANA, expired.clock.now())
    assert isinstance(late, persons.Refused)
    assert (await expired.run(), expired.statuses()) == (End("completed"), ["ok", "expired"])
    assert world.paid == ["ann"]


async def test_a_limit_that_was_lowered_meanwhile_denies_after_the_yes(world: World) -> None:
    """What a person approved was within bounds that no longer are."""
    options: dict[str, Any] = {"most": 5}
    bench = a_bench(world, reply(calls("t1", "give", '{"who":"ann","amount":5}')), level=Level.PROPOSE, options=options)  # fmt: skip
    await bench.run("go")
    options["most"] = 4
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert (bench.statuses(), world.paid) == (["blocked"], [])


async def test_what_was_shown_to_one_subject_or_session_is_no_other_s(world: World) -> None:
    """Neither does ann vouch for bob, nor a session for the next."""
    bench = a_bench(world, reply(LOOK, calls("t2", "pay", BOB)))
    await bench.run("go")
    assert bench.statuses() == ["ok", "blocked"]
    other = a_bench(world, reply(PAY))
    await other.run("go")
    assert (other.statuses(), world.paid) == (["blocked"], [])


@pytest.mark.parametrize(
    "words",
    [
        '{"status":"ok","known":true,"isError":false}',
        "known(ann) was shown by t1",
        'call look {"who":"ann"}',
    ],
)
async def test_no_text_is_a_fact(world: World, words: str) -> None:
    """Neither the model's nor a person's."""
    bench = a_bench(world, reply(says(words), PAY))
    await bench.run(words)
    assert (bench.statuses(), bench.state.facts, world.paid) == (["blocked"], {}, [])


async def test_a_hook_behind_the_call_neither_makes_nor_hides_a_fact(world: World) -> None:
    """Facts are read off the raw result, before any hook sees it."""

    def turn(consulted: HookInput) -> dict[str, Any]:
        result = msgspec.json.decode(consulted.output or "")
        return {"hookSpecificOutput": {"updatedToolOutput": result | {"known": not result["known"]}}}

    hooks = Hooks(post_tool=[PythonHook("turn", turn, tools=("look",))])
    batch = [calls("t1", "look", ANN), calls("t2", "look", BOB), calls("t3", "pay", ANN), calls("t4", "pay", BOB)]
    bench = a_bench(world, reply(*batch), hooks=hooks)
    await bench.run("go")
    assert [bench.result(call)["known"] for call in ("t1", "t2")] == [False, True]
    assert (bench.statuses(), world.paid) == (["ok", "ok", "ok", "blocked"], ["ann"])


async def test_a_fact_outlives_a_failed_request_and_a_restart_of_its_session(world: World) -> None:
    """It stands in the journal, and holds in the next process as it did in this one, until it expires."""
    bench = a_bench(world, reply(LOOK), fails(), reply(calls("t2", "pay", ANN)), level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t2")
    again = Bench(
        toolset=world.toolset(), model=ScriptedModel(reply(says("done"))), level=Level.PROPOSE,
        store=bench.store, clock=bench.clock,
    )  # fmt: skip
    assert again.state.facts == bench.state.facts
    again.answer("t2")
    assert await again.run() == End("completed")
    assert [entry.decision for entry in again.written(e.Decided) if entry.call_id == "t2"] == [Decision.ASK] * 2
    assert (again.statuses(), world.paid) == (["ok", "ok"], ["ann"])

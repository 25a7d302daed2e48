"""A call that hooks have a say in: asked last, judged anew where it was rewritten, never loosened."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from agentcli.engine.bookkeeping import Left
from agentcli.engine.hooks import HookInput, Hooks, PythonHook
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.steps import AwaitAnswer, End
from agentcli.tools.json_text import Number
from agentcli.tools.tool import Acts, Place
from agentcli.tools.toolset import Toolset
from tests.engine.bench import Bench
from tests.engine.hooked import Listener, a_bench, permission, rewriting
from tests.engine.workshop import Workshop, text
from tests.fakes import ScriptedModel, calls, reply, says


@pytest.mark.parametrize("tool", ["note", "post"], ids=["in-the-store", "elsewhere"])
async def test_a_call_that_no_hook_objects_to_runs(tool: str) -> None:
    """Each hook is asked once about the input as it will run, and its verdict is kept."""
    first, last = Listener(), Listener()
    bench = a_bench(first, last, tool=tool)
    assert await bench.run("go") == End("completed")
    assert (first.asked, last.asked, bench.statuses()) == ([text("tea")], [text("tea")], ["ok"])
    (decided,) = bench.written(e.Decided)
    assert [verdict.reason for verdict in decided.verdicts if verdict.rule == "hook"] == [
        "the hook pre0 has no objection",
        "the hook pre1 has no objection",
    ]


async def test_a_hook_may_block() -> None:
    """The model gets its reason, and nothing runs."""
    bench = a_bench(lambda consulted: {"decision": "block", "reason": "no tea"})
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [])
    assert bench.result("t1")["message"] == "blocked by the hook pre0: no tea"
    assert bench.result("t1")["errorCategory"] == "permission"


async def test_a_hook_that_crashes_blocks() -> None:
    """A gate that fails is closed."""

    def crash(consulted: HookInput) -> None:
        raise RuntimeError

    bench = a_bench(crash)
    assert await bench.run("go") == End("completed")
    assert bench.statuses() == ["blocked"]


@pytest.mark.parametrize("word", ["ask", "defer"])
async def test_a_hook_may_ask(word: str) -> None:
    """At level 4 a person is asked all the same, and sees which hook wants it."""
    bench = a_bench(lambda consulted: permission(word, permissionDecisionReason="look twice"))
    assert await bench.run("go") == AwaitAnswer("t1")
    (asked,) = bench.written(e.Asked)
    assert [verdict.reason for verdict in asked.verdicts] == ["the hook pre0 asks: look twice"]
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("note", ("tea",))]


async def test_a_hook_s_leave_lifts_no_question() -> None:
    """What the level asks is asked."""
    assert await a_bench(lambda consulted: permission("allow"), level=Level.PROPOSE).run("go") == AwaitAnswer("t1")


async def test_no_hook_is_asked_about_a_call_that_is_denied_anyway() -> None:
    """It would be told of what will not be."""
    hook = Listener()
    bench = a_bench(hook, level=Level.LOOK)
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), hook.asked) == (["blocked"], [])


async def test_after_a_yes_the_hooks_are_asked_again() -> None:
    """The world may have changed; a block then still blocks."""
    said: list[dict[str, Any] | None] = [None, {"decision": "block", "reason": "too late"}]
    hook = Listener(lambda consulted: said.pop(0))
    bench = a_bench(hook, level=Level.PROPOSE)
    await bench.run("go")
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert (len(hook.asked), bench.statuses(), bench.store.effects) == (2, ["blocked"], [])


async def test_a_rewritten_input_is_what_is_judged_shown_and_run() -> None:
    """Every hook judges the new input, the rewriting one too."""
    first, last = Listener(rewriting("milk")), Listener()
    bench = a_bench(first, last, level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t1")
    assert (first.asked, last.asked) == ([text("tea"), text("milk")], [text("milk")])
    (asked,) = bench.written(e.Asked)
    assert asked.preview == ("will note milk",)
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("note", ("milk",))]


async def test_a_rewrite_after_a_yes_is_asked_about_though_nothing_else_asks_any_more() -> None:
    """The yes was to another input: what a hook makes of it then never runs on the strength of it."""
    says = [permission("ask"), permission("allow", updatedInput={"text": "milk"})]
    bench = a_bench(lambda consulted: says.pop(0) if says else None)
    assert await bench.run("go") == AwaitAnswer("t1")
    bench.answer("t1")
    assert await bench.run() == AwaitAnswer("t1")
    first, second = bench.written(e.Asked)
    assert (first.preview, second.preview) == (("will note tea",), ("will note milk",))
    assert "a hook changed the input after the answer" in [verdict.reason for verdict in second.verdicts]
    assert bench.store.effects == []
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("note", ("milk",))]


async def test_what_was_said_of_an_input_goes_with_it() -> None:
    """A question tells of the change that made the input it shows, and of no earlier one."""
    made = iter([rewriting("milk"), None, rewriting("coffee"), None])
    bench = a_bench(lambda consulted: (says := next(made)) and says(consulted), level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t1")
    bench.answer("t1")
    assert await bench.run() == AwaitAnswer("t1")
    reasons = [verdict.reason for verdict in bench.written(e.Asked)[1].verdicts]
    assert f"the hook pre0 changed the input (it was {text('milk')})" in reasons
    assert not [reason for reason in reasons if text("tea") in reason]


async def test_a_rewritten_input_has_to_fit() -> None:
    """A hook can't send what the model could not."""
    bench = a_bench(lambda consulted: permission("allow", updatedInput={"words": "milk"}))
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["invalid"], [])


async def test_a_second_rewrite_asks() -> None:
    """Two hooks that want different inputs are settled by a person, on the first one's."""
    bench = a_bench(rewriting("milk"), rewriting("coffee"))
    assert await bench.run("go") == AwaitAnswer("t1")
    (asked,) = bench.written(e.Asked)
    assert [verdict.reason for verdict in asked.verdicts] == [
        "the hook pre1 asks: it wants to change the input once more",
        f"the hook pre0 changed the input (it was {text('tea')})",
    ]
    assert asked.preview == ("will note milk",)


async def test_a_question_about_two_rewrites_is_settled_by_its_answer() -> None:
    """The yes is to the first one's input, and hooks that want it otherwise again don't start over."""
    bench = a_bench(rewriting("milk"), rewriting("coffee"))
    await bench.run("go")
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert (len(bench.written(e.Asked)), bench.store.effects) == (1, [("note", ("milk",))])


async def test_what_a_hook_asks_with_its_rewrite_is_asked_though_the_new_input_suits_it() -> None:
    """Its question was about what it made of the input; the yes to it is enough."""
    hook = Listener(
        lambda consulted: (
            permission("ask", updatedInput={"text": "milk"}, permissionDecisionReason="no tea left")
            if consulted.input == text("tea")
            else None
        )
    )
    bench = a_bench(hook)
    assert await bench.run("go") == AwaitAnswer("t1")
    (asked,) = bench.written(e.Asked)
    assert [verdict.reason for verdict in asked.verdicts] == [
        f"the hook pre0 changed the input (it was {text('tea')}) and asks: no tea left"
    ]
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert (len(bench.written(e.Asked)), bench.store.effects) == (1, [("note", ("milk",))])


async def test_who_changed_an_input_is_on_record() -> None:
    """Also where nobody was asked about it."""
    bench = a_bench(rewriting("milk"))
    assert await bench.run("go") == End("completed")
    (decided,) = bench.written(e.Decided)
    changed = f"the hook pre0 changed the input (it was {text('tea')})"
    assert changed in [verdict.reason for verdict in decided.verdicts]


async def test_who_is_asked_sees_which_hook_changed_the_input_and_what_was_sent() -> None:
    """The level asks, and the hook is content with what it made of the call; the person is told all the same."""
    bench = a_bench(rewriting("milk"), level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t1")
    (asked,) = bench.written(e.Asked)
    assert [verdict.reason for verdict in asked.verdicts] == [
        "level 2 asks for write calls",
        f"the hook pre0 changed the input (it was {text('tea')})",
    ]
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert (len(bench.written(e.Asked)), bench.store.effects) == (1, [("note", ("milk",))])


async def test_a_rewrite_that_comes_to_the_same_input_still_lets_every_hook_judge() -> None:
    """To leave a default out changes nothing, and gets no call past the hooks behind."""
    tools = Toolset("workshop", acts=Acts.IN_STORE)

    @tools.irreversible
    def order(place: Place, text: str, count: int = 1) -> dict[str, Any]:
        place.tables.execute("order", (text, count))
        return {}

    hooks = [
        PythonHook("first", rewriting("tea")),
        PythonHook("last", lambda consulted: {"decision": "block", "reason": "no"}),
    ]
    model = ScriptedModel(reply(calls("t1", "order", text("tea"))), reply(says("done")))
    bench = Bench(toolset=tools, model=model, hooks=Hooks(pre_tool=hooks))
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [])


@dataclass
class Ordering:
    """A tool with a default that is another one each time it is filled in, and hooks that see the input."""

    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def bench(self, *hooks: Listener, level: Level = Level.ALONE) -> Bench:
        tools = Toolset("workshop", acts=Acts.IN_STORE)

        @tools.irreversible(
            defaults={"number": lambda place: Number(next(self.numbers))},
            preview=lambda values: [f"will order {values['text']} as number {values['number']}"],
        )
        def order(place: Place, text: str, number: int | None = None) -> dict[str, Any]:
            place.tables.execute("order", (text, number))
            return {}

        model = ScriptedModel(reply(calls("t1", "order", text("tea"))), reply(says("done")))
        pre_tool = [PythonHook(f"pre{number}", hook) for number, hook in enumerate(hooks)]
        return Bench(toolset=tools, model=model, hooks=Hooks(pre_tool=pre_tool), level=level)


async def test_a_default_that_is_another_one_each_time_is_filled_in_once() -> None:
    """Hooks are asked once about the input with its default, which is decided, asked about again and run."""
    hook, ordering = Listener(), Ordering()
    bench = ordering.bench(hook, level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t1")
    assert hook.asked == ['{"text":"tea","number":1}']
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert set(hook.asked) == {'{"text":"tea","number":1}'}
    assert [(one.input, one.sent) for one in bench.written(e.Decided)] == 2 * [(hook.asked[0], text("tea"))]
    assert bench.store.effects == [("order", ("tea", 1))]


async def test_a_rewritten_input_gets_its_defaults_once() -> None:
    """Also where a hook leaves out a default that is another one each time: its input is judged, not a newer one."""
    hook = Listener(lambda consulted: permission("allow", updatedInput={"text": "milk"}))
    bench = Ordering().bench(hook)
    assert await bench.run("go") == End("completed")
    assert hook.asked == ['{"text":"tea","number":1}', '{"text":"milk","number":2}']
    (decided,) = bench.written(e.Decided)
    assert (decided.input, decided.sent) == (hook.asked[1], text("milk"))
    assert bench.store.effects == [("order", ("milk", 2))]


async def test_a_rewrite_after_the_yes_is_asked_about_again() -> None:
    """What was approved was another input."""
    said: list[dict[str, Any] | None] = [None, permission("allow", updatedInput={"text": "milk"}), None]
    bench = a_bench(Listener(lambda consulted: said.pop(0) if said else None), level=Level.PROPOSE)
    await bench.run("go")
    bench.answer("t1")
    assert await bench.run() == AwaitAnswer("t1")
    assert bench.store.effects == []
    assert [entry.preview for entry in bench.written(e.Asked)] == [("will note tea",), ("will note milk",)]
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert bench.store.effects == [("note", ("milk",))]


async def test_the_state_of_the_world_may_change_while_hooks_think() -> None:
    """A level set meanwhile holds for the decision."""

    async def lower(consulted: HookInput) -> None:
        bench.append(e.LevelSet(Level.LOOK, "ana", "/level"))

    bench = a_bench(lower)
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [])


async def test_what_hooks_said_before_a_limit_is_no_leave_behind_it() -> None:
    """Who goes on later has them asked again: meanwhile they may have changed their mind."""
    said: list[tuple[int, dict[str, Any] | None]] = [(1_000, None), (0, {"decision": "block"})]

    def think(consulted: HookInput) -> dict[str, Any] | None:
        seconds, word = said.pop(0)
        bench.clock.advance(seconds)
        return word

    bench = a_bench(think)
    assert await bench.run("go") == End("limit", "seconds")
    assert bench.written(e.Decided) == []
    assert await bench.run() == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [])


async def hooks_at_work(*, level: Level = Level.ALONE) -> tuple[Bench, "asyncio.Future[Any]"]:
    """A run whose hook thinks for ever, and what it will come to."""
    thinking = asyncio.Event()

    async def think(consulted: HookInput) -> None:
        thinking.set()
        await asyncio.Event().wait()

    bench = a_bench(think, level=level)
    going = asyncio.ensure_future(bench.run("go"))
    await thinking.wait()
    return bench, going


async def test_a_stop_does_not_wait_for_a_hook() -> None:
    """Nothing has begun while hooks are asked: it is a safe point."""
    bench, going = await hooks_at_work()
    bench.append(e.StopAsked("ana"))
    bench.runner.nudge()
    async with asyncio.timeout(60):
        assert await going == End("stopped")
    assert (bench.statuses(), bench.store.effects, bench.written(e.Decided)) == (["cancelled"], [], [])


async def test_leaving_does_not_wait_for_a_hook() -> None:
    """The call stays undecided, and whoever goes on asks the hooks about it."""
    bench, going = await hooks_at_work()
    bench.runner.leave(grace_s=10)
    async with asyncio.timeout(60):
        assert isinstance(await going, Left)
    assert (bench.written(e.Decided), bench.store.effects, bench.state.run is not None) == ([], [], True)
    again = Bench(toolset=Workshop().toolset(), model=ScriptedModel(reply(says("done"))), store=bench.store)
    assert await again.run() == End("completed")
    assert again.store.effects == [("note", ("tea",))]


async def test_reads_with_hooks_are_asked_about_one_by_one() -> None:
    """None starts beside another before its hooks have had their say."""
    workshop = Workshop()
    hook = Listener(lambda consulted: {"decision": "block"} if consulted.call_id == "t2" else None)
    bench = a_bench(hook, workshop=workshop)
    bench.model.left[0] = reply(*[calls(f"t{number}", "peek", text(f"x{number}")) for number in (1, 2, 3)])
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), workshop.began) == (["ok", "blocked", "ok"], ["x1", "x3"])

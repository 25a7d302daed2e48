"""A call that hooks have a say in: asked last, judged anew where it was rewritten, never loosened."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agentcli.engine.hooks import Consulted, Hooks, PythonHook
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.steps import AwaitAnswer, End
from agentcli.tools.tool import Acts, Place
from agentcli.tools.toolset import Toolset
from tests.engine.bench import Bench
from tests.engine.workshop import Workshop, text
from tests.fakes import ScriptedModel, calls, reply, says

Says = Callable[[Consulted], dict[str, Any] | Awaitable[None] | None]


def permission(word: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"permissionDecision": word, **more}}


def rewriting(to: str, *, word: str = "allow") -> Says:
    return lambda consulted: permission(word, updatedInput={"text": to})


class Listener:
    """A hook that remembers what it was asked, and says what the function says."""

    def __init__(self, says: Says = lambda consulted: None) -> None:
        self.asked: list[str] = []
        self._says = says

    def __call__(self, consulted: Consulted) -> dict[str, Any] | Awaitable[None] | None:
        self.asked.append(consulted.input if consulted.output is None else consulted.output)
        return self._says(consulted)


def a_bench(*pre: Says, tool: str = "note", post: tuple[Says, ...] = (), level: Level = Level.ALONE, workshop: Workshop | None = None) -> Bench:  # fmt: skip
    hooks = Hooks(
        pre_tool=[PythonHook(f"pre{number}", one) for number, one in enumerate(pre)],
        post_tool=[PythonHook(f"post{number}", one) for number, one in enumerate(post)],
    )
    model = ScriptedModel(reply(calls("t1", tool, text("tea"))), reply(says("done")))
    return Bench(toolset=(workshop or Workshop()).toolset(), model=model, hooks=hooks, level=level)


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

    def crash(consulted: Consulted) -> None:
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
        "the hook pre1 asks: it wants to change the input once more"
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
        "the hook pre0 changed the input and asks: no tea left"
    ]
    bench.answer("t1")
    assert await bench.run() == End("completed")
    assert (len(bench.written(e.Asked)), bench.store.effects) == (1, [("note", ("milk",))])


async def test_who_changed_an_input_is_on_record() -> None:
    """Also where nobody was asked about it."""
    bench = a_bench(rewriting("milk"))
    assert await bench.run("go") == End("completed")
    (decided,) = bench.written(e.Decided)
    assert "the hook pre0 changed the input" in [verdict.reason for verdict in decided.verdicts]


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

    async def lower(consulted: Consulted) -> None:
        bench.append(e.LevelSet(Level.LOOK, "ana", "/level"))

    bench = a_bench(lower)
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), bench.store.effects) == (["blocked"], [])


async def test_reads_with_hooks_are_asked_about_one_by_one() -> None:
    """None starts beside another before its hooks have had their say."""
    workshop = Workshop()
    hook = Listener(lambda consulted: {"decision": "block"} if consulted.call_id == "t2" else None)
    bench = a_bench(hook, workshop=workshop)
    bench.model.left[0] = reply(*[calls(f"t{number}", "peek", text(f"x{number}")) for number in (1, 2, 3)])
    assert await bench.run("go") == End("completed")
    assert (bench.statuses(), workshop.began) == (["ok", "blocked", "ok"], ["x1", "x3"])


# Results that hooks see first ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["note", "post"], ids=["in-the-store", "elsewhere"])
async def test_a_result_is_filtered_before_anybody_sees_it(tool: str) -> None:
    """The model gets what the hook made of it; the record keeps both, with their digests."""
    hook = Listener(
        lambda consulted: {"hookSpecificOutput": {"updatedToolOutput": {"status": "ok", "text": "***"}}}
    )
    bench = a_bench(tool=tool, post=(hook,))
    assert await bench.run("go") == End("completed")
    assert bench.result("t1") == {"status": "ok", "text": "***"}
    assert '"text":"tea"' in hook.asked[0]
    (finished,), (filtered,) = bench.written(e.Finished), bench.written(e.Filtered)
    assert finished.held
    assert (filtered.hooks, filtered.is_error) == (("post0",), False)
    assert finished.digest != filtered.digest
    told = [event for event in bench.events if type(event).__name__ == "ToolFinished"]
    assert len(told) == 1


async def test_a_result_that_a_hook_blocks_is_withheld() -> None:
    """The call ran, and its effect stands; the model is told why, and not to repeat it."""
    bench = a_bench(post=(lambda consulted: {"decision": "block", "reason": "secret"},))
    assert await bench.run("go") == End("completed")
    assert (bench.result("t1")["status"], bench.store.effects) == ("withheld", [("note", ("tea",))])
    assert bench.result("t1")["message"] == (
        "the call ran, but its result is withheld by a hook (secret); don't repeat it, tell the user"
    )
    (filtered,) = bench.written(e.Filtered)
    assert filtered.is_error
    sent = bench.model.heard()[-1]["content"][0]
    assert sent["is_error"] is True


async def test_a_result_that_was_held_when_the_process_died_is_shown_to_the_hooks_by_the_next() -> None:
    """Nobody has seen it in between, and the call does not run again."""
    thinking = asyncio.Event()

    async def think(consulted: Consulted) -> None:
        thinking.set()
        await asyncio.Event().wait()

    toolset = Workshop().toolset()
    model = ScriptedModel(reply(calls("t1", "note", text("tea"))))
    bench = Bench(toolset=toolset, model=model, hooks=Hooks(post_tool=[PythonHook("post", think)]))
    going = asyncio.ensure_future(bench.run("go"))
    await thinking.wait()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    assert bench.state.calls["t1"].output is None
    hook = Listener()
    model = ScriptedModel(reply(says("done")))
    again = Bench(
        toolset=toolset, model=model, hooks=Hooks(post_tool=[PythonHook("post", hook)]), store=bench.store
    )
    assert await again.run() == End("completed")
    assert (len(hook.asked), again.store.effects) == (1, [("note", ("tea",))])

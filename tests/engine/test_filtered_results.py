"""A result that hooks want to see is seen by nobody else before."""

import asyncio

import pytest

from agentcli.engine.hooks import HookInput, Hooks, PythonHook
from agentcli.session import entries as e
from agentcli.session.steps import End
from tests.engine.bench import Bench
from tests.engine.hooked import Listener, a_bench
from tests.engine.workshop import Workshop, text
from tests.fakes import ScriptedModel, calls, reply, says


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

    async def think(consulted: HookInput) -> None:
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

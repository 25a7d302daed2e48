"""A person may take the last write back: asked like a call, run like a call, and the model hears of it."""

from typing import Any

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session import persons
from agentcli.session.steps import AwaitAnswer, End, Idle
from agentcli.tools.outcome import ToolFailure, Undoable
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset
from tests.engine.bench import ANA, Bench
from tests.fakes import Line, ScriptedModel, calls, reply, says

NOTE = reply(calls("t1", "note", '{"text":"tea"}'))


def a_bench(*replies: list[Line], **more: Any) -> Bench:
    tools = Toolset("notes", acts=Acts.IN_STORE)

    def unwrite(place: Place, values: Values, result: Any, before: Any) -> None:
        if ("changed",) in place.tables.execute("list"):
            raise ToolFailure("changed_since", "business", "The note was changed since.")
        place.tables.execute("unwrite", (values["text"], before))

    @tools.write(undo=unwrite)
    def note(place: Place, text: str) -> Undoable:
        place.tables.execute("note", (text,))
        return Undoable({"status": "ok"}, before="nothing")

    return Bench(toolset=tools, model=ScriptedModel(*replies), **more)


def propose_undo(bench: Bench) -> None:
    entry = persons.undo(bench.state, "u1", ANA)
    assert isinstance(entry, e.Proposed), entry
    bench.append(entry)


async def test_a_person_takes_the_last_write_back() -> None:
    """The level plays no part; the question shows what will be undone."""
    bench = a_bench(NOTE, reply(says("noted")))
    await bench.run("go")
    bench.append(e.LevelSet(Level.LOOK, "ana", "/level"))
    propose_undo(bench)
    assert await bench.runner.go_on(only_persons=True) == AwaitAnswer("u1")
    (asked,) = bench.written(e.Asked)
    assert asked.preview[0] == 'will undo: note {"text":"tea"}'
    bench.answer("u1")
    assert await bench.runner.go_on(only_persons=True) == Idle()
    assert bench.store.effects == [("note", ("tea",)), ("unwrite", ("tea", "nothing"))]
    assert bench.result("u1")["undone"] == "t1"


async def test_a_declined_undo_undoes_nothing() -> None:
    """A no is a no here too."""
    bench = a_bench(NOTE, reply(says("noted")))
    await bench.run("go")
    propose_undo(bench)
    await bench.runner.go_on(only_persons=True)
    bench.answer("u1", "declined")
    assert await bench.runner.go_on(only_persons=True) == Idle()
    assert bench.store.effects == [("note", ("tea",))]


async def test_what_can_not_be_undone_is_not_asked_about() -> None:
    """The domain's own rule speaks before the question."""
    bench = a_bench(NOTE, reply(says("noted")))
    await bench.run("go")
    bench.store.effects.append(("note", ("changed",)))
    propose_undo(bench)
    assert await bench.runner.go_on(only_persons=True) == Idle()
    assert bench.written(e.Asked) == []
    assert bench.result("u1")["message"] == "The note was changed since."


async def test_a_change_between_the_yes_and_the_undo_is_noticed() -> None:
    """It is looked at again right before."""
    bench = a_bench(NOTE, reply(says("noted")))
    await bench.run("go")
    propose_undo(bench)
    await bench.runner.go_on(only_persons=True)
    bench.store.effects.append(("note", ("changed",)))
    bench.answer("u1")
    assert await bench.runner.go_on(only_persons=True) == Idle()
    assert bench.store.effects == [("note", ("tea",)), ("note", ("changed",))]


async def test_settling_a_person_s_call_leaves_the_rest_as_it_is() -> None:
    """Words that wait start no run while only an undo is settled."""
    bench = a_bench(NOTE, reply(says("noted")), reply(says("I see")))
    await bench.run("go")
    propose_undo(bench)
    bench.say("and now?")
    assert await bench.runner.go_on(only_persons=True) == AwaitAnswer("u1")
    bench.answer("u1")
    assert await bench.runner.go_on(only_persons=True) == Idle()
    assert (len(bench.model.requests), bench.state.unheard) == (2, [2])
    assert await bench.run() == End("completed")

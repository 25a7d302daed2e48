"""What a tool that acts outside the store takes along is read where the start of its call is written."""

from collections.abc import Callable
from typing import Any

import pytest

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.session.steps import AwaitSupply, End
from agentcli.tools.outcome import ToolFailure
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset
from tests.engine.bench import Bench
from tests.fakes import ScriptedModel, calls, reply, says

FORM = {"type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]}

Prepare = Callable[[Place, Values], Any]


def a_bench(prepare: Prepare, *, level: Level = Level.ALONE) -> Bench:
    """A session in which the model writes a letter and sends it."""
    tools = Toolset("post", acts=Acts.IN_STORE)

    @tools.write(undo=lambda values, result: None)
    def write(place: Place, text: str) -> dict[str, Any]:
        place.tables.execute("write", (text,))
        return {}

    @tools.irreversible(
        acts=Acts.ELSEWHERE, prepare=prepare, fields=("sent",), statuses={"letter_not_found": "validation"}
    )
    def send(name: str, prepared: Any) -> dict[str, Any]:
        return {"sent": prepared}

    model = ScriptedModel(
        reply(calls("c1", "write", '{"text":"dear ana"}'), calls("c2", "send", '{"name":"ana"}')),
        reply(says("done")),
    )
    return Bench(toolset=tools, model=model, level=level)


def the_letter(place: Place, values: Values) -> str:
    return f"{values['name']}: {place.tables.execute('list')[-1][0]}"


async def test_a_call_takes_along_what_the_store_holds() -> None:
    """It has no tables of its own outside, so it is given what it needs."""
    bench = a_bench(the_letter)
    assert isinstance(await bench.run("go"), End)
    assert bench.result("c2")["sent"] == "ana: dear ana"


async def test_it_is_read_when_the_call_starts_and_not_when_it_was_asked_about() -> None:
    """What runs is what the second look, after the yes, has seen."""
    bench = a_bench(the_letter, level=Level.BOUNDED)
    await bench.run("go")
    bench.store.effects.append(("write", ("dear bea",)))
    bench.answer("c2")
    await bench.run()
    assert bench.result("c2")["sent"] == "ana: dear bea"


async def test_a_call_that_finds_nothing_to_take_along_never_starts() -> None:
    """It ends as its tool says, and nothing about it is unknown."""

    def nothing_there(place: Place, values: Values) -> None:
        place.tables.execute("scribble", ("gone",))
        raise ToolFailure("letter_not_found", "validation", "there is no letter", retryable=True)

    bench = a_bench(nothing_there)
    assert isinstance(await bench.run("go"), End)
    assert (bench.statuses(), bench.written(e.Started)) == (["ok", "letter_not_found"], [])
    assert bench.result("c2") == {
        "status": "letter_not_found", "sent": None, "isError": True, "errorCategory": "validation",
        "isRetryable": True, "message": "there is no letter",
    }  # fmt: skip
    assert [sql for sql, _ in bench.store.effects] == ["write"]


async def test_a_bug_on_the_way_out_is_a_fault_that_surely_did_nothing() -> None:
    """The call had not started, so it may be tried again."""

    def broken(place: Place, values: Values) -> None:
        raise ZeroDivisionError

    bench = a_bench(broken)
    await bench.run("go")
    assert (bench.result("c2")["status"], bench.result("c2")["isRetryable"]) == ("fault", True)
    assert bench.written(e.Started) == []


@pytest.mark.parametrize("swallows", [False, True])
async def test_a_call_may_stop_to_ask_before_it_starts(swallows: bool) -> None:
    """A form counts once it is made, whatever becomes of the exception."""

    def asks(place: Place, values: Values) -> None:
        try:
            raise Suspend("how?", FORM)
        except Suspend:
            if not swallows:
                raise

    bench = a_bench(asks)
    assert isinstance(await bench.run("go"), AwaitSupply)
    assert bench.written(e.Started) == []


async def test_a_call_that_can_not_ask_before_it_starts_never_starts() -> None:
    """It ends as a fault, whatever the tool swallows."""

    def asks_what_is_no_form(place: Place, values: Values) -> str:
        try:
            raise Suspend("how?", {"type": "array"})
        except Exception:  # noqa: BLE001  # what careless tools do
            return "well"

    bench = a_bench(asks_what_is_no_form)
    await bench.run("go")
    assert (bench.result("c2")["status"], bench.written(e.Started)) == ("fault", [])


async def test_a_store_that_fails_is_no_failure_of_the_tool() -> None:
    """If the store can't be read, nothing runs."""

    def read(place: Place, values: Values) -> None:
        raise StoreFailure(StoreFault.CORRUPT, "a page")

    bench = a_bench(read)
    with pytest.raises(StoreFailure):
        await bench.run("go")
    assert bench.statuses() == []

"""A tool outside the store is never cut in half, and never holds the keyboard; any tool may stop to ask."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from agentcli.engine.executor import LeftBehind
from agentcli.session.entries import Suspended
from agentcli.tools.outcome import ToolFailure
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Acts, Place
from tests.engine.one_call import (
    FORM,
    a_call,
    a_permit,
    both_ways,
    declared,
    elsewhere,
    executor,
    hang,
    in_store,
    raising,
    result_of,
)
from tests.fakes import FakeStore


async def test_a_plain_function_runs_in_a_thread_and_a_coroutine_in_the_loop() -> None:
    """Nothing that a tool waits for holds the keyboard."""

    def plain() -> Any:
        return {"thread": threading.get_ident()}

    async def coroutine() -> Any:
        await asyncio.sleep(0)
        return {"thread": threading.get_ident()}

    assert result_of(await elsewhere(declared(plain)))["thread"] != threading.get_ident()
    assert result_of(await elsewhere(declared(coroutine)))["thread"] == threading.get_ident()


async def test_a_tool_gets_what_a_person_filled_in() -> None:
    """After the form the tool runs from its start, with the data beside its input."""

    def load(plate: str, resumed: Any = None) -> Any:
        return {"plate": plate, "resumed": resumed}

    tool = declared(load)
    call = a_call(tool, '{"plate":"B-1"}', resumed={"order": "day first"})
    entry = await executor(tool).run_elsewhere(a_permit(tool, '{"plate":"B-1"}'), call)
    assert result_of(entry)["resumed"] == {"order": "day first"}


async def test_a_late_read_is_a_fault() -> None:
    """Nothing can have happened: the model may look again."""
    result = result_of(await elsewhere(declared(hang, "read", timeout=0.01)))
    assert (result["status"], result["isRetryable"]) == ("fault", True)
    assert result["message"] == "the tool did not answer within 0.01 s"


async def test_a_late_call_is_left_behind_and_not_cut() -> None:
    """It goes on to its end, and its report can still be had."""
    go_on = asyncio.Event()

    async def post() -> Any:
        await go_on.wait()
        return {"sent": True}

    left = await elsewhere(declared(post, timeout=0.01))
    assert isinstance(left, LeftBehind)
    go_on.set()
    assert result_of(await left.work)["sent"] is True


async def test_a_late_plain_function_is_left_behind_too() -> None:
    """A thread can't be stopped, and is not waited for."""
    go_on = threading.Event()

    def post() -> Any:
        go_on.wait(5)
        return {"sent": True}

    left = await elsewhere(declared(post, timeout=0.01))
    assert isinstance(left, LeftBehind)
    go_on.set()
    assert result_of(await left.work)["sent"] is True


async def test_who_cancels_the_work_cancels_it() -> None:
    """That is nobody's fault, and no result."""
    left = await elsewhere(declared(hang, timeout=0.01))
    assert isinstance(left, LeftBehind)
    left.work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left.work


async def test_tools_run_side_by_side() -> None:
    """One that waits for another is not in its way."""
    first = asyncio.Event()

    async def wait_for_it() -> Any:
        await first.wait()
        return {}

    async def let_go() -> Any:
        first.set()
        return {}

    entries = await asyncio.gather(elsewhere(declared(wait_for_it)), elsewhere(declared(let_go)))
    assert [result_of(entry)["status"] for entry in entries] == ["ok", "ok"]


def asks() -> Any:
    raise Suspend("Which comes first?", FORM, shown=["01/02/2026"])


def asks_and_swallows() -> Any:
    with contextlib.suppress(BaseException):
        asks()
    return {"status": "ok"}


def asks_and_fails() -> Any:
    with contextlib.suppress(BaseException):
        asks()
    raise RuntimeError


@pytest.mark.parametrize("function", [asks, asks_and_swallows, asks_and_fails])
async def test_a_call_that_asked_is_suspended_whatever_follows(function: Callable[[], Any]) -> None:
    """Once made, a suspension counts, whatever the tool swallows or raises."""
    for entry in (in_store(declared(function, acts=Acts.IN_STORE)), await elsewhere(declared(function))):
        assert isinstance(entry, Suspended)
        assert (entry.question, entry.shown) == ("Which comes first?", ("01/02/2026",))
        assert msgspec.json.decode(entry.schema) == FORM


READY_MADE = Suspend("Which comes first?", FORM, shown=["01/02/2026"])


async def test_one_that_was_made_beforehand_counts_too() -> None:
    """Whoever raises the same one each time stops all the same."""
    function = raising(READY_MADE)
    for entry in (in_store(declared(function, acts=Acts.IN_STORE)), await elsewhere(declared(function))):
        assert isinstance(entry, Suspended)
        assert entry.question == "Which comes first?"


def asks_what_is_no_form() -> Any:
    raise Suspend("Which comes first?", {"type": "array"})


def asks_what_is_no_form_and_swallows() -> Any:
    try:
        return asks_what_is_no_form()
    except Exception:  # noqa: BLE001  # what careless tools do
        return {"status": "ok"}


async def asks_what_is_no_form_in_the_loop() -> Any:
    return asks_what_is_no_form_and_swallows()


NO_FORM = [asks_what_is_no_form, asks_what_is_no_form_and_swallows]


@pytest.mark.parametrize("function", NO_FORM)
def test_a_tool_of_the_store_never_goes_on_unasked(function: Callable[[], Any]) -> None:
    """What can't be asked ends the call as a fault, and what it did is rolled back."""

    def note(place: Place) -> Any:
        place.tables.execute("note", ("tea",))
        return function()

    store = FakeStore()
    entry = in_store(declared(note, acts=Acts.IN_STORE), store=store)
    assert (result_of(entry)["status"], result_of(entry)["isRetryable"], store.effects) == ("fault", True, [])


@pytest.mark.parametrize("function", [*NO_FORM, asks_what_is_no_form_in_the_loop])
async def test_a_tool_outside_never_passes_for_done_unasked(function: Callable[[], Any]) -> None:
    """What can't be asked ends the call as a fault, of which nobody knows how far it came."""
    entry = await elsewhere(declared(function))
    assert (result_of(entry)["status"], result_of(entry)["isRetryable"]) == ("fault", False)


async def test_a_failure_by_name_is_kept_where_nothing_could_be_asked() -> None:
    """A tool that says so itself did not go on."""

    def refuse() -> Any:
        try:
            asks_what_is_no_form()
        except Exception as error:
            raise ToolFailure("odd_name", "validation", "the name can't be shown") from error

    assert [result_of(one)["status"] for one in await both_ways(refuse, statuses={"odd_name": "validation"})] == [
        "odd_name",
        "odd_name",
    ]


async def test_a_coroutine_may_ask_too() -> None:
    """Wherever a tool runs, it can stop to ask."""

    async def coroutine() -> Any:
        await asyncio.sleep(0)
        asks()

    assert isinstance(await elsewhere(declared(coroutine)), Suspended)

"""What a tool did in the store stands only if it succeeded, and without its permit no tool runs."""

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from agentcli.engine.permits import NotPermitted, Permit
from agentcli.session.call import Call, digest_of
from agentcli.session.ports import StoreFailure, StoreFault, Transaction
from agentcli.tools.outcome import ToolFailure
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Acts, Place, Tool
from tests.engine.one_call import (
    FORM,
    a_call,
    a_permit,
    declared,
    elsewhere,
    executor,
    in_store,
    raising,
    result_of,
)
from tests.fakes import FakeStore


def note_down(place: Place, text: str) -> None:
    place.tables.execute("add", (text,))


EFFECTS: list[tuple[str, Callable[[Place], Any], list[str]]] = [
    ("success", lambda place: {"status": "ok"}, ["tea"]),
    ("raised-failure", lambda place: raising(ToolFailure("taken", "business", "…"))(), []),
    ("fault", lambda place: raising(RuntimeError())(), []),
    ("undeclared-outcome", lambda place: {"status": "odd"}, []),
    ("no-outcome", lambda place: None, []),
    ("unencodable-result", lambda place: {"car": object()}, []),
    ("exit", lambda place: sys.exit(3), []),
    ("suspension", lambda place: raising(Suspend("?", FORM))(), []),
]  # fmt: skip


@pytest.mark.parametrize(("end", "left"), [row[1:] for row in EFFECTS], ids=[row[0] for row in EFFECTS])
def test_what_a_failed_tool_did_is_rolled_back(end: Callable[[Place], Any], left: list[str]) -> None:
    """Only a success leaves something in the store; the entry that tells of the failure is written all the same."""

    def note(place: Place) -> Any:
        note_down(place, "tea")
        return end(place)

    store = FakeStore()
    in_store(declared(note, acts=Acts.IN_STORE, statuses={"taken": "business"}), store=store)
    assert [given for _, given in store.effects] == [(text,) for text in left]


def test_a_failing_store_is_no_fault_of_the_tool() -> None:
    """It goes up to whoever holds the transaction, and nothing is written."""
    tool = declared(raising(StoreFailure(StoreFault.FULL, "no space")), acts=Acts.IN_STORE)
    with pytest.raises(StoreFailure):
        in_store(tool)


def test_ctrl_c_is_no_fault_of_the_tool() -> None:
    """Whoever sits at the keyboard is obeyed."""
    with pytest.raises(KeyboardInterrupt):
        in_store(declared(raising(KeyboardInterrupt()), acts=Acts.IN_STORE))


def test_a_tool_of_the_store_gets_place_values_and_tables() -> None:
    """It runs at the day of the clock, with the agent's options."""

    def note(place: Place, text: str, price: Decimal) -> Any:
        place.tables.execute("add", (text,))
        return {"day": place.today, "currency": place.options["currency"], "text": text, "price": price}

    entry = in_store(declared(note, acts=Acts.IN_STORE), '{"text":"tea","price":3.50}')
    assert {name: result_of(entry)[name] for name in ("day", "currency", "text", "price")} == {
        "day": "2026-11-30",
        "currency": "EUR",
        "text": "tea",
        "price": "3.50",
    }


async def test_a_tool_that_acts_elsewhere_has_no_tables() -> None:
    """Reaching for them is its bug."""

    def reach(place: Place) -> Any:
        place.tables.execute("add", ("tea",))

    assert result_of(await elsewhere(declared(reach)))["status"] == "fault"


def erase(id: int) -> Any:
    ran.append(id)
    return {}


ran: list[int] = []


@pytest.fixture(autouse=True)
def nothing_ran() -> Iterator[None]:
    ran.clear()
    yield
    ran.clear()


MISMATCHES = [
    pytest.param(Permit("t2", "erase", digest_of("erase", '{"id":1}')), id="another-call"),
    pytest.param(Permit("t1", "note", digest_of("erase", '{"id":1}')), id="another-tool"),
    pytest.param(Permit("t1", "erase", digest_of("erase", '{"id":2}')), id="another-input"),
    pytest.param(Permit("t1", "erase", digest_of("erase", '{"id":1}'), _spent=True), id="spent"),
]


async def attempt(tool: Tool, permit: Permit, call: Call, transaction: Transaction) -> object:
    if tool.acts is Acts.IN_STORE:
        return executor(tool).run_in_store(permit, call, transaction)
    return await executor(tool).run_elsewhere(permit, call)


@pytest.mark.parametrize("permit", MISMATCHES)
async def test_without_its_permit_no_tool_runs(permit: Permit) -> None:
    """That a caller got so far is a bug: it is raised, not turned into a result."""
    for acts in Acts:
        tool = declared(erase, acts=acts)
        call = a_call(tool, '{"id":1}')
        with FakeStore().transaction() as transaction, pytest.raises(NotPermitted):
            await attempt(tool, permit, call, transaction)
    assert ran == []


async def test_a_permit_runs_a_tool_once() -> None:
    """A second run with the same permit is refused."""
    tool = declared(erase)
    permit, call, runs = a_permit(tool, '{"id":1}'), a_call(tool, '{"id":1}'), executor(tool)
    await runs.run_elsewhere(permit, call)
    with pytest.raises(NotPermitted, match="has been used"):
        await runs.run_elsewhere(permit, call)
    assert ran == [1]


async def test_an_input_that_does_not_fit_never_reaches_the_tool() -> None:
    """Even a permit for it does not help."""
    tool = declared(erase)
    with pytest.raises(NotPermitted):
        await elsewhere(tool, '{"id":"1"}')
    assert ran == []


@pytest.mark.parametrize(
    "check", [lambda place, values: "not today", lambda place, values: place.tables.execute("x")]
)
async def test_what_the_domain_checks_was_settled_when_the_call_was_decided(check: Callable[..., Any]) -> None:
    """The permit is for the input as it was decided; the check, which may need tables, has had its say."""
    entry = await elsewhere(declared(erase, check=check), '{"id":1}')
    assert result_of(entry)["status"] == "ok"

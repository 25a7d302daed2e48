"""Taking a call back runs its tool's undo, once it was seen that it can."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from agentcli.engine.executor import LeftBehind
from agentcli.engine.permits import NotPermitted
from agentcli.session.call import Call
from agentcli.session.entries import Finished, Suspended
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.tools.conditions import fact
from agentcli.tools.outcome import ToolFailure
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Acts, Place, Tool
from tests.engine.one_call import FORM, a_call, a_permit, declared, executor, hang, result_of
from tests.fakes import FakeStore

SECRET = "the password is swordfish"


def undoing(undo: Callable[..., Any], acts: Acts = Acts.IN_STORE, **changed: Any) -> tuple[Tool, Call]:
    """A write tool, and a person's call that takes back what an earlier one did."""

    def note(text: str) -> Any:
        raise AssertionError("an undo does not do it again")

    tool = declared(note, "write", acts, undo=undo, establishes=fact("noted", subject="text"))
    finished = Finished("t0", "tool", "ok", msgspec.Raw(b'{"no":7}'), is_error=False, digest="", undo='{"was":1}')
    original = replace(a_call(tool, '{"text":"tea"}'), call_id="t0", finished=finished)
    return tool, replace(a_call(tool, '{"text":"tea"}'), by="ana", undoes=replace(original, **changed))


def undo_in_store(tool: Tool, call: Call, store: FakeStore) -> Finished | Suspended:
    with store.transaction() as transaction:
        return executor(tool).run_in_store(a_permit(tool, call.input), call, transaction)


def test_taking_back_runs_the_undo_with_all_it_needs() -> None:
    """It gets input, result, and what the tool kept; the model's form of the result says what was undone."""

    def undo(place: Place, values: Any, result: Any, before: Any) -> None:
        place.tables.execute("undo", (values["text"], result["no"], before["was"]))

    store = FakeStore()
    entry = undo_in_store(*undoing(undo), store)
    assert store.effects == [("undo", ("tea", 7, 1))]
    assert {"status": "ok", "undone": "t0"}.items() <= result_of(entry).items()
    assert isinstance(entry, Finished)
    assert entry.undo is None


def test_what_was_taken_back_no_longer_holds() -> None:
    """A fact that a write had shown goes with it."""
    entry = undo_in_store(*undoing(lambda place, *_: None), FakeStore())
    assert isinstance(entry, Finished)
    assert [(one.name, one.subject, one.holds) for one in entry.facts] == [("noted", "tea", False)]


def test_an_undo_may_fail_by_any_name() -> None:
    """A person reads it, so nothing has to be declared."""

    def undo(place: Place, *_: Any) -> None:
        raise ToolFailure("changed_since", "business", "The row was changed by session s2.")

    result = result_of(undo_in_store(*undoing(undo), FakeStore()))
    assert (result["status"], result["message"]) == ("changed_since", "The row was changed by session s2.")


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"finished": None}, id="never-finished"),
        pytest.param({"finished": Finished("t0", "tool", "ok", msgspec.Raw(b"{}"), is_error=False, digest="")}, id="kept-nothing"),
    ],
)  # fmt: skip
def test_what_left_nothing_to_undo_can_not_be_taken_back(changed: dict[str, Any]) -> None:
    """That a caller got so far is a bug."""
    with pytest.raises(NotPermitted, match="can't be undone"):
        undo_in_store(*undoing(lambda place, *_: None, **changed), FakeStore())


def try_undo(tool: Tool, call: Call, store: FakeStore) -> str | None:
    with store.transaction() as transaction:
        return executor(tool).try_undo(call, transaction)


def test_an_undo_is_tried_before_a_person_is_asked() -> None:
    """What it would do is done and rolled back, so that the answer is known beforehand."""

    def undo(place: Place, *_: Any) -> None:
        place.tables.execute("undo")

    store = FakeStore()
    assert try_undo(*undoing(undo), store) is None
    assert store.effects == []


@pytest.mark.parametrize(
    ("error", "why"),
    [
        pytest.param(ToolFailure("changed_since", "business", "changed by s2"), "changed by s2", id="failure"),
        pytest.param(RuntimeError(SECRET), "its undo failed (reference r1)", id="bug"),
        pytest.param(SystemExit(SECRET), "its undo failed (reference r1)", id="exits"),
        pytest.param(Suspend("?", FORM), "its undo failed (reference r1)", id="a-form"),
    ],
)
def test_why_it_can_not_be_taken_back_is_told(error: BaseException, why: str) -> None:
    """In the tool's own words, or with a reference to the log."""

    def undo(place: Place, *_: Any) -> None:
        raise error

    assert try_undo(*undoing(undo), FakeStore()) == why


def ask(*_: Any) -> None:
    raise Suspend("?", FORM)


def ask_and_swallow(*_: Any) -> None:
    with suppress(BaseException):
        ask()


def test_an_undo_that_asks_and_swallows_it_is_none() -> None:
    """Nobody could tell it what it asked for."""
    assert try_undo(*undoing(ask_and_swallow), FakeStore()) == "its undo failed (reference r1)"


@pytest.mark.parametrize("undo", [ask, ask_and_swallow])
async def test_an_undo_elsewhere_that_asks_is_a_fault(undo: Callable[..., None]) -> None:
    """No form would ever reach it, so none is opened."""
    tool, call = undoing(undo, acts=Acts.ELSEWHERE)
    entry = await executor(tool).run_elsewhere(a_permit(tool, call.input), call)
    assert result_of(entry)["status"] == "fault"


def test_a_tool_without_an_undo_can_not_be_taken_back() -> None:
    """It may have had one in an earlier version."""
    tool, call = undoing(lambda place, *_: None)
    assert try_undo(replace(tool, undo=None), call, FakeStore()) == "note has no undo"


def test_what_acts_elsewhere_can_not_be_tried() -> None:
    """Its undo would happen."""

    def undo(place: Place, *_: Any) -> None:
        raise AssertionError("it was tried")

    assert try_undo(*undoing(undo, Acts.ELSEWHERE), FakeStore()) is None


def test_a_failing_store_is_no_reason_against_an_undo() -> None:
    """It goes up to whoever holds the transaction."""

    def undo(place: Place, *_: Any) -> None:
        raise StoreFailure(StoreFault.CORRUPT, "…")

    with pytest.raises(StoreFailure):
        try_undo(*undoing(undo), FakeStore())


async def test_a_late_undo_is_left_behind_whatever_the_risk_of_its_tool() -> None:
    """Taking back is never only a look."""

    async def undo(place: Place, *_: Any) -> None:
        await hang()

    tool, call = undoing(undo, Acts.ELSEWHERE)
    late = replace(tool, timeout_s=0.01)
    assert isinstance(await executor(late).run_elsewhere(a_permit(tool, call.input), call), LeftBehind)

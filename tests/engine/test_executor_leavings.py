"""A call leaves more than its result: facts, what undoing needs, a hold for hooks, a key for repeats."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from agentcli.session.entries import Finished
from agentcli.tools.conditions import fact
from agentcli.tools.outcome import ToolFailure, Undoable
from agentcli.tools.tool import Acts
from tests.engine.one_call import a_call, both_ways, declared, executor, in_store, raising, result_of, returning

KNOWN = fact("owner_known", subject="plate", when=lambda result: result["owner"] is not None)


@pytest.mark.parametrize(
    ("end", "holds"),
    [
        pytest.param(returning({"owner": "Ada"}), [True], id="shown"),
        pytest.param(returning({"owner": None}), [False], id="shown-otherwise"),
        pytest.param(returning({"status": "car_not_found"}), [False], id="returned-failure"),
        pytest.param(raising(ToolFailure("car_not_found", "validation", "…")), [False], id="raised-failure"),
        pytest.param(raising(ToolFailure("service_disruption", "transient", "…")), [], id="disruption"),
        pytest.param(raising(RuntimeError()), [], id="fault"),
    ],
)
async def test_facts_come_from_the_raw_result(end: Callable[[], Any], holds: list[bool]) -> None:
    """A failed look-up, returned or raised, shows that nothing is known; a fault shows nothing."""

    def find(plate: str) -> Any:
        return end()

    statuses = {"car_not_found": "validation"}
    for entry in await both_ways(find, "read", '{"plate":"B-1"}', statuses=statuses, establishes=KNOWN):
        assert [one.holds for one in entry.facts] == holds
        assert all((one.subject, one.call_id) == ("B-1", "t1") for one in entry.facts)


async def test_a_condition_that_breaks_proves_nothing_and_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Whoever wrote it finds out why nothing is ever known."""

    def find(plate: str) -> Any:
        return {"keeper": "Ada"}

    for entry in await both_ways(find, "read", '{"plate":"B-1"}', establishes=KNOWN):
        assert [one.holds for one in entry.facts] == [False]
    assert [record.getMessage() for record in caplog.records] == [
        "the condition of fact 'owner_known' of 'find' failed"
    ] * 2
    assert "KeyError: 'owner'" in caplog.text


@pytest.mark.parametrize(
    ("risk", "returned", "undo"),
    [
        pytest.param("write", {"status": "ok"}, "null", id="write"),
        pytest.param("write", Undoable({"status": "ok"}, {"price": Decimal("1.50")}), '{"price":"1.50"}', id="write-with-before"),
        pytest.param("write", {"status": "taken"}, None, id="failed-write"),
        pytest.param("read", {"status": "ok"}, None, id="read"),
        pytest.param("irreversible", {"status": "ok"}, None, id="irreversible"),
    ],
)  # fmt: skip
async def test_a_write_leaves_what_undoing_needs(risk: str, returned: Any, undo: str | None) -> None:
    """Only a write that took effect can be undone, and its result alone goes to the model."""
    options: dict[str, Any] = {"undo": lambda values, result: None} if risk == "write" else {}
    for entry in await both_ways(returning(returned), risk, statuses={"taken": "business"}, **options):
        assert entry.undo == undo
        assert "before" not in result_of(entry)


@pytest.mark.parametrize(
    ("end", "held"),
    [
        pytest.param(returning({}), True, id="success"),
        pytest.param(returning({"status": "taken"}), True, id="returned-failure"),
        pytest.param(raising(ToolFailure("taken", "business", "…")), True, id="raised-failure"),
    ],
)
async def test_a_result_is_held_for_the_hooks_that_want_to_see_it(end: Callable[[], Any], held: bool) -> None:
    """What a tool says, success or failure, is not shown to anybody before its hooks have seen it."""
    tool = declared(end, acts=Acts.IN_STORE, statuses={"taken": "business"})
    entry = in_store(tool, holds=lambda name: name == tool.name)
    assert isinstance(entry, Finished)
    assert entry.held is held
    unheld = in_store(tool, holds=lambda name: False)
    assert isinstance(unheld, Finished)
    assert unheld.held is False


@pytest.mark.parametrize(
    ("idempotent", "text", "key"),
    [
        pytest.param("order", '{"order":"O-7"}', "O-7", id="the-field"),
        pytest.param("number", '{"order":"O-7","number":3}', "3", id="a-number"),
        pytest.param("number", '{"order":"O-7"}', None, id="not-sent"),
        pytest.param("number", '{"order":"O-7","number":null}', None, id="null"),
        pytest.param(None, '{"order":"O-7"}', None, id="not-declared"),
    ],
)
def test_the_key_that_makes_a_repeat_safe(idempotent: str | None, text: str, key: str | None) -> None:
    """A call is safe to repeat only under a key that it really has."""

    def pay(order: str, number: int | None = None) -> Any: ...

    options: dict[str, Any] = {"idempotent": idempotent} if idempotent else {}
    tool = declared(pay, **options)
    assert executor(tool).idempotency_key(a_call(tool, text)) == key


def test_an_undecided_call_has_no_key() -> None:
    """The key is part of what was decided."""

    def pay(order: str) -> Any: ...

    tool = declared(pay, idempotent="order")
    assert executor(tool).idempotency_key(a_call(tool, '{"order":"O-7"}', decided=None)) is None

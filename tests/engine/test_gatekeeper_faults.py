"""A tool's own code that fails over a decision denies, and looking leaves no trace."""

import logging
from typing import Any

import pytest

from agentcli.gate.verdicts import Decision
from agentcli.session.ports import StoreFailure, StoreFault
from agentcli.tools.outcome import Category
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Place, Values
from tests.engine.deciding import INPUT, SECRET, a_bench, decide, decided, denial
from tests.engine.one_call import FORM, raising


def half_a_surrogate(place: Place, values: Values) -> list[str]:
    return ["\ud800"]


def asks_what_is_no_form(place: Place, values: Values) -> list[str]:
    raise Suspend(SECRET, {"type": "array"})


def swallows_what_is_no_form(place: Place, values: Values) -> list[str]:
    try:
        return asks_what_is_no_form(place, values)
    except Exception:  # noqa: BLE001  # what careless tools do
        return ["…"]


def asks(place: Place, values: Values) -> str:
    raise Suspend("Which?", FORM)


class Abort(BaseException):
    """What some libraries raise to pass every `except Exception`."""


# fmt: off
FAILING: list[tuple[str, dict[str, Any]]] = [
    ("check-raises",      {"check": lambda place, values: raising(RuntimeError(SECRET))()}),
    ("check-exits",       {"check": lambda place, values: raising(SystemExit(SECRET))()}),
    ("default-raises",    {"defaults": {"price": lambda place: raising(KeyError(SECRET))()}}),
    ("preview-raises",    {"preview": lambda place, values: raising(RuntimeError(SECRET))()}),
    ("preview-exits",     {"preview": lambda place, values: raising(SystemExit(SECRET))()}),
    ("check-aborts",      {"check": lambda place, values: raising(Abort(SECRET))()}),
    ("preview-aborts",    {"preview": lambda place, values: raising(Abort(SECRET))()}),
    ("preview-is-none",   {"preview": lambda place, values: None}),
    ("preview-no-utf-8",  {"preview": half_a_surrogate}),
    ("preview-no-form",   {"preview": asks_what_is_no_form}),
    ("preview-swallows",  {"preview": swallows_what_is_no_form}),
    ("check-asks",        {"check": asks}),
    ("default-asks",      {"defaults": {"price": lambda place: raising(Suspend("Which?", FORM))()}}),
]
# fmt: on


@pytest.mark.parametrize("declared", [row[1] for row in FAILING], ids=[row[0] for row in FAILING])
def test_what_can_not_be_checked_or_shown_is_denied(
    declared: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A person is never asked about an effect that nobody could show; the detail is in the log alone.

    It surely did not happen: another try does no harm.
    """
    caplog.set_level(logging.ERROR)
    entry = decided(a_bench(declared))
    verdict = denial(entry)
    assert (entry.decision, entry.preview) == (Decision.DENY, ())
    assert (verdict.category, verdict.status, verdict.retryable) == (Category.TRANSIENT, "fault", True)
    assert "(reference r1); the detail is in the log" in verdict.reason
    assert "swordfish" not in verdict.reason
    assert [record.exc_info is not None for record in caplog.records if "fault r1" in record.getMessage()] == [
        True
    ]


def test_an_input_that_can_not_be_checked_is_kept() -> None:
    """The entry shows what was sent."""
    entry = decided(a_bench({"check": lambda place, values: raising(RuntimeError())()}))
    assert entry.input == INPUT


@pytest.mark.parametrize("part", ["check", "preview"])
def test_a_failing_store_is_no_fault_of_the_tool(part: str) -> None:
    """Nothing is decided on a store that can't be read."""
    failing = raising(StoreFailure(StoreFault.CORRUPT, "…"))
    with pytest.raises(StoreFailure):
        decide(a_bench({part: lambda place, values: failing()}))


@pytest.mark.parametrize("part", ["check", "preview"])
def test_a_look_leaves_no_trace(part: str) -> None:
    """Whatever a check or a preview does in the tables is rolled back."""

    def write(place: Place, values: Values) -> list[str] | None:
        place.tables.execute("add", ("traces",))
        assert place.tables.execute("list") == [("traces",)]
        return ["…"] if part == "preview" else None

    bench = a_bench({part: write})
    assert decided(bench).decision is Decision.ASK
    assert bench.store.effects == []

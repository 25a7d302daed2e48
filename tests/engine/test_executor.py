"""Whatever a tool gives back is data: what it declared, or a fault that says nothing of its insides."""

import asyncio
import logging
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from agentcli.tools.outcome import ToolFailure, Undoable
from agentcli.tools.tool import Acts
from tests.engine.one_call import (
    both_ways,
    declared,
    elsewhere,
    in_store,
    raising,
    result_of,
    returning,
)
from tests.fakes import FakeClock

SECRET = "the password is swordfish"


async def test_a_result_is_kept_with_all_that_the_model_and_the_record_need() -> None:
    """Status, data, and the digest of the very bytes that the model gets."""
    for entry in await both_ways(returning({"car": "red"}), fields=["car", "owner"]):
        assert (entry.origin, entry.status, entry.is_error, entry.held) == ("tool", "ok", False, False)
        assert bytes(entry.result) == (
            b'{"status":"ok","car":"red","owner":null,'
            b'"isError":false,"errorCategory":null,"isRetryable":false,"message":null}'
        )
        assert len(entry.digest) == 64


@pytest.mark.parametrize("end", [dict, raising(ToolFailure("closed", "business", "no"))], ids=["done", "failed"])
async def test_the_record_says_how_long_a_tool_took(end: Callable[[], Any]) -> None:
    """Whether it does its work in the store or elsewhere, and also where it fails, to the millisecond."""
    clock = FakeClock()

    def slow() -> Any:
        clock.advance(1.2345)
        return end()

    for entry in await both_ways(slow, clock=clock, statuses={"closed": "business"}):
        assert entry.seconds == 1.234


async def test_decimals_and_dates_are_written_as_text() -> None:
    """An amount keeps its digits, a day is ISO 8601."""
    for entry in await both_ways(returning({"price": Decimal("340.00"), "day": date(2026, 11, 30)})):
        assert (result_of(entry)["price"], result_of(entry)["day"]) == ("340.00", "2026-11-30")


async def test_a_declared_failure_is_data() -> None:
    """What a tool returns or raises by name is the same: its data fields are null and the message says what to do."""

    def returned() -> Any:
        return {"status": "car_not_found", "car": "red", "message": "No such car."}

    def raised() -> Any:
        raise ToolFailure("car_not_found", "validation", "No such car.", retryable=True)

    statuses = {"car_not_found": "validation"}
    for function in (returned, raised):
        for entry in await both_ways(function, statuses=statuses, fields=["car"]):
            assert (entry.status, entry.is_error) == ("car_not_found", True)
            assert bytes(entry.result) == (
                b'{"status":"car_not_found","car":null,'
                b'"isError":true,"errorCategory":"validation","isRetryable":true,"message":"No such car."}'
            )


@pytest.mark.parametrize(
    ("returned", "retryable"),
    [
        pytest.param({"status": "car_not_found"}, True, id="validation"),
        pytest.param({"status": "taken"}, False, id="business"),
        pytest.param({"status": "taken", "isRetryable": True}, True, id="the-tool-says-so"),
        pytest.param({"status": "car_not_found", "isRetryable": False}, False, id="the-tool-says-not"),
    ],
)
async def test_another_input_may_help_against_a_validation_failure(returned: Any, retryable: bool) -> None:
    """Without a word of the tool, validation is retryable and business is not."""
    statuses = {"car_not_found": "validation", "taken": "business"}
    for entry in await both_ways(returning(returned), statuses=statuses):
        assert result_of(entry)["isRetryable"] is retryable


async def test_a_failure_without_words_gets_some() -> None:
    """The model is told at least which tool ended how."""
    for entry in await both_ways(returning({"status": "taken"}), statuses={"taken": "business"}):
        assert result_of(entry)["message"] == "plain ended with taken"


async def test_a_disruption_needs_no_declaration() -> None:
    """Any tool may find the world down."""
    error = ToolFailure("service_disruption", "transient", "The garage does not answer.", retryable=True)
    for entry in await both_ways(raising(error)):
        assert (entry.status, result_of(entry)["errorCategory"]) == ("service_disruption", "transient")


class Abort(BaseException):
    """What some libraries raise to pass every `except Exception`."""


# fmt: off
FAULTS = [
    # what the tool does              function
    ("raises",                        raising(RuntimeError(SECRET))),
    ("raises-a-timeout",              raising(TimeoutError(SECRET))),
    ("raises-stop-iteration",         raising(StopIteration(SECRET))),
    ("raises-a-group",                raising(ExceptionGroup(SECRET, [ValueError(SECRET)]))),
    ("exits",                         raising(SystemExit(SECRET))),
    ("aborts",                        raising(Abort(SECRET))),
    ("is-cancelled-from-within",      raising(asyncio.CancelledError(SECRET))),
    ("fails-with-an-undeclared-status", raising(ToolFailure("odd", "business", SECRET))),
    ("fails-with-success",            raising(ToolFailure("ok", "business", SECRET))),
    ("fails-in-another-category",     raising(ToolFailure("taken", "transient", SECRET))),
    ("fails-in-bad-words",            raising(ToolFailure("taken", "business", SECRET + "\ud800"))),
    ("returns-nothing",               returning(None)),
    ("returns-text",                  returning(SECRET)),
    ("returns-a-list",                returning([{"status": "ok"}])),
    ("returns-an-undeclared-status",  returning({"status": SECRET})),
    ("returns-a-status-of-no-kind",   returning({"status": [SECRET]})),
    ("returns-what-no-json-holds",    returning({"car": object()})),
    ("returns-no-number",             returning({"car": [float("nan")]})),
    ("returns-half-a-surrogate",      returning({"car": SECRET + "\ud800"})),
    ("undoes-with-what-no-json-holds", returning(Undoable({"status": "ok"}, before=object()))),
    ("undoes-with-no-number",         returning(Undoable({"status": "ok"}, before=float("inf")))),
]
# fmt: on


@pytest.mark.parametrize("function", [row[1] for row in FAULTS], ids=[row[0] for row in FAULTS])
async def test_a_tool_s_bug_is_a_fault_with_a_reference(
    function: Callable[[], Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The model learns that the tool failed and under which reference; the detail is in the log alone.

    The user may be shown these words too, so they tell nobody what to say to whom.
    """
    caplog.set_level(logging.ERROR)
    entries = await both_ways(function, "write", undo=lambda values, result: None, statuses={"taken": "business"})
    for entry in entries:
        result = result_of(entry)
        assert (entry.status, entry.is_error) == ("fault", True)
        assert (result["errorCategory"], result["status"]) == ("transient", "fault")
        told = "the tool failed (reference r1); the detail is in the log, which the user can read"
        assert result["message"] == told
        assert "swordfish" not in bytes(entry.result).decode()
        assert (entry.facts, entry.undo) == ((), None)
    logged = [record for record in caplog.records if "fault r1" in record.getMessage()]
    assert len(logged) == len(entries)
    assert all(record.exc_info for record in logged)


async def test_a_fault_has_the_keys_of_the_tool_s_results() -> None:
    """The data fields are there and null."""
    for entry in await both_ways(raising(RuntimeError()), fields=["car"]):
        assert list(result_of(entry)) == [
            *("status", "car", "isError", "errorCategory", "isRetryable", "message"),
        ]


@pytest.mark.parametrize(
    ("risk", "acts", "retryable"),
    [
        pytest.param("read", Acts.IN_STORE, True, id="read-in-the-store"),
        pytest.param("read", Acts.ELSEWHERE, True, id="read-elsewhere"),
        pytest.param("irreversible", Acts.IN_STORE, True, id="rolled-back"),
        pytest.param("irreversible", Acts.ELSEWHERE, False, id="may-have-happened"),
    ],
)
@pytest.mark.parametrize("error", [RuntimeError(), ToolFailure("odd", "business", "…")], ids=["bug", "undeclared"])
async def test_a_fault_is_retryable_only_if_nothing_happened(
    error: Exception, risk: str, acts: Acts, retryable: bool
) -> None:
    """A read changes nothing, and in the store a fault is rolled back; elsewhere nobody knows."""
    tool = declared(raising(error), risk, acts)
    entry = in_store(tool) if acts is Acts.IN_STORE else await elsewhere(tool)
    assert result_of(entry)["isRetryable"] is retryable

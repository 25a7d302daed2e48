"""What a call runs, its tool or that tool's `undo`, and the outcome of what it returns or raises."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from agentcli.engine.permits import NotPermitted
from agentcli.session.call import Call
from agentcli.tools.outcome import Category, Outcomes, ToolFailure, Undoable, category_of, failure, success
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Frozen
from agentcli.tools.tool import Place, Tool

_NOTHING: Final = Outcomes()


class UndeclaredOutcome(Exception):
    """A tool ended with a status, or with something, that it has not declared."""


class Prepared(Struct, frozen=True):
    """What a call takes along from the store into the world outside."""

    value: Any = None


NOTHING_PREPARED: Final = Prepared()


class ToolOutcome(Struct, frozen=True):
    """The result of a tool that has run, before it becomes an entry; `before` is what its `undo` needs."""

    result: dict[str, Any]
    before: Any = None
    undoable: bool = False


def values_of(tool: Tool, call: Call) -> Mapping[str, Any]:
    """Return the values of the input as it was decided, none where it is no input of this tool any more."""
    reading = tool.schema.read(call.decided.input if call.decided is not None else call.input)
    return reading.values if isinstance(reading, Frozen) else {}


def invocation_of(
    tool: Tool,
    call: Call,
    place: Place,
    values: Mapping[str, Any],
    prepared: Prepared = NOTHING_PREPARED,
) -> Callable[[], Any]:
    """Return the function that the call runs: its tool, or its tool's `undo` where a person takes a call back."""
    if call.undoes is not None:
        undo, finished = tool.undo, call.undoes.finished
        if undo is None or finished is None or finished.undo is None:
            raise NotPermitted(f"{call.undoes.call_id!r} can't be undone")
        result, before = msgspec.json.decode(finished.result), msgspec.json.decode(finished.undo)
        return partial(undo, place, values, result, before)
    given = {"place": place} if tool.takes_place else {}
    resumed = {"resumed": call.resumed} if tool.takes_resumed else {}
    along = {"prepared": prepared.value} if tool.prepare is not None else {}
    return partial(tool.run, **given, **resumed, **along, **values)


def outcome_of(tool: Tool, call: Call, returned: Any) -> ToolOutcome:
    """Return the outcome of a call whose tool, or its `undo`, returned, with every member that its results have.

    Raises:
        UndeclaredOutcome: It is nothing that the tool has declared.
    """
    if call.undoes is not None:
        return ToolOutcome(success(_NOTHING, {"status": "ok", "undone": call.undoes.call_id}))
    before, undoable = None, tool.risk is Risk.WRITE
    if isinstance(returned, Undoable):
        before, returned = returned.before, returned.result
    if not isinstance(returned, Mapping):
        raise UndeclaredOutcome(f"{tool.name!r} returned {type(returned).__name__}, not a dict")
    status = returned.get("status", "ok")
    if status not in tool.outcomes.statuses:
        raise UndeclaredOutcome(f"{tool.name!r} ended with {status!r}, which its `statuses` don't name")
    category = tool.outcomes.statuses[status]
    if category is None:
        return ToolOutcome(success(tool.outcomes, returned), before, undoable)
    message = str(returned.get("message") or f"{tool.name} ended with {status}")
    kept = {name: value for name, value in returned.items() if name in tool.outcomes.keeps_fields}
    retryable = bool(returned.get("isRetryable", category is Category.VALIDATION))
    return ToolOutcome(failure(status, category, message, retryable=retryable, outcomes=tool.outcomes, kept=kept))


def outcome_of_failure(tool: Tool, call: Call, error: ToolFailure) -> ToolOutcome:
    """Return the outcome of a call whose tool, or its `undo`, raised a failure.

    Raises:
        UndeclaredOutcome: The tool has not declared it, or as something else.
    """
    declared = {"service_disruption": category_of("service_disruption")} | dict(tool.outcomes.statuses)
    if call.undoes is None and declared.get(error.status) is not error.category:
        told = f"{tool.name!r} failed with {error.status!r} ({error.category}), which its `statuses` don't name so"
        raise UndeclaredOutcome(told)
    result = failure(
        error.status, error.category, error.message, retryable=error.retryable, outcomes=tool.outcomes
    )
    return ToolOutcome(result)

"""What comes back from a call: declared outcomes, failures as data, and the one place that writes the blocks."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from agentcli.tools.json_text import JsonFault, compact, read_json
from agentcli.tools.proposal import Proposal

DECLINED: Final = "the user declined this action"
DECLINED_IN_ADVANCE: Final = f"{DECLINED} in advance"
"""What a model is told where a person had said beforehand that nobody will be there to be asked."""


class Category(StrEnum):
    """What kind of failure it is, and so who can do something about it."""

    VALIDATION = "validation"
    BUSINESS = "business"
    PERMISSION = "permission"
    TRANSIENT = "transient"


def category_called(name: str) -> Category:
    """Return the category of this name.

    Raises:
        ValueError: There is none; the message names those that there are.
    """
    try:
        return Category(name)
    except ValueError as error:
        raise ValueError(f"{name!r} is no category; there are {', '.join(Category)}") from error


class ToolFailure(Exception):
    """A failure that a tool knows by name; the model gets it as data, never as an exception's text."""

    def __init__(self, status: str, category: str, message: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.category = category_called(category)
        self.message = message
        self.retryable = retryable


class Undoable(Struct, frozen=True):
    """A result together with what its tool's `undo` needs to put things back."""

    result: dict[str, Any]
    before: Any


class Outcomes(Struct, frozen=True, kw_only=True):
    """The statuses that a tool can end with, and the data fields that every one of its results has.

    `statuses` maps a status to its error category, or to None where it is a success.
    """

    statuses: Mapping[str, Category | None] = field(default_factory=lambda: {"ok": None})
    fields: tuple[str, ...] = ()
    keeps_fields: frozenset[str] = frozenset()


STATUS_CATEGORIES: Final[Mapping[str, Category]] = {
    "malformed": Category.VALIDATION,
    "book_on_loan": Category.BUSINESS,
    "not_on_loan": Category.BUSINESS,
    "member_has_fines": Category.BUSINESS,
    "exceeds_order": Category.BUSINESS,
    "review": Category.BUSINESS,
    "service_disruption": Category.TRANSIENT,
}


ON_EVERY_RESULT: Final = frozenset({"status", "isError", "errorCategory", "isRetryable", "message"})
"""The members that results have beside the tool's own."""


def category_of(status: str) -> Category | None:
    """Return the category that a well-known status has, or None where the tool itself must say."""
    return Category.VALIDATION if status.endswith("_not_found") else STATUS_CATEGORIES.get(status)


def success(outcomes: Outcomes, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a successful result with every key that results of this tool have."""
    return (
        {"status": result.get("status", "ok")}
        | dict.fromkeys(outcomes.fields)
        | dict(result)
        | {"isError": False, "errorCategory": None, "isRetryable": False, "message": result.get("message")}
    )


def failure(
    status: str,
    category: Category,
    message: str,
    *,
    retryable: bool,
    outcomes: Outcomes | None = None,
    kept: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a failure as data; the tool's own data fields are there and null, but for those it may keep."""
    fields = outcomes.fields if outcomes else ()
    return (
        {"status": status}
        | dict.fromkeys(fields)
        | dict(kept or {})
        | {
            "isError": True,
            "errorCategory": str(category),
            "isRetryable": retryable,
            "message": message,
        }
    )


def refusal(
    status: str,
    category: Category,
    message: str,
    attempted: Proposal,
    *,
    retryable: bool = False,
    next: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the block for a call that code or a person kept from running, with what was attempted."""
    return failure(status, category, message, retryable=retryable) | {
        "attempted": {"tool": attempted.tool, "input": input_as_json(attempted.input)},
        "next": list(next),
    }


def input_as_json(text: str) -> msgspec.Raw | str:
    """Return an input to be encoded: as JSON with its numbers as written, or as text where it is not JSON."""
    try:
        return msgspec.Raw(compact(read_json(text)).encode())
    except JsonFault:
        return text

"""From a problem response to a review category: type and status decide, never the prose."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Final, NoReturn, TypedDict, cast

from agentcli.problems.pairs import PAIRS, Pair

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
MAX_BODY_BYTES: Final = 8_192
MAX_LEVELS: Final = 64
MAX_INTEGER_DIGITS: Final = 4_300

_HEADER_BLANKS: Final = " \t"
# A string counts as one token, closed or not, so that brackets in it are no levels.
_STRING_OR_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]')


class Review(TypedDict):
    """What a person is to look at, why, and the status the response really had."""

    decision: str
    reason: str
    http_status: int | None


def classify(
    actual_status: object, content_type: object, body: object, *, pairs: Iterable[Pair] = PAIRS
) -> Review:
    """Return the review category of a problem response; nothing of the body is in it, and nothing raises.

    Args:
        actual_status: From the transport, an int from 100 to 599.
        content_type: The header's text; parameters behind `;` are ignored.
        body: The bytes as received, `MAX_BODY_BYTES` at most.
        pairs: The types and statuses that have a meaning; all others are `REVIEW_GENERIC`.

    Source: RFC 9457, section 3; that the body's status must not differ is a rule of ours.
    """
    status = _read_status(actual_status)
    if status is None:
        return _generic("INVALID_HTTP_STATUS", None)
    # Exact types: a subclass could bring code of its own.
    if type(body) is not bytes:
        return _generic("INVALID_BODY_BYTES", status)
    if len(body) > MAX_BODY_BYTES:
        return _generic("BODY_TOO_LARGE", status)
    if type(content_type) is not str or not content_type.strip(_HEADER_BLANKS):
        return _generic("MISSING_OR_INVALID_CONTENT_TYPE", status)
    if content_type.partition(";")[0].strip(_HEADER_BLANKS).lower() != PROBLEM_MEDIA_TYPE:
        return _generic("UNEXPECTED_CONTENT_TYPE", status)
    try:
        problem = _read_json(body)
    except ValueError:
        return _generic("INVALID_JSON", status)
    if not isinstance(problem, dict):
        return _generic("PROBLEM_BODY_NOT_OBJECT", status)
    if _differs(problem.get("status"), status):
        return _generic("BODY_STATUS_MISMATCH", status)
    for pair in pairs:
        if pair.type == problem.get("type") and pair.status == status:
            return Review(decision=pair.decision, reason=pair.reason, http_status=status)
    return _generic("UNKNOWN_OR_UNMATCHED_PROBLEM", status)


def _generic(reason: str, status: int | None) -> Review:
    return Review(decision="REVIEW_GENERIC", reason=reason, http_status=status)


def _read_status(actual_status: object) -> int | None:
    # By its true type, and through int's own method: HTTPStatus is welcome, a subclass's own code is not.
    if not issubclass(type(actual_status), int):
        return None
    status = int.__int__(cast(int, actual_status))
    return status if 100 <= status <= 599 else None  # so no bool either


def _differs(body_status: object, status: int) -> bool:
    is_number = isinstance(body_status, int | float) and not isinstance(body_status, bool)
    return is_number and body_status != status


def _read_json(body: bytes) -> object:
    """Return the JSON value in the body, read strictly.

    Raises:
        ValueError: Not UTF-8, not JSON, or JSON that two readers could understand differently.
    """
    text = body.decode("utf-8")
    # Before parsing: the parser's own recursion must stay far from the interpreter's limit.
    if _deepest_level(text) > MAX_LEVELS:
        raise ValueError("nested too deeply")
    value: object = json.loads(
        text,
        object_pairs_hook=_members,
        parse_int=_integer,
        parse_float=_finite,
        parse_constant=_refuse_constant,
    )
    return value


def _deepest_level(text: str) -> int:
    level = deepest = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        if token[0] in "[{":
            level += 1
            deepest = max(deepest, level)
        elif token[0] in "]}":
            level -= 1
    return deepest


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice")
    return members


def _integer(digits: str) -> int:
    # Said here, as the interpreter's own limit can be moved or lifted.
    if len(digits.removeprefix("-")) > MAX_INTEGER_DIGITS:
        raise ValueError("too long an integer")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("too large a number")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")

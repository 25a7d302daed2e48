"""The parts of a request by which a recording knows it again, and where two requests differ. Pure."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from agentcli.session.ports import Request

_LONGEST: Final = 60


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request without what is another each time: session, day, and the most tokens."""

    system: str
    tools: tuple[str, ...]
    may_call: bool
    messages: tuple[str, ...]


def asked_of(request: Request) -> Asked:
    """Return what a recording keeps of a request; tools with their schemas, and messages, as JSON text."""
    tools = tuple(
        json.dumps({"name": offer.name, "description": offer.description, "input_schema": offer.input_schema})
        for offer in request.tools
    )
    return Asked(request.system, tools, request.may_call, tuple(one.decode() for one in request.messages))


def first_difference(recorded: Asked, now: Asked) -> str | None:
    """Return where a request first differs from the recorded one, and how; None where it does not."""
    return _difference(_whole(recorded), _whole(now), "")


def _whole(asked: Asked) -> dict[str, Any]:
    return {
        "system": asked.system,
        "tools": {tool["name"]: tool for tool in map(json.loads, asked.tools)},
        "may_call": asked.may_call,
        "messages": [json.loads(message) for message in asked.messages],
    }


def _difference(recorded: Any, now: Any, at: str) -> str | None:
    if recorded == now:
        return None
    match recorded, now:
        case dict(), dict():
            return _in_tables(recorded, now, at)
        case list(), list():
            return _in_lists(recorded, now, at)
        case str(), str():
            return _in_texts(recorded, now, at)
        case _:
            return f"{at}: recorded {_shown(recorded)}, now {_shown(now)}"


def _in_tables(recorded: Mapping[str, Any], now: Mapping[str, Any], at: str) -> str | None:
    for name in [*recorded, *(name for name in now if name not in recorded)]:
        place = f"{at}.{name}" if at else name
        if name not in now:
            return f"{place}: recorded {_shown(recorded[name])}, now nothing"
        if name not in recorded:
            return f"{place}: recorded nothing, now {_shown(now[name])}"
        differs = _difference(recorded[name], now[name], place)
        if differs is not None:
            return differs
    return None


def _in_lists(recorded: Sequence[Any], now: Sequence[Any], at: str) -> str | None:
    for number, (one, other) in enumerate(zip(recorded, now, strict=False)):
        differs = _difference(one, other, f"{at}[{number}]")
        if differs is not None:
            return differs
    place = f"{at}[{min(len(recorded), len(now))}]"
    if len(recorded) > len(now):
        return f"{place}: recorded {_shown(recorded[len(now)])}, now nothing"
    return f"{place}: recorded nothing, now {_shown(now[len(recorded)])}"


def _in_texts(recorded: str, now: str, at: str) -> str:
    start = next(
        (place for place, (one, other) in enumerate(zip(recorded, now, strict=False)) if one != other),
        min(len(recorded), len(now)),
    )
    where = f"{at}, character {start + 1}" if start else at
    return f"{where}: recorded {_shown(recorded[start:])}, now {_shown(now[start:])}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

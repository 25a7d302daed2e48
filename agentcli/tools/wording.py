"""What is wrong with an input, in words that say what to send instead. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

LONGEST_NAME: Final = 40

_IN_WORDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
    "date": "a date such as 2026-11-30",
    "datetime": "a date with a time, such as 2026-11-30T09:00:00Z",
    "time": "a time such as 09:00:00",
}
_GOT_IN_WORDS: Final = _IN_WORDS | dict.fromkeys(
    ("float", "decimal"), "a number that is not written as a whole one"
)

# The sentences of msgspec, and those of our own that pass through it.
_PLACED: Final = re.compile(r"(.*) - at `\$\.?([^`]*)`", re.DOTALL)
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`(?:, got `([^`]+)`|( .+))?")
_NO_CHOICE: Final = re.compile(r"Invalid (?:enum )?value .*", re.DOTALL)
_IMPOSSIBLE: Final = re.compile(r"Invalid RFC3339 encoded (date|datetime|time)")
_OURS: Final = re.compile(r"(?:is|has to be) .*", re.DOTALL)


def in_words(message: str, schema: Mapping[str, Any]) -> str:
    """Return what msgspec says about an input as a sentence about its parameters.

    Args:
        schema: The JSON Schema of the input.
    """
    placed = _PLACED.fullmatch(message)
    what, place = (placed[1], placed[2]) if placed else (message, "")
    if found := _UNKNOWN.fullmatch(what):
        return f"there is no parameter {_named(found[1])}; {_there_are(schema['properties'])}"
    if found := _MISSING.fullmatch(what):
        return f"{_named(found[1])} is missing"
    if not place:
        return what
    if found := _EXPECTED.fullmatch(what):
        wanted = " or ".join(_IN_WORDS.get(kind, kind) for kind in found[1].split(" | "))
        got = f", not {_GOT_IN_WORDS.get(found[2], found[2])}" if found[2] else found[3] or ""
        return f"{_named(place)} has to be {wanted}{got}"
    if _NO_CHOICE.fullmatch(what) and (choices := [*_choices(schema["properties"].get(place), schema)]):
        return f"{_named(place)} has to be one of {', '.join(map(str, choices))}"
    if found := _IMPOSSIBLE.fullmatch(what):
        return f"{_named(place)} has to be {_IN_WORDS[found[1]]}, one that there is"
    return f"{_named(place)} {what}" if _OURS.fullmatch(what) else f"{_named(place)}: {what}"


def _there_are(parameters: Mapping[str, Any]) -> str:
    return f"there are {', '.join(parameters)}" if parameters else "there are none"


def _named(name: str) -> str:
    return repr(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")


def _choices(part: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the values of the enumerations in a part of a schema."""
    match part:
        case {"enum": list(values)}:
            yield from values
        case {"$ref": str(target)}:
            yield from _choices(schema["$defs"].get(target.rpartition("/")[2]), schema)
        case {"anyOf": list(parts)}:
            for one in parts:
                yield from _choices(one, schema)
        case _:
            return

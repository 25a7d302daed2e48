"""JSON that keeps what the sender wrote: order of members, numbers digit by digit, no repeats."""

import json
from typing import Final, NoReturn

MAX_BYTES: Final = 1_000_000
MAX_LEVELS: Final = 64


class Number(str):
    """A JSON number exactly as it was written, such as `1.50` or `3e2`."""

    __slots__ = ()


Json = dict[str, "Json"] | list["Json"] | str | Number | bool | None


class JsonFault(ValueError):
    """The text is not JSON that we accept; the message says why, in words for the sender."""


def read_json(text: str) -> Json:
    """Return what the text says, numbers as `Number`.

    Raises:
        JsonFault: Not JSON, a member twice, NaN or Infinity, more than 64 levels or 1 MB, or a string with
            a control character other than newline and tab or with half a surrogate pair.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise JsonFault("the JSON is larger than 1 MB")
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=_members,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refuse_constant,
        )
    except RecursionError as error:
        raise JsonFault(f"the JSON is nested deeper than {MAX_LEVELS} levels") from error
    except json.JSONDecodeError as error:
        raise JsonFault(f"not valid JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}") from error
    _check(value, level=1)
    return value


def compact(value: Json) -> str:
    """Return the value as JSON without blanks, non-ASCII kept, numbers as they were written."""
    match value:
        case dict():
            return "{" + ",".join(f"{_quoted(name)}:{compact(item)}" for name, item in value.items()) + "}"
        case list():
            return "[" + ",".join(map(compact, value)) + "]"
        case Number():
            return str(value)
        case str():
            return _quoted(value)
        case _:
            return json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonFault(f"the member {twice!r} stands there twice")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise JsonFault(f"{name} is not a JSON number")


def _check(value: Json, *, level: int) -> None:
    match value:
        case Number():
            pass
        case str():
            _check_text(value)
        case dict() | list():
            if level > MAX_LEVELS:
                raise JsonFault(f"the JSON is nested deeper than {MAX_LEVELS} levels")
            for name in value if isinstance(value, dict) else ():
                _check_text(name)
            for item in value.values() if isinstance(value, dict) else value:
                _check(item, level=level + 1)
        case _:
            pass


def _check_text(text: str) -> None:
    if text.isprintable():
        return
    for character in text:
        if (character < " " and character not in "\n\t") or "\x7f" <= character <= "\x9f":
            raise JsonFault(f"text holds the control character U+{ord(character):04X}")
        if "\ud800" <= character <= "\udfff":
            raise JsonFault("text holds half a surrogate pair, which is not valid Unicode")

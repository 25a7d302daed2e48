"""From a function's signature to the schema the model sees, and back from the model's text to values."""

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec
from msgspec import Struct

from agentcli.tools.amount import Amount, amount_fault
from agentcli.tools.json_text import Json, JsonFault, Number, compact, read_json
from agentcli.tools.wording import in_words
from agentcli.visible import is_blank

_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_INT64: Final = range(-(2**63), 2**63)
_MUTABLE: Final = (list, dict, set, bytearray)
_UNRESOLVABLE: Final = (NameError, AttributeError, SyntaxError, TypeError)


class SchemaError(TypeError):
    """A tool's signature can't become a schema; the message names the tool and the parameter."""

    def __init__(self, tool: str, parameter: str, problem: str) -> None:
        super().__init__(f"tool {tool!r}, parameter {parameter!r}: {problem}")
        self.tool = tool
        self.parameter = parameter


class Frozen(Struct, frozen=True):
    """An input as it will run: its text (members as sent, defaults added) and the values read from it.

    `sent` is the text without the defaults; None where there were none to add.
    """

    text: str
    values: Mapping[str, Any]
    sent: str | None = None


class Misfit(Struct, frozen=True):
    """An input that the schema refuses: its text as far as it could be read, and what is wrong with it."""

    text: str
    problem: str


class InputSchema(Struct, frozen=True):
    """What a tool takes: as JSON Schema for the model, and as the record its text is read into."""

    record: type[msgspec.Struct]
    json_schema: Mapping[str, Any]

    def holds_exact_numbers(self, parameter: str) -> bool:
        """Tell whether what stands there is a whole number or a `Decimal`, or nothing at all."""
        annotation = typing.get_type_hints(self.record)[parameter]
        return all(kind in (int, Amount, types.NoneType) for kind in _alternatives(annotation))

    def read(self, text: str, defaults: Mapping[str, Json] | None = None) -> Frozen | Misfit:
        """Return the input frozen with its defaults filled in, or what is wrong with it.

        Args:
            text: JSON as the model sent it.
            defaults: Values for members that were not sent, in the order in which they are added.
        """
        try:
            tree = read_json(text)
        except JsonFault as fault:
            return Misfit(text, str(fault))
        if not isinstance(tree, dict):
            return Misfit(compact(tree), "the input is not a JSON object")
        filled = tree | {name: value for name, value in (defaults or {}).items() if name not in tree}
        try:
            record = msgspec.convert(_plain(filled, "$"), self.record, dec_hook=_read_amount)
        except (msgspec.ValidationError, _Unfit) as error:
            return Misfit(compact(tree), in_words(str(error), self.json_schema))
        values = {name: getattr(record, name) for name in self.record.__struct_fields__}
        return Frozen(compact(filled), values, compact(tree) if filled.keys() > tree.keys() else None)


def schema_of(tool: str, function: Callable[..., Any], *, hidden: frozenset[str]) -> InputSchema:
    """Return the schema of a function's parameters, those in `hidden` left out.

    Raises:
        SchemaError: A parameter has no annotation or an unknown one, a mutable default, or is `*args`,
            `**kw` or positional-only; its author can mend it.
    """
    fields: list[tuple[str, Any, Any]] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in hidden:
            continue
        _check_parameter(tool, parameter)
        annotation = _exact(_annotation(tool, function, parameter))
        required = parameter.default is inspect.Parameter.empty
        fields.append((parameter.name, annotation, msgspec.NODEFAULT if required else parameter.default))
    return InputSchema(_record(tool, fields), _json_schema(tool, fields))


def _check_parameter(tool: str, parameter: inspect.Parameter) -> None:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise SchemaError(tool, parameter.name, "a tool can't take *args or **kw")
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise SchemaError(tool, parameter.name, "a tool can't have positional-only parameters")
    if parameter.annotation is parameter.empty:
        raise SchemaError(tool, parameter.name, "it has no annotation")
    if isinstance(parameter.default, _MUTABLE):
        raise SchemaError(tool, parameter.name, "its default is mutable")


def _annotation(tool: str, function: Callable[..., Any], parameter: inspect.Parameter) -> Any:
    def alone() -> None: ...

    # One at a time, so that the message can name the parameter, and what is returned plays no part.
    alone.__annotations__ = {parameter.name: parameter.annotation}
    names = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return typing.get_type_hints(alone, names, include_extras=True)[parameter.name]
    except _UNRESOLVABLE as error:
        raise SchemaError(tool, parameter.name, "its annotation can't be resolved") from error


def _exact(annotation: Any) -> Any:
    """Return the annotation with `Decimal`, of which msgspec takes NaN and exponents, read as `Amount`."""
    if annotation is Decimal:
        return Amount
    arguments = typing.get_args(annotation)
    exact = tuple(_exact(argument) for argument in arguments)
    if exact == arguments:
        return annotation
    origin = typing.get_origin(annotation)
    # `|` takes no tuple.
    return typing.Union[exact] if origin in (typing.Union, types.UnionType) else origin[exact]  # noqa: UP007


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return typing.get_args(annotation) if is_union else (annotation,)


def _record(tool: str, fields: list[tuple[str, Any, Any]]) -> type[msgspec.Struct]:
    return msgspec.defstruct(tool, fields, kw_only=True, frozen=True, forbid_unknown_fields=True)


def _json_schema(tool: str, fields: list[tuple[str, Any, Any]]) -> dict[str, Any]:
    for name, annotation, default in fields:
        try:
            _, parts = msgspec.json.schema_components([annotation], schema_hook=_amount_schema)
        except TypeError as error:
            raise SchemaError(tool, name, "its type has no JSON Schema") from error
        if any("enum" not in part for part in parts.values()):
            raise SchemaError(tool, name, "a record can't be read strictly; take its fields as parameters")
        if default is not msgspec.NODEFAULT and not _is_plain(default):
            raise SchemaError(tool, name, "its default is not plain JSON")
        if default is not msgspec.NODEFAULT and not _would_be_read(default, annotation):
            raise SchemaError(tool, name, f"its default {default!r} is not of its type")
    # The root of `schema()` is a `$ref`, which the API refuses; the tool's own entry is a plain object.
    (root,), components = msgspec.json.schema_components([_record(tool, fields)], schema_hook=_amount_schema)
    own = dict(components.pop(root["$ref"].rpartition("/")[2]))
    own.pop("title", None)
    return own | ({"$defs": components} if components else {})


def _is_plain(default: Any) -> bool:
    finite = not isinstance(default, float) or math.isfinite(default)
    return finite and (default is None or isinstance(default, str | bool | int | float))


def _would_be_read(default: Any, annotation: Any) -> bool:
    """Tell whether calls that leave the parameter out could run; what no input could hold is not read."""
    if default is None or (isinstance(default, str) and is_blank(default)):
        return True
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    try:
        value = _plain_number(Number(default), "$") if is_number else default
        msgspec.convert(value, annotation, dec_hook=_read_amount)
    except (msgspec.ValidationError, _Unfit):
        return False
    return True


def _amount_schema(kind: type) -> dict[str, Any]:
    if kind is Amount:
        return {"type": ["number", "string"]}
    raise TypeError(kind)


class _Unfit(ValueError):
    pass


def _read_amount(kind: type, value: Any) -> Any:
    fault = amount_fault(value)
    if fault is not None:
        raise _Unfit(f"has to be an amount: {fault}")
    return Amount(value)


def _plain(value: Json, path: str) -> Any:
    """Return the value for msgspec: whole numbers as `int`, others exact as far as they can be an amount."""
    match value:
        case dict():
            return {name: _plain(item, f"{path}.{name}") for name, item in value.items()}
        case list():
            return [_plain(item, f"{path}[{position}]") for position, item in enumerate(value)]
        case Number():
            return _plain_number(value, path)
        case str() if is_blank(value):
            raise _Unfit(f"is empty or blank - at `{path}`")
        case _:
            return value


def _plain_number(number: Number, path: str) -> int | float | Decimal:
    if _WHOLE.fullmatch(number):
        if len(number) > 20 or int(number) not in _INT64:
            raise _Unfit(f"is a whole number that does not fit 64 bits - at `{path}`")
        return int(number)
    if len(number) > 400 or not math.isfinite(float(number)):
        raise _Unfit(f"is a number too long or too large - at `{path}`")
    # As a `Decimal`, `10e-1` would read `1.0`, which is an amount; what was written is none.
    return float(number) if "e" in number.lower() else Decimal(number)

"""Forms that a person fills in: a small part of JSON Schema, read into fields and checked against data."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec import Struct

from agentcli.tools.json_text import Json, JsonFault, Number, compact, read_json
from agentcli.visible import is_blank

KINDS: Final = {
    # kind        in words
    "string":    "a text",
    "integer":   "a whole number",
    "number":    "a number",
    "boolean":   "true or false",
}  # fmt: skip
_WHOLE: Final = re.compile(r"-?(0|[1-9][0-9]{0,17})", re.ASCII)
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?", re.ASCII)
_FIELD_KEYS: Final = frozenset({"type", "enum", "format", "title", "description", "default"})
_CONST_KEYS: Final = frozenset({"const", "type"})
_OBJECT_KEYS: Final = frozenset({"type", "properties", "required", "additionalProperties", "title", "description"})


class FormFault(ValueError):
    """A schema that can't be a form, or data that does not fit it; the message says which field and why."""


class Field(Struct, frozen=True):
    """One thing to fill in; with `choices` it is one of them."""

    name: str
    kind: str
    title: str
    required: bool
    choices: tuple[str, ...] = ()
    is_date: bool = False


class Form(Struct, frozen=True):
    """The fields of a form, in their order.

    `fixed` are members that nobody fills in: they come back with the answers, and tell what those were about.
    """

    fields: tuple[Field, ...]
    fixed: Mapping[str, str]

    def read(self, data: Json) -> dict[str, Json]:
        """Return the data if it fits, with what is fixed.

        Raises:
            FormFault: A field is missing or unknown, or its value does not fit.
        """
        if not isinstance(data, dict):
            raise FormFault("the data is not an object")
        names = {one.name: one for one in self.fields}
        for name, value in data.items():
            if name in self.fixed:
                _check_fixed(name, value, self.fixed[name])
            elif name in names:
                _check(names[name], value)
            else:
                raise FormFault(f"there is no field {name!r}; there are {', '.join(names)}")
        missing = [one.name for one in self.fields if one.required and one.name not in data]
        if missing:
            raise FormFault(f"missing: {', '.join(missing)}")
        return {**data, **self.fixed}

    def read_typed(self, field: Field, typed: str) -> Json:
        """Return what a person typed for one field; a choice may be given by its number, from 1.

        Raises:
            FormFault: It does not fit.
        """
        text = typed.strip()
        _check_readable(field.name, text)
        if field.choices:
            return _choice(field, text)
        value: Json = text
        if field.kind in ("integer", "number"):
            value = Number(text)
        elif field.kind == "boolean":
            value = {"y": True, "yes": True, "n": False, "no": False}.get(text.lower(), text)
        _check(field, value)
        return value


def form_of(schema: Mapping[str, Any]) -> Form:
    """Return the form that a JSON Schema describes: an object of texts, numbers, truth values and choices.

    A member that is a `const` is a text that is not asked for.

    Raises:
        FormFault: It says more than a form can; nothing of a schema is passed over in silence.
    """
    unknown = schema.keys() - _OBJECT_KEYS
    properties = schema.get("properties")
    if schema.get("type") != "object" or unknown or not isinstance(properties, Mapping) or not properties:
        raise FormFault(
            "a form is an object with properties" + (f", and has no {sorted(unknown)}" if unknown else "")
        )
    required = schema.get("required", ())
    stray = [name for name in required if name not in properties]
    if stray:
        raise FormFault(f"{stray[0]!r} is required and not among the properties")
    fixed = {name: _const(name, dict(one)) for name, one in properties.items() if "const" in one}
    fields = (_field(name, dict(one), name in required) for name, one in properties.items() if name not in fixed)
    form = Form(tuple(fields), fixed)
    if not form.fields:
        raise FormFault("there is nothing in it to fill in")
    for field in form.fields:
        _check_readable(field.name, *field.choices)
    for name, text in fixed.items():
        _check_readable(name, text)
    return form


def _check_readable(name: str, *answers: str) -> None:
    """Hold possible answers against what is read as such, so that nobody gives one that is refused behind it."""
    try:
        read_json(compact({name: list(answers)}))
    except JsonFault as fault:
        raise FormFault(f"the field {name!r}: {fault}") from fault


def _field(name: str, schema: Mapping[str, Any], required: bool) -> Field:
    unknown = schema.keys() - _FIELD_KEYS
    choices: Sequence[str] = schema.get("enum", ())
    kind = schema.get("type", "string" if choices else None)
    are_texts = kind == "string" and all(isinstance(choice, str) for choice in choices)
    if (
        unknown
        or kind not in tuple(KINDS)
        or ("enum" in schema and not (choices and are_texts))
        or schema.get("format", "date") != "date"
    ):
        raise FormFault(f"the field {name!r} is of a type that no form has")
    title = str(schema.get("title") or schema.get("description") or name)
    return Field(name, kind, title, required, tuple(choices), is_date="format" in schema)


def _const(name: str, schema: Mapping[str, Any]) -> str:
    const = schema["const"]
    if schema.keys() - _CONST_KEYS or schema.get("type", "string") != "string" or not isinstance(const, str):
        raise FormFault(f"the field {name!r} is of a type that no form has")
    return const


def _choice(field: Field, text: str) -> Json:
    if text in field.choices:
        return text
    by_text = {choice.lower(): choice for choice in field.choices}
    if text.lower() in by_text:
        return by_text[text.lower()]
    if text.isdecimal() and text.isascii() and 1 <= int(text) <= len(field.choices):
        return field.choices[int(text) - 1]
    raise FormFault(f"{field.name}: choose one of {', '.join(field.choices)}, by number or text")


def _check(field: Field, value: Json) -> None:
    if field.choices:
        if isinstance(value, Number) or value not in field.choices:
            raise FormFault(f"{field.name}: {value!r} is none of {', '.join(field.choices)}")
    elif not _fits(field, value):
        wanted = "a date (YYYY-MM-DD)" if field.is_date else KINDS[field.kind]
        raise FormFault(f"{field.name}: {value!r} is not {wanted}")


def _check_fixed(name: str, value: Json, fixed: str) -> None:
    if isinstance(value, Number) or value != fixed:
        raise FormFault(f"{name}: {value!r} was asked about before, now it is {fixed!r}; look at it again")


def _fits(field: Field, value: Json) -> bool:
    match field.kind:
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, Number) and _WHOLE.fullmatch(value) is not None
        case "number":
            return isinstance(value, Number) and _NUMBER.fullmatch(value) is not None
        case _:
            return _is_text(value) and (not field.is_date or _is_date(str(value)))


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and not isinstance(value, Number) and not is_blank(value)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False

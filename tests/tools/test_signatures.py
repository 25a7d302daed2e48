"""A function's signature becomes the schema that the model sees, or is refused when it is declared."""

import enum
import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import msgspec
import pytest

from agentcli.tools.schema import Frozen, InputSchema, Misfit, SchemaError, schema_of

NOTHING: frozenset[str] = frozenset()


def schema(function: Callable[..., Any], *, hidden: frozenset[str] = NOTHING) -> InputSchema:
    return schema_of("poke", function, hidden=hidden)


class Line(TypedDict):
    price: Decimal


class Pair(NamedTuple):
    price: Decimal


@dataclass
class Order:
    price: Decimal


class Book(msgspec.Struct):
    title: str


class Colour(enum.Enum):
    RED = "red"


class Strange:
    pass


# fmt: off
def unannotated(plate) -> None: ...  # type: ignore[no-untyped-def]
def unannotated_second(plate: str, day) -> None: ...  # type: ignore[no-untyped-def]
def starred(plate: str, *rest: str) -> None: ...
def double_starred(plate: str, **more: str) -> None: ...
def positional(plate: str, /) -> None: ...
def mutable_list(plates: list[str] = []) -> None: ...  # noqa: B006
def mutable_dict(plates: dict[str, str] = {}) -> None: ...  # noqa: B006
def mutable_set(plates: set[str] = set()) -> None: ...  # noqa: B006
def unknown_name(plate: str, owner: "Owner") -> None: ...  # type: ignore[name-defined]  # noqa: F821
def unknown_attribute(plate: "enum.Nothing") -> None: ...  # type: ignore[name-defined]
def broken_annotation(plate: "list[") -> None: ...  # type: ignore[valid-type]  # noqa: F722
def no_schema(plate: Strange) -> None: ...
def no_schema_inside(plates: list[complex]) -> None: ...
def any_object(plate: object) -> None: ...
def two_texts(price: Decimal | str) -> None: ...
def typed_dict(line: Line) -> None: ...
def named_tuple(pair: Pair) -> None: ...
def data_class(order: Order | None = None) -> None: ...
def struct_inside(books: list[Book]) -> None: ...
def date_default(day: date = date(2026, 1, 1)) -> None: ...
def decimal_default(price: Decimal = Decimal(1)) -> None: ...
def tuple_default(plates: tuple[str, ...] = ()) -> None: ...
def enum_default(colour: Colour = Colour.RED) -> None: ...
def text_for_a_number(count: int = "many") -> None: ...  # type: ignore[assignment]
def number_for_a_text(plate: str | None = 7) -> None: ...  # type: ignore[assignment]
def no_such_choice(size: Literal["s", "m"] = "l") -> None: ...  # type: ignore[assignment]
def exponent_for_an_amount(price: Decimal = "1e3") -> None: ...  # type: ignore[assignment]
def infinite_default(ratio: float = float("inf")) -> None: ...

REFUSED = [
    # function            parameter   why
    (unannotated,         "plate",    "no annotation"),
    (unannotated_second,  "day",      "no annotation"),
    (starred,             "rest",     "*args"),
    (double_starred,      "more",     "**kw"),
    (positional,          "plate",    "positional-only"),
    (mutable_list,        "plates",   "mutable"),
    (mutable_dict,        "plates",   "mutable"),
    (mutable_set,         "plates",   "mutable"),
    (unknown_name,        "owner",    "can't be resolved"),
    (unknown_attribute,   "plate",    "can't be resolved"),
    (broken_annotation,   "plate",    "can't be resolved"),
    (no_schema,           "plate",    "no JSON Schema"),
    (no_schema_inside,    "plates",   "no JSON Schema"),
    (any_object,          "plate",    "no JSON Schema"),
    (two_texts,           "price",    "no JSON Schema"),
    (typed_dict,          "line",     "a record"),
    (named_tuple,         "pair",     "a record"),
    (data_class,          "order",    "a record"),
    (struct_inside,       "books",    "a record"),
    (date_default,        "day",      "not plain JSON"),
    (decimal_default,     "price",    "not plain JSON"),
    (tuple_default,       "plates",   "not plain JSON"),
    (enum_default,        "colour",   "not plain JSON"),
    (infinite_default,    "ratio",    "not plain JSON"),
    (text_for_a_number,   "count",    "its default 'many' is not of its type"),
    (number_for_a_text,   "plate",    "its default 7 is not of its type"),
    (no_such_choice,      "size",     "its default 'l' is not of its type"),
    (exponent_for_an_amount, "price", "its default '1e3' is not of its type"),
]
# fmt: on


@pytest.mark.parametrize(("function", "parameter", "why"), REFUSED, ids=[row[0].__name__ for row in REFUSED])
def test_a_signature_that_can_not_be_read_strictly_is_refused(
    function: Callable[..., Any], parameter: str, why: str
) -> None:
    """Its author is told at once which parameter of which tool has to change, and why."""
    with pytest.raises(SchemaError) as caught:
        schema(function)
    assert "'poke'" in str(caught.value)
    assert f"{parameter!r}" in str(caught.value)
    assert why in str(caught.value)
    assert (caught.value.tool, caught.value.parameter) == ("poke", parameter)


def test_a_default_is_what_an_input_could_hold() -> None:
    """A day and an amount as they stand in JSON, a choice by its value, nothing at all, and no text."""

    def book(
        *,
        day: date = "2026-12-01",  # type: ignore[assignment]
        price: Decimal = "1.50",  # type: ignore[assignment]
        tip: Decimal = 1.5,  # type: ignore[assignment]
        rate: float = 1,
        size: Literal["s", "m"] = "m",
        colour: Colour = "red",  # type: ignore[assignment]
        count: int = None,  # type: ignore[assignment]  # noqa: RUF013
        note: str = "",
    ) -> None: ...

    assert schema(book).json_schema["required"] == []


def test_the_schema_is_a_plain_object() -> None:
    """The service takes no reference at the root: it gets an object that names its members and takes no others."""

    def scrap_car(plate: str, price: Decimal, day: date, count: int = 1, note: str | None = None) -> None: ...

    assert schema(scrap_car).json_schema == {
        "type": "object",
        "properties": {
            "plate": {"type": "string"},
            "price": {"type": ["number", "string"]},
            "day": {"type": "string", "format": "date"},
            "count": {"type": "integer", "default": 1},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["plate", "price", "day"],
        "additionalProperties": False,
    }


def test_a_tool_without_parameters_takes_an_empty_object() -> None:
    """Its schema is an object without members, and only `{}` fits."""

    def get_time() -> None: ...

    taken = schema(get_time)
    assert taken.json_schema == {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert taken.read("{}") == Frozen("{}", {})
    assert isinstance(taken.read('{"zone":"UTC"}'), Misfit)


def test_an_enum_is_defined_beside_the_members() -> None:
    """Named values are offered to the model as a list to choose from."""

    def paint(colour: Colour) -> None: ...

    written = schema(paint).json_schema
    assert written["type"] == "object"
    reference = written["properties"]["colour"]["$ref"]
    assert written["$defs"][reference.rpartition("/")[2]]["enum"] == ["red"]


def test_an_enum_may_be_called_as_the_tool_is() -> None:
    """Equal names do no harm."""

    def paint(colour: Colour) -> None: ...

    taken = schema_of("Colour", paint, hidden=NOTHING)
    assert set(taken.json_schema["properties"]) == {"colour"}
    assert isinstance(taken.read('{"colour":"red"}'), Frozen)


@pytest.mark.parametrize(
    ("annotation", "offered"),
    [
        pytest.param(Decimal, {"type": ["number", "string"]}, id="plain"),
        pytest.param(Decimal | None, {"anyOf": [{"type": ["number", "string"]}, {"type": "null"}]}, id="optional"),
        pytest.param(list[Decimal], {"type": "array", "items": {"type": ["number", "string"]}}, id="list"),
        pytest.param(
            dict[str, Decimal],
            {"type": "object", "additionalProperties": {"type": ["number", "string"]}},
            id="dict",
        ),
        pytest.param(Annotated[Decimal, "in euros"], {"type": ["number", "string"]}, id="annotated"),
    ],
)
def test_an_amount_is_offered_as_number_or_text(annotation: Any, offered: dict[str, Any]) -> None:
    """Wherever a `Decimal` stands, the model may write a number or a text, and both are read exactly."""

    def pay(price: Any) -> None: ...

    pay.__annotations__ = {"price": annotation}
    assert schema(pay).json_schema["properties"]["price"] == offered


def test_what_an_annotation_adds_is_kept() -> None:
    """A bound beside a type is offered to the model, and holds."""

    def wait(minutes: Annotated[int, msgspec.Meta(ge=1, le=60)]) -> None: ...

    taken = schema(wait)
    assert taken.json_schema["properties"]["minutes"] == {"type": "integer", "minimum": 1, "maximum": 60}
    assert isinstance(taken.read('{"minutes":60}'), Frozen)
    assert isinstance(taken.read('{"minutes":61}'), Misfit)


def test_annotations_may_be_text() -> None:
    """Annotations that Python keeps as text, as `from __future__ import annotations` does, mean the same."""

    def pay(price: "Decimal", kind: 'Literal["a", "b"]' = "a") -> None: ...

    members = schema(pay).json_schema["properties"]
    assert members["price"] == {"type": ["number", "string"]}
    assert members["kind"] == {"enum": ["a", "b"], "default": "a"}


def test_what_a_tool_returns_plays_no_part() -> None:
    """A result's annotation is for readers; one that can't be resolved is no reason to refuse the tool."""

    def find(plate: str) -> "Unheard": ...  # type: ignore[name-defined]  # noqa: F821

    assert schema(find).json_schema["required"] == ["plate"]


def test_a_wrapped_function_has_the_signature_of_what_it_wraps() -> None:
    """A decorator that keeps the signature changes nothing, also where it comes from another module."""

    def find(plate: "Literal['A', 'B']") -> None: ...

    wrapped = functools.lru_cache(find)
    assert schema(wrapped).json_schema["properties"]["plate"] == {"enum": ["A", "B"]}


def test_hidden_parameters_are_not_offered() -> None:
    """What the model must not see is neither in the schema nor taken from an input, whatever its type."""

    def find(plate: str, place: Strange) -> None: ...

    taken = schema(find, hidden=frozenset({"place"}))
    assert set(taken.json_schema["properties"]) == {"plate"}
    assert isinstance(taken.read('{"plate":"A","place":1}'), Misfit)

"""A form is a small part of JSON Schema, and what a person fills in fits it or is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.tools.form import Field, Form, FormFault, form_of
from agentcli.tools.json_text import Json, Number, compact, read_json

IMPORT = form_of(
    {
        "type": "object",
        "title": "How is the file to be read?",
        "description": "The first lines are shown above.",
        "properties": {
            "order": {"type": "string", "enum": ["day first", "month first"], "title": "Dates"},
            "from": {"type": "string", "format": "date", "description": "From which day on"},
            "rows": {"type": "integer"},
            "rate": {"type": "number"},
            "note": {"type": "string"},
            "keep": {"type": "boolean"},
        },
        "required": ["order"],
        "additionalProperties": False,
    }
)
FIELDS = {field.name: field for field in IMPORT.fields}


def test_a_schema_becomes_fields_in_its_order() -> None:
    """Each member is one thing to fill in, called by its title, its description or its name."""
    assert IMPORT.fields == (
        Field("order", "string", "Dates", required=True, choices=("day first", "month first")),
        Field("from", "string", "From which day on", required=False, is_date=True),
        Field("rows", "integer", "rows", required=False),
        Field("rate", "number", "rate", required=False),
        Field("note", "string", "note", required=False),
        Field("keep", "boolean", "keep", required=False),
    )


def test_choices_are_texts_even_where_the_schema_does_not_say_so() -> None:
    """An enum of texts needs no type beside it."""
    assert form_of({"type": "object", "properties": {"a": {"enum": ["x"]}}}).fields[0].kind == "string"


def one(field: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": field}}


# fmt: off
NO_FORMS = [
    # what is special          schema
    ("no-object",              {"type": "string"}),
    ("no-type",                {"properties": {"a": {"type": "string"}}}),
    ("no-properties",          {"type": "object"}),
    ("empty-properties",       {"type": "object", "properties": {}}),
    ("listed-properties",      {"type": "object", "properties": ["a"]}),
    ("all-of",                 one({"type": "string"}) | {"allOf": []}),
    ("pattern-properties",     one({"type": "string"}) | {"patternProperties": {}}),
    ("required-elsewhere",     one({"type": "string"}) | {"required": ["b"]}),
    ("field-without-type",     one({})),
    ("field-null",             one({"type": "null"})),
    ("field-array",            one({"type": "array"})),
    ("field-object",           one({"type": "object"})),
    ("two-types",              one({"type": ["string", "null"]})),
    ("pattern",                one({"type": "string", "pattern": "a+"})),
    ("minimum",                one({"type": "integer", "minimum": 1})),
    ("reference",              one({"$ref": "#/$defs/A"})),
    ("time",                   one({"type": "string", "format": "date-time"})),
    ("choices-of-numbers",     one({"type": "integer", "enum": [1, 2]})),
    ("texts-as-numbers",       one({"type": "integer", "enum": ["a"]})),
    ("mixed-choices",          one({"type": "string", "enum": ["a", 1]})),
    ("no-choices",             one({"type": "string", "enum": []})),
    ("control-in-a-choice",    one({"type": "string", "enum": ["a", "\x1b[31mb"]})),
    ("control-in-a-const",     one({"type": "string"}) | {"properties": {"a": {"type": "string"}, "b": {"const": "\x00"}}}),
    ("control-in-a-name",      {"type": "object", "properties": {"a\x07": {"type": "string"}}}),
    ("nothing-to-fill-in",     one({"const": "a"})),
    ("const-number",           one({"const": 1}) | {"required": []}),
    ("const-as-number",        one({"type": "integer", "const": "a"})),
    ("const-with-choices",     one({"const": "a", "enum": ["a", "b"]})),
]
# fmt: on


@pytest.mark.parametrize("schema", [row[1] for row in NO_FORMS], ids=[row[0] for row in NO_FORMS])
def test_a_schema_that_says_more_than_a_form_can_is_refused(schema: dict[str, Any]) -> None:
    """Nothing that a schema demands is passed over in silence."""
    with pytest.raises(FormFault):
        form_of(schema)


def test_a_refused_schema_names_what_it_has_too_much() -> None:
    """Its author sees what to leave out."""
    with pytest.raises(FormFault, match=r"has no \['allOf'\]"):
        form_of(one({"type": "string"}) | {"allOf": []})
    with pytest.raises(FormFault, match="the field 'a'"):
        form_of(one({"type": "array"}))
    with pytest.raises(FormFault, match="'b' is required and not among"):
        form_of(one({"type": "string"}) | {"required": ["b"]})


ABOUT = form_of(
    {
        "type": "object",
        "properties": {"order": {"enum": ["a", "b"]}, "file": {"const": "3fa9"}},
        "required": ["order", "file"],
    }
)


def test_what_is_fixed_comes_back_without_being_asked_for() -> None:
    """So a tool sees what an answer was about, and nobody has to type it."""
    assert [field.name for field in ABOUT.fields] == ["order"]
    assert ABOUT.read({"order": "a"}) == {"order": "a", "file": "3fa9"}
    assert ABOUT.read({"order": "a", "file": "3fa9"}) == {"order": "a", "file": "3fa9"}


@pytest.mark.parametrize("value", ["3fa8", "", None, True, Number("1")])
def test_what_is_fixed_can_not_be_otherwise(value: Json) -> None:
    """An answer that says what it was about counts for nothing else."""
    with pytest.raises(FormFault, match=r"file: .* look at it again"):
        ABOUT.read({"order": "a", "file": value})


# fmt: off
FITS: list[tuple[str, Json, str]] = [
    # field     value                    as typed
    ("order",   "day first",             "day first"),
    ("order",   "day first",             "Day First "),
    ("order",   "day first",             "1"),
    ("order",   "month first",           " 2"),
    ("from",    "2026-02-28",            "2026-02-28"),
    ("rows",    Number("0"),             "0"),
    ("rows",    Number("-3"),            " -3 "),
    ("rows",    Number("9" * 18),        "9" * 18),
    ("rate",    Number("1"),             "1"),
    ("rate",    Number("-0.50"),         "-0.50"),
    ("note",    "Käse, 2 kg",            " Käse, 2 kg "),
    ("note",    "1",                     "1"),
    ("keep",    True,                    "y"),
    ("keep",    True,                    "YES"),
    ("keep",    False,                   "n"),
    ("keep",    False,                   " no "),
]

MISFITS: list[tuple[str, Json, str]] = [
    # field     value                    as typed
    ("order",   "year first",            "year first"),
    ("order",   "Day first",             "0"),
    ("order",   Number("1"),             "3"),
    ("order",   None,                    ""),
    ("order",   "",                      "-1"),
    ("order",   ["day first"],           "１"),
    ("from",    "2026-02-30",            "2026-02-30"),
    ("from",    "20260228",              "20260228"),
    ("from",    "2026-W09-6",            "2026-W09-6"),
    ("from",    "2026-2-8",              "2026-2-8"),
    ("from",    Number("20260228"),      "today"),
    ("rows",    Number("1.0"),           "1.0"),
    ("rows",    "1",                     "one"),
    ("rows",    Number("007"),           "007"),
    ("rows",    Number("١٢"),            "١٢"),
    ("rows",    Number("1e3"),           "1e3"),
    ("rows",    Number("9" * 19),        "9" * 19),
    ("rows",    True,                    ""),
    ("rows",    None,                    "-"),
    ("rate",    Number("1."),            "1."),
    ("rate",    Number(".5"),            ".5"),
    ("rate",    Number("1,5"),           "1,5"),
    ("rate",    Number("00.5"),          "00.5"),
    ("rate",    Number("1e400"),         "1e400"),
    ("rate",    Number("NaN"),           "NaN"),
    ("rate",    Number("１"),             "１"),
    ("rate",    "1.5",                   "inf"),
    ("rate",    False,                   ""),
    ("note",    "",                      ""),
    ("note",    " \n",                   "  "),
    ("note",    "\u3164\u200b",          "\u2800"),
    ("note",    "",                      "a\x1b[2J"),
    ("note",    Number("1"),             "\t"),
    ("note",    {"a": "b"},              "\n"),
    ("keep",    "y",                     "maybe"),
    ("keep",    Number("1"),             "1"),
    ("keep",    None,                    ""),
]
# fmt: on


@pytest.mark.parametrize(("name", "value", "typed"), FITS)
def test_what_fits_is_taken_from_a_program_and_from_the_keyboard(name: str, value: Json, typed: str) -> None:
    """A choice may be typed by its number or text in any case, blanks around an answer don't matter."""
    data: Json = {"order": "day first", name: value}
    assert IMPORT.read(data) == data
    assert IMPORT.read_typed(FIELDS[name], typed) == value


@pytest.mark.parametrize(("name", "value", "typed"), MISFITS)
def test_what_does_not_fit_is_refused(name: str, value: Json, typed: str) -> None:
    """Nothing is rounded, guessed or turned into another type, and the fault names the field."""
    with pytest.raises(FormFault, match=name):
        IMPORT.read({"order": "day first", name: value})
    with pytest.raises(FormFault, match=f"{name}|{FIELDS[name].title}"):
        IMPORT.read_typed(FIELDS[name], typed)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param({}, "missing: order", id="required-missing"),
        pytest.param({"order": "day first", "colour": "red"}, "no field 'colour'", id="unknown-field"),
        pytest.param(["day first"], "not an object", id="list"),
        pytest.param(None, "not an object", id="null"),
        pytest.param("day first", "not an object", id="text"),
    ],
)
def test_a_form_is_filled_in_whole_or_not_at_all(data: Json, told: str) -> None:
    """Required fields are there, and there are no others."""
    with pytest.raises(FormFault, match=told):
        IMPORT.read(data)


@given(st.sampled_from(["rows", "rate"]), st.text(st.sampled_from("0123456789.-+eE ١")))
def test_what_was_typed_can_be_stored_as_json(name: str, typed: str) -> None:
    """A number that is taken is a JSON number, whatever keys made it."""
    try:
        value = IMPORT.read_typed(FIELDS[name], typed)
    except FormFault:
        return
    assert read_json(compact({name: value})) == {name: value}


def test_a_number_is_no_choice_of_a_text() -> None:
    """`1` and `"1"` are different answers."""
    form = form_of(one({"enum": ["1", "2"]}))
    assert form.read({"a": "1"}) == {"a": "1"}
    with pytest.raises(FormFault):
        form.read({"a": Number("1")})


def test_choices_that_differ_in_case_alone_are_told_apart() -> None:
    """Where one is typed as it stands, no other is meant."""
    form = form_of(one({"enum": ["A", "a"]}))
    assert [form.read_typed(form.fields[0], typed) for typed in ("A", "a", "1", "2")] == ["A", "a", "A", "a"]


def test_a_form_without_required_fields_may_stay_empty() -> None:
    """Where nothing is required, nothing has to be said."""
    assert Form((Field("note", "string", "note", required=False),), {}).read({}) == {}

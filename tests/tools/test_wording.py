"""What is wrong with an input is told in words that say what to send instead."""

from typing import Annotated, Literal
from uuid import UUID

import pytest
from msgspec import Meta

from agentcli.tools.schema import Misfit, schema_of
from agentcli.tools.wording import LONGEST_NAME, in_words


def weigh(
    weight: Annotated[int, Meta(ge=1)],
    code: Annotated[str, Meta(max_length=3)] = "a",
    size: Literal[1, 2] | None = None,
    side: Literal["left", "right"] = "left",
    serial: UUID | None = None,
    places: dict[str, int] | None = None,
) -> None: ...


def nothing() -> None: ...


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('{"weight":0}', "'weight' has to be a whole number >= 1", id="bound"),
        pytest.param('{"weight":1,"code":"abcd"}', "'code' has to be text of length <= 3", id="length"),
        pytest.param('{"weight":1,"size":3}', "'size' has to be one of 1, 2", id="choice-or-null"),
        pytest.param('{"weight":1,"side":"up"}', "'side' has to be one of left, right", id="choice"),
        pytest.param('{"weight":1,"serial":"x"}', "'serial': Invalid UUID", id="what-has-no-words-yet"),
        pytest.param(
            '{"weight":1,"places":{"a":"b"}}', "'places[...]' has to be a whole number, not text", id="deep"
        ),
        pytest.param('{"code":"a"}', "'weight' is missing", id="missing"),
    ],
)
def test_a_misfit_names_the_parameter_and_what_fits(text: str, told: str) -> None:
    """In the words of the tool, not of the library that reads it."""
    assert schema_of("weigh", weigh, hidden=frozenset()).read(text) == Misfit(text, told)


def test_an_unknown_parameter_is_told_those_that_there_are() -> None:
    """Or that there are none; a long name is cut."""
    read = schema_of("nothing", nothing, hidden=frozenset()).read
    assert read('{"x":1}') == Misfit('{"x":1}', "there is no parameter 'x'; there are none")
    longest, longer = "x" * LONGEST_NAME, "x" * (LONGEST_NAME + 1)
    assert in_words(f"Object contains unknown field `{longest}`", {"properties": {"a": {}, "b": {}}}) == (
        f"there is no parameter '{longest}'; there are a, b"
    )
    assert f"'{longest[1:]}…'" in in_words(f"Object contains unknown field `{longer}`", {"properties": {}})


def test_a_place_that_is_no_parameter_leaves_the_sentence_as_it_is() -> None:
    """A key of a mapping, for one."""
    told = "Expected `int`, got `str` - at `key` in `$.places`"
    assert in_words(told, {"properties": {}}) == told

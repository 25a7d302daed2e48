"""Values of Python as JSON."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.tools.json_value import encode_value, encode_with_numbers


class Price(Decimal):
    """A decimal of a class of its own, as the amounts of inputs are."""


@dataclass
class Reading:
    """What a library may hand out."""

    value: float


@pytest.mark.parametrize(
    ("encode", "price"),
    [pytest.param(encode_value, b'"1.50"', id="text"), pytest.param(encode_with_numbers, b"1.50", id="number")],
)
def test_decimals_keep_their_digits(encode: Callable[[Any], bytes], price: bytes) -> None:
    """As text or as a number; dates are ISO 8601, and null stays null."""
    value = {"price": Decimal("1.50"), "day": date(2026, 11, 2), "owner": None}
    assert encode(value) == b'{"price":' + price + b',"day":"2026-11-02","owner":null}'
    assert encode([Price("1.50"), None]) == b'["1.50",null]'


@pytest.mark.parametrize("encode", [encode_value, encode_with_numbers])
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf], ids=str)
@pytest.mark.parametrize(
    "around",
    [
        pytest.param(lambda number: number, id="alone"),
        pytest.param(lambda number: {"rates": [1.5, number]}, id="in-a-list"),
        pytest.param(lambda number: {"rates": ({"a": {number}},)}, id="in-a-set"),
        pytest.param(
            lambda number: {"price": Price(1), "own": msgspec.Raw(b"2"), "reading": Reading(number)},
            id="in-a-record",
        ),
    ],
)
def test_what_is_no_number_is_refused(
    encode: Callable[[Any], bytes], number: float, around: Callable[[float], Any]
) -> None:
    """It never becomes null: who reads that would take it for nothing."""
    assert b"null" not in encode(around(0.5))
    with pytest.raises(TypeError, match="is no number that JSON has"):
        encode(around(number))


@pytest.mark.parametrize("value", [object(), {"a": object()}, [None, 1j]], ids=["alone", "inside", "complex"])
def test_what_json_can_not_hold_is_refused(value: object) -> None:
    """By its kind."""
    with pytest.raises(TypeError, match="is nothing that JSON holds"):
        encode_value(value)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_what_json_holds_comes_back_as_it_was(value: object) -> None:
    """Null, text that says null, and all finite numbers too."""
    assert msgspec.json.decode(encode_value(value)) == value

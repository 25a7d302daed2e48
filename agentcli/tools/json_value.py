"""Values of Python as JSON: what JSON can't hold is refused, and never becomes something else."""

import math
from decimal import Decimal
from typing import Any, Final

import msgspec


def encode_value(value: Any) -> bytes:
    """Return a value as JSON: decimals as text, dates as ISO 8601.

    Raises:
        TypeError: It holds something that JSON can't: NaN and infinities are none of its numbers.
        ValueError: It holds text that is not valid Unicode.
        RecursionError: It holds itself.
    """
    return _checked(_ENCODER.encode(value), value)


def encode_with_numbers(value: Any) -> bytes:
    """Return a value as JSON, its decimals as numbers; raises as `encode_value` does."""
    return _checked(_NUMBERS_ENCODER.encode(value), value)


def _checked(encoded: bytes, value: Any) -> bytes:
    # The encoder writes what is no number as null, without a word.
    if b"null" in encoded:
        _refuse_no_numbers(msgspec.to_builtins(value, enc_hook=_without_numbers))
    return encoded


def _refuse_no_numbers(value: Any) -> None:
    match value:
        case float() if not math.isfinite(value):
            raise TypeError(f"{value} is no number that JSON has")
        case dict():
            _refuse_no_numbers(list(value.values()))
        case list() | tuple():
            for item in value:
                _refuse_no_numbers(item)
        case _:
            pass


def _decimal_as_text(value: Any) -> str:
    # The decimals of an input are of a class of their own, which the encoder does not know.
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} is nothing that JSON holds")


def _without_numbers(value: Any) -> None:
    """Return nothing for what the encoder has written, and of which only floats are looked at."""


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_decimal_as_text)
_NUMBERS_ENCODER: Final = msgspec.json.Encoder(enc_hook=_decimal_as_text, decimal_format="number")

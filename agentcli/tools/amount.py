"""Amounts in inputs: how they are written, and what is wrong with one that is not. Pure."""

import re
from decimal import Decimal
from typing import Final

AMOUNT: Final = re.compile(r"[0-9]{1,15}(\.[0-9]+)?", re.ASCII)

MOST_DIGITS: Final = 15
"""The most digits before the point."""

LONGEST_SHOWN: Final = 30

_EXPONENT: Final = "it has an exponent; write all of its digits instead"
_PROBLEMS: Final = tuple(
    (re.compile(pattern, re.ASCII | re.DOTALL), problem)
    for pattern, problem in (
        # what was written                what is wrong with it
        (r"\s.*|.*\s",                    "{shown} has blanks around it"),
        (r"[-+][0-9.,]+",                 "{shown} has a sign; an amount is above 0 and has none"),
        (r"[0-9]{16,}(\.[0-9]+)?",        "{shown} has {digits} digits before the point; {most} are the most"),
        (r"[0-9]+(\.[0-9]+)?[eE].*",      "{shown}: " + _EXPONENT),
        (r"[0-9.]*,[0-9.,]*",             "{shown} has a comma; write a point before decimals, and nothing else"),
        (r".*",                           "{shown} is no number such as 12.50"),
    )
)  # fmt: skip


class Amount(Decimal):
    """A `Decimal` input: exact, not negative, at most 15 digits before the point, no exponent."""


def amount_fault(value: object) -> str | None:
    """Return what keeps a value of an input from being an amount, or None.

    Args:
        value: As it was read: a number that was written with an exponent as `float`, others exactly.
    """
    match value:
        case float():
            return _EXPONENT
        case int() | Decimal() if not isinstance(value, bool):
            text = shown = format(value, "f") if isinstance(value, Decimal) else str(value)
        case str():
            text, shown = value, repr(value)
        case _:
            return f"got {_KINDS[type(value)]}"
    if AMOUNT.fullmatch(text):
        return None
    problem = next(problem for pattern, problem in _PROBLEMS if pattern.fullmatch(text))
    shown = shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "…"
    return problem.format(shown=shown, digits=len(text.partition(".")[0]), most=MOST_DIGITS)


_KINDS: Final = {bool: "true or false", type(None): "null", list: "a list", dict: "an object"}

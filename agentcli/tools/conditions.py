"""What a tool declares about facts and limits; the gate judges by them."""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec import Struct

Result = Mapping[str, Any]


class FactRule(Struct, frozen=True, kw_only=True):
    """A fact that a result establishes, or that a call requires, about the subject in one input field.

    `unmet` is what the model is told where the fact is required and missing, with `{subject}` for the subject.
    """

    name: str
    subject: str
    when: Callable[[Result], bool] | None = None
    expires_s: float | None = None
    unmet: str = ""


class LimitRule(Struct, frozen=True, kw_only=True):
    """A bound on an input; over it the call is denied as `business` and `next` is suggested.

    The bound is `most`, or where that is None, what the agent's option of the name `option` says.
    """

    field: str
    most: Decimal | None
    option: str = ""
    next: tuple[str, ...] = ()


def fact(
    name: str,
    *,
    subject: str,
    when: Callable[[Result], bool] | None = None,
    expires_s: float | None = None,
    unmet: str = "",
) -> FactRule:
    """Return the fact `name` about what stands in the input field `subject`.

    Args:
        when: For a tool that establishes it: whether its raw result shows the fact. False takes the fact away.
        expires_s: Seconds after which the fact no longer counts; without it, it holds for the session.
        unmet: For a tool that requires it: what the model is told where the fact is missing, with `{subject}`
            for the subject; without it, code finds the words.
    """
    if when is not None and not callable(when):
        raise TypeError(f"fact {name!r}: when is {when!r} and has to be a function")
    if expires_s is not None and not is_duration(expires_s):
        raise TypeError(f"fact {name!r}: expires_s is {expires_s!r} and has to be a number of seconds above 0")
    return FactRule(name=name, subject=subject, when=when, expires_s=expires_s, unmet=unmet)


def at_most(
    field: str, most: str | Decimal | float | None = None, *, option: str = "", next: str | tuple[str, ...] = ()
) -> LimitRule:
    """Return the limit `field <= most`; `next` names the tools to turn to when it is exceeded.

    Args:
        most: The bound, as it is written; without it, `option` names the option of the agent that holds it.

    Raises:
        ValueError: It is no number, or there are both or none of the two.
    """
    if (most is None) == (not option):
        raise ValueError("a limit has either a bound or the name of the option that holds it")
    return LimitRule(
        field=field,
        most=None if most is None else _bound(field, most),
        option=option,
        next=(next,) if isinstance(next, str) else next,
    )


def is_duration(value: object) -> bool:
    """Tell whether a value is a number of seconds that can go by."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _bound(field: str, most: str | Decimal | float) -> Decimal:
    try:
        # Of a float the digits that its author wrote, not those of its binary fraction.
        bound = Decimal(str(most))
    except InvalidOperation as error:
        raise ValueError(f"at_most({field!r}): {most!r} is no number, so no bound") from error
    if not bound.is_finite():
        raise ValueError(f"at_most({field!r}): {most!r} is no number, so no bound")
    return bound

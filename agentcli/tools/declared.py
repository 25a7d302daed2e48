"""What the author of a tool declares about it, and what is wrong with that before any call comes."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypedDict

from agentcli.tools.conditions import FactRule, LimitRule, is_duration
from agentcli.tools.json_text import Json
from agentcli.tools.tool import Acts, Place, Values


class Declared(TypedDict, total=False):
    """What a decorator takes; `Tool` says what each means. One fact or limit needs no list."""

    acts: Acts
    undo: Callable[..., Any]
    preview: Callable[..., Sequence[str]]
    check: Callable[[Place, Values], str | None]
    defaults: Mapping[str, Callable[[Place], Json]]
    statuses: Mapping[str, str | None]
    fields: Sequence[str]
    keeps: Sequence[str]
    establishes: FactRule | Sequence[FactRule]
    requires: FactRule | Sequence[FactRule]
    limits: LimitRule | Sequence[LimitRule]
    approval: bool
    timeout: float
    idempotent: str
    prepare: Callable[[Place, Values], Any]
    simulate: Callable[..., Any]


_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def check_declared(tool: str, parameters: Sequence[str], declared: Declared) -> None:
    """Refuse what would be overlooked in silence, or would fail once a call comes.

    Raises:
        ValueError: A name that the model's service refuses.
        TypeError: An option that there is not, or with a value that it can't have; the message names both.
    """
    for name in (tool, *parameters):
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"tool {tool!r}: {name!r} is no name: up to 64 letters from A to Z, digits, '-' and '_'"
            )
    for option, value in declared.items():
        if option not in Declared.__optional_keys__:
            raise TypeError(f"tool {tool!r}: there is no option {option!r}")
        if option in _REQUIRED:
            fits, in_words = _REQUIRED[option]
            if not fits(value):
                raise TypeError(f"tool {tool!r}: {option} is {value!r} and has to be {in_words}")


def as_listed(kind: type, declared: Any) -> tuple[Any, ...]:
    """Return one rule, or a list of them, as a tuple."""
    return (declared,) if isinstance(declared, kind) else tuple(declared)


def _all_are(kind: type, value: object) -> bool:
    return isinstance(value, kind) or (
        isinstance(value, list | tuple) and all(isinstance(one, kind) for one in value)
    )


def _are_functions(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(callable, value.values()))


def _answers_at_once(value: object) -> bool:
    return value is None or (callable(value) and not inspect.iscoroutinefunction(value))


_A_FUNCTION: Final = (lambda value: value is None or callable(value), "a function")
_A_PLAIN_FUNCTION: Final = (_answers_at_once, "a function without `async`")
_FACTS: Final = (lambda value: _all_are(FactRule, value), "what `fact` returns, or a list of it")

_REQUIRED: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    # option        what its value has to be
    "undo":        _A_FUNCTION,
    "preview":     _A_PLAIN_FUNCTION,
    "check":       _A_PLAIN_FUNCTION,
    "prepare":     _A_PLAIN_FUNCTION,
    "simulate":    _A_FUNCTION,
    "defaults":    (_are_functions, "functions by parameter"),
    "statuses":    (lambda value: isinstance(value, Mapping), "categories by status"),
    "establishes": _FACTS,
    "requires":    _FACTS,
    "limits":      (lambda value: _all_are(LimitRule, value), "what `at_most` returns, or a list of it"),
    "approval":    (lambda value: isinstance(value, bool), "True or False"),
    "timeout":     (is_duration, "a number of seconds above 0"),
    "idempotent":  (lambda value: isinstance(value, str), "the name of a parameter"),
}  # fmt: skip

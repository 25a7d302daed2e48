"""What is said about a setting that can't be used."""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import json

Key = tuple[str | int, ...]

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class ConfigError(Exception):
    """A setting that can't be used: what gave it, which key it is, what is wrong with it.

    Args:
        source: The file, the flag or the variable that holds the value.
        key: The key as `dotted` writes it; empty where the error is about the source as a whole.
        problem: What is wrong, in words for the person who can fix it.
        line: The line of the file, from 1; none where no line is to blame.
    """

    def __init__(self, source: str, key: str, problem: str, line: int | None = None) -> None:
        place = source if line is None else f"{source}:{line}"
        super().__init__(": ".join(part for part in (place, key, problem) if part))
        self.source = source
        self.key = key
        self.problem = problem
        self.line = line


def dotted(key: Key) -> str:
    """Return the key as TOML writes it, entries of a list by their number from 0: `hooks.pre_tool[0].tools`."""
    text = ""
    for part in key:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if _BARE.fullmatch(part) else json.encode(part).decode()
            text += f".{name}" if text else name
    return text


ALIKE: Final = 0.85
"""How alike ids have to be: those of one hour share most of their letters."""


def did_you_mean(word: str, known: Iterable[str], *, alike: float = 0.6) -> str:
    """Return a hint that names the nearest known word, or nothing where none is near.

    Args:
        alike: From 0 to 1, how much of two words has to be the same.
    """
    import difflib  # noqa: PLC0415  # only a wrong word needs it, and every start would pay for it

    near = difflib.get_close_matches(word, list(known), n=1, cutoff=alike)
    return f"; did you mean {near[0]!r}?" if near else ""


def followed(said: str, more: str) -> str:
    """Return two things said in one line, the first of which may be a question."""
    return f"{said} {more}" if said.endswith("?") else f"{said}; {more}"

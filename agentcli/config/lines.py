"""On which line of a TOML text a key stands."""

import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress

from agentcli.config.errors import Key


def line_of(text: str, key: Key) -> int:
    """Return the last line of the shortest prefix that parses and holds the key.

    Args:
        text: A whole TOML file, one that parses.
        key: A key that is in the file.
    """
    # A prefix that ended with half a line end of Windows would not parse.
    lines = text.replace("\r\n", "\n").split("\n")

    def holds(count: int) -> bool:
        return _holds(_first_parsing(lines, count)[1], key)

    # A longer prefix that parses holds whatever a shorter one holds, so the first can be found by halving.
    shortest = bisect_left(range(1, len(lines)), True, key=holds) + 1
    return _first_parsing(lines, shortest)[0]


def _first_parsing(lines: Sequence[str], least: int) -> tuple[int, object]:
    """Return the length of the first prefix of at least so many lines that parses, and what it says."""
    for count in range(least, len(lines)):
        with suppress(tomllib.TOMLDecodeError):
            return count, tomllib.loads("\n".join(lines[:count]))
    return len(lines), tomllib.loads("\n".join(lines))


def _holds(node: object, key: Key) -> bool:
    for part in key:
        match node:
            case dict() if part in node:
                node = node[part]
            case list() if isinstance(part, int) and part < len(node):
                node = node[part]
            case _:
                return False
    return True

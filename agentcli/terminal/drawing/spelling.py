"""The second line of a text that mixes scripts or has characters that stand for others. Pure."""

from collections.abc import Iterable, Iterator
from typing import Final

from agentcli.tools.json_text import Json, JsonFault, compact, read_json
from agentcli.visible import in_ascii, spelled_out

THAT_IS: Final = "that is: "


def spelled_value(value: Json, most: int | None = None) -> str | None:
    """Return a value in ASCII and marks where one of its texts may deceive, else None.

    Each name and text is looked at by itself: a text in another script than the names around it is no mixture.

    Args:
        most: How many characters are shown before the value is cut; how many more there are is said.
    """
    if all(spelled_out(text) is None for text in _texts(value)):
        return None
    whole = value if isinstance(value, str) else compact(value)
    more = 0 if most is None else len(whole) - most
    return in_ascii(whole) if more <= 0 else f"{in_ascii(whole[:most])}… +{more} more"


def spelled_json(text: str, most: int) -> str | None:
    """Return what `spelled_value` does for JSON text; what is none is taken for a text."""
    try:
        return spelled_value(read_json(text), most)
    except JsonFault:
        return spelled_value(text, most)


def with_spelling(lines: Iterable[str]) -> Iterator[str]:
    """Yield the second lines, said to be that, of those that need one."""
    for other in filter(None, map(spelled_out, lines)):
        yield THAT_IS + other


def _texts(value: Json) -> Iterator[str]:
    match value:
        case dict():
            for name, member in value.items():
                yield name
                yield from _texts(member)
        case list():
            for item in value:
                yield from _texts(item)
        case str():
            yield value
        case _:
            pass

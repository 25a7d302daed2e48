"""The second line of a text that mixes scripts or has characters that stand for others. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from agentcli.tools.json_text import Json, JsonFault, compact, read_json
from agentcli.visible import in_ascii, spelled_out

THAT_IS: Final = "that is: "
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


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


def with_spelling(lines: Iterable[str], above: Mapping[str, str] = _NOTHING) -> Iterator[str]:
    """Yield the second lines, said to be that, of those that need one.

    Args:
        above: Texts that were spelled out before, by the names they stand under; they are referred to.
    """
    known = [(in_ascii(text), f"⟨{name} as above⟩") for name, text in above.items()]
    for other in filter(None, map(spelled_out, lines)):
        told = other
        # A text with a mark of its own in it is found as nothing else than itself: marks can't be forged.
        for spelled, reference in known:
            told = told.replace(spelled, reference) if len(spelled) > len(reference) else told
        yield THAT_IS + told


def spelled_texts(members: Iterable[tuple[str, Json]]) -> dict[str, str]:
    """Return the texts that are spelled out below themselves, by the names of these members.

    A name that is not plain is left out: it could pass for the end of a mark.
    """
    return {
        name: member
        for name, member in members
        if isinstance(member, str) and name.isascii() and name.isidentifier() and spelled_out(member) is not None
    }


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

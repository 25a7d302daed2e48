"""Text in cells: how wide it is, and how it is folded so that nothing is cut."""

import unicodedata
from functools import lru_cache
from typing import Final

NARROWEST: Final = 2  # a wide character needs two cells

_SYMBOLS: Final = "SN"  # the categories of emoji, flags and skin tones, and of numbers in circles
_CIRCLED: Final = range(0x3248, 0x3250)  # wide in some terminals, whatever their tables call them


def cell_width(text: str) -> int:
    """Return how many cells the text takes, character by character; the most where terminals do not agree."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def is_width_unsure(text: str) -> bool:
    """Tell whether terminals do not agree on how many cells the text takes."""
    return not text.isascii() and any(map(_is_char_unsure, text))


def fold(text: str, width: int, indent: str = "") -> list[str]:
    """Return the text as lines of at most `width` cells, broken after a blank where one is near.

    All lines but the first begin with `indent`; without it, the lines joined are the text again.
    """
    lines: list[str] = []
    start, room = 0, max(width, NARROWEST)
    while (end := _break_at(text, start, room)) < len(text):
        lines.append(text[start:end])
        start, room = end, max(width - len(indent), NARROWEST)
    lines.append(text[start:])
    return lines[:1] + [indent + line for line in lines[1:]]


def fit(text: str, width: int) -> str:
    """Return the text, cut to `width` cells with a sign that it was; for what need not be read in full."""
    if cell_width(text) <= width:
        return text
    return text[: _reach(text, 0, max(width - 1, 1))].rstrip() + "…"


def _break_at(text: str, start: int, room: int) -> int:
    end = _reach(text, start, room)
    blank = text.rfind(" ", start, end) + 1
    return blank if end < len(text) and blank - start > room // 3 else end


def _reach(text: str, start: int, room: int) -> int:
    """Return where the text that fits into the room ends; at least one character further than the start."""
    used = 0
    for at in range(start, len(text)):
        used += 1 if text[at].isascii() else _char_width(text[at])
        if used > room:
            return max(at, start + 1)
    return len(text)


@lru_cache(maxsize=4096)
def _char_width(char: str) -> int:
    # Imported here: its tables take 20 ms, and most lines are ASCII.
    from wcwidth import wcwidth  # noqa: PLC0415

    width = 2 if ord(char) in _CIRCLED else max(wcwidth(char), 0)
    if unicodedata.category(char) == "Mc":
        # Many a terminal gives cells of their own to the vowels of Indic scripts.
        return max(width, 2 if unicodedata.east_asian_width(char) == "W" else 1)
    return width


@lru_cache(maxsize=4096)
def _is_char_unsure(char: str) -> bool:
    kind = unicodedata.category(char)[0]
    return kind == "M" or (kind in _SYMBOLS and _char_width(char) > 1)

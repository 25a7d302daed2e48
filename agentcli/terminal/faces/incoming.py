"""What comes from the terminal, without what nobody typed: its replies and sequences no key sends. Pure.

A sequence that begins with ESC is held back until it is whole, so that one cut in two is not taken for keys.
"""

import re
from collections.abc import Collection
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

PASTE_START: Final = "\x1b[200~"
PASTE_END: Final = "\x1b[201~"
MOST_HELD: Final = 4096

_CSI: Final = re.compile(r"\x1b\[[0-?]*[ -/]*(?P<final>[@-~])?")
_STRING: Final = re.compile(r"\x1b[]PX^_].*?(?P<end>\x07|\x1b\\|\Z)", re.DOTALL)
_ALT_KEY_LENGTH: Final = 2


class Incoming(Struct, frozen=True):
    """Where reading stands: inside a paste or not, and what is held back until more comes."""

    in_paste: bool = False
    held: str = ""


class Sifted(Struct, frozen=True):
    """What goes on to be read as keys, and whether something was left out."""

    rest: Incoming
    passed: str
    has_dropped: bool


def sift(incoming: Incoming, data: str, known: Collection[str]) -> Sifted:
    """Return what of the data is from the keyboard; `known` are the sequences that keys send."""
    text = incoming.held + data
    in_paste, passed, dropped, at = incoming.in_paste, [], False, 0
    while at < len(text):
        if in_paste:
            end = text.find(PASTE_END, at)
            stop = len(text) - _begun(text, PASTE_END) if end < 0 else end + len(PASTE_END)
            passed.append(text[at:stop])
            if end < 0:
                return Sifted(Incoming(True, text[stop:]), "".join(passed), dropped)
            in_paste, at = False, stop
            continue
        escape = text.find("\x1b", at)
        escape = len(text) if escape < 0 else escape
        passed.append(text[at:escape])
        length, is_kept = _sequence(text[escape:], known)
        if length is None:
            return Sifted(Incoming(False, text[escape:]), "".join(passed), dropped)
        if is_kept:
            passed.append(text[escape : escape + length])
        dropped = dropped or not is_kept
        in_paste = text.startswith(PASTE_START, escape)
        at = escape + length
    return Sifted(Incoming(in_paste), "".join(passed), dropped)


def release(incoming: Incoming) -> Sifted:
    """Return what was held back and turned out to be whole since nothing followed: Esc, or a key with Alt."""
    if incoming.in_paste:
        return Sifted(incoming, "", False)
    is_typed = len(incoming.held) <= _ALT_KEY_LENGTH
    return Sifted(Incoming(), incoming.held if is_typed else "", bool(incoming.held) and not is_typed)


def end_paste(incoming: Incoming) -> Sifted:
    """Return the end of a paste whose own end never came."""
    return Sifted(replace(incoming, in_paste=False, held=""), incoming.held + PASTE_END, False)


def _sequence(text: str, known: Collection[str]) -> tuple[int | None, bool]:
    """Return the length of the sequence at the start, None if it may go on, and whether to keep it."""
    if not text:
        return 0, True
    longest = max((one for one in known if len(one) > 1 and text.startswith(one)), key=len, default="")
    if text.startswith(PASTE_START) or longest:
        return max(len(longest), len(PASTE_START) if text.startswith(PASTE_START) else 0), True
    if any(one.startswith(text) for one in known):
        return None, True
    string = _STRING.match(text)
    if string is not None:
        if string["end"] or len(text) > MOST_HELD:
            return string.end(), False
        return None, False
    csi = _CSI.match(text)
    if csi is not None:
        if csi["final"]:
            return csi.end(), False
        return (None, False) if csi.end() == len(text) else (csi.end(), False)
    return 1, True


def _begun(text: str, mark: str) -> int:
    """Return how many characters at the end of the text may be the beginning of the mark."""
    return next((size for size in range(len(mark) - 1, 0, -1) if text.endswith(mark[:size])), 0)

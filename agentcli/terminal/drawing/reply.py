"""A reply as it streams: finished blocks to print once, and the open block as the tail. Pure."""

import re
from itertools import chain
from typing import Final

MOST_TAIL: Final = 4_000
SET_IN: Final = "  "
"""What stands before each line that an agent says, so that none of them can pass for one of ours."""

_FENCE: Final = re.compile(r" {0,8}(?P<mark>`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}#{1,6}(\s|$)")
_LIST: Final = re.compile(r" {0,3}([-+*]|\d{1,9}[.)])(\s|$)")
_INDENTED: Final = re.compile(r"( {2,}|\t)\S")


class Blocks:
    """Splits Markdown into its blocks as it comes; each character is looked at once."""

    def __init__(self) -> None:
        self._unfinished: list[str] = []
        self._lines: list[str] = []
        self._fence = ""
        self._is_list = False
        self._after_blank = False

    @property
    def tail(self) -> str:
        """The end of the open block, at most `MOST_TAIL` characters."""
        pieces: list[str] = []
        size = 0
        earlier = (piece for line in reversed(self._lines) for piece in ("\n", line))
        for piece in chain(reversed(self._unfinished), earlier):
            pieces.append(piece)
            size += len(piece)
            if size > MOST_TAIL:
                break
        return "".join(reversed(pieces))[-MOST_TAIL:]

    def feed(self, text: str) -> list[str]:
        """Take more text and return the blocks that are finished."""
        *ended, unfinished = text.split("\n")
        finished: list[str] = []
        for piece in ended:
            line = "".join((*self._unfinished, piece))
            self._unfinished.clear()
            finished += self._take(line.removesuffix("\r"))
        if unfinished:
            self._unfinished.append(unfinished)
        return finished

    def finish(self) -> list[str]:
        """Return what is left when the reply ends."""
        line = "".join(self._unfinished)
        self._unfinished.clear()
        return (self._take(line) if line else []) + self._close()

    def _take(self, line: str) -> list[str]:
        if self._fence:
            self._lines.append(line)
            mark = _FENCE.match(line)
            ends = (
                mark is not None
                and mark["mark"].startswith(self._fence)
                and not line.strip().strip(self._fence[0])
            )
            if ends:
                self._fence = ""
            return self._close() if ends and not self._is_list else []
        if not line.strip():
            return self._take_blank()
        finished = self._close() if self._begins_block(line) else []
        self._after_blank = False
        self._is_list = self._is_list or (not self._lines and _LIST.match(line) is not None)
        fence = _FENCE.match(line)
        self._fence = fence["mark"] if fence is not None else ""
        self._lines.append(line)
        return finished + (self._close() if _HEADING.match(line) else [])

    def _take_blank(self) -> list[str]:
        if not self._is_list:
            return self._close()
        # An item may have several paragraphs, and items may stand apart: the next line tells.
        self._after_blank = True
        self._lines.append("")
        return []

    def _begins_block(self, line: str) -> bool:
        if self._is_list:
            goes_on = _INDENTED.match(line) is not None or _LIST.match(line) is not None
            return not goes_on and (self._after_blank or _opens_alone(line))
        return _opens_alone(line)

    def _close(self) -> list[str]:
        block = "\n".join(self._lines).rstrip()
        self._lines.clear()
        self._fence, self._is_list, self._after_blank = "", False, False
        return [block] if block else []


def _opens_alone(line: str) -> bool:
    return _HEADING.match(line) is not None or _FENCE.match(line) is not None

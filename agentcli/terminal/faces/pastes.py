"""Big pastes: in the line a mark such as `[pasted 214 lines #1]`, whole again when the line is sent. Pure."""

import re
from typing import Final

MOST_LINES: Final = 6
MOST_CHARACTERS: Final = 600
"""What has no more than this stands in the line as it is."""

_MARK: Final = re.compile(r"\[pasted [0-9,]+ (?:lines|characters) #[0-9]+\]")


class Pastes:
    """The pastes of a conversation, by their mark; one that was sent can be recalled and sent again."""

    def __init__(self) -> None:
        self._by_mark: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """Return what stands in the line for pasted text."""
        lines = text.rstrip("\n").count("\n") + 1
        if lines <= MOST_LINES and len(text) <= MOST_CHARACTERS:
            return text
        size = f"{lines:,} lines" if lines > MOST_LINES else f"{len(text):,} characters"
        mark = f"[pasted {size} #{len(self._by_mark) + 1}]"
        self._by_mark[mark] = text
        return mark

    def unfold(self, line: str) -> str:
        """Return the line with every paste in its place."""
        return _MARK.sub(lambda mark: self._by_mark.get(mark[0], mark[0]), line)

    def mark_before(self, text: str) -> str:
        """Return the mark with which a text ends, which is erased as one; empty where it ends with none."""
        return next((mark for mark in self._by_mark if text.endswith(mark)), "")

"""A list from which one thing is picked with the keyboard: what is typed narrows it, arrows move in it. Pure."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from agentcli.terminal.drawing.fold import fit
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.visible import visible_line

KEYS: Final = (
    "type to narrow · ↑ ↓ move · Enter takes it · Esc leaves it",
    "↑ ↓ · Enter takes it · Esc",
    "Enter or Esc",
)
"""What can be done, ever shorter."""

_CHOSEN: Final = "› "
_OTHER: Final = "  "


class Choice(Struct, frozen=True):
    """One thing that can be picked: what it stands for, and what is listed, as it came."""

    value: str
    label: str


class Picking(Struct):
    """A list that is open; `title` is safe to draw."""

    title: str
    choices: Sequence[Choice]
    query: str = ""
    _at: int = 0
    _room: int = 1

    @property
    def keys(self) -> tuple[str, ...]:
        """What can be done, ever shorter."""
        return KEYS

    @property
    def found(self) -> list[Choice]:
        """The choices that hold every word of what was typed, in any letter case."""
        words = self.query.casefold().split()
        return [one for one in self.choices if all(word in one.label.casefold() for word in words)]

    @property
    def chosen(self) -> str | None:
        """What is taken by Enter; None where nothing is found."""
        found = self.found
        return found[self._at].value if found else None

    def typed(self, text: str) -> None:
        """Narrow the list."""
        self.query, self._at = self.query + text, 0

    def erased(self) -> None:
        """Take back a character."""
        self.query, self._at = self.query[:-1], 0

    def move(self, by: int) -> None:
        """Go down or up; past either end it goes on at the other."""
        found = self.found
        self._at = (self._at + by) % len(found) if found else 0

    def leap(self, pages: int) -> None:
        """Go down or up by so many lists as they were last drawn, but past no end."""
        if self.found:
            self._at = min(max(self._at + pages * self._room, 0), len(self.found) - 1)

    def lines(self, width: int, height: int) -> tuple[Line, ...]:
        """The part of the list around what is chosen, and what was typed, in a room of so many cells and lines."""
        self._room = room = max(height - 1, 1)
        found = self.found
        first = min(max(self._at - room // 2, 0), max(len(found) - room, 0))
        listed = [
            _listed(one, width, is_chosen=at == self._at)
            for at, one in enumerate(found[first : first + room], first)
        ]
        place = f"{self._at + 1} of {len(found)}" if found else "nothing found"
        asked = f"{self.title} ({place}): {visible_line(self.query)}"
        return (*listed, (Span(fit(asked, width), Style.CARE),))


def _listed(choice: Choice, width: int, *, is_chosen: bool) -> Line:
    text = visible_line(" ".join(choice.label.split()))
    shown = fit((_CHOSEN if is_chosen else _OTHER) + text, width)
    return (Span(shown, Style.STRONG if is_chosen else Style.PLAIN),)

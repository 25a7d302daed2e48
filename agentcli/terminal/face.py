"""What a conversation needs of the place where it is held: a screen, or plain lines."""

from collections.abc import Sequence
from typing import Protocol, Self

from agentcli.terminal.drawing.folded import fold_text
from agentcli.terminal.happened import Happened
from agentcli.terminal.picking import Choice
from agentcli.terminal.question.asking import View
from agentcli.terminal.surroundings import Vocabulary


class Face(Protocol):
    """Shows lines, asks questions, and tells what happened; entered and left with `async with`."""

    is_at_work: bool

    @property
    def can_answer(self) -> bool:
        """Whether a person sits here who can answer what is asked."""
        ...

    @property
    def is_redrawn(self) -> bool:
        """Whether what is shown may be drawn anew: a list that is gone through, the end of a text that comes."""
        ...

    @property
    def keeps_lines(self) -> bool:
        """Whether a line that was entered stays where it was typed, so that it need not be told."""
        ...

    @property
    def colour(self) -> bool:
        """Whether lines may be drawn in colour."""
        ...

    @property
    def width(self) -> int:
        """Cells in a line."""
        ...

    def write(self, text: str) -> None:
        """Print lines that are safe to draw; while a question is open they wait."""
        ...

    def notice(self, text: str) -> None:
        """Print lines of our own at once, even while a question is open."""
        ...

    def tail(self, text: str) -> None:
        """Show the end of a text that is still coming, as it came from outside; an empty one takes it away."""
        ...

    def status(self, parts: Sequence[str]) -> None:
        """Show the status, the most important part first."""
        ...

    def ask(self, view: View) -> None:
        """Open a question, or another prompt in the place of the one before.

        A question closes itself when it is answered here; a prompt stays until it is replaced or closed.
        """
        ...

    def close_question(self) -> None:
        """Take away what is asked, answered elsewhere or no longer asked."""
        ...

    def knows(self, vocabulary: Vocabulary) -> None:
        """Have the names that can be completed from here on."""
        ...

    def pick(self, title: str, choices: Sequence[Choice]) -> None:
        """Open a list, where that can be done; what is picked from it comes out of `next`."""
        ...

    async def next(self) -> Happened:
        """Return the next thing that a person or the system did."""
        ...

    def restore(self) -> None:
        """Give the terminal back at once; for an exit that can't wait."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...


def tell(face: Face, text: str) -> None:
    """Print a text of our own, which is safe to draw, at once, folded to the face's width."""
    face.notice(fold_text(text, face.width))

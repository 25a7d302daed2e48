"""When a line counts as an answer: its first key came into an empty line while the question was armed. Pure.

Two timers of the screen drive it. Every key, and painting the question, starts the first one anew (`quiet_s`);
when it runs out with no key waiting, the question is armed. Every character starts the second (`SETTLE_S`);
when it runs out, the line is settled and Enter may come.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

QUIET_S: Final = 0.4
SLOW_QUIET_S: Final = 1.0
SETTLE_S: Final = 0.03
QUICK_S: Final = 1.0
MANY_QUICK: Final = 5


class Standing(StrEnum):
    """How the text in the line came about, and so what it can be."""

    EMPTY = "empty"
    ANSWER = "answer"
    EARLIER = "begun before the question could be answered"
    PASTED = "pasted or recalled, not typed"
    TOO_FAST = "entered faster than a person reads"
    LATE = "begun as an answer to a question that is closed"


class Arming(Struct, frozen=True):
    """Whether a question is open and armed, how the line stands, and how many yeses in a row were quick.

    What `needs_quiet` not is there by the person's own doing: a line for it may be begun at once.
    """

    is_open: bool = False
    is_armed: bool = False
    is_settled: bool = True
    needs_quiet: bool = True
    line: Standing = Standing.EMPTY
    quick_yeses: int = 0

    @property
    def quiet_s(self) -> float:
        """Seconds without a key after which the question is armed."""
        return SLOW_QUIET_S if self.quick_yeses >= MANY_QUICK else QUIET_S

    @property
    def standing(self) -> Standing:
        """How the line stands if Enter comes now."""
        if self.line is Standing.ANSWER and not self.is_settled:
            return Standing.TOO_FAST
        return self.line

    def opened(self, text: str) -> "Arming":
        """A question opens over the text that stands in the line; one begun for another question is too late."""
        is_late = self.line in (Standing.ANSWER, Standing.LATE)
        line = Standing.EMPTY if not text else Standing.LATE if is_late else Standing.EARLIER
        return replace(self, is_open=True, is_armed=False, needs_quiet=True, line=line)

    def followed(self, text: str) -> "Arming":
        """What is asked next takes the place of what the person has just answered."""
        line = Standing.ANSWER if text else Standing.EMPTY
        return replace(self, is_open=True, is_armed=False, needs_quiet=False, line=line)

    def hurried(self, quick_yeses: int) -> "Arming":
        """At least so many yeses in a row were quick, here or on a screen before."""
        return replace(self, quick_yeses=max(self.quick_yeses, quick_yeses))

    def closed(self, text: str) -> "Arming":
        """The question is gone; an answer that was being typed is too late."""
        late = Standing.LATE if self.line is Standing.ANSWER else self.line
        line = late if text else Standing.EMPTY
        return replace(self, is_open=False, is_armed=False, needs_quiet=True, line=line)

    def restored(self) -> "Arming":
        """A draft is back in the line."""
        return replace(self, line=Standing.EARLIER)

    def quiet(self) -> "Arming":
        """No key came for `quiet_s` after the question was painted, and none is waiting."""
        return replace(self, is_armed=self.is_open)

    def disturbed(self) -> "Arming":
        """Something happened after which the question must be quiet again before it is armed."""
        return replace(self, is_armed=False)

    def hidden(self) -> "Arming":
        """What is asked was out of sight for a while: its line may be begun after quiet alone."""
        return replace(self, is_armed=False, needs_quiet=True)

    def settled(self) -> "Arming":
        """No character came for `SETTLE_S`."""
        return replace(self, is_settled=True)

    def keyed(self, before: str, after: str, *, typed: str = "", recalled: bool = False) -> "Arming":
        """A key was handled.

        Args:
            before: The text of the line before the key.
            after: The text after it.
            typed: The characters that the key itself stands for, as they went into the line.
            recalled: Whether the line was replaced by one from the history.
        """
        came = bool(typed) and not recalled and len(after) == len(before) + len(typed)
        if not after:
            line = Standing.EMPTY
        elif after == before:
            line = self.line
        elif came and not before:
            line = Standing.ANSWER if self.is_armed or not self.needs_quiet else Standing.EARLIER
        elif came or (not recalled and _was_erased(before, after)):
            line = self.line
        else:
            line = Standing.PASTED
        return replace(self, is_armed=False, is_settled=not came and self.is_settled, line=line)

    def answered(self, *, yes: bool, seconds: float) -> "Arming":
        """An answer was given so many seconds after the question was painted.

        Where the question has to be quiet for longer, a yes is quick as long after that as it was before: one that
        comes as soon as it can does not end the row.
        """
        is_quick = yes and seconds < QUICK_S + self.quiet_s - QUIET_S
        return replace(self, quick_yeses=self.quick_yeses + 1 if is_quick else 0)


def quick_yeses(answers: Iterable[tuple[bool, float]]) -> int:
    """Return how many of the last answers in a row were quick yeses: whether each was a yes, and its seconds."""
    arming = Arming()
    for is_yes, seconds in answers:
        arming = arming.answered(yes=is_yes, seconds=seconds)
    return arming.quick_yeses


def _was_erased(before: str, after: str) -> bool:
    """Return whether the text after is the one before with one stretch taken out."""
    lost = len(before) - len(after)
    if lost <= 0:
        return False
    kept = next((at for at, char in enumerate(after) if before[at] != char), len(after))
    return before[kept + lost :] == after[kept:]

"""What a finished line means while a question is open. Pure."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from agentcli.terminal.question.arming import Standing

_BLANKS: Final = " \t"
_DECLINE: Final = re.compile(r"(?:no|n)(?:[ \t,](?P<reason>.*))?", re.IGNORECASE)
_YES: Final = frozenset({"y", "yes"})


class Why(StrEnum):
    """Why a line did nothing."""

    EMPTY = "empty"
    TOO_FAST = "too fast"
    NOT_ALL_SHOWN = "not all shown"
    UNSEEN = "not all seen"
    NO_ANSWER = "no answer"
    NO_INPUT = "no input to change"
    CLOSED = "the question is closed"


class Approve(Struct, frozen=True):
    """Yes."""


class ApproveAndRaise(Struct, frozen=True):
    """Yes, and level 3 for this tool for the rest of the session."""


class Decline(Struct, frozen=True):
    """No; the reason is what the model gets."""

    reason: str = ""


class ShowAll(Struct, frozen=True):
    """The next page of the whole input, please."""


class Edit(Struct, frozen=True):
    """The input is to be changed."""


class Command(Struct, frozen=True):
    """A command, which means the same whether a question is open or not."""

    text: str


class AskAgain(Struct, frozen=True):
    """Nothing was said that counts."""

    why: Why


class Words(Struct, frozen=True):
    """A message to the agent; the question stays open. `standing` says why it can't be an answer, if so."""

    text: str
    standing: Standing = Standing.ANSWER


class Typed(Struct, frozen=True):
    """What was asked for besides a yes or no."""

    text: str


Reading = Approve | ApproveAndRaise | Decline | ShowAll | Edit | Command | AskAgain | Words


def read_answer(line: str, *, may_raise: bool = False, may_edit: bool = True) -> Reading:
    """Return what the words of a line say; only `y`, `yes` and, where it is offered, `a` are a yes."""
    text = line.strip(_BLANKS)
    # Not `casefold`: it would take look-alikes such as a long s for a letter of "yes".
    word = text.lower()
    decline = _DECLINE.fullmatch(text)
    if not text:
        return AskAgain(Why.EMPTY)
    if text.startswith("/"):
        return Command(text)
    if word in _YES:
        return Approve()
    if word == "a" and may_raise:
        return ApproveAndRaise()
    if word == "v":
        return ShowAll()
    if word == "e":
        return Edit() if may_edit else AskAgain(Why.NO_INPUT)
    if decline is not None:
        return Decline((decline["reason"] or "").strip(_BLANKS + ","))
    return Words(line)


def read_line(
    line: str, standing: Standing, *, all_shown: bool, may_raise: bool = False, may_edit: bool = True
) -> Reading:
    """Return what a line does while a question is open, given how it came about and what was shown of it."""
    reading = read_answer(line, may_raise=may_raise, may_edit=may_edit)
    if isinstance(reading, Command | AskAgain):
        return reading
    if standing is Standing.TOO_FAST:
        return reading if isinstance(reading, Words) else AskAgain(Why.TOO_FAST)
    if standing is Standing.LATE and not isinstance(reading, Words):
        return AskAgain(Why.CLOSED)
    if standing is not Standing.ANSWER:
        return Words(line, standing)
    if isinstance(reading, Approve | ApproveAndRaise) and not all_shown:
        return AskAgain(Why.NOT_ALL_SHOWN)
    return reading


def read_prompted(
    line: str, standing: Standing, answers: Sequence[str], *, all_shown: bool
) -> Typed | Command | AskAgain | Words:
    """Return what a line does while something else than a yes or no is asked.

    Args:
        answers: The words that are answers; without them every line is one that was begun for it, pasted or not.
    """
    text = line.strip(_BLANKS)
    if text.startswith("/"):
        return Command(text)
    if not answers:
        if standing in (Standing.EARLIER, Standing.LATE):
            return Words(line, standing)
        return Typed(text) if all_shown else AskAgain(Why.UNSEEN)
    if not text:
        return AskAgain(Why.NO_ANSWER)
    if text.lower() not in answers or standing not in (Standing.ANSWER, Standing.TOO_FAST):
        return Words(line, standing)
    if standing is Standing.TOO_FAST:
        return AskAgain(Why.TOO_FAST)
    return Typed(text.lower()) if all_shown else AskAgain(Why.UNSEEN)


def read_message(line: str, standing: Standing) -> Command | Words | AskAgain:
    """Return what a line does while no question is open; an answer that comes too late does nothing."""
    text = line.strip(_BLANKS)
    if text.startswith("/"):
        return Command(text)
    if standing is Standing.LATE:
        return AskAgain(Why.CLOSED)
    return Words(line) if line.strip() else AskAgain(Why.EMPTY)

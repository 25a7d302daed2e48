"""What Ctrl-C, Esc and Ctrl-D do, by where the person is. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

AGAIN_S: Final = 2.0


class Key(StrEnum):
    """The keys that stop or leave; `AGAIN` is a Ctrl-C soon after one that did more than clear the line."""

    CTRL_C = "Ctrl-C"
    AGAIN = "Ctrl-C again"
    ESC = "Esc"
    CTRL_D = "Ctrl-D"


class Where(StrEnum):
    """What is going on, the most pressing first."""

    TEXT = "text in the line"
    QUESTION = "question open"
    WORK = "model or tool at work"
    IDLE = "idle"


class Effect(StrEnum):
    """What such a key does."""

    NOTHING = "nothing"
    CLEAR_LINE = "the text goes into the history"
    DELETE = "the character under the cursor goes"
    CANCEL = "the question is declined as cancelled; the run stops after this step"
    STOP = "the run stops at the next safe point"
    SAY_HOW = "it is said how to leave"
    LEAVE = "agentcli is left"
    LEAVE_OPEN = "agentcli is left; the question stays open"
    LEAVE_SAFELY = "agentcli is left at the next safe point"


_NOTHING, _CLEAR, _DELETE = Effect.NOTHING, Effect.CLEAR_LINE, Effect.DELETE
_CANCEL, _STOP, _SAY = Effect.CANCEL, Effect.STOP, Effect.SAY_HOW
_LEAVE, _OPEN, _SAFELY = Effect.LEAVE, Effect.LEAVE_OPEN, Effect.LEAVE_SAFELY

EFFECTS: Final[Mapping[Where, Mapping[Key, Effect]]] = {
    where: dict(zip(Key, row, strict=True))
    for where, row in {
        # where         Ctrl-C   again    Esc       Ctrl-D
        Where.TEXT:     (_CLEAR,  _CLEAR, _NOTHING, _DELETE),
        Where.QUESTION: (_CANCEL, _LEAVE, _CANCEL,  _OPEN),
        Where.WORK:     (_STOP,   _LEAVE, _STOP,    _SAFELY),
        Where.IDLE:     (_SAY,    _LEAVE, _NOTHING, _LEAVE),
    }.items()
}  # fmt: skip


def where(*, has_text: bool, is_asking: bool, is_at_work: bool) -> Where:
    """Return the row of the table that holds: the first one in its order."""
    if has_text:
        return Where.TEXT
    if is_asking:
        return Where.QUESTION
    return Where.WORK if is_at_work else Where.IDLE


def ctrl_c(now_s: float, last_s: float | None) -> Key:
    """Return which Ctrl-C this is, given the time of the last one that did more than clear the line."""
    return Key.AGAIN if last_s is not None and now_s - last_s <= AGAIN_S else Key.CTRL_C

"""What an attack is: what is done to the terminal, and what must hold all the same. Pure."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from agentcli.terminal.question.frame import QuestionView
from agentcli.tools.risk import Risk

SIZES: Final = ((80, 24), (30, 10), (20, 8))
"""Columns and rows of the terminals on which each attack is played."""

PRICE: Final = "9999"
"""What a call of the attacks costs; no attack may keep it out of sight."""

TOOL: Final = "send_money"


class Kind(StrEnum):
    """What an attack abuses."""

    SEQUENCES = "escape sequences"
    FRAMES = "forged frames, lines and marks"
    PADDING = "padding, floods and long words"
    UNSEEN = "hidden and reordering characters"
    LOOK_ALIKES = "look-alikes"
    REPAINTING = "output around an open question"
    LINES = "lines of the conversation"
    KEYS = "keys nobody meant as an answer"
    REPLIES = "what a terminal sends by itself"
    HONEST = "answers that have to count"


class Ask(Struct, frozen=True):
    """A question opens."""

    view: QuestionView


class Close(Struct, frozen=True):
    """The question is closed from elsewhere."""


class Decide(Struct, frozen=True):
    """A call was decided: its audit line."""

    tool: str
    sent: str
    reason: str = ""


class Result(Struct, frozen=True):
    """A call has given a result: its line."""

    tool: str
    result: Mapping[str, Any]


class Reply(Struct, frozen=True):
    """The model has said something, in Markdown."""

    text: str


class Tail(Struct, frozen=True):
    """The model is saying something; the end of it."""

    text: str


class Type(Struct, frozen=True):
    """A person types, key by key."""

    keys: str
    gap_s: float = 0.1


class Send(Struct, frozen=True):
    """Everything arrives at once, as from a paste, a program, or the terminal itself."""

    text: str


class Wait(Struct, frozen=True):
    """Nothing happens."""

    seconds: float


class Stall(Struct, frozen=True):
    """The program stands still; meanwhile something is typed."""

    seconds: float
    text: str


class Resize(Struct, frozen=True):
    """The window gets another size."""

    columns: int
    rows: int


Act = Ask | Close | Decide | Result | Reply | Tail | Type | Send | Wait | Stall | Resize


class Attack(Struct, frozen=True, kw_only=True):
    """One attack.

    Attributes:
        shows: What can be read on the screen in spite of it; blanks don't matter.
        hides: What can't be read anywhere on it, for instance what is held back.
        never: What no line outside the question's frame begins with.
        answers: The answers that come out of it, in order; of an attack that fails, none.
        sizes: The terminals on which it is played.
        is_exact: Whether it hangs on times that only a clock of its own keeps for sure.
    """

    name: str
    kind: Kind
    acts: tuple[Act, ...]
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    sizes: tuple[tuple[int, int], ...] = SIZES
    is_exact: bool = False


def question(text: str = "for the rent", **changes: Any) -> QuestionView:
    """Return a question about a call that costs `PRICE`, with the text in its input; changed as told."""
    given: dict[str, Any] = {
        "call_id": "call_1",
        "tool": TOOL,
        "input": as_json(text),
        "risk": Risk.IRREVERSIBLE,
        "position": 1,
        "of": 1,
        "code": "3fa9c1",
        "preview": (f"will pay: {PRICE}",),
        "reasons": ("level 2 asks for irreversible calls",),
    } | changes
    return QuestionView(**({"sent": given["input"]} | given))


def as_json(text: str) -> str:
    """Return the input of a call that sends the text along."""
    return json.dumps({"text": text, "amount": int(PRICE)}, ensure_ascii=False, separators=(",", ":"))

"""What is said below the line: why a key has answered nothing, and what to do."""

from collections.abc import Mapping
from typing import Final

from agentcli.terminal.question.answer import Why

Hint = tuple[str, ...]
"""The same said ever shorter, for narrow screens."""

DRAFT: Final[Hint] = (
    "this text is a message, no answer; Ctrl-U sets it aside until you have answered",
    "a message; Ctrl-U sets it aside",
    "Ctrl-U: set aside",
)
SENT: Final[Hint] = (
    "that went as a message and was no answer: answer once more",
    "a message: answer once more",
    "once more",
)
EDITING: Final[Hint] = (
    "change the input; Enter has it checked and asked anew, Esc leaves it",
    "Enter: ask anew · Esc: back",
    "Esc: back",
)
UNCHANGED: Final[Hint] = (
    "the input stays as it was, and so does the question",
    "the input stays as it was",
    "unchanged",
)
ALL_SHOWN: Final[Hint] = ("that is all of it",)
HIDDEN: Final[Hint] = (
    "a question waits behind this list; Enter or Esc closes it",
    "a question waits: Enter or Esc",
    "question: Esc",
)
AGAIN: Final[Mapping[Why, Hint]] = {
    Why.EMPTY: ("y for yes, n for no, then Enter", "y or n, then Enter", "y or n"),
    Why.TOO_FAST: ("Enter came too fast to count: answer once more", "too fast: once more", "once more"),
    Why.NOT_ALL_SHOWN: (
        "a yes counts once the last page was shown: v and Enter",
        "first see it all: v",
        "v first",
    ),
    Why.UNSEEN: ("it counts once the last page was shown: PageDown", "first see it all: PageDown", "PageDown"),
    Why.NO_ANSWER: ("an empty line is no answer; how to answer stands above", "no answer", "no answer"),
    Why.NO_INPUT: (
        "here is no input to change: y for yes, n for no, then Enter",
        "no input to change: y or n",
        "y or n",
    ),
    Why.CLOSED: ("that question is closed; nothing was answered", "question is closed", "closed"),
}

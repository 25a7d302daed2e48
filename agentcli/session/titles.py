"""What a session is called. Pure."""

from typing import Final

from agentcli.session.state import State

LONGEST_TITLE: Final = 60
UNTITLED: Final = "(nothing said yet)"
"""What a list shows for a session without a title."""


def title_of(given: str, state: State) -> str:
    """Return the title that somebody gave a session, else the beginning of what was said first, else nothing."""
    if given:
        return given
    return shortened(next((message.text for message in state.messages.values()), ""))


def shortened(said: str) -> str:
    """Return the beginning of what was said, in one line."""
    line = " ".join(said.split())
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1] + "…"

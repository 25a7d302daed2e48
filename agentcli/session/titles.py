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
    said = next((" ".join(message.text.split()) for message in state.messages.values()), "")
    return said if len(said) <= LONGEST_TITLE else said[: LONGEST_TITLE - 1] + "…"

"""What the previews of several agents have in common."""

from typing import Final

from agentcli.counted import counted

SHORT_TEXT: Final = 80
"""Characters up to which a preview repeats a text; what is longer stands right above it, whole."""


def repeated(text: str) -> str:
    """Return a text of an input as a preview has it: itself, or how long it is."""
    return text if len(text) <= SHORT_TEXT else f"a text of {counted(len(text), 'character')}"

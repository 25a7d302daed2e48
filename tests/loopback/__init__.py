"""A Messages API on this machine: scripted or with a small brain of its own, strict about the protocol."""

from tests.loopback.brain import Brain
from tests.loopback.replies import Answer, Ending, Frames, Reply, Scripted, Silence, text, thinking, tool_use
from tests.loopback.server import Loopback, Seen

__all__ = [
    "Answer",
    "Brain",
    "Ending",
    "Frames",
    "Loopback",
    "Reply",
    "Scripted",
    "Seen",
    "Silence",
    "text",
    "thinking",
    "tool_use",
]

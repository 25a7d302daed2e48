"""A proposed call."""

from msgspec import Struct


class Proposal(Struct, frozen=True):
    """A tool's name and its input as JSON text; nothing about it has been checked."""

    tool: str
    input: str

"""The entries of the register: which sessions there are, and whether starting runs waits."""

from agentcli.session.entries import Entry


class Created(Entry, frozen=True):
    """In the register: a session, numbered from 1."""

    kind = "created"
    no: int
    session: str
    agent: str
    by: str


class Renamed(Entry, frozen=True):
    """In the register: a session's title."""

    kind = "renamed"
    session: str
    title: str
    by: str


class Deleted(Entry, frozen=True):
    """In the register: a session was removed; its count and head tell a deletion from a loss."""

    kind = "deleted"
    session: str
    entries: int
    head: str
    by: str


class Drained(Entry, frozen=True):
    """In the register: from here on, starting runs waits (or no longer does)."""

    kind = "drained"
    on: bool
    by: str

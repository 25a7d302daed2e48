"""An entry with its place in a journal."""

from datetime import datetime

import msgspec

from agentcli.session.entries import Entry


class Record(msgspec.Struct, frozen=True):
    """An entry as it stands in a journal."""

    session: str
    seq: int
    at: datetime
    entry: Entry
    hash: bytes

    @property
    def code(self) -> str:
        """Six hex digits that name this entry, for a question."""
        return self.hash.hex()[:6]

"""Sessions that can't be read to their ends keep nobody from the others."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from msgspec import Struct, field

from agentcli.session.ports import StoreFailure, StoreFault

Found = TypeVar("Found")

DAMAGE: Final = frozenset({StoreFault.CORRUPT, StoreFault.UNREADABLE})
"""Faults that can be those of one session; with the others nothing can be read."""


class Damaged(Struct, frozen=True):
    """Reads sessions one after the other, and keeps why those that are damaged could not be read."""

    why: dict[str, StoreFailure] = field(default_factory=dict)

    def read(self, sessions: Iterable[str], read: Callable[[str], Iterable[Found]]) -> Iterator[Found]:
        """Yield what is read in each session; in a damaged one, what stands before the damage.

        Raises:
            StoreFailure: It is the store that can't be used, not a session.
        """
        for session in sessions:
            try:
                yield from read(session)
            except StoreFailure as failure:
                if failure.fault not in DAMAGE:
                    raise
                self.why[session] = failure

"""The allowlist: which problem type, with which status, means what to a person."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

DECISIONS: Final = ("REVIEW_INPUT", "REVIEW_REVISION", "REVIEW_GENERIC")

# A web address without a host ("https:/problems/x") can never be what a provider sends.
_ABSOLUTE_URI: Final = re.compile(
    r"(?!(?i:https?):(?!//[^/?#]))"
    r"[A-Za-z][A-Za-z0-9+.-]*:"
    r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+"
)
_CAPITALS: Final = re.compile(r"[A-Z][A-Z0-9_]*")


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A problem type and a status that only together have a meaning, and that meaning.

    Args:
        type: Absolute URI, compared character by character; nothing is ever fetched from it.
        status: The response's real HTTP status, 100 to 599.
        decision: One of `DECISIONS`.
        reason: Capitals, digits and underscores.

    Raises:
        ValueError: A field breaks its rule; whoever wrote the pair can mend it.
    """

    type: str
    status: int
    decision: str
    reason: str

    def __post_init__(self) -> None:
        """Let no pair exist that breaks a rule, wherever it comes from."""
        if _ABSOLUTE_URI.fullmatch(self.type) is None:
            raise ValueError(
                f"type {self.type!r} is not an absolute URI such as 'https://api.example.test/problems/late'"
            )
        if type(self.status) is not int or not 100 <= self.status <= 599:
            raise ValueError(f"status {self.status!r} is not a whole number from 100 to 599")
        if self.decision not in DECISIONS:
            raise ValueError(f"decision {self.decision!r} is not one of {', '.join(DECISIONS)}")
        if _CAPITALS.fullmatch(self.reason) is None:
            raise ValueError(f"reason {self.reason!r} is not in capitals such as 'KNOWN_LATE_BRIEF'")


PAIRS: Final = (
    #    type                                                  status  decision           reason
    Pair("https://api.example.test/problems/invalid-brief",    422,    "REVIEW_INPUT",    "KNOWN_INVALID_BRIEF"),
    Pair("https://api.example.test/problems/stale-revision",   409,    "REVIEW_REVISION", "KNOWN_STALE_REVISION"),
)  # fmt: skip


def with_added(pairs: Iterable[Pair], added: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return both tables as one.

    Raises:
        ValueError: A type and status stand there twice, so their meaning would hang on the order.
    """
    table: dict[tuple[str, int], Pair] = {}
    for pair in (*pairs, *added):
        if (pair.type, pair.status) in table:
            raise ValueError(f"type {pair.type!r} with status {pair.status} already has a meaning")
        table[pair.type, pair.status] = pair
    return tuple(table.values())

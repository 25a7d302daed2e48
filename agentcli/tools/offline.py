"""What the offline rules of an agent are given, and what they give back."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from agentcli.tools.proposal import Proposal


class Settled(Struct, frozen=True):
    """A proposal of this run together with the result that the model got for it."""

    proposal: Proposal
    result: Mapping[str, Any]


class Exchange(Struct, frozen=True, kw_only=True):
    """What the offline model sees: the words since the agent last finished, and the results of its proposals.

    `events` holds both in the order in which they reached the model: the text of a message as `str`, a result
    as `Settled`. `offered` names the tools that may be proposed; at level 0 it is empty.
    """

    events: Sequence[str | Settled]
    offered: frozenset[str]
    today: str


class OfflineReply(Struct, frozen=True):
    """What the offline model says next: text, and proposals unless it has finished."""

    text: str
    proposals: tuple[Proposal, ...] = ()

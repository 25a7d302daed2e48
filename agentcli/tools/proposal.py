"""A call that somebody proposes: a model, or the rules of the offline model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Proposal:
    """A tool's name and its input as JSON text; nothing about it has been checked."""

    tool: str
    input: str


@dataclass(frozen=True, slots=True)
class Settled:
    """A proposal of this run together with the result that the model got for it."""

    proposal: Proposal
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What the offline model goes by: the words since the agent last finished, and what came of its proposals.

    `events` holds both in the order in which they reached the model: the text of a message as `str`, a result
    as `Settled`. `offered` names the tools that may be proposed; at level 0 it is empty.
    """

    events: Sequence[str | Settled]
    offered: frozenset[str]
    today: str


@dataclass(frozen=True, slots=True)
class OfflineReply:
    """What the offline model says next: text, and proposals unless it has finished."""

    text: str
    proposals: tuple[Proposal, ...] = ()

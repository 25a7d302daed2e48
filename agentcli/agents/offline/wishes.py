"""What may be on an agenda, whatever the agent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agentcli.agents.offline.proposals import Members
from agentcli.tools.proposal import Proposal


@dataclass(frozen=True, slots=True)
class Step:
    """A call to make.

    Attributes:
        then: What follows from its result, unless it failed.
        saying: What is said beside it.
        aim: What it is for, where that is more than the call itself, as it stands after `I could not`.
    """

    proposal: Proposal
    then: "Callable[[Members], Sequence[Todo]] | None" = None
    saying: str = ""
    aim: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """Leave undone what is not done yet."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that needs an answer and no call."""

    answer: str


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Words that were not understood."""

    words: str


Todo = Step | Stop | Remark | Puzzle

"""What may be on an agenda, whatever the agent."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from agentcli.agents.offline.proposals import Members
from agentcli.tools.proposal import Proposal


class Step(Struct, frozen=True):
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


class Stop(Struct, frozen=True):
    """Leave undone what is not done yet."""


class Remark(Struct, frozen=True):
    """Something that needs an answer and no call."""

    answer: str


class Puzzle(Struct, frozen=True):
    """Words that were not understood."""

    words: str


Todo = Step | Stop | Remark | Puzzle

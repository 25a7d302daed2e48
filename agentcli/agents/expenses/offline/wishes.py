"""What a person may wish for."""

from dataclasses import dataclass

from agentcli.tools.json_text import Json, compact
from agentcli.tools.proposal import Proposal


@dataclass(frozen=True, slots=True)
class Call:
    """A call that needs the result of no other one."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class DeleteFound:
    """Look expenses up, then delete what was found: all of it, or the only one that there is."""

    look_up: Proposal
    described: str
    only_one: bool


@dataclass(frozen=True, slots=True)
class Keep:
    """Delete none of these: the numbers, or what has the text in its item; with neither, delete nothing."""

    ids: frozenset[str] = frozenset()
    text: str = ""


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


Wish = Call | DeleteFound | Keep | Stop | Remark | Puzzle


def call(tool: str, **members: Json) -> Call:
    """Return the call of a tool with those members that are not None, in their order."""
    return Call(Proposal(tool, compact({name: value for name, value in members.items() if value is not None})))

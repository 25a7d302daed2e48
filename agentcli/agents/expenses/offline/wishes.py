"""What a person may wish for of the expense agent, besides what may be wished for of every agent."""

from msgspec import Struct

from agentcli.agents.offline.proposals import propose
from agentcli.agents.offline.wishes import Step, Todo
from agentcli.tools.json_text import Json
from agentcli.tools.proposal import Proposal


class DeleteFound(Struct, frozen=True):
    """Look expenses up, then delete what was found: all of it, or the only one that there is."""

    look_up: Proposal
    described: str
    only_one: bool


class Keep(Struct, frozen=True):
    """Delete none of these: the numbers, or what has the text in its item; with neither, delete nothing."""

    ids: frozenset[str] = frozenset()
    text: str = ""


Wish = Todo | DeleteFound | Keep


def step(tool: str, **members: Json) -> Step:
    """Return the call of a tool with those members that are not None, in their order."""
    return Step(propose(tool, **members))

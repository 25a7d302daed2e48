"""Calls as offline rules make and compare them, and their results as these rules read them."""

from collections.abc import Mapping
from typing import Any

from agentcli.tools.json_text import Json, JsonFault, compact, read_json
from agentcli.tools.proposal import Proposal

Members = Mapping[str, Any]


class Told(dict[str, Any]):
    """What is told of in a text, with a dash for what is not there."""

    def __missing__(self, name: str) -> str:
        return "–"


def propose(tool: str, **members: Json) -> Proposal:
    """Return the call of a tool with those members that are not None, in their order."""
    return Proposal(tool, compact({name: value for name, value in members.items() if value is not None}))


def members(proposal: Proposal) -> Members:
    """Return the members of a call's input, none where it is no JSON object."""
    try:
        tree = read_json(proposal.input)
    except JsonFault:
        return {}
    return tree if isinstance(tree, dict) else {}


def is_same(one: Proposal, other: Proposal) -> bool:
    """Whether two calls ask for the same, however their members are ordered."""
    return one.tool == other.tool and (one.input == other.input or members(one) == members(other))


def row(result: Members, field: str) -> Members:
    """Return the row in a field of a result, an empty one where it has none."""
    found = result.get(field)
    return found if isinstance(found, Mapping) else {}


def rows(result: Members, field: str) -> list[Members]:
    """Return the rows in a field of a result, none where it has no such list."""
    found = result.get(field)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list | tuple) else []

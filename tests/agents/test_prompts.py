"""What every prompt of the agents that ship has to say."""

import re

import pytest

from agentcli.agents import SHIPPED, shipped
from agentcli.tools.risk import Risk


def section(name: str, title: str) -> str:
    match = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", shipped(name).load_prompt(), re.M | re.S)
    assert match is not None
    return match[1]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_tool_has_its_boundary(name: str) -> None:
    """A line a tool, and none for a tool that does not exist."""
    bounded = re.findall(r"^- (\w+): \S", section(name, "Boundaries"), re.M)
    assert sorted(bounded) == sorted(tool.name for tool in shipped(name).toolset)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_no_is_told_politely_and_not_asked_again(name: str) -> None:
    """Say what was not done, offer another way, and don't ask for the same call again."""
    after = section(name, "After a no")
    assert all(word in after for word in ("politely", "another way", "Don't ask for the same call again"))


@pytest.mark.parametrize("name", SHIPPED)
def test_what_can_not_be_undone_says_so(name: str) -> None:
    """The model reads it where the tool is described, and where its boundary is."""
    boundaries = {line.partition(":")[0]: line for line in section(name, "Boundaries").splitlines()}
    for tool in shipped(name).toolset:
        if tool.risk is Risk.IRREVERSIBLE:
            assert "can't be undone" in tool.description
            assert "can't be undone" in boundaries[f"- {tool.name}"]

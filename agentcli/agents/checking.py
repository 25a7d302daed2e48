"""What an agent's tools leave open, and what its prompt says about them that is not so. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from agentcli.tools.risk import Risk
from agentcli.tools.tool import Tool

BOUNDARIES: Final = "Boundaries"
"""The section of a prompt with a line a tool, `- delete_expense: only when the user names the expense.`"""

AFTER_A_NO: Final = "After a no"
"""The section of a prompt that says what to do once a call was declined or denied."""

_HEADING: Final = re.compile(r"^#+ +(.*?) *#* *$")
_BOUNDARY: Final = re.compile(r"^[-*] +`?(\w+)`?: *\S")


class Flaw(Struct, frozen=True):
    """Something to put right, with the tool that it is about; none where it is about the prompt alone."""

    tool: str | None
    problem: str


def flaws_of(tools: Mapping[str, Tool], prompt: str) -> Iterator[Flaw]:
    """Yield what is to be put right about an agent."""
    if not tools:
        yield Flaw(None, "it has no tools: a function is one by @tools.read, @tools.write or @tools.irreversible")
    yield from flaws_of_tools(tools.values())
    yield from flaws_of_prompt(prompt, tools)


def flaws_of_tools(tools: Iterable[Tool]) -> Iterator[Flaw]:
    """Yield where a declaration is missing, so that the worst is assumed or a person would be asked blindly.

    Or where it leads nowhere: a fact that no tool shows, a way out that there is not.
    """
    tools = tuple(tools)
    names = {tool.name for tool in tools}
    shown = {rule.name for tool in tools for rule in tool.establishes}
    for tool in tools:
        if not tool.description.strip():
            yield Flaw(tool.name, "it has no docstring: the model is not told what it does")
        if tool.declared_risk is None:
            yield Flaw(tool.name, "it declares no risk, so it counts as irreversible")
        if tool.declared_risk is Risk.WRITE and tool.undo is None:
            yield Flaw(tool.name, "it is a write without undo, so it counts as irreversible")
        if tool.risk is Risk.IRREVERSIBLE and tool.preview is None:
            yield Flaw(tool.name, "it is irreversible and has no preview: a person can't see what a yes would do")
        for name in dict.fromkeys(rule.name for rule in tool.requires if rule.name not in shown):
            yield Flaw(tool.name, f"it requires {name!r}, which no tool shows: it is always denied")
        for name in dict.fromkeys(name for limit in tool.limits for name in limit.next if name not in names):
            yield Flaw(tool.name, f"over its limit the model is sent to {name!r}, and there is no such tool")


def flaws_of_prompt(prompt: str, tools: Mapping[str, Tool]) -> Iterator[Flaw]:
    """Yield where the prompt, which is the second layer behind the gate, doesn't fit the tools."""
    sections = _sections(prompt)
    is_there = bool(prompt.strip())
    if not is_there:
        yield Flaw(None, "it has no prompt: `prompt` beside `tools` in the config names its file")
    for title in (BOUNDARIES, AFTER_A_NO):
        if is_there and not "".join(sections.get(title.lower(), ())).strip():
            yield Flaw(None, f"the prompt has no section {title!r}")
    lines = sections.get(BOUNDARIES.lower(), ())
    bounded = {match[1] for match in map(_BOUNDARY.match, lines) if match is not None}
    for name in sorted(bounded - tools.keys()):
        yield Flaw(name, "the prompt has a boundary for it, and there is no such tool")
    for tool in tools.values():
        if tool.risk is Risk.IRREVERSIBLE and tool.name not in bounded:
            yield Flaw(tool.name, "it is irreversible, and no boundary in the prompt is about it")


def _sections(prompt: str) -> dict[str, list[str]]:
    """Return the lines under each heading, by its title in lower case."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in prompt.splitlines():
        heading = _HEADING.match(line)
        if heading is None:
            lines.append(line)
        else:
            lines = sections.setdefault(heading[1].lower(), [])
    return sections

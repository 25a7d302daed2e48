"""What `tools check` finds: declarations that are missing, and prompts that don't fit the tools."""

from collections.abc import Callable
from typing import Any

import pytest

from agentcli.agents import SHIPPED, shipped
from agentcli.agents.checking import Flaw, flaws_of, flaws_of_prompt, flaws_of_tools
from agentcli.tools.conditions import at_most, fact
from agentcli.tools.tool import Tool
from agentcli.tools.toolset import Toolset

NO_RISK = "it declares no risk, so it counts as irreversible"
NO_UNDO = "it is a write without undo, so it counts as irreversible"
NO_PREVIEW = "it is irreversible and has no preview: a person can't see what a yes would do"
NO_BOUNDARY = "it is irreversible, and no boundary in the prompt is about it"
NO_PROMPT = "it has no prompt: `prompt` beside `tools` in the config names its file"
NO_TOOL = "the prompt has a boundary for it, and there is no such tool"

AFTER = "## After a no\n\nTell the user politely what was not done.\n"


def show(values: Any) -> list[str]:
    return ["what will happen"]


def take_back(values: Any, result: Any) -> None: ...


def declared(decorate: Callable[[Toolset], Any]) -> list[Tool]:
    """One tool, declared in some way."""
    tools = Toolset("garage")

    def scrap_car(plate: str) -> dict[str, Any]:
        """Scrap a car."""
        return {}

    decorate(tools)(scrap_car)
    return list(tools)


@pytest.mark.parametrize(
    ("decorate", "problems"),
    [
        pytest.param(lambda tools: tools.read, [], id="read"),
        pytest.param(lambda tools: tools.write(undo=take_back), [], id="write-with-undo"),
        pytest.param(lambda tools: tools.write, [NO_UNDO, NO_PREVIEW], id="write"),
        pytest.param(lambda tools: tools.write(preview=show), [NO_UNDO], id="write-with-preview"),
        pytest.param(lambda tools: tools.irreversible, [NO_PREVIEW], id="irreversible"),
        pytest.param(lambda tools: tools.irreversible(preview=show), [], id="irreversible-with-preview"),
        pytest.param(lambda tools: tools.tool, [NO_RISK, NO_PREVIEW], id="no-risk"),
        pytest.param(lambda tools: tools.tool(preview=show), [NO_RISK], id="no-risk-with-preview"),
    ],
)
def test_what_a_declaration_leaves_open_is_found(decorate: Callable[[Toolset], Any], problems: list[str]) -> None:
    """No risk, no undo, no preview: each is a finding of its own."""
    assert list(flaws_of_tools(declared(decorate))) == [Flaw("scrap_car", problem) for problem in problems]


KNOWN = fact("known", subject="plate")


@pytest.mark.parametrize(
    ("options", "problems"),
    [
        pytest.param({"requires": KNOWN}, ["it requires 'known', which no tool shows: it is always denied"], id="fact"),
        pytest.param({"requires": [KNOWN, KNOWN]}, ["it requires 'known', which no tool shows: it is always denied"], id="once"),
        pytest.param({"requires": KNOWN, "establishes": KNOWN}, [], id="shown-by-itself"),
        pytest.param({"limits": at_most("price", 5, next="wait")}, ["over its limit the model is sent to 'wait', and there is no such tool"], id="way-out"),
        pytest.param({"limits": at_most("price", 5, next="scrap_car")}, [], id="a-tool"),
        pytest.param({"limits": at_most("price", 5)}, [], id="no-way-out"),
    ],
)  # fmt: skip
def test_a_declaration_that_leads_nowhere_is_found(options: dict[str, Any], problems: list[str]) -> None:
    """A call that nobody could ever make, and a model that is sent where nothing is."""
    tools = Toolset("garage")

    @tools.irreversible(preview=show, **options)
    def scrap_car(plate: str, price: int) -> dict[str, Any]:
        """Scrap a car."""
        return {}

    assert list(flaws_of_tools(tools)) == [Flaw("scrap_car", problem) for problem in problems]


def test_a_tool_that_nobody_explained_is_found() -> None:
    """Its docstring is all that the model is told about it."""
    tools = Toolset("garage")

    @tools.read
    def find_car(plate: str) -> dict[str, Any]:
        return {}

    problem = "it has no docstring: the model is not told what it does"
    assert list(flaws_of_tools(tools)) == [Flaw("find_car", problem)]


def test_an_agent_without_tools_is_found() -> None:
    """The decorator was forgotten, or its parentheses hold nothing."""
    (flaw,) = flaws_of({}, f"## Boundaries\n\nNone.\n\n{AFTER}")
    assert flaw.tool is None
    assert flaw.problem.startswith("it has no tools: ")


def a_garage() -> dict[str, Tool]:
    tools = Toolset("garage")

    @tools.read
    def find_car(plate: str) -> dict[str, Any]:
        """Find a car."""
        return {}

    @tools.irreversible(preview=show)
    def scrap_car(plate: str) -> dict[str, Any]:
        """Scrap a car."""
        return {}

    return dict(tools.by_name)


@pytest.mark.parametrize(
    ("prompt", "flaws"),
    [
        pytest.param(f"## Boundaries\n\n- scrap_car: once.\n\n{AFTER}", [], id="fits"),
        pytest.param(f"# Boundaries #\n* `scrap_car`: once.\n{AFTER}", [], id="written-otherwise"),
        pytest.param(f"## boundaries\n- scrap_car: once.\n- find_car: any.\n{AFTER}", [], id="every-tool"),
        pytest.param(
            "",
            [
                Flaw(None, NO_PROMPT),
                Flaw("scrap_car", NO_BOUNDARY),
            ],
            id="no-prompt",
        ),
        pytest.param(
            "You scrap cars.",
            [
                Flaw(None, "the prompt has no section 'Boundaries'"),
                Flaw(None, "the prompt has no section 'After a no'"),
                Flaw("scrap_car", NO_BOUNDARY),
            ],
            id="no-sections",
        ),
        pytest.param(
            "## Boundaries\n\n- scrap_car: once.\n\n## After a no\n\n",
            [Flaw(None, "the prompt has no section 'After a no'")],
            id="a-section-that-says-nothing",
        ),
        pytest.param(
            f"## Boundaries\n- scrap_car: once.\n- scrap_cars: never.\n- sell_car: never.\n{AFTER}",
            [Flaw("scrap_cars", NO_TOOL), Flaw("sell_car", NO_TOOL)],
            id="tools-that-do-not-exist",
        ),
        pytest.param(
            f"## Boundaries\n- find_car: before scrap_car.\n{AFTER}",
            [Flaw("scrap_car", NO_BOUNDARY)],
            id="mentioned-beside-another",
        ),
        pytest.param(
            f"## Boundaries\n- scrap_car:\n- find_car: any.\n{AFTER}",
            [Flaw("scrap_car", NO_BOUNDARY)],
            id="a-boundary-that-says-nothing",
        ),
        pytest.param(
            f"- scrap_car: once.\n## Boundaries\n- find_car: any.\n{AFTER}\n## Tools\n- scrap_car: once.",
            [Flaw("scrap_car", NO_BOUNDARY)],
            id="in-another-section",
        ),
    ],
)
def test_a_prompt_is_held_against_the_tools(prompt: str, flaws: list[Flaw]) -> None:
    """A boundary guards a tool that exists, and each irreversible tool has one of its own."""
    assert list(flaws_of_prompt(prompt, a_garage())) == flaws


@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_is_found_about_the_agents_that_ship(name: str) -> None:
    """Their tools declare what they risk, and their prompts fit them."""
    assert list(flaws_of(shipped(name).toolset.by_name, shipped(name).load_prompt())) == []

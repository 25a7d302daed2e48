"""A tool may act somewhere else than the others of its toolset, and take along what it needs from the store."""

from typing import Any

import pytest

from agentcli.tools.schema import SchemaError
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset


def letter(place: Place, values: Values) -> str:
    return "a letter"


def test_one_tool_may_act_elsewhere_than_its_toolset() -> None:
    """What a tool declares about itself goes before what holds for the toolset."""
    tools = Toolset("post", acts=Acts.IN_STORE)

    @tools.read
    def read(name: str) -> dict[str, Any]:
        return {}

    @tools.irreversible(acts=Acts.ELSEWHERE)
    def send(name: str) -> dict[str, Any]:
        return {}

    assert [tool.acts for tool in tools] == [Acts.IN_STORE, Acts.ELSEWHERE]


def test_what_a_call_takes_along_is_hidden_from_the_model() -> None:
    """The model fills in the input alone; what the call takes along comes from the store."""
    tools = Toolset("post")

    @tools.irreversible(prepare=letter)
    def send(name: str, prepared: str) -> dict[str, Any]:
        return {"sent": prepared}

    assert tools["send"].prepare is letter
    assert list(tools["send"].schema.json_schema["properties"]) == ["name"]


def test_a_tool_that_prepares_nothing_may_have_a_parameter_of_that_name() -> None:
    """A word is only taken where it means something."""
    tools = Toolset("kitchen")

    @tools.read
    def find_meal(prepared: bool) -> dict[str, Any]:
        return {}

    assert list(tools["find_meal"].schema.json_schema["properties"]) == ["prepared"]


def test_what_nobody_takes_is_not_prepared() -> None:
    """A tool that prepares something and takes nothing along is refused when it is loaded."""
    with pytest.raises(SchemaError, match="'prepared': there is no such parameter"):

        @Toolset("post").irreversible(prepare=letter)
        def send(name: str) -> dict[str, Any]:
            return {}


def test_a_tool_of_the_store_has_nothing_to_prepare() -> None:
    """It reads its tables itself."""
    with pytest.raises(TypeError, match="it has its tables"):

        @Toolset("post", acts=Acts.IN_STORE).irreversible(prepare=letter)
        def send(name: str, prepared: str) -> dict[str, Any]:
            return {}


def test_a_field_may_be_kept_where_the_status_is_no_success() -> None:
    """Only the fields named so are more than null in a failure."""
    tools = Toolset("post")

    @tools.irreversible(fields=("letter", "reason"), keeps=("reason",), statuses={"returned": "business"})
    def send(name: str) -> dict[str, Any]:
        return {}

    assert tools["send"].outcomes.keeps_fields == {"reason"}


def test_a_field_that_no_result_has_can_t_be_kept() -> None:
    """Every outcome of a tool has the same keys."""
    with pytest.raises(ValueError, match="keeps fields that it does not have"):

        @Toolset("post").irreversible(fields=("letter",), keeps=("reason",))
        def send(name: str) -> dict[str, Any]:
            return {}

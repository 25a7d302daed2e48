"""What a declaration adds to an input: defaults, what the domain checks, and what no model may set."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from agentcli.tools.schema import Frozen
from agentcli.tools.tool import Place, Values
from agentcli.tools.toolset import Toolset


class NoTables:
    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        raise AssertionError("these tools have no tables")


PLACE = Place(date(2026, 11, 30), {"currency": "EUR"}, NoTables())


def read_input(function: Callable[..., Any], text: str, **declared: Any) -> str:
    """The frozen text of an input for a tool that is declared so."""
    tools = Toolset("garage")
    tools.read(**declared)(function)
    reading = tools[function.__name__].read_input(text, PLACE)
    assert isinstance(reading, Frozen), reading
    return reading.text


def test_defaults_of_the_signature_are_part_of_the_input() -> None:
    """What will run is what a person is shown, so defaults stand in the frozen input, as they would be sent."""

    def poke(
        plate: str,
        *,
        times: int = 2,
        ratio: float = 0.5,
        loud: bool = False,
        fast: bool = True,
        kind: str = "soft",
    ) -> None: ...

    assert read_input(poke, '{"loud":true,"plate":"B-1"}') == (
        '{"loud":true,"plate":"B-1","times":2,"ratio":0.5,"fast":true,"kind":"soft"}'
    )


def test_defaults_that_nobody_could_send_stay_out_of_the_input() -> None:
    """None, and a text without words, mean that nothing was said; the tool gets them all the same."""

    def poke(plate: str, note: str = "", mark: str = " ", day: date | None = None) -> None: ...

    tools = Toolset("garage")
    tools.read(poke)
    reading = tools["poke"].read_input('{"plate":"B-1"}', PLACE)
    assert isinstance(reading, Frozen)
    assert reading.text == '{"plate":"B-1"}'
    assert reading.values == {"plate": "B-1", "note": "", "mark": " ", "day": None}


def test_a_declared_default_is_made_where_the_call_runs() -> None:
    """Today's date and the agent's options become defaults when the call is first decided."""

    def poke(plate: str, currency: str = "USD", day: date | None = None) -> None: ...

    text = read_input(
        poke,
        '{"plate":"B-1"}',
        defaults={
            "day": lambda place: place.today.isoformat(),
            "currency": lambda place: place.options["currency"],
        },
    )
    assert text == '{"plate":"B-1","currency":"EUR","day":"2026-11-30"}'


def test_the_model_sees_neither_place_nor_form() -> None:
    """`place` and `resumed` come from code and a person; no input can set them."""
    tools = Toolset("garage")

    @tools.read
    def poke(place: Place, plate: str, resumed: Any = None) -> dict[str, Any]:
        return {}

    tool = tools["poke"]
    assert tool.takes_place
    assert tool.takes_resumed
    assert set(tool.schema.json_schema["properties"]) == {"plate"}
    for hidden in ("place", "resumed"):
        assert not isinstance(tool.read_input(f'{{"plate":"B-1","{hidden}":{{}}}}', PLACE), Frozen)


def test_what_the_domain_refuses_is_a_misfit() -> None:
    """A check looks at values that fit the schema and says what is wrong with them."""
    looked_at: list[Values] = []

    def check(place: Place, values: Values) -> str | None:
        looked_at.append(values)
        return None if values["times"] < 3 else "times is over 2"

    def poke(times: int) -> None: ...

    tools = Toolset("garage")
    tools.read(check=check)(poke)
    tool = tools["poke"]
    assert isinstance(tool.read_input('{"times":2}', PLACE), Frozen)
    refused = tool.read_input('{"times": 3}', PLACE)
    assert not isinstance(refused, Frozen)
    assert (refused.text, refused.problem) == ('{"times":3}', "times is over 2")
    assert not isinstance(tool.read_input('{"times":"2"}', PLACE), Frozen)
    assert looked_at == [{"times": 2}, {"times": 3}]

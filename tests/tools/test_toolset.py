"""Tools are declared by decorating functions, and what is left out counts as the strictest."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from agentcli.tools.conditions import at_most, fact
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk
from agentcli.tools.schema import SchemaError
from agentcli.tools.tool import Acts, Place, Tool, Values
from agentcli.tools.toolset import Toolset


class NoTables:
    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        raise AssertionError("these tools have no tables")


PLACE = Place(date(2026, 11, 30), {"currency": "EUR"}, NoTables())


def take_back(place: Place, values: Values, result: Any, before: Any) -> None: ...


def declare(decorate: Callable[[Toolset], Any]) -> Tool:
    """The tool that a decorator makes of one and the same function."""
    tools = Toolset("garage")

    def book_slot(plate: str, day: date, price: Decimal) -> dict[str, Any]:
        """Book a slot."""
        return {"plate": plate, "day": day, "price": price}

    decorate(tools)(book_slot)
    return tools["book_slot"]


RISKS = [
    pytest.param(lambda tools: tools.read, Risk.READ, id="read"),
    pytest.param(lambda tools: tools.read(), Risk.READ, id="read-called"),
    pytest.param(lambda tools: tools.read(undo=take_back), Risk.READ, id="read-with-undo"),
    pytest.param(lambda tools: tools.write(undo=take_back), Risk.WRITE, id="write-with-undo"),
    pytest.param(lambda tools: tools.write, Risk.IRREVERSIBLE, id="write-without-undo"),
    pytest.param(lambda tools: tools.write(approval=True), Risk.IRREVERSIBLE, id="write-called-without-undo"),
    pytest.param(lambda tools: tools.irreversible, Risk.IRREVERSIBLE, id="irreversible"),
    pytest.param(lambda tools: tools.irreversible(undo=take_back), Risk.IRREVERSIBLE, id="irreversible-with-undo"),
    pytest.param(lambda tools: tools.tool, Risk.IRREVERSIBLE, id="no-risk"),
    pytest.param(lambda tools: tools.tool(undo=take_back), Risk.IRREVERSIBLE, id="no-risk-with-undo"),
]


@pytest.mark.parametrize(("decorate", "risk"), RISKS)
def test_what_is_not_declared_counts_as_the_worst(decorate: Callable[[Toolset], Any], risk: Risk) -> None:
    """Without a risk a tool is irreversible, and so is a write that nobody can undo."""
    assert declare(decorate).risk is risk


def test_a_tool_says_of_itself_what_its_function_says() -> None:
    """Name and description are those of the function, and the function itself stays what it was."""
    tools = Toolset("garage")

    @tools.read
    def find_car(plate: str) -> dict[str, Any]:
        """Find a car by its plate.

        It may stand in any hall.
        """
        return {"plate": plate}

    assert find_car("B-1") == {"plate": "B-1"}
    tool = tools["find_car"]
    assert tool.name == "find_car"
    assert tool.description == "Find a car by its plate.\n\nIt may stand in any hall."
    assert tool.run is find_car


def test_a_tool_without_a_docstring_has_an_empty_description() -> None:
    """What is not described is offered without words, not with None."""
    tools = Toolset("garage")

    @tools.read
    def poke(plate: str) -> dict[str, Any]:
        return {}

    assert tools["poke"].description == ""


def test_nothing_declared_means_the_careful_defaults() -> None:
    """A bare tool acts outside the store, asks nothing extra, is given 60 s, and can end only with ok."""
    tool = declare(lambda tools: tools.tool)
    assert tool.acts is Acts.ELSEWHERE
    assert (tool.approval, tool.timeout_s, tool.idempotency) == (False, 60.0, None)
    assert (tool.establishes, tool.requires, tool.limits) == ((), (), ())
    assert tool.outcomes.statuses == {"ok": None}
    assert tool.preview is None
    assert (tool.takes_place, tool.takes_resumed) == (False, False)


def test_what_is_declared_is_kept() -> None:
    """Every option of the decorator reaches the tool."""
    known = fact("owner_known", subject="plate")
    limit = at_most("price", "500", next="call_owner")

    def show(values: Values) -> list[str]:
        return [f"will book {values['plate']}"]

    tool = declare(
        lambda tools: tools.irreversible(
            requires=[known],
            establishes=[known],
            limits=[limit],
            preview=show,
            approval=True,
            timeout=30,
            idempotent="plate",
            statuses={"car_not_found": "validation", "taken": "business", "booked": None},
            fields=["slot"],
            simulate=show,
        )
    )
    assert (tool.requires, tool.establishes, tool.limits) == ((known,), (known,), (limit,))
    assert (tool.approval, tool.timeout_s, tool.idempotency, tool.simulate) == (True, 30, "plate", show)
    assert tool.outcomes.fields == ("slot",)
    assert tool.outcomes.statuses == {
        "ok": None,
        "car_not_found": Category.VALIDATION,
        "taken": Category.BUSINESS,
        "booked": None,
    }


def test_the_toolset_says_where_its_tools_act() -> None:
    """Tools of an agent that ships act in the store; they all do, none can say otherwise."""
    tools = Toolset("expenses", acts=Acts.IN_STORE)

    @tools.read
    def get_total() -> dict[str, Any]:
        return {}

    assert tools["get_total"].acts is Acts.IN_STORE


def test_tools_come_in_the_order_of_their_declaration() -> None:
    """Lists and the model see the tools in the order in which the author wrote them."""
    tools = Toolset("garage")

    @tools.read
    def zebra() -> dict[str, Any]:
        return {}

    @tools.read
    def ant() -> dict[str, Any]:
        return {}

    assert [tool.name for tool in tools] == ["zebra", "ant"]
    assert list(tools.by_name) == ["zebra", "ant"]


def test_a_changed_toolset_leaves_the_first_as_it_is() -> None:
    """A copy whose tools are others, under the same names and in the same order."""
    tools = Toolset("garage")

    @tools.read
    def find_car(plate: str) -> dict[str, Any]:
        return {}

    changed = tools.changed(lambda tool: replace(tool, timeout_s=1.0))
    assert (changed.name, [tool.timeout_s for tool in changed]) == ("garage", [1.0])
    assert tools["find_car"].timeout_s == 60.0


async def show_later(values: Values) -> list[str]:
    return ["too late for the question"]


# fmt: off
REFUSED = [
    # what is special         declaration                                                                        error        told
    ("misspelt-option",       lambda tools: tools.irreversible(aproval=True),                                    TypeError,   "no option 'aproval'"),
    ("option-in-singular",    lambda tools: tools.irreversible(limit=[at_most("price", "5")]),                   TypeError,   "no option 'limit'"),
    ("limit-on-text",         lambda tools: tools.irreversible(limits=[at_most("plate", "5")]),                  SchemaError, "parameter 'plate': only a Decimal or a whole number"),
    ("limit-on-nothing",      lambda tools: tools.irreversible(limits=[at_most("prize", "5")]),                  SchemaError, "parameter 'prize'"),
    ("subject-of-nothing",    lambda tools: tools.irreversible(requires=[fact("known", subject="plates")]),      SchemaError, "parameter 'plates'"),
    ("shows-about-nothing",   lambda tools: tools.read(establishes=fact("known", subject="plates")),             SchemaError, "parameter 'plates'"),
    ("key-from-nothing",      lambda tools: tools.irreversible(idempotent="key"),                                SchemaError, "parameter 'key'"),
    ("default-of-nothing",    lambda tools: tools.read(defaults={"colour": lambda place: "red"}),                SchemaError, "parameter 'colour'"),
    ("late-in-text",          lambda tools: tools.irreversible(timeout="30"),                                    TypeError,   "timeout is '30' and has to be a number of seconds above 0"),
    ("never-late",            lambda tools: tools.irreversible(timeout=None),                                    TypeError,   "timeout is None"),
    ("late-at-once",          lambda tools: tools.irreversible(timeout=0),                                       TypeError,   "timeout is 0"),
    ("late-before",           lambda tools: tools.irreversible(timeout=-1),                                      TypeError,   "timeout is -1"),
    ("late-or-not",           lambda tools: tools.irreversible(timeout=float("nan")),                            TypeError,   "timeout is nan"),
    ("asks-in-words",         lambda tools: tools.irreversible(approval="no"),                                   TypeError,   "approval is 'no' and has to be True or False"),
    ("preview-in-words",      lambda tools: tools.irreversible(preview="scraps it"),                             TypeError,   "preview is 'scraps it' and has to be a function"),
    ("preview-for-later",     lambda tools: tools.irreversible(preview=show_later),                              TypeError,   "preview is .* and has to be a function without `async`"),
    ("preview-of-nothing",    lambda tools: tools.irreversible(preview=lambda: ["scraps"]),                      TypeError,   r"preview is called as preview\(values\): too many positional"),
    ("preview-of-too-much",   lambda tools: tools.irreversible(preview=lambda values, day: ["scraps"]),          TypeError,   r"preview\(values\): missing a required argument: 'day'"),
    ("preview-in-a-place",    lambda tools: tools.irreversible(preview=lambda place: ["scraps"]),                TypeError,   r"preview\(place, values\): too many positional"),
    ("undo-of-the-input",     lambda tools: tools.write(undo=lambda values: None),                               TypeError,   r"undo is called as undo\(values, result\): too many positional"),
    ("simulated-by-a-value",  lambda tools: tools.irreversible(simulate={}),                                     TypeError,   "simulate is {} and has to be a function"),
    ("defaults-by-value",     lambda tools: tools.read(defaults={"plate": "B-1"}),                               TypeError,   "defaults is .* and has to be functions by parameter"),
    ("fact-by-name",          lambda tools: tools.irreversible(requires=["known"]),                              TypeError,   "requires is .* and has to be what `fact` returns"),
    ("shows-by-name",         lambda tools: tools.read(establishes="known"),                                     TypeError,   "establishes is 'known'"),
    ("limit-by-number",       lambda tools: tools.irreversible(limits=[5]),                                      TypeError,   "limits is .* and has to be what `at_most` returns"),
    ("statuses-in-a-list",    lambda tools: tools.read(statuses=["odd"]),                                        TypeError,   "statuses is .* and has to be categories by status"),
    ("several-keys",          lambda tools: tools.irreversible(idempotent=["plate"]),                            TypeError,   "idempotent is .* and has to be the name of a parameter"),
    ("unknown-category",      lambda tools: tools.read(statuses={"odd": "fatal"}),                               ValueError,  "'book_slot': status 'odd': 'fatal' is no category; there are validation, business, permission, transient, and None"),
    ("status-of-another-kind", lambda tools: tools.read(statuses={"car_not_found": "business"}),                 ValueError,  "always of category 'validation'"),
    ("failure-as-success",    lambda tools: tools.read(statuses={"service_disruption": None}),                   ValueError,  "always of category 'transient'"),
]
# fmt: on


@pytest.mark.parametrize(
    ("decorate", "error", "told"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_declaration_that_would_be_overlooked_is_refused(
    decorate: Callable[[Toolset], Any], error: type[Exception], told: str
) -> None:
    """A misspelt guard is no guard: the author is told before anything can run."""
    with pytest.raises(error, match=told):
        declare(decorate)


def text() -> str:
    return "done"


def postponed() -> "list[str]":
    return ["done"]


def items() -> Iterator[dict[str, Any]]:
    yield {}


async def items_later() -> AsyncIterator[dict[str, Any]]:
    yield {}


@pytest.mark.parametrize(
    ("function", "told"),
    [(text, "returns str"), (postponed, r"returns list\[str\]"), (items, "yields"), (items_later, "yields")],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_function_that_says_of_itself_that_it_returns_no_dict_is_refused(
    function: Callable[..., Any], told: str
) -> None:
    """Each of its calls would be a fault: its author is told when it is declared."""
    with pytest.raises(TypeError, match=f"tool {function.__name__!r}: it {told}; a tool returns a dict"):
        Toolset("garage").read(function)


@pytest.mark.parametrize("name", ["größe", "<lambda>", "", "a b", "x" * 65])
def test_a_name_that_no_model_could_call_is_refused(name: str) -> None:
    """The model's service takes none but these, and refuses every request with another."""

    def scrap_car(plate: str) -> None: ...

    scrap_car.__name__ = name
    with pytest.raises(ValueError, match="is no name: up to 64 letters"):
        Toolset("garage").read(scrap_car)
    scrap_car.__name__ = "x" * 64
    Toolset("garage").read(scrap_car)


def test_a_parameter_that_no_model_could_name_is_refused() -> None:
    """Nor may a parameter be called so."""

    def measure(größe: int) -> None: ...  # noqa: PLC2401

    with pytest.raises(ValueError, match="tool 'measure': 'größe' is no name"):
        Toolset("garage").read(measure)


def test_one_rule_needs_no_list() -> None:
    """A single fact or limit is the same as a list of one."""
    known, limit = fact("known", subject="plate"), at_most("price", "5")
    alone = declare(lambda tools: tools.irreversible(establishes=known, requires=known, limits=limit))
    listed = declare(lambda tools: tools.irreversible(establishes=[known], requires=[known], limits=[limit]))
    assert (alone.establishes, alone.requires, alone.limits) == ((known,), (known,), (limit,))
    assert (listed.establishes, listed.requires, listed.limits) == ((known,), (known,), (limit,))


def test_a_parameter_of_one_s_own_may_be_called_place() -> None:
    """Only one that asks for a `Place` gets it; else the model says which place, and the tool is told."""
    tools = Toolset("guide")

    @tools.read
    def find_bar(place: str, prepared: str = "cold") -> dict[str, Any]:
        return {}

    @tools.read
    def look(place: Place) -> dict[str, Any]:
        return {}

    @tools.read
    def look_later(place: "Place") -> dict[str, Any]:
        return {}

    assert (tools["find_bar"].takes_place, tools["look"].takes_place, tools["look_later"].takes_place) == (
        False,
        True,
        True,
    )
    assert list(tools["find_bar"].schema.json_schema["properties"]) == ["place", "prepared"]
    assert list(tools["look"].schema.json_schema["properties"]) == []


def test_a_refused_tool_is_not_registered() -> None:
    """What was refused is not there."""
    tools = Toolset("garage")

    def scrap_car(plate: str) -> None: ...

    with pytest.raises(TypeError):
        tools.irreversible(aproval=True)(scrap_car)  # type: ignore[call-overload]
    assert list(tools) == []


def test_a_tool_is_declared_once() -> None:
    """A second tool of the same name would replace the first, and perhaps its guards."""
    tools = Toolset("garage")

    def poke() -> dict[str, Any]:
        return {}

    tools.irreversible(poke)
    with pytest.raises(ValueError, match="'poke' is declared twice in 'garage'"):
        tools.read(poke)
    assert tools["poke"].risk is Risk.IRREVERSIBLE


def test_a_preview_takes_the_input_alone_or_the_place_too() -> None:
    """A preview of one's own gets the input; one whose first parameter is `place` gets both."""

    def own(values: Values) -> list[str]:
        return [f"own {values['plate']}"]

    def shipped(place: Place, values: Values) -> list[str]:
        return [f"shipped {values['plate']} {place.today}"]

    def scrap_car(plate: str) -> None: ...

    previews: tuple[Callable[..., Sequence[str]], ...] = (own, shipped)
    drawn: list[str] = []
    for preview in previews:
        tools = Toolset("garage")
        tools.irreversible(preview=preview)(scrap_car)
        draw = tools["scrap_car"].preview
        assert draw is not None
        drawn += draw(PLACE, {"plate": "B-1"})
    assert drawn == ["own B-1", "shipped B-1 2026-11-30"]


def test_an_undo_takes_input_and_result_or_all_there_is() -> None:
    """An undo of one's own gets what went in and what came out; one whose first parameter is `place` gets more."""
    seen: list[tuple[Any, ...]] = []

    def own(values: Values, result: Any) -> None:
        seen.append((values, result))

    def shipped(place: Place, values: Values, result: Any, before: Any) -> None:
        seen.append((place, values, result, before))

    for undo in (own, shipped):
        put_back = declare(lambda tools, undo=undo: tools.write(undo=undo)).undo  # type: ignore[misc]
        assert put_back is not None
        put_back(PLACE, {"plate": "B-1"}, {"slot": 7}, "before")
    assert seen == [({"plate": "B-1"}, {"slot": 7}), (PLACE, {"plate": "B-1"}, {"slot": 7}, "before")]

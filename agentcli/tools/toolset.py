"""How tools are declared: decorated functions, collected under the name of their agent."""

import inspect
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeVar, Unpack, overload

from agentcli.tools.conditions import FactRule, LimitRule
from agentcli.tools.declared import Declared, as_listed, check_declared
from agentcli.tools.json_text import Json, Number
from agentcli.tools.outcome import Category, Outcomes, category_called, category_of
from agentcli.tools.risk import Risk
from agentcli.tools.schema import SchemaError, schema_of
from agentcli.tools.tool import Acts, Place, Preview, Tool, Undo, Values
from agentcli.visible import is_blank

Function = TypeVar("Function", bound=Callable[..., Any])

PLACE, RESUMED, PREPARED = "place", "resumed", "prepared"
"""Parameters that the model never sees: where the call runs, what a person filled in, what it takes along."""


_NO_RESULTS: Final = frozenset({"str", "bytes", "int", "float", "bool", "Decimal", "list", "tuple", "set"})


class Declare(Protocol):
    """A decorator that declares a tool, bare or with options: `@tools.read`, `@tools.read(timeout=5)`."""

    @overload
    def __call__(self, function: Function, /) -> Function: ...
    @overload
    def __call__(self, /, **declared: Unpack[Declared]) -> Callable[[Function], Function]: ...


class Toolset:
    """The tools of one agent, in the order in which they were declared."""

    def __init__(self, name: str, *, acts: Acts = Acts.ELSEWHERE) -> None:
        self.name = name
        self._acts = acts
        self._tools: dict[str, Tool] = {}

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    @property
    def by_name(self) -> Mapping[str, Tool]:
        """The tools under their names."""
        return self._tools

    def changed(self, change: Callable[[Tool], Tool]) -> "Toolset":
        """Return a toolset with what `change` makes of each tool; this one stays as it is."""
        changed = Toolset(self.name, acts=self._acts)
        changed._tools = {name: change(tool) for name, tool in self._tools.items()}
        return changed

    @property
    def read(self) -> Declare:
        """Declare a tool that changes nothing."""
        return self._declaring(Risk.READ)

    @property
    def write(self) -> Declare:
        """Declare a tool whose effect `undo` reverses; without `undo` it counts as irreversible."""
        return self._declaring(Risk.WRITE)

    @property
    def irreversible(self) -> Declare:
        """Declare a tool whose effect can't be undone."""
        return self._declaring(Risk.IRREVERSIBLE)

    @property
    def tool(self) -> Declare:
        """Declare a tool without a risk; it counts as irreversible."""
        return self._declaring(None)

    def _declaring(self, risk: Risk | None) -> Declare:
        def declare(function: Function | None = None, /, **declared: Unpack[Declared]) -> Any:
            if function is None:
                return partial(self._register, risk=risk, declared=declared)
            return self._register(function, risk=risk, declared=declared)

        return declare

    def _register(self, function: Function, *, risk: Risk | None, declared: Declared) -> Function:
        name = function.__name__
        _check_returns(name, function)
        check_declared(name, list(inspect.signature(function).parameters), declared)
        if name in self._tools:
            raise ValueError(f"tool {name!r} is declared twice in {self.name!r}")
        tool = self._declare(name, function, risk, declared)
        _check_names(tool)
        self._tools[name] = tool
        return function

    def _declare(self, name: str, function: Function, risk: Risk | None, declared: Declared) -> Tool:
        parameters = inspect.signature(function).parameters
        hidden = {RESUMED}
        # To a tool that asks for no `Place` and prepares nothing, these are parameters like any other.
        if takes_place := PLACE in parameters and parameters[PLACE].annotation in (Place, Place.__name__):
            hidden.add(PLACE)
        if "prepare" in declared:
            hidden.add(PREPARED)
        return Tool(
            name=name,
            description=inspect.getdoc(function) or "",
            schema=schema_of(name, function, hidden=frozenset(hidden)),
            run=function,
            declared_risk=risk,
            acts=declared.get("acts", self._acts),
            takes_place=takes_place,
            takes_resumed=RESUMED in parameters,
            outcomes=_outcomes(name, declared),
            defaults=_plain_defaults(parameters, hidden) | dict(declared.get("defaults", {})),
            check=declared.get("check"),
            preview=_as_preview(name, declared.get("preview")),
            undo=_as_undo(name, declared.get("undo")),
            establishes=as_listed(FactRule, declared.get("establishes", ())),
            requires=as_listed(FactRule, declared.get("requires", ())),
            limits=as_listed(LimitRule, declared.get("limits", ())),
            approval=declared.get("approval", False),
            timeout_s=declared.get("timeout", 60.0),
            idempotency=declared.get("idempotent"),
            prepare=declared.get("prepare"),
            simulate=declared.get("simulate"),
        )


def _check_names(tool: Tool) -> None:
    """Refuse what would else be overlooked in silence: a parameter that is not there, or can't be compared."""
    rules = (*tool.establishes, *tool.requires)
    named = [*tool.defaults, *(rule.subject for rule in rules), *(limit.field for limit in tool.limits)]
    for parameter in (*named, *([tool.idempotency] if tool.idempotency is not None else [])):
        if parameter not in tool.schema.record.__struct_fields__:
            raise SchemaError(tool.name, parameter, "there is no such parameter")
    for limit in tool.limits:
        if not tool.schema.holds_exact_numbers(limit.field):
            raise SchemaError(tool.name, limit.field, "only a Decimal or a whole number can have a limit")
    if tool.prepare is not None and tool.acts is Acts.IN_STORE:
        raise TypeError(f"tool {tool.name!r}: in the store there is nothing to prepare, it has its tables")
    if tool.prepare is not None and PREPARED not in inspect.signature(tool.run).parameters:
        raise SchemaError(tool.name, PREPARED, "there is no such parameter")


def _outcomes(tool: str, declared: Declared) -> Outcomes:
    statuses: dict[str, Category | None] = {"ok": None}
    for status, category in declared.get("statuses", {}).items():
        statuses[status] = None if category is None else _category(tool, status, category)
        known = category_of(status)
        if known is not None and statuses[status] is not known:
            raise ValueError(f"tool {tool!r}: status {status!r} is always of category {str(known)!r}")
    fields, keeps = tuple(declared.get("fields", ())), frozenset(declared.get("keeps", ()))
    if not keeps <= set(fields):
        raise ValueError(f"tool {tool!r}: it keeps fields that it does not have")
    return Outcomes(statuses=statuses, fields=fields, keeps_fields=keeps)


def _category(tool: str, status: str, category: str) -> Category:
    try:
        return category_called(category)
    except ValueError as error:
        raise ValueError(f"tool {tool!r}: status {status!r}: {error}, and None for a success") from error


def _check_returns(tool: str, function: Callable[..., Any]) -> None:
    """Refuse what says of itself that every call of it would be a fault."""
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"tool {tool!r}: it yields; a tool returns a dict")
    annotation = inspect.signature(function).return_annotation
    # As text where its module has postponed annotations; what it would mean there is not asked.
    name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if name.partition("[")[0] in _NO_RESULTS:
        raise TypeError(f"tool {tool!r}: it returns {name}; a tool returns a dict")


def _plain_defaults(
    parameters: Mapping[str, inspect.Parameter], hidden: Container[str]
) -> dict[str, Callable[[Place], Json]]:
    """Return the defaults in the signature that an input could hold, so that what will run is what is shown."""
    given = {name: one.default for name, one in parameters.items() if name not in hidden}
    return {name: partial(_always, _as_json(default)) for name, default in given.items() if _can_be_sent(default)}


def _can_be_sent(default: Any) -> bool:
    if isinstance(default, str):
        return not is_blank(default)
    return default is not None and default is not inspect.Parameter.empty


def _always(value: Json, place: Place) -> Json:
    return value


def _as_json(default: Any) -> Json:
    """Return a default from Python as it would stand in JSON text."""
    if isinstance(default, int | float) and not isinstance(default, bool):
        return Number(default)
    return default  # type: ignore[no-any-return]  # text or a truth value: the schema has seen to it


def _as_preview(tool: str, preview: Callable[..., Sequence[str]] | None) -> Preview | None:
    """Return the preview in one form; that of a person's own tool has no place, and few ask for `resumed`."""
    if preview is None:
        return None
    parameters = list(inspect.signature(preview).parameters)
    with_place, with_resumed = parameters[:1] == [PLACE], RESUMED in parameters
    _check_takes(tool, "preview", preview, ["place", "values"] if with_place else ["values"])

    def draw(place: Place, values: Values, resumed: Values | None = None) -> Sequence[str]:
        given = {RESUMED: resumed} if with_resumed else {}
        return preview(place, values, **given) if with_place else preview(values, **given)

    return draw


def _as_undo(tool: str, undo: Callable[..., Any] | None) -> Undo | None:
    """Return the undo in one form; that of a person's own tool takes input and result alone."""
    if undo is None or next(iter(inspect.signature(undo).parameters), None) == PLACE:
        return undo
    _check_takes(tool, "undo", undo, ["values", "result"])
    return lambda place, values, result, before: undo(values, result)


def _check_takes(tool: str, option: str, function: Callable[..., Any], given: list[str]) -> None:
    """Refuse what could not be called with these, which would show only once it is needed."""
    parameters = inspect.signature(function)
    asked_for = {RESUMED: None} if option == "preview" and RESUMED in parameters.parameters else {}
    try:
        parameters.bind(*given, **asked_for)
    except TypeError as error:
        raise TypeError(f"tool {tool!r}: {option} is called as {option}({', '.join(given)}): {error}") from error

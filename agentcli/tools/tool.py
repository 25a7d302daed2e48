"""A tool as the gate, the executor and the model see it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct, field

from agentcli.tools.conditions import FactRule, LimitRule
from agentcli.tools.json_text import Json
from agentcli.tools.outcome import Outcomes
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Frozen, InputSchema, Misfit


class Acts(StrEnum):
    """Where a tool's effect happens: in the store, committed with its entry, or in the world outside."""

    IN_STORE = "store"
    ELSEWHERE = "elsewhere"


class Tables(Protocol):
    """An agent's tables inside the open transaction; it can execute, not commit."""

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        ...


Migration = str | Callable[[Tables], None]
"""One SQL statement, or a function that changes the tables."""


class Place(Struct, frozen=True):
    """Where a call runs: the local day, the agent's options, and its tables."""

    today: date
    options: Mapping[str, Any]
    tables: Tables


Values = Mapping[str, Any]


class Preview(Protocol):
    """Draws what a call would do, before anything is done."""

    def __call__(self, place: Place, values: Values, resumed: Values | None = None) -> Sequence[str]:
        """Return the lines that a person is shown."""
        ...


class Undo(Protocol):
    """Puts back what a call changed, or raises a `ToolFailure` where that is no longer possible."""

    def __call__(self, place: Place, values: Values, result: Values, before: Any) -> Any:
        """Reverse the call that had these input values and gave this result."""
        ...


class Tool(Struct, frozen=True, kw_only=True):
    """One tool: what it is called, what it takes, what it risks, and how it runs.

    `run` takes the input's values by name, the `Place` first if `takes_place`, and what a person filled in
    as `resumed` if `takes_resumed`. `preview` takes `(place, values, resumed)` and returns lines. `check` takes
    `(place, values)` and returns what the domain refuses, or None. `undo` takes
    `(place, values, result, before)`. `prepare` takes `(place, values)` in the transaction that stores the start
    of a call elsewhere, and `run` gets what it returns as `prepared`: what the call takes along from the store.
    `simulate` runs in the place of `run`, with the same parameters, where the world is to be left alone.
    """

    name: str
    description: str
    schema: InputSchema
    run: Callable[..., Any]
    declared_risk: Risk | None = None
    acts: Acts = Acts.ELSEWHERE
    takes_place: bool = False
    takes_resumed: bool = False
    outcomes: Outcomes = field(default_factory=Outcomes)
    defaults: Mapping[str, Callable[[Place], Json]] = field(default_factory=dict)
    check: Callable[[Place, Values], str | None] | None = None
    preview: Preview | None = None
    undo: Undo | None = None
    establishes: tuple[FactRule, ...] = ()
    requires: tuple[FactRule, ...] = ()
    limits: tuple[LimitRule, ...] = ()
    approval: bool = False
    timeout_s: float = 60.0
    idempotency: str | None = None
    prepare: Callable[[Place, Values], Any] | None = None
    simulate: Callable[..., Any] | None = None

    @property
    def risk(self) -> Risk:
        """The risk that counts: without a declared one, or for a write without `undo`, the worst."""
        if self.declared_risk is Risk.READ:
            return Risk.READ
        if self.declared_risk is Risk.WRITE and self.undo is not None:
            return Risk.WRITE
        return Risk.IRREVERSIBLE

    def read_input(self, text: str, place: Place) -> Frozen | Misfit:
        """Return the input frozen with its defaults, or what the schema or the domain refuses."""
        defaults = {name: value(place) for name, value in self.defaults.items()}
        reading = self.schema.read(text, defaults)
        if isinstance(reading, Misfit) or self.check is None:
            return reading
        problem = self.check(place, reading.values)
        return reading if problem is None else Misfit(reading.text, problem)

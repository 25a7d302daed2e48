"""Small builders: tools of a garage, and situations in which they are called."""

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.gate.decide import Situation
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.tools.conditions import at_most, fact
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Frozen
from agentcli.tools.tool import Tool
from agentcli.tools.toolset import Toolset

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OWNER_KNOWN = fact("owner_known", subject="plate")
FRIDAY_FREE = fact("friday_free", subject="plate")

GARAGE = Toolset("garage")


def take_back(values: Any, result: Any) -> None: ...


@GARAGE.read(establishes=fact("owner_known", subject="plate"))
def find_car(plate: str) -> dict[str, Any]:
    return {"plate": plate}


@GARAGE.read(establishes=fact("owner_known", subject="plate"))
def read_papers(plate: str) -> dict[str, Any]:
    return {"plate": plate}


@GARAGE.write(undo=take_back)
def book_slot(plate: str, price: int) -> dict[str, Any]:
    return {"plate": plate, "price": price}


@GARAGE.irreversible
def scrap_car(plate: str, price: int) -> dict[str, Any]:
    return {"plate": plate, "price": price}


BY_RISK = {Risk.READ: "find_car", Risk.WRITE: "book_slot", Risk.IRREVERSIBLE: "scrap_car"}


def tool(name: str = "scrap_car", **changed: Any) -> Tool:
    """A tool of the garage, some of what it declares changed."""
    return replace(GARAGE[name], **changed)


def frozen(**values: Any) -> Frozen:
    return Frozen("{}", values)


def situation(one: Tool | None, **changed: Any) -> Situation:
    """A call that nothing speaks against but what is changed."""
    plain: dict[str, Any] = {
        "name": "unheard_of" if one is None else one.name,
        "tool": one,
        "reading": frozen(plate="B-1", price=100),
        "session_level": Level.ALONE,
        "catalog": GARAGE.by_name,
        "now": NOW,
    }
    return Situation(**plain | changed)


def shown(name: str = "owner_known", subject: str = "B-1", **changed: Any) -> dict[tuple[str, str], Fact]:
    """The facts of a session in which one call showed one thing."""
    plain: dict[str, Any] = {"name": name, "subject": subject, "holds": True, "call_id": "t1"}
    return {(name, subject): Fact(**plain | changed)}


def hook(decision: Decision) -> Verdict:
    category = Category.PERMISSION if decision is Decision.DENY else None
    return Verdict("hook", decision, f"the hook says {decision}", category)


# What makes each rule deny, and nothing else.
DENIALS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # rule               of the tool                             of the situation
    "level":            ({},                                     {"session_level": Level.LOOK}),
    "earlier decline":  ({},                                     {"declined_before": True}),
    "prerequisite":     ({"requires": (OWNER_KNOWN,)},           {}),
    "limit":            ({"limits": (at_most("price", "99"),)},  {}),
    "hook":             ({},                                     {"hook_verdicts": (hook(Decision.DENY),)}),
}  # fmt: skip

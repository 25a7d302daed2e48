"""The tools of the simulated agent: of every risk, in the store and elsewhere, well-behaved and not."""

import asyncio
from typing import Any, Final, Literal, Protocol

from agentcli.tools.conditions import fact
from agentcli.tools.outcome import ToolFailure, Undoable
from agentcli.tools.risk import Risk
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset

Mood = Literal["fine", "slow", "late", "never", "fails", "breaks", "lies"]
TIMEOUT_S: Final = 10.0
DELAYS_S: Final = {"slow": 3.0, "late": 20.0, "never": 1e6}

OUTSIDE: Final = "outside"
"""The option under which tools that act elsewhere find the world."""


class Outside(Protocol):
    """The world outside the store, as the tools reach it."""

    async def meanwhile(self) -> None:
        """Let others act while a tool is at work."""
        ...

    def happens(self, tool: str, what: str) -> None:
        """Something is done that no rollback takes back."""
        ...


FORM: Final = {"type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]}

in_store: Final = Toolset("in_store", acts=Acts.IN_STORE)
elsewhere: Final = Toolset("elsewhere", acts=Acts.ELSEWHERE)


def show_revision(place: Place, values: Values) -> list[str]:
    (revision,) = place.tables.execute("revision")[0]
    return [f"{values['what']} in revision {revision}"]


def show_outside(place: Place, values: Values) -> list[str]:
    return [f"{values['what']} goes out"]


def put_back(place: Place, values: Values, result: Values, before: Any) -> None:
    if before == "gone":
        raise ToolFailure("malformed", "business", "it is gone")
    place.tables.execute("add", ("undo", values["what"]))


async def take_down(place: Place, values: Values, result: Values, before: Any) -> None:
    await finish_elsewhere(place, "undo", values["what"], "fine")


def plan_or_ask(place: Place, values: Values, resumed: Values | None = None) -> list[str]:
    if resumed is None:
        raise Suspend("how?", FORM)
    return [f"{values['what']} is planned {resumed['how']}"]


def require_form(resumed: Values | None) -> str:
    if resumed is None or resumed["how"] == "badly":
        raise Suspend("how?", FORM)
    return str(resumed["how"])


@in_store.read
def look(place: Place, what: str, mood: Mood = "fine") -> dict[str, Any]:
    """Look at the book."""
    return finish_in_store(place, "look", what, mood, writes=False)


@in_store.read(establishes=fact("known", subject="what", when=lambda result: result["known"]))
def check(place: Place, what: str) -> dict[str, Any]:
    """See whether somebody is known."""
    (known,) = place.tables.execute("known", (what,))[0]
    return {"known": known}


@in_store.write(undo=put_back, preview=show_revision, statuses={"malformed": "validation"})
def note(place: Place, what: str, mood: Mood = "fine") -> Undoable:
    """Write something down."""
    result = finish_in_store(place, "note", what, mood, writes=True)
    return Undoable(result, before="gone" if mood == "slow" else what)


@in_store.irreversible(preview=show_revision)
def erase(place: Place, what: str, mood: Mood = "fine") -> dict[str, Any]:
    """Rub something out."""
    return finish_in_store(place, "erase", what, mood, writes=True)


@in_store.irreversible(requires=[fact("known", subject="what")])
def pay(place: Place, what: str) -> dict[str, Any]:
    """Pay somebody who is known."""
    return finish_in_store(place, "pay", what, "fine", writes=True)


@in_store.write(undo=put_back)
def fill(place: Place, what: str, resumed: Values | None = None) -> dict[str, Any]:
    """Write down what a person has to complete."""
    place.tables.execute("add", ("fill", what))
    return {"how": require_form(resumed)}


@in_store.irreversible(preview=plan_or_ask)
def plan(place: Place, what: str) -> dict[str, Any]:
    """Do what can't be shown before a person has filled something in."""
    return finish_in_store(place, "plan", what, "fine", writes=True)


@elsewhere.read(timeout=TIMEOUT_S)
async def peek(place: Place, what: str, mood: Mood = "fine") -> dict[str, Any]:
    """Look at the world."""
    return await finish_elsewhere(place, "peek", what, mood)


@elsewhere.read(approval=True, timeout=TIMEOUT_S)
async def pry(place: Place, what: str, mood: Mood = "fine") -> dict[str, Any]:
    """Look where one has to ask first."""
    return await finish_elsewhere(place, "pry", what, mood)


@elsewhere.write(undo=take_down, preview=show_revision, timeout=TIMEOUT_S)
async def post(place: Place, what: str, mood: Mood = "fine") -> Undoable:
    """Put something up."""
    return Undoable(await finish_elsewhere(place, "post", what, mood), before=what)


@elsewhere.write(undo=take_down, idempotent="what", timeout=TIMEOUT_S)
async def pin(place: Place, what: str, mood: Mood = "fine") -> Undoable:
    """Pin something up; the same pin twice is one, but taking it down twice is not."""
    return Undoable(await finish_elsewhere(place, "pin", what, mood), before=what)


@elsewhere.irreversible(preview=show_outside, timeout=TIMEOUT_S)
async def send(place: Place, what: str, mood: Mood = "fine") -> dict[str, Any]:
    """Send something away."""
    return await finish_elsewhere(place, "send", what, mood)


@elsewhere.irreversible(timeout=TIMEOUT_S)
async def mail(place: Place, what: str, resumed: Values | None = None) -> dict[str, Any]:
    """Send something off, once a person has completed it."""
    require_form(resumed)
    return await finish_elsewhere(place, "mail", what, "fine")


@elsewhere.irreversible(idempotent="what", timeout=TIMEOUT_S)
async def order(place: Place, what: str, mood: Mood = "fine") -> dict[str, Any]:
    """Order something; the same order twice counts once."""
    return await finish_elsewhere(place, "order", what, mood)


def finish_in_store(place: Place, tool: str, what: str, mood: Mood, *, writes: bool) -> dict[str, Any]:
    if writes:
        place.tables.execute("add", (tool, what))
    return finish(what, mood)


async def finish_elsewhere(place: Place, tool: str, what: str, mood: Mood) -> dict[str, Any]:
    outside: Outside = place.options[OUTSIDE]
    await outside.meanwhile()
    if mood in DELAYS_S:
        await asyncio.sleep(DELAYS_S[mood])
    outside.happens(tool, what)
    await outside.meanwhile()
    return finish(what, mood)


def finish(what: str, mood: Mood) -> dict[str, Any]:
    match mood:
        case "fails":
            raise ToolFailure("malformed", "validation", "it does not fit", retryable=True)
        case "breaks":
            raise ZeroDivisionError
        case "lies":
            return {"status": "undeclared"}
        case _:
            return {"about": what}


TOOLS: Final = (*in_store, *elsewhere)
CATALOG: Final = {tool.name: tool for tool in TOOLS}
RISKS: Final = {tool.name: tool.risk for tool in TOOLS}
ALWAYS_ASKS: Final = frozenset(tool.name for tool in TOOLS if tool.approval)
REPEATABLE: Final = frozenset(tool.name for tool in TOOLS if tool.idempotency or tool.risk is Risk.READ)
IN_STORE: Final = frozenset(tool.name for tool in in_store)
MOODLESS: Final = frozenset(tool.name for tool in TOOLS if "mood" not in tool.schema.record.__struct_fields__)

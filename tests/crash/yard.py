"""An agent with tools of every kind; what acts outside the store leaves a line in a file."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from agentcli.agents.agent import Agent
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset

TABLES: Final = {"yard_book": "id"}
MIGRATIONS: Final = ("CREATE TABLE yard_book (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL)",)
FORM: Final = {"type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]}


class World:
    """What there is outside the store: a file of effects, which are never taken back.

    Args:
        point: Passed before and after each effect, and inside tools of the store.
        meanwhile: What others do while a tool looks at the world.
    """

    def __init__(self, file: Path, point: Callable[[], None], meanwhile: Callable[[], None]) -> None:
        self.file = file
        self.point = point
        self.meanwhile = meanwhile

    def happens(self, what: str) -> None:
        """Let something happen for good."""
        self.point()
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(descriptor, f"{what}\n".encode())
        os.fsync(descriptor)
        os.close(descriptor)
        self.point()


def add(place: Place, what: str, world: World) -> int:
    """Write a row, with a point before and after."""
    world.point()
    place.tables.execute("INSERT INTO yard_book (what) VALUES (?)", (what,))
    world.point()
    ((number,),) = place.tables.execute("SELECT last_insert_rowid()")
    return int(number)


def yard(world: World) -> Agent:
    """The agent in a world."""
    tools = Toolset("yard", acts=Acts.IN_STORE)

    def count(place: Place) -> int:
        ((number,),) = place.tables.execute("SELECT count(*) FROM yard_book")
        return int(number)

    def show(place: Place, values: Values) -> list[str]:
        return [f"{values['what']} beside {count(place)} others"]

    def take_out(place: Place, values: Values, result: Values, before: Any) -> None:
        world.point()
        place.tables.execute("DELETE FROM yard_book WHERE id = ?", (result["no"],))

    def plan(place: Place, values: Values, resumed: Values | None = None) -> list[str]:
        if resumed is None:
            raise Suspend("How?", FORM)
        return [f"{values['what']} {resumed['how']}"]

    @tools.read(fields=("count",))
    def look(place: Place) -> dict[str, Any]:
        """Count the rows."""
        return {"count": count(place)}

    @tools.write(fields=("no",), undo=take_out, preview=show)
    def note(place: Place, what: str) -> dict[str, Any]:
        """Write a row that can be taken out."""
        return {"no": add(place, what, world)}

    @tools.irreversible(preview=show)
    def carve(place: Place, what: str) -> dict[str, Any]:
        """Write a row for good."""
        add(place, what, world)
        return {}

    @tools.irreversible
    def build(place: Place, what: str, resumed: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Write a row, and stop in the middle to ask how."""
        add(place, what, world)
        if resumed is None:
            raise Suspend("How?", FORM)
        add(place, f"{what} {resumed['how']}", world)
        return {}

    @tools.irreversible(preview=plan)
    def draw(place: Place, what: str, resumed: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Write a row about which a person has to say more before it can be shown."""
        add(place, f"{what} {(resumed or {})['how']}", world)
        return {}

    @tools.read(acts=Acts.ELSEWHERE)
    def peek(what: str) -> dict[str, Any]:
        """Look at the world, while others speak."""
        world.point()
        world.meanwhile()
        world.point()
        return {}

    @tools.irreversible(acts=Acts.ELSEWHERE, preview=lambda values: [f"sends {values['what']}"])
    def send(what: str) -> dict[str, Any]:
        """Do something outside for good."""
        world.happens(f"send {what}")
        return {}

    @tools.irreversible(acts=Acts.ELSEWHERE, idempotent="what")
    def sync(what: str) -> dict[str, Any]:
        """Do something outside that may be done again under the same key."""
        world.happens(f"sync {what}")
        return {}

    return Agent(name="yard", toolset=tools, migrations=MIGRATIONS, tables=TABLES)

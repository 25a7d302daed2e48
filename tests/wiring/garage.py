"""A small agent of its own for tests: a read, a write and an irreversible tool elsewhere, and one that asks."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from agentcli.agents.agent import Agent
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.suspension import Suspend
from agentcli.tools.toolset import Toolset
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms

FORM = {
    "type": "object",
    "properties": {"bay": {"type": "string", "enum": ["left", "right"]}},
    "required": ["bay"],
}


def garage(*, happens: Callable[[str], None] = print) -> Agent:
    """The agent; `happens` hears of each effect."""
    tools = Toolset("garage")

    def take_down(values: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        happens(f"unpark {values['plate']}")

    @tools.read
    def find_car(plate: str) -> dict[str, Any]:
        """Find a car."""
        return {"plate": plate}

    @tools.write(undo=take_down, preview=lambda values: [f"will park {values['plate']}"])
    def park(plate: str) -> dict[str, Any]:
        """Park a car."""
        happens(f"park {plate}")
        return {"plate": plate}

    @tools.irreversible(preview=lambda values: [f"will scrap {values['plate']}"])
    def scrap(plate: str) -> dict[str, Any]:
        """Scrap a car."""
        happens(f"scrap {plate}")
        return {"plate": plate}

    @tools.irreversible
    def lift(plate: str, resumed: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Lift a car in a bay that a person chooses."""
        if resumed is None:
            raise Suspend("Which bay?", FORM, shown=["both are free"])
        happens(f"lift {plate} {resumed['bay']}")
        return {"bay": resumed["bay"]}

    return Agent(name="garage", toolset=tools)


still_held: list[Session] = []
"""Sessions to be closed once a test is over: a process that holds one may start no `agentcli approvals`."""


def kept(session: Session) -> Session:
    """The session, closed when the test is over."""
    still_held.append(session)
    return session


def begin(
    store: SqliteStore,
    agent: Agent | None = None,
    *,
    level: Level = Level.PROPOSE,
    expires: timedelta | None = None,
    **options: Any,
) -> Session:
    """A session with the agent, whose model a person plays by typing calls."""
    agent = agent or garage()
    return kept(Session.begin(agent, store, terms(agent, level, expires, options)))


def go_on(store: SqliteStore, session: str, agent: Agent | None = None, level: Level = Level.PROPOSE) -> Session:
    """The same session in the next process."""
    agent = agent or garage()
    return kept(Session.go_on_with(agent, store, session, terms(agent, level)))


def terms(
    agent: Agent, level: Level, expires: timedelta | None = None, options: Mapping[str, Any] | None = None
) -> Terms:
    return Terms(
        model="offline",
        levels=Levels(level, {}),
        price=lambda model, usage: Decimal(0),
        expires_after=expires,
        options={**agent.options, **(options or {})},
    )


async def say(session: Session, text: str) -> None:
    """Say something, and let the run go on as far as it does."""
    async for _ in session.run(text):
        pass


async def carry_on(session: Session) -> None:
    """Let the run go on as far as it does."""
    async for _ in session.go_on():
        pass


def written(store: SqliteStore, session: str, kind: type[e.Entry]) -> list[Any]:
    """The entries of a kind that stand in a session's journal."""
    return [record.entry for record in store.records(session) if isinstance(record.entry, kind)]


def store_at(folder: Path) -> SqliteStore:
    return SqliteStore.open(folder / "store.db")

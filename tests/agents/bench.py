"""A place for tools to run at in tests: an agent's tables in memory, and each step of a call in the executor's order."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date
from typing import Any

import msgspec

from agentcli.agents.agent import Agent
from agentcli.tools.outcome import ToolFailure, Undoable, failure, success
from agentcli.tools.schema import Frozen, Misfit
from agentcli.tools.tool import Place, Tool

TODAY = date(2026, 11, 30)


class MemoryTables:
    """Tables in memory; it can execute, as the store's can."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with closing(self.connection.execute(sql, parameters)) as cursor:
            return cursor.fetchall()


class Bench:
    """One agent over tables of its own."""

    def __init__(self, agent: Agent, *, today: date = TODAY, sample: bool = False, **options: Any) -> None:
        self.agent = agent
        self.tables = MemoryTables()
        self.place = Place(today, {**agent.options, **options}, self.tables)
        for migration in agent.migrations:
            if isinstance(migration, str):
                self.tables.execute(migration)
            else:
                migration(self.tables)
        if sample and agent.put_sample is not None:
            agent.put_sample(self.place)

    def read(self, tool: str, **members: Any) -> Frozen | Misfit:
        return self.agent.toolset[tool].read_input(msgspec.json.encode(members).decode(), self.place)

    def values(self, tool: str, **members: Any) -> Mapping[str, Any]:
        reading = self.read(tool, **members)
        assert isinstance(reading, Frozen), reading
        return reading.values

    def problem(self, tool: str, **members: Any) -> str:
        reading = self.read(tool, **members)
        assert isinstance(reading, Misfit), reading
        return reading.problem

    def preview(self, tool: str, **members: Any) -> list[str]:
        draw = self.agent.toolset[tool].preview
        assert draw is not None
        return list(draw(self.place, self.values(tool, **members)))

    def run(self, tool: str, **members: Any) -> dict[str, Any]:
        return self.do(tool, **members).result

    def do(self, tool: str, **members: Any) -> Undoable:
        """Run a call and return its whole result, as it is stored, with what its undo needs."""
        return self.perform(tool, self.values(tool, **members))

    def perform(self, tool: str, values: Mapping[str, Any]) -> Undoable:
        """Run a call whose input was read."""
        declared = self.agent.toolset[tool]
        try:
            returned = declared.run(place=self.place, **values)
        except ToolFailure as error:
            return Undoable(_failed(declared, error), None)
        before = returned.before if isinstance(returned, Undoable) else None
        result = returned.result if isinstance(returned, Undoable) else returned
        assert set(result) == {"status", *declared.outcomes.fields}
        return Undoable(_stored(success(declared.outcomes, result)), _stored(before))

    def undo(self, tool: str, done: Undoable, **members: Any) -> None:
        reverse = self.agent.toolset[tool].undo
        assert reverse is not None
        reverse(self.place, self.values(tool, **members), done.result, done.before)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything in the agent's tables."""
        return {
            table: self.tables.execute(f"SELECT * FROM {table} ORDER BY {key}")
            for table, key in self.agent.tables.items()
        }


def _failed(tool: Tool, error: ToolFailure) -> dict[str, Any]:
    assert error.status in tool.outcomes.statuses
    return failure(error.status, error.category, error.message, retryable=error.retryable, outcomes=tool.outcomes)


def _stored(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))

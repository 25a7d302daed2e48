"""A real session with an agent in tests, over a store in memory; a person plays the model by typing calls."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import msgspec

from agentcli.agents.agent import Agent
from agentcli.session.events import Event, ToolFinished
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.session import Session
from agentcli.wiring.waiting import Waiting


class Desk:
    """One session, from what is said to what came of each call; `waiting` holds the open question."""

    def __init__(self, agent: Agent, *, level: int = 4, model: str = "offline") -> None:
        self.store = SqliteStore.in_memory()
        self.session = Session.open(agent, self.store, level=level, model=model)

    @property
    def waiting(self) -> list[Waiting]:
        return self.session.waiting

    def say(self, text: str) -> list[dict[str, Any]]:
        """Say something, and return the results of the calls that it led to."""
        return asyncio.run(self._run(text))

    def call(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        """Make calls in one reply, as a model would, and return their results."""
        return self.say(" & ".join(f"call {tool} {json.dumps(members)}" for tool, members in calls))

    def answer(self, *, approve: bool, reason: str = "") -> list[dict[str, Any]]:
        """Answer the open question and go on."""
        return asyncio.run(self._answer(approve=approve, reason=reason))

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Look into the agent's tables, or change them behind its back."""
        with self.store.transaction() as transaction, transaction.attempt() as tables:
            return tables.execute(sql)

    def close(self) -> None:
        self.session.close()
        self.store.close()

    async def _run(self, text: str) -> list[dict[str, Any]]:
        return _results([event async for event in self.session.run(text)])

    async def _answer(self, *, approve: bool, reason: str) -> list[dict[str, Any]]:
        (question,) = self.waiting
        await self.session.answer(question.call_id, approve=approve, by="ana", code=question.code, reason=reason)
        return _results([event async for event in self.session.go_on()])


def _results(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [msgspec.json.decode(event.result) for event in events if isinstance(event, ToolFinished)]

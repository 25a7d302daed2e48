"""Calls played into a sandbox without anybody being asked: what a demo begins with, and the looks at its end."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from agentcli.agents.agent import Agent
from agentcli.gate.autonomy import Level
from agentcli.models.scripted import ScriptedCall, ScriptedModel, ScriptedReply
from agentcli.session import events as ev
from agentcli.session.allowance import RunLimits
from agentcli.session.persons import Given, Person
from agentcli.session.ports import Clock
from agentcli.session.steps import AwaitAnswer
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms

Result = dict[str, Any]

_NOBODY: Final = Person("demo", "demo")
_PLENTY: Final = 10_000


async def results_of(
    agent: Agent, store: SqliteStore, calls: Sequence[tuple[str, str]], clock: Clock
) -> list[Result]:
    """Run calls, each a tool and its input as JSON text, and return their results in order.

    Args:
        agent: One that leaves the world alone.
        store: A sandbox; what runs here is in a session of its own.
    """
    if not calls:
        return []
    asked_for = tuple(
        ScriptedCall(tool, text, f"played_{number}") for number, (tool, text) in enumerate(calls, start=1)
    )
    model = ScriptedModel([ScriptedReply(calls=asked_for), ScriptedReply(text="done")])
    terms = Terms(
        model=model.name,
        levels=Levels(Level.ALONE, {}),
        price=lambda model, usage: None,
        limits=RunLimits(asks=_PLENTY, irreversible=_PLENTY, seconds=_PLENTY),
        options={**agent.options, **agent.sandbox_options},
        build=lambda name, agent: model,
    )
    results: dict[str, Result] = {}

    def take(event: ev.Event) -> None:
        if isinstance(event, ev.ToolFinished):
            results[event.call_id] = msgspec.json.decode(bytes(event.result))

    session = Session.begin(agent, store, terms, clock)
    try:
        session.observe(take)
        await session.say("play", _NOBODY)
        while isinstance(step := await session.carry_on(), AwaitAnswer):
            given = Given("approved", session.state.calls[step.call_id].question_code)
            await session.answer_as(_NOBODY, step.call_id, given)
    finally:
        session.close()
    return [results.get(str(call.call_id), {"status": "unsettled"}) for call in asked_for]

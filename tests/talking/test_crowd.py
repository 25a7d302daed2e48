"""Many speak to one running session at the same time."""

import asyncio
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from agentcli.agents import shipped
from agentcli.engine.clock import SystemClock
from agentcli.gate.autonomy import Level
from agentcli.models.prices import cost_usd
from agentcli.session.allowance import RunLimits
from agentcli.session.events import Event, Heard
from agentcli.session.steps import Idle
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms
from tests.talking.hearing import passed_over

SPEAKERS = ("ana", "bo", "cem", "dee")
ENDLESS = RunLimits(steps=100_000, seconds=100_000)


async def hear(path: Path, each: int) -> list[Heard]:
    """Let four processes speak to a session of this one, and return what its model heard."""
    agent, heard = shipped("expenses"), list[Heard]()

    def take(event: Event) -> None:
        if isinstance(event, Heard):
            heard.append(event)

    terms = Terms(
        model="offline", levels=Levels(Level.LOOK, {}), price=cost_usd, limits=ENDLESS, options=agent.options
    )
    with SqliteStore.open(path) as store:
        session = Session.begin(agent, store, terms, SystemClock())
        session.observe(take)
        command = [sys.executable, "-m", "tests.talking.speaker", str(path), session.id]
        speakers = [await asyncio.create_subprocess_exec(*command, name, str(each)) for name in SPEAKERS]
        try:
            while len(heard) < each * len(SPEAKERS):
                session.catch_up()
                if isinstance(await session.carry_on(), Idle):
                    assert not any(one.returncode for one in speakers), "a speaker failed"
                    await asyncio.sleep(0.01)
            for one in speakers:
                assert await one.wait() == 0
            assert passed_over(store.records(session.id)) == []
        finally:
            for one in speakers:
                if one.returncode is None:
                    one.kill()
            session.close()
    return heard


def check(heard: list[Heard], each: int) -> None:
    assert len({one.message for one in heard}) == len(heard) == each * len(SPEAKERS)
    said: dict[str, list[int]] = defaultdict(list)
    for one in heard:
        name, number = one.text.split()
        said[name].append(int(number))
    assert said == {name: list(range(each)) for name in SPEAKERS}


async def test_words_of_four_processes_are_heard_once_and_in_order(tmp_path: Path) -> None:
    """Whoever else speaks: each message is heard exactly once, in the order of its speaker."""
    check(await asyncio.wait_for(hear(tmp_path / "a.db", 10), 60), 10)


@pytest.mark.slow
async def test_a_thousand_messages_are_heard_once_and_in_order(tmp_path: Path) -> None:
    """The same over 1,000 messages."""
    check(await asyncio.wait_for(hear(tmp_path / "a.db", 250), 600), 250)

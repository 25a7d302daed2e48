"""What a run tells at its end."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from agentcli.agents.agent import Agent
from agentcli.cli.exits import Exit
from agentcli.cli.talk.manner import Manner
from agentcli.cli.talk.running import Run
from agentcli.config.records import Terminal
from agentcli.gate.autonomy import Level
from agentcli.models.offline import OfflineModel
from agentcli.session.allowance import RunLimits
from agentcli.session.persons import Person
from agentcli.session.ports import Model
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring import outside
from agentcli.wiring.opening import Circumstances, Opening
from agentcli.wiring.session import Session
from tests.wiring import garage as g

BEA = Person("bea", "say")


class ClosesSlowly(OfflineModel):
    """While its connections are closed, somebody says something in another process."""

    def __init__(self, agent: Agent, store: SqliteStore) -> None:
        super().__init__(agent.offline)
        self._store = store
        self.session = ""

    def preload(self) -> None:
        """There is nothing to load."""

    async def close(self) -> None:
        """Nothing is closed, but the words are there by then."""
        outside.say(self._store, self.session, "one more thing", BEA)


@contextmanager
def run_with(store: SqliteStore, others: SqliteStore, *, as_json: bool) -> Iterator[Run]:
    """A run of the garage, by a model that closes slowly."""
    agent = g.garage()
    model = ClosesSlowly(agent, others)

    def build(name: str, agent: Agent) -> Model:
        return model

    terms = replace(g.terms(agent, Level.LOOK), build=build)
    session = Session.begin(agent, store, terms)
    model.session = session.id
    circumstances = Circumstances(
        agent="garage", model="offline", level=Level.LOOK, level_from="", tool_levels={}, limits=RunLimits()
    )
    manner = Manner(as_json=as_json, has_deltas=False, on_ask="wait", terminal=Terminal(), program="agentcli")
    yield Run(Opening(session, store, circumstances), manner)
    session.close()


@pytest.mark.parametrize("as_json", [False, True], ids=["lines", "events"])
def test_words_said_behind_the_last_step_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, as_json: bool
) -> None:
    """They came too late for the run, but not for its end."""
    with (
        g.store_at(tmp_path) as store,
        g.store_at(tmp_path) as others,
        run_with(store, others, as_json=as_json) as run,
    ):
        assert run.carry_out("hello") is Exit.DONE
    out, err = capsys.readouterr()
    assert "not heard yet: #2" in err.splitlines()
    if as_json:
        assert json.loads(out.splitlines()[-1])["undelivered"] == [2]

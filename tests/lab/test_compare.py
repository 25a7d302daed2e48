"""Levels compared in a process: who is asked what, and what of the world an agent sees."""

from dataclasses import replace

import pytest

from agentcli.agents import shipped
from agentcli.agents.agent import Agent
from agentcli.gate.autonomy import Level
from agentcli.lab.compare import ALL_LEVELS, Answerer, Trial, answering, compare
from agentcli.session.call import Call
from agentcli.session.entries import RunLimits
from agentcli.session.persons import Given
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.suspension import Suspend
from agentcli.tools.toolset import Toolset
from tests.fakes import FakeClock
from tests.wiring.garage import garage, terms

YES = answering("yes")


def trial(store: SqliteStore, agent: Agent, **options: object) -> Trial:
    return Trial(agent=agent, store=store, terms=terms(agent, Level.PROPOSE, options=options), clock=FakeClock())


def noting(seen: list[tuple[Level, str, tuple[str, ...]]]) -> Answerer:
    async def answer(level: Level, call: Call) -> Given:
        assert call.asked is not None
        seen.append((level, call.tool, call.asked.preview))
        return await YES(level, call)

    return answer


async def test_the_question_does_not_name_an_address_that_is_not_used() -> None:
    """Briefs go to the API inside agentcli here, and that is what a person is shown."""
    seen: list[tuple[Level, str, tuple[str, ...]]] = []
    with SqliteStore.in_memory() as store:
        briefs = trial(store, shipped("briefs"), api_url="https://api.example.test/")
        compared = await compare(briefs, "submit V-1", [Level.PROPOSE], noting(seen))
    [(_, tool, preview)] = seen
    assert tool == "submit_brief"
    assert not any("api.example.test" in line for line in preview)
    assert compared.comparison.levels[0].decisions[0].status == "accepted"


async def test_each_level_is_told_of_as_it_goes_on() -> None:
    """Who waits sees which call each level is at, and when it is done."""
    told: list[tuple[Level, str]] = []
    with SqliteStore.in_memory() as store:
        said = 'call find_car {"plate":"B-1"}'
        await compare(
            trial(store, garage()), said, ALL_LEVELS, YES, progress=lambda level, what: told.append((level, what))
        )
    for level in ALL_LEVELS[1:]:
        assert [what for of, what in told if of is level] == ["find_car", "completed"]
    assert [what for of, what in told if of is Level.TALK] == ["completed"]


async def test_a_write_elsewhere_happens_at_no_level() -> None:
    """Even where it can be undone, and its undo does nothing either."""
    happened: list[str] = []
    with SqliteStore.in_memory() as store:
        said = 'call park {"plate":"B-1"} & call scrap {"plate":"B-2"}'
        compared = await compare(trial(store, garage(happens=happened.append)), said, ALL_LEVELS, YES)
    statuses = {
        int(column.level): [call.status for call in column.decisions] for column in compared.comparison.levels
    }
    assert statuses == {0: [], 1: ["blocked"] * 2} | {number: ["simulated"] * 2 for number in (2, 3, 4)}
    assert happened == []


async def test_a_read_that_asks_a_person_waits() -> None:
    """Nobody fills in forms here: the level shows that it waits, and the others go on."""
    tools = Toolset("forms")

    @tools.read
    def choose() -> dict[str, str]:
        """Ask a person."""
        raise Suspend("Which?", {"type": "object", "properties": {"which": {"type": "string"}}})

    with SqliteStore.in_memory() as store:
        agent = Agent(name="forms", toolset=tools)
        compared = await compare(trial(store, agent), "call choose {}", [Level.TALK, Level.LOOK], YES)
    assert [column.outcome for column in compared.comparison.levels] == ["completed", "waiting"]


async def test_what_fails_at_one_level_ends_the_comparison() -> None:
    """Half a comparison is none: the failure is raised, and the other levels are not left at work."""

    async def answer(level: Level, call: Call) -> Given:
        raise ZeroDivisionError

    with SqliteStore.in_memory() as store, pytest.raises(ZeroDivisionError):
        await compare(trial(store, garage()), 'call scrap {"plate":"B-1"}', ALL_LEVELS, answer)


async def test_the_limit_that_a_level_reached_is_named() -> None:
    """The limit is known by its key of the config."""
    with SqliteStore.in_memory() as store:
        of = trial(store, garage())
        tight = replace(of, terms=replace(of.terms, limits=RunLimits(steps=1)))
        compared = await compare(tight, 'call find_car {"plate":"B-1"}', [Level.TALK, Level.LOOK], YES)
    assert compared.limits == {Level.LOOK: "steps"}

"""Levels compared in a process: who is asked what, and what of the world an agent sees."""

import pytest
from msgspec.structs import replace

from agentcli.agents import shipped
from agentcli.agents.agent import Agent
from agentcli.engine.clock import SystemClock
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.lab.compare import COMPARING, Answerer, Trial, answering, compare
from agentcli.lab.endings import Ending
from agentcli.models.scripted import ScriptedModel, ScriptedReply
from agentcli.session.allowance import RunLimits
from agentcli.session.ports import FailureKind, ReplyFailed
from agentcli.session.steps import AwaitPerson
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.suspension import Suspend
from agentcli.tools.toolset import Toolset
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from tests.fakes import FakeClock
from tests.wiring.garage import garage, terms

YES = answering("yes")


def trial(store: SqliteStore, agent: Agent, **options: object) -> Trial:
    return Trial(agent=agent, store=store, terms=terms(agent, Level.PROPOSE, options=options), clock=FakeClock())


def noting(seen: list[tuple[Level, str, tuple[str, ...]]]) -> Answerer:
    async def answer(level: Level, session: Session, step: AwaitPerson) -> bool:
        call = session.state.calls[step.call_id]
        assert call.asked is not None
        seen.append((level, call.tool, call.asked.preview))
        return await YES(level, session, step)

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
            trial(store, garage()),
            said,
            tuple(Level),
            YES,
            progress=lambda level, what: told.append((level, what)),
        )
    for level in tuple(Level)[1:]:
        assert [what for of, what in told if of is level] == ["step 1", "find_car", "step 2", "completed"]
    assert [what for of, what in told if of is Level.TALK] == ["step 1", "completed"]


async def test_a_write_elsewhere_happens_at_no_level() -> None:
    """Even where it can be undone, and its undo does nothing either."""
    happened: list[str] = []
    with SqliteStore.in_memory() as store:
        said = 'call park {"plate":"B-1"} & call scrap {"plate":"B-2"}'
        compared = await compare(trial(store, garage(happens=happened.append)), said, tuple(Level), YES)
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

    async def answer(level: Level, session: Session, step: AwaitPerson) -> bool:
        raise ZeroDivisionError

    with SqliteStore.in_memory() as store, pytest.raises(ZeroDivisionError):
        await compare(trial(store, garage()), 'call scrap {"plate":"B-1"}', tuple(Level), answer)


async def test_how_each_level_ended_is_told() -> None:
    """One that reached a limit names it; the others go on."""
    with SqliteStore.in_memory() as store:
        of = trial(store, garage())
        tight = replace(of, terms=replace(of.terms, limits=RunLimits(steps=1)))
        compared = await compare(tight, 'call find_car {"plate":"B-1"}', [Level.TALK, Level.LOOK], YES)
    assert compared.endings == {Level.TALK: Ending("completed"), Level.LOOK: Ending("step limit reached")}


FAILURES = {
    "unreachable": (
        ScriptedReply(failure=ReplyFailed(FailureKind.UNREACHABLE, "It can't be reached.")),
        Ending("failed: It can't be reached.", is_failure=True, is_passing=True),
    ),
    "rejected": (
        ScriptedReply(failure=ReplyFailed(FailureKind.REJECTED, "It is rejected.")),
        Ending("failed: It is rejected.", is_failure=True),
    ),
    "refused": (
        ScriptedReply(text="No.", stop_reason="refusal"),
        Ending("the model refused", is_failure=True),
    ),
    "cut": (
        ScriptedReply(text="half", stop_reason="max_tokens"),
        Ending(
            "failed: the model's reply can't be used: it was cut at the most tokens a reply may have, "
            "`max_tokens` in the config",
            is_failure=True,
        ),
    ),
}


@pytest.mark.parametrize(("reply", "ending"), FAILURES.values(), ids=FAILURES)
async def test_a_level_that_fails_says_why(reply: ScriptedReply, ending: Ending) -> None:
    """Its column stands, with why there is no answer, and whether it is worth to try again."""
    with SqliteStore.in_memory() as store:
        of = trial(store, garage())
        model = ScriptedModel([reply] * 4)
        failing = replace(of, terms=replace(of.terms, build=lambda name, agent: model))
        compared = await compare(failing, "hello", [Level.LOOK], YES)
    assert compared.endings == {Level.LOOK: ending}


async def test_a_request_that_is_tried_again_is_told_of() -> None:
    """Who waits sees that a level waits for the service, until it goes on."""
    told: list[str] = []
    busy = ScriptedReply(failure=ReplyFailed(FailureKind.OVERLOADED, "busy", retry_after_s=1.0))
    model = ScriptedModel([busy, ScriptedReply(text="hello")])
    with SqliteStore.in_memory() as store:
        of = replace(trial(store, garage()), clock=SystemClock())
        failing = replace(of, terms=replace(of.terms, build=lambda name, agent: model))
        await compare(failing, "hello", [Level.LOOK], YES, progress=lambda level, what: told.append(what))
    assert list(dict.fromkeys(told)) == ["step 1", "trying again in 1 s …", "completed"]


async def test_what_is_set_besides_the_levels_is_named() -> None:
    """So that a table says which policy it shows."""
    with SqliteStore.in_memory() as store:
        of = trial(store, garage())
        levels = Levels(Level.PROPOSE, {"park": Level.BOUNDED})
        set_so = replace(of, terms=replace(of.terms, levels=levels, require_approval=True))
        compared = await compare(set_so, "hello", [Level.LOOK], YES)
    assert compared.policy == ("park at level 3", "every call is asked about")


async def test_an_edit_shows_the_input_as_it_became() -> None:
    """What was asked was asked; what ran is what the person made of it."""

    async def answer(level: Level, session: Session, step: AwaitPerson) -> bool:
        call = session.state.calls[step.call_id]
        if call.edited is None:
            await session.edit(COMPARING, call.call_id, '{"plate":"B-2"}', call.question_code)
            return True
        return await YES(level, session, step)

    with SqliteStore.in_memory() as store:
        compared = await compare(trial(store, garage()), 'call park {"plate":"B-1"}', [Level.PROPOSE], answer)
    [one] = compared.comparison.levels[0].decisions
    assert (bytes(one.input), one.decision, one.answer) == (b'{"plate":"B-2"}', Decision.ASK, "approved")

"""What a program of one's own is shown of what waits, and how it answers."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agentcli.agents.agent import Agent
from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.events import Decided, Event, RunFinished
from agentcli.session.persons import Refused
from agentcli.session.ports import SessionBusy
from agentcli.store.register import NoSuch
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.suspension import Suspend
from agentcli.tools.toolset import Toolset
from agentcli.wiring.agents import AgentIsFixed
from agentcli.wiring.held import SessionClosed
from agentcli.wiring.session import Session
from agentcli.wiring.stores import open_store
from tests.wiring.garage import begin, carry_on, say, store_at, written

ASKED = {
    "type": "object",
    "properties": {"day": {"type": "string", "format": "date"}, "price": {"type": "number"}},
    "required": ["day"],
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with store_at(tmp_path) as store:
        yield store


@pytest.fixture
async def session(store: SqliteStore) -> Session:
    """A session whose only call waits for a form."""
    tools = Toolset("desk")

    @tools.read
    def book(resumed: dict[str, Any] | None = None) -> dict[str, Any]:
        """Book."""
        if resumed is None:
            raise Suspend("when?", ASKED, shown=["open from 6"])
        return {"data": resumed}

    session = begin(store, Agent(name="desk", toolset=tools, load_prompt=str), level=Level.ALONE)
    await say(session, "call book {}")
    return session


async def test_a_form_is_shown_with_all_that_it_takes_to_fill_it_in(session: Session) -> None:
    """Question, what helps, the schema of what fits, and the code that names it; it is no question of yes or no."""
    (form,) = session.forms
    assert (form.tool, form.question, form.shown, form.schema) == ("book", "when?", ("open from 6",), ASKED)
    assert form.code
    assert session.waiting == []


async def test_a_program_fills_in_a_form(store: SqliteStore, session: Session) -> None:
    """In values of its own: a day is a day, and an amount keeps its digits."""
    (form,) = session.forms
    data = {"day": date(2026, 12, 1), "price": Decimal("0.50")}
    assert isinstance(await session.fill_in(form.call_id, data, by="ana", code=form.code), e.Supplied)
    await carry_on(session)
    assert session.forms == []
    (entry,) = written(store, session.id, e.Supplied)
    assert (entry.by, entry.channel, bytes(entry.data)) == ("ana", "api", b'{"day":"2026-12-01","price":0.50}')
    assert [one.status for one in written(store, session.id, e.Finished)] == ["ok"]


@pytest.mark.parametrize(
    ("data", "code", "why"),
    [
        ({"day": "soon"}, None, "not a date"),
        ({}, None, "day"),
        ({"day": "2026-12-01"}, "0000", "look at it again"),
    ],
    ids=["wrong kind", "left out", "wrong code"],
)
async def test_what_does_not_fit_is_refused_and_the_form_stays(
    session: Session, data: dict[str, Any], code: str | None, why: str
) -> None:
    """With the reason, for whoever filled it in."""
    (form,) = session.forms
    refused = await session.fill_in(form.call_id, data, by="ana", code=code or form.code)
    assert isinstance(refused, Refused)
    assert why in refused.reason
    assert session.forms == [form]


async def test_what_is_no_data_is_a_fault_of_the_program(session: Session) -> None:
    """It is raised where it was written, and nothing is stored."""
    (form,) = session.forms
    for given in (object(), b"2026-12-01", bytearray(b"2026-12-01"), float("nan"), "half \ud800"):
        with pytest.raises((TypeError, ValueError)):
            await session.fill_in(form.call_id, {"day": given}, by="ana", code=form.code)
    assert session.forms == [form]


async def test_without_a_code_nothing_is_answered(session: Session) -> None:
    """It says what was seen; what nobody has looked at is not even declined."""
    (form,) = session.forms
    code: Any = None
    with pytest.raises(TypeError, match="code is None"):
        await session.fill_in(form.call_id, {"day": "2026-12-01"}, by="ana", code=code)
    with pytest.raises(TypeError, match="code is None"):
        await session.answer(form.call_id, approve=False, by="ana", code=code)
    assert session.forms == [form]


async def test_a_no_declines_a_form(store: SqliteStore, session: Session) -> None:
    """The form of that code alone; a yes is no way to fill one in."""
    (form,) = session.forms
    for approve, code in ((False, "0000"), (True, form.code)):
        assert isinstance(await session.answer(form.call_id, approve=approve, by="ana", code=code), Refused)
    declined = await session.answer(form.call_id, approve=False, by="ana", code=form.code, reason="closed")
    assert isinstance(declined, e.Answered)
    assert (declined.answer, declined.by, declined.reason) == ("declined", "ana", "closed")
    await carry_on(session)
    assert [one.status for one in written(store, session.id, e.Finished)] == ["declined"]


async def test_a_session_is_let_go_of_at_the_end_of_its_block(store: SqliteStore) -> None:
    """Others can hold it from then on, also where the block has failed."""
    agent = Agent(name="desk", toolset=Toolset("desk"), load_prompt=str)
    session = Session.open(agent, store, model="offline")
    with suppress(KeyError), session:
        assert store.is_held(session.id)
        raise KeyError
    assert not store.is_held(session.id)


async def test_a_closed_session_does_not_go_on(store: SqliteStore) -> None:
    """Another process may hold it by now: nothing is said and nothing runs, and closing again does nothing."""
    agent = Agent(name="desk", toolset=Toolset("desk"), load_prompt=str)
    with Session.open(agent, store, model="offline") as session:
        pass
    before = session.state.seq
    for stream in (session.run("hello"), session.go_on()):
        with pytest.raises(SessionClosed, match=session.id):
            await anext(aiter(stream))
    assert session.state.seq == before
    session.close()


async def test_a_name_that_is_none_is_a_fault_of_the_program(store: SqliteStore, session: Session) -> None:
    """It is raised where it was written, nothing is stored, and the form can still be filled in."""
    (form,) = session.forms
    before = session.state.seq
    nobody: Any = None
    with pytest.raises(TypeError, match="by"):
        await session.answer(form.call_id, approve=False, by=nobody, code=form.code)
    assert (session.state.seq, session.forms) == (before, [form])
    assert list(store.records(session.id))[-1].seq == before


@pytest.mark.parametrize(
    ("agent", "open_one", "named"),
    [
        pytest.param(Toolset("desk"), True, "Agent", id="tools for an agent"),
        pytest.param(
            Agent(name="desk", toolset=Toolset("desk")), False, "open_store", id="a store that is not open"
        ),
    ],
)
def test_what_a_session_is_opened_with_is_looked_at(
    store: SqliteStore, tmp_path: Path, agent: Any, open_one: bool, named: str
) -> None:
    """What is wrong is named with what to write instead, not found deep inside."""
    other: Any = open_store(tmp_path / "other.db")
    with pytest.raises(TypeError, match=named):
        Session.open(agent, store if open_one else other, model="offline")


async def test_a_program_goes_on_with_a_session_of_before(store: SqliteStore, session: Session) -> None:
    """With the levels it had and what it waits for: who saw the form can still fill it in."""
    (form,) = session.forms
    session.close()
    with Session.reopen(session.agent, store, session.id) as again:
        assert (again.id, again.state.level, again.state.model) == (session.id, Level.ALONE, "offline")
        assert again.forms == [form]
        await again.fill_in(form.call_id, {"day": "2026-12-01"}, by="ana", code=form.code)
        events = [event async for event in again.go_on()]
    assert isinstance(events[-1], RunFinished)
    assert events[-1].outcome == "completed"


async def test_no_other_session_is_gone_on_with(store: SqliteStore, session: Session) -> None:
    """Not one that is not there, not one that is held, and not another agent's."""
    with pytest.raises(NoSuch, match="nowhere"):
        Session.reopen(session.agent, store, "nowhere")
    with pytest.raises(SessionBusy, match=session.id):
        Session.reopen(session.agent, store, session.id)
    session.close()
    with pytest.raises(AgentIsFixed, match="desk"):
        Session.reopen(Agent(name="other", toolset=Toolset("desk")), store, session.id)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        pytest.param(
            {"load_prompt": "You scrap cars."}, "load_prompt is 'You scrap cars.'", id="a prompt as text"
        ),
        pytest.param({"toolset": [Toolset("desk")]}, "has to be a Toolset", id="a list of tools"),
        pytest.param({"name": None}, "name is None", id="no name"),
        pytest.param({"name": ""}, "name is ''", id="an empty name"),
    ],
)
def test_what_an_agent_is_made_of_is_looked_at(given: dict[str, Any], told: str) -> None:
    """Where it is made, not where a session needs it."""
    with pytest.raises(TypeError, match=told):
        Agent(**{"name": "desk", "toolset": Toolset("desk"), **given})


@pytest.mark.parametrize(
    ("level", "tool_levels", "told"),
    [
        pytest.param(7, {}, "7 is not a valid Level", id="no such level"),
        pytest.param(2, {"look": 5}, "5 is not a valid Level", id="none for a tool"),
        pytest.param(2, {"lok": 1}, "'lok'", id="a misspelt tool"),
    ],
)
def test_a_level_of_nothing_is_refused(
    store: SqliteStore, level: int, tool_levels: dict[str, int], told: str
) -> None:
    """A misspelt guard is no guard; a tool that there is may have a level of its own."""
    tools = Toolset("desk")

    @tools.read
    def look() -> dict[str, Any]:
        """Look."""
        return {}

    agent = Agent(name="desk", toolset=tools)
    with pytest.raises(ValueError, match=told):
        Session.open(agent, store, model="offline", level=level, tool_levels=tool_levels)
    with Session.open(agent, store, model="offline", tool_levels={"look": 1}) as session:
        assert session.state.tool_levels == {"look": Level.LOOK}


async def test_a_session_that_is_closed_while_it_runs_begins_nothing_new(store: SqliteStore) -> None:
    """What was in hand is done and stored; who holds the session next goes on from there."""
    tools, gone = Toolset("desk"), asyncio.Event()

    @tools.read
    async def wait() -> dict[str, Any]:
        """Wait."""
        await gone.wait()
        return {}

    agent = Agent(name="desk", toolset=tools)
    with Session.open(agent, store, model="offline") as session:
        events = aiter(session.run("call wait {}"))
        while not isinstance(await anext(events), Decided):
            pass
        rest = asyncio.ensure_future(_last(events))
        await asyncio.sleep(0)
    gone.set()
    assert (await rest).outcome == "stopped"
    with Session.reopen(agent, store, session.id) as again:
        assert (await _last(aiter(again.go_on()))).outcome == "completed"
    assert [one.status for one in written(store, session.id, e.Finished)] == ["ok"]


async def _last(events: AsyncIterator[Event]) -> RunFinished:
    event = [event async for event in events][-1]
    assert isinstance(event, RunFinished)
    return event

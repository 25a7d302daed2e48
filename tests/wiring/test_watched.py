"""What runs alone is watched: without a record that works it does not start, and limits and a stop end it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from agentcli.agents import shipped
from agentcli.engine.settings import DEFAULT_LIMITS
from agentcli.gate.autonomy import Level
from agentcli.models.prices import cost_usd
from agentcli.session.allowance import RunLimits
from agentcli.session.events import Event, RunFinished, ToolFinished
from agentcli.session.persons import Given
from agentcli.store.mirror import MirrorFailure
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring import outside
from agentcli.wiring.identity import this_person
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms
from agentcli.wiring.watched import RecordBroken, require_record
from tests.store.tampering import change_entry

AGENT: Final = shipped("expenses")
ADD: Final = 'call add_expense {"item": "tea", "amount": 3}'
DELETE: Final = 'call delete_expense {"id": 1}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agentcli.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.open(path) as store:
        yield store


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def terms(
    level: Level = Level.ALONE, mirror: Path | str = "", limits: RunLimits = DEFAULT_LIMITS, **tools: Level
) -> Terms:
    levels = Levels(level, tools)
    return Terms(
        model="offline",
        levels=levels,
        price=cost_usd,
        said_level=True,
        said_tools=frozenset(tools),
        options=AGENT.options,
        limits=limits,
        mirror=str(mirror),
    )


async def run(session: Session, text: str) -> list[Event]:
    return [event async for event in session.run(text)]


def lines(mirror: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in mirror.read_bytes().splitlines()]


def expenses(store: SqliteStore) -> int:
    with store.look() as tables:
        ((count,),) = tables.execute("SELECT count(*) FROM expenses_book")
    return int(count)


async def test_what_runs_is_in_the_mirror(store: SqliteStore, mirror: Path) -> None:
    """Automatic decisions too, each with what came of it."""
    session = Session.begin(AGENT, store, terms(mirror=mirror))
    await run(session, f'{ADD} & call delete_expense {{"id": 99}} & call nothing {{}}')
    session.close()
    assert [(line["tool"], line["decision"], line["outcome"]) for line in lines(mirror)] == [
        ("add_expense", "allow", "ok"),
        ("delete_expense", "allow", "expense_not_found"),
        ("nothing", "deny", "invalid"),
    ]


async def test_who_answered_is_in_the_mirror(store: SqliteStore, mirror: Path) -> None:
    """A question is there when it is asked, and again with its answer when that is acted on."""
    session = Session.begin(AGENT, store, terms(Level.PROPOSE, mirror))
    await run(session, ADD)
    (waiting,) = session.waiting
    assert [line.get("answer") for line in lines(mirror)] == [None]
    given = Given("approved", waiting.code)
    assert outside.answer(store, session.id, waiting.call_id, given, this_person("approvals"))
    await session.carry_on()
    session.close()
    first, last = lines(mirror)
    assert (first["seq"], first["code"], last["seq"]) == (last["seq"], waiting.code, first["seq"])
    assert (last["answer"], last["by"], last["outcome"]) == ("approved", this_person("").by, "ok")


@pytest.mark.parametrize("level", [Level.PROPOSE, Level.BOUNDED])
async def test_without_its_mirror_nothing_runs(level: Level, store: SqliteStore, mirror: Path) -> None:
    """Also below level 4: the decision is not made, no question is asked, and the book stays as it is."""
    session = Session.begin(AGENT, store, terms(level, mirror / "missing" / "audit.jsonl"))
    before = expenses(store)
    with pytest.raises(MirrorFailure, match="No such file"):
        await run(session, ADD)
    assert (expenses(store), session.waiting) == (before, [])
    session.close()


async def test_a_yes_is_not_acted_on_without_the_mirror(store: SqliteStore, mirror: Path) -> None:
    """A mirror that went away while a question was open keeps the call from running, and the answer is kept."""
    session = Session.begin(AGENT, store, terms(Level.PROPOSE, mirror))
    await run(session, ADD)
    (waiting,) = session.waiting
    before = expenses(store)
    mirror.unlink()
    mirror.mkdir()
    await session.answer(waiting.call_id, approve=True, by="ana", code=waiting.code)
    with pytest.raises(MirrorFailure):
        await session.carry_on()
    assert expenses(store) == before
    mirror.rmdir()
    await session.carry_on()
    assert expenses(store) == before + 1
    session.close()


@pytest.mark.parametrize("wrong", ["", "missing/audit.jsonl"], ids=["a folder", "in no folder"])
def test_level_4_does_not_begin_without_its_mirror(wrong: str, store: SqliteStore, tmp_path: Path) -> None:
    """It says so before there is a session."""
    with pytest.raises(RecordBroken, match="level 4 does not start without a record that works: the mirror"):
        Session.begin(AGENT, store, terms(mirror=tmp_path / wrong))
    assert store.sessions() == []


def test_one_tool_at_level_4_needs_a_record_too(store: SqliteStore, tmp_path: Path) -> None:
    """What that tool does would run alone."""
    with pytest.raises(RecordBroken):
        Session.begin(AGENT, store, terms(Level.LOOK, tmp_path, add_expense=Level.ALONE))


def begun(store: SqliteStore, level: Level = Level.PROPOSE) -> str:
    session = Session.begin(AGENT, store, terms(level))
    session.close()
    return session.id


def test_level_4_does_not_go_on_over_a_broken_chain(store: SqliteStore, path: Path) -> None:
    """Below it a person is asked, who can look; at level 4 the record is all there is."""
    session = begun(store)
    change_entry(path, session, 1)
    with pytest.raises(RecordBroken, match="entry 1: changed; `agentcli audit verify` says more"):
        Session.go_on_with(AGENT, store, session, terms())
    Session.go_on_with(AGENT, store, session, terms(Level.BOUNDED)).close()


def test_a_refused_session_can_be_held_by_others(store: SqliteStore, path: Path) -> None:
    """Nothing of it is held or written."""
    session = begun(store)
    head = store.head(session)
    change_entry(path, session, 1)
    with pytest.raises(RecordBroken):
        Session.go_on_with(AGENT, store, session, terms())
    assert store.head(session) == head
    store.hold(session).release()


@pytest.mark.parametrize("tool", [None, "add_expense"])
async def test_level_4_is_not_set_over_a_broken_chain(tool: str | None, store: SqliteStore, path: Path) -> None:
    """A person is told why, and the level stays; lower ones can be set."""
    session = Session.begin(AGENT, store, terms(Level.PROPOSE))
    change_entry(path, session.id, 1)
    with pytest.raises(RecordBroken):
        await session.set_level(Level.ALONE, tool=tool, by="ana", cause="/level")
    assert (session.state.level, session.state.tool_levels) == (Level.PROPOSE, {})
    await session.set_level(Level.BOUNDED, tool=tool, by="ana", cause="/level")
    await session.set_level(None, tool="add_expense", by="ana", cause="/level")
    session.close()


def test_a_record_that_works_stands_in_nobodys_way(store: SqliteStore, mirror: Path) -> None:
    """Without a mirror, with one, and over a whole chain."""
    session = begun(store)
    for where in ("", str(mirror)):
        require_record(Levels(Level.ALONE, {}), store, session, where)
    assert mirror.read_bytes() == b""


@pytest.mark.parametrize(
    ("limits", "limit", "ran"),
    [
        (RunLimits(irreversible=1), "irreversible", 1),
        (RunLimits(per_minute=2), "per_minute", 2),
        (RunLimits(irreversible=3), None, 3),
    ],
    ids=["irreversible", "per minute", "neither"],
)
async def test_limits_stop_what_runs_alone(
    limits: RunLimits, limit: str | None, ran: int, store: SqliteStore
) -> None:
    """Per run and per minute; the calls behind it stay undecided."""
    session = Session.begin(AGENT, store, terms(limits=limits))
    events = await run(session, f"{ADD} & {ADD} & {ADD}")
    events = await run(session, " & ".join(f'call delete_expense {{"id": {number}}}' for number in (1, 2, 3)))
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert sum(isinstance(event, ToolFinished) and not event.is_error for event in events) == ran
    assert session.state.ended is not None
    assert session.state.ended.limit == limit
    session.close()


async def test_what_ran_unasked_is_counted(store: SqliteStore) -> None:
    """In this run, and in the last minute; a call that a person was asked about is not among them."""
    session = Session.begin(AGENT, store, terms(Level.BOUNDED))
    await run(session, f"{ADD} & {ADD} & {DELETE}")
    (waiting,) = session.waiting
    await session.answer(waiting.call_id, approve=True, by="ana", code=waiting.code)
    await session.carry_on()
    assert session.state.last_run is not None
    assert session.state.last_run.ran_unasked == 2
    session.close()


async def test_a_stop_from_outside_ends_what_runs_alone(store: SqliteStore, path: Path) -> None:
    """Another process asks, and nothing more begins."""
    session = Session.begin(AGENT, store, terms())
    with SqliteStore.open(path) as elsewhere:

        def stop(event: Event) -> None:
            if isinstance(event, ToolFinished):
                outside.stop(elsewhere, session.id, this_person("stop"))

        session.observe(stop)
        events = await run(session, f"{ADD} & {ADD}")
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert last.outcome == "stopped"
    session.close()

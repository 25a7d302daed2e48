"""What commands change, and what they answer."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.session.persons import Person
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.slash import wishes as w
from agentcli.terminal.slash.commands import Commands
from agentcli.terminal.surroundings import Surroundings
from agentcli.wiring.session import Session
from tests.wiring import garage as g

ANA = Person("ana", "terminal")


@pytest.fixture
def session() -> Session:
    """A session with the garage at level 2."""
    return g.begin(SqliteStore.in_memory())


@pytest.fixture
def commands(session: Session) -> Commands:
    """Its commands."""
    return Commands(session, SqliteStore.in_memory(), ANA)


async def test_a_level_is_set_for_the_session_and_for_a_tool(session: Session, commands: Commands) -> None:
    """Each is answered with what it means."""
    assert await commands.carry_out(w.SetLevel(Level.LOOK), 80) == ["level 1: may look"]
    assert await commands.carry_out(w.SetLevel(Level.BOUNDED, "park"), 80) == [
        "park at level 3: runs within its limits; what can't be undone is asked"
    ]
    [alone] = await commands.carry_out(w.SetLevel(Level.ALONE, "park"), 80)
    assert "each run within 6 steps, 200,000 tokens" in alone
    assert await commands.carry_out(w.SetLevel(Level.BOUNDED, "park"), 80)
    assert (session.state.level, session.state.tool_levels) == (Level.LOOK, {"park": Level.BOUNDED})
    assert await commands.carry_out(w.SetLevel(None, "park"), 80) == ["park has the session's level again: 1"]
    assert session.state.tool_levels == {}


async def test_level_0_of_the_session_wins_over_a_tools_own(commands: Commands) -> None:
    """So it is said when that will hold."""
    await commands.carry_out(w.SetLevel(Level.TALK), 80)
    [answer] = await commands.carry_out(w.SetLevel(Level.BOUNDED, "park"), 80)
    assert answer.endswith("once the session's level is above 0")


async def test_level_4_needs_a_record_that_works(tmp_path: Path) -> None:
    """It is refused with the reason, and the level stays."""
    with SqliteStore.open(tmp_path / "store.db") as store:
        mirror = tmp_path / "missing" / "mirror.jsonl"
        agent = g.garage()
        session = Session.begin(agent, store, replace(g.terms(agent, Level.PROPOSE), mirror=str(mirror)))
        [answer] = await Commands(session, store, ANA).carry_out(w.SetLevel(Level.ALONE), 80)
        session.close()
        assert "level 4 does not start without a record that works" in answer
        assert session.state.level is Level.PROPOSE


async def test_a_message_is_put_otherwise_or_dropped(session: Session, commands: Commands) -> None:
    """While nobody has heard it; what can't be is told why."""
    await session.say("one", ANA)
    await session.say("two", ANA)
    assert await commands.carry_out(w.Reword(1, "uno"), 80) == ["queued #1 anew: uno"]
    assert await commands.carry_out(w.Reword(2, None), 80) == ["dropped #2"]
    assert await commands.carry_out(w.Reword(2, None), 80) == ["#2 was dropped before"]
    assert await commands.carry_out(w.Reword(9, None), 80) == ["there is no message #9"]
    await session.carry_on()
    assert session.state.unheard == []
    [refused] = await commands.carry_out(w.Reword(1, "eins"), 80)
    assert refused.startswith("#1 was heard at step 1")
    assert [message.text for message in session.state.messages.values()] == ["uno", "two"]


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        (w.Help(), "/help"),
        (w.ShowLevels(), "level 2: may propose"),
        (w.ShowLevels("park"), "park  write  level 2"),
        (w.ShowTools(), "tool"),
        (w.ShowFacts(), "no result has shown a fact yet"),
        (w.ShowQueue(), "every message was heard"),
        (w.ShowAudit(), "nothing was decided yet"),
        (w.ShowSessions(), "there is no other session yet; /new begins one"),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_what_is_shown(commands: Commands, wish: w.Shown, line: str) -> None:
    """Told in full in the tests of `showing`."""
    assert any(line in shown for shown in await commands.carry_out(wish, 80))


async def test_a_session_is_named_by_the_number_at_which_it_was_listed() -> None:
    """Not before there was a list, and none that stands at no number."""
    store = SqliteStore.in_memory()
    first, second = g.begin(store), g.begin(store)
    commands = Commands(second, store, ANA)
    assert isinstance(commands.way_to(w.GoTo("2")), w.Trouble)
    listed = await commands.carry_out(w.ShowSessions(), 80)
    assert listed[-1] == "/sessions ID, or its number here, goes on with one"
    assert not any(second.id in line for line in listed), "the session that is open is none to go to"
    [number] = [line.split()[0] for line in listed if first.id in line]
    assert commands.way_to(w.GoTo(number)) == w.GoTo(first.id)
    assert isinstance(commands.way_to(w.GoTo("3")), w.Trouble)


@pytest.fixture
def several() -> tuple[Session, Session, Commands]:
    """Two sessions in one store, and the commands of the second."""
    store = SqliteStore.in_memory()
    first, second = g.begin(store), g.begin(store)
    return first, second, Commands(second, store, ANA, Surroundings(agents=("garage", "expenses")))


async def test_another_session_is_found_by_the_beginning_of_its_id(
    several: tuple[Session, Session, Commands],
) -> None:
    """Not the one that is open, none that is not there, and none of several."""
    first, second, commands = several
    assert commands.way_to(w.GoTo(first.id)) == commands.way_to_session(first.id) == w.GoTo(first.id)
    for named, why in (
        (second.id, "that is the session you are in"),
        ("zz", "no session 'zz'; /sessions lists them"),
        (f"{first.id}_", f"; did you mean '{first.id}'? /sessions lists them"),
        (first.id[:3], "could be any of these"),
    ):
        trouble = commands.way_to(w.GoTo(named))
        assert isinstance(trouble, w.Trouble)
        assert why in trouble.text
    assert commands.other_sessions(80) == []
    await first.say("Park it", ANA)
    assert [choice.value for choice in commands.other_sessions(80)] == [first.id]


def test_a_new_session_is_with_an_agent_that_there_is(several: tuple[Session, Session, Commands]) -> None:
    """The nearest word is told for one that there is not."""
    commands = several[2]
    assert commands.way_to(w.New()) == w.New()
    assert commands.way_to(w.New("expenses")) == w.New("expenses")
    assert commands.way_to(w.New("expences\x1b")) == w.Trouble(
        "there is no agent 'expences⟨U+001B⟩'; did you mean 'expenses'? there are: garage, expenses"
    )

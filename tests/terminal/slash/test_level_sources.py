"""Where the levels of a session come from."""

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.terminal.slash.level_sources import sources_now
from agentcli.terminal.surroundings import LevelSources
from tests.session import telling as t

OPENED = LevelSources("default", {"erase": "--tool-level"})


def now(*entries: t.Told) -> LevelSources:
    return sources_now(t.records_of(t.opened(), t.attached(), *entries), OPENED)


def test_what_was_set_since_counts() -> None:
    """For the session and for each tool; one that is taken back comes from nowhere."""
    assert now() == OPENED
    assert now(e.LevelSet(Level.LOOK, "ana", "/level")) == LevelSources("/level by ana", OPENED.tools)
    raised = e.LevelSet(Level.BOUNDED, "ana", "a yes from now on", "look")
    assert now(raised).tools == {"erase": "--tool-level", "look": "a yes from now on by ana"}
    assert now(raised, e.LevelSet(None, "ana", "/level", "look")) == OPENED


def test_who_takes_the_session_up_begins_anew() -> None:
    """With what config and command line say then."""
    assert now(e.LevelSet(Level.LOOK, "ana", "/level"), t.attached()) == OPENED

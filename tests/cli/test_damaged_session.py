"""One damaged session keeps nobody from what stands in the others."""

import shutil
from pathlib import Path

import pytest

from agentcli.store.register import list_sessions
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.outside import all_pending
from tests.cli.process import Home
from tests.cli.waiting import OFFLINE, SEED
from tests.store.tampering import tamper


@pytest.fixture(scope="module")
def three_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of three sessions, in each of which a call waits; the second is damaged behind its decision."""
    home = Home(tmp_path_factory.mktemp("three"))
    for _ in range(3):
        home.run("run", *OFFLINE, "--on-ask", "wait", SEED)
    damage = "UPDATE journal SET body = x'00' WHERE session = ? AND kind = 'asked'"
    tamper(home.store, damage, [named(home.store)[1]])
    return home.store


@pytest.fixture
def three(home: Home, three_once: Path) -> Home:
    """A home with a copy of that store."""
    home.store.parent.mkdir(parents=True)
    shutil.copy(three_once, home.store)
    return home


def named(path: Path) -> list[str]:
    with SqliteStore.open(path) as store:
        return sorted(one.session for one in list_sessions(store))


@pytest.mark.parametrize(
    "command",
    [
        ("sessions", "list"),
        ("approvals", "list"),
        ("audit", "show"),
        ("audit", "export"),
        ("audit", "stats"),
        ("audit", "replay", "--autonomy", "1"),
    ],
    ids=" ".join,
)
def test_the_others_are_told_and_the_damaged_one_is_named(three: Home, command: tuple[str, ...]) -> None:
    """On stderr, with what to do; and a program sees it from the exit code."""
    first, second, third = named(three.store)
    ended = three.run(*command, "--json")
    assert ended.code == 5
    assert f"session {second} is damaged" in ended.err
    assert "`agentcli audit verify` tells whether it was changed" in ended.err
    if command != ("audit", "stats"):
        assert first in ended.out
        assert third in ended.out


def test_a_damaged_session_is_listed_as_that(three: Home) -> None:
    """With what could be read of it, but nothing that somebody could answer."""
    _, second, _ = named(three.store)
    (row,) = [one for one in three.run("sessions", "list", "--json").json if one["id"] == second]
    assert (row["state"], row["questions"], row["agent"]) == ("damaged", [], "expenses")


def test_no_advice_follows_from_a_record_that_is_not_whole(three: Home) -> None:
    """What can't be read may be what speaks against more room."""
    told = three.run("audit", "stats", "--json").json
    assert told["tools"]
    assert told["advice"] == []


def test_what_waits_elsewhere_can_be_completed(three: Home) -> None:
    """And is silent about the rest."""
    first, _, third = named(three.store)
    with SqliteStore.open(three.store) as store:
        assert sorted(one.session for one in all_pending(store)) == [first, third]


def test_a_command_for_the_damaged_one_alone_fails_closed(three: Home) -> None:
    """Nothing is gone on with from a record that can't be read."""
    _, second, _ = named(three.store)
    ended = three.run("resume", second)
    assert (ended.code, "is missing" in ended.err or "does not fit" in ended.err) == (5, True)

"""A process may be killed at any moment: what was done is done once, and what nobody knows is asked."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.crash.nursery import Nursery
from tests.crash.story import Story, story_of

MEMORY = Path("/dev/shm")
MOST_LIVES = 6
SAMPLE = 12


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as nursery:
        yield nursery


class Folders:
    """New folders, in memory where there is such a place: what a killed process had committed stays there too."""

    def __init__(self, under: Path) -> None:
        self._under = under
        self._made = 0

    def new(self) -> Path:
        self._made += 1
        folder = self._under / str(self._made)
        folder.mkdir()
        return folder


@pytest.fixture
def folders() -> Iterator[Folders]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Folders(Path(folder))


def lived(nursery: Nursery, folder: Path, *kills: int) -> Story:
    """Let processes live one after another, the first ones killed at these points, until all is done."""
    for kill_at in (*kills, *(0 for _ in range(MOST_LIVES))):
        if nursery.live(folder, kill_at) is not None:
            return story_of(folder)
    raise AssertionError("it never ends")


@pytest.fixture(scope="module")
def undisturbed(nursery: Nursery) -> Iterator[tuple[Story, int]]:
    """The story as it goes when nobody is killed, and how many points there are."""
    with tempfile.TemporaryDirectory() as folder:
        points = nursery.live(Path(folder))
        assert points is not None
        yield story_of(Path(folder)), points


def check(story: Story, expected: Story, kills: object) -> None:
    """Hold a story against the one without kills."""
    assert story.is_whole, kills
    assert story.leftovers == (), kills
    assert story.results == story.uses[: len(story.results)], kills
    assert story.what_happened == expected.what_happened, kills
    for told, there in zip(story.calls, expected.calls, strict=True):
        # Of a call that had started and never reported back a person said that it had happened.
        may_be_unknown = told.tool in ("send", "sync")
        assert told.status == there.status or (may_be_unknown and told.status == "unknown_outcome"), kills


def test_the_story_has_all_there_is_in_it(undisturbed: tuple[Story, int]) -> None:
    """Reads, writes and irreversible calls, yes and no, also to forms, an edit, words from outside, and an undo."""
    story, points = undisturbed
    assert points >= 300
    assert story.effects == {f"send {what}": 1 for what in ("c", "k", "l", "said while asked")} | {"sync m": 1}
    assert [what for _, what in story.book] == ["a", "b", "d", "f", "h", "h so", "i so", "changed"]
    assert {call.status for call in story.calls} == {"ok", "declined"}
    assert sum(call.status == "declined" for call in story.calls) == 6
    assert [call.tool for call in story.calls].count("note") == 8
    assert len(story.heard) == 8
    check(story, story, "none")


def test_a_process_killed_anywhere_leaves_what_the_next_one_finishes(
    nursery: Nursery, folders: Folders, undisturbed: tuple[Story, int]
) -> None:
    """Some of the points, spread over the whole story; two kills in a row at every third."""
    expected, points = undisturbed
    for number in range(SAMPLE):
        kill_at = 1 + (number * 2 + 1) * points // (SAMPLE * 2)
        kills = (kill_at, 1 + number) if number % 3 == 0 else (kill_at,)
        check(lived(nursery, folders.new(), *kills), expected, kills)


@pytest.mark.slow
def test_a_process_killed_at_every_point_leaves_what_the_next_one_finishes(
    nursery: Nursery, folders: Folders, undisturbed: tuple[Story, int]
) -> None:
    """Before and after each entry, after each commit, and before and after each effect: more than 300 kills."""
    expected, points = undisturbed
    asked = 0
    for kill_at in range(1, points + 1):
        story = lived(nursery, folders.new(), kill_at)
        check(story, expected, kill_at)
        asked += any(call.status == "unknown_outcome" for call in story.calls)
    assert asked >= 4, "a person was asked what became of calls that had happened"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_processes_killed_again_and_again_come_to_the_same_end(
    nursery: Nursery, folders: Folders, undisturbed: tuple[Story, int], seed: int
) -> None:
    """Up to four kills one after another, wherever they fall: also while the next one puts things right."""
    expected, points = undisturbed
    dice = Random(seed)
    kills = [dice.randint(1, points), *(dice.randint(1, dice.choice((12, 60, points))) for _ in range(3))]
    check(lived(nursery, folders.new(), *kills), expected, kills)

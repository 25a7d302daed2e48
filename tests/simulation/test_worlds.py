"""What must hold in every world, whatever models say, persons do, and wherever processes die."""

import pytest

from tests.simulation.checks import CHECKS, broken
from tests.simulation.themes import THEMES
from tests.simulation.world import play, play_with_deaths

WORLDS = 12
WITH_DEATHS = ("everything", "questions", "lateness", "waiting", "undoing")


@pytest.mark.parametrize("theme", THEMES)
def test_all_checks_hold_in_worlds_about(theme: str) -> None:
    """No effect twice, none without permission, every word heard once, every call answered, and all come to rest."""
    for seed in range(WORLDS):
        assert list(broken(play(seed, theme=theme))) == [], f"in the world {seed} about {theme}"


@pytest.mark.parametrize("theme", WITH_DEATHS)
def test_a_process_may_die_at_every_append_in_a_world_about(theme: str) -> None:
    """Whatever a process is about to write, or has just written, another one goes on from there."""
    for death, story in play_with_deaths(0, theme=theme):
        assert list(broken(story)) == [], f"after {death} in a world about {theme}"


@pytest.mark.parametrize("theme", THEMES)
def test_a_world_takes_the_same_course_every_time(theme: str) -> None:
    """A seed is all it takes to see again what went wrong."""
    once, again = play(1, theme=theme), play(1, theme=theme)
    assert once.records == again.records
    assert once.effects == again.effects


def test_every_check_says_what_it_checks() -> None:
    """A check is a sentence: its name in short, its docstring in full."""
    assert all(check.__doc__ and check.__doc__.endswith(".") for check in CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("part", range(2))
def test_all_checks_hold_in_ten_thousand_worlds(theme: str, part: int) -> None:
    """The same in 10,000 worlds, all themes together."""
    share = 10_000 // len(THEMES) // 2 + 1
    for seed in range(share * part, share * (part + 1)):
        assert list(broken(play(seed, theme=theme))) == [], f"in the world {seed} about {theme}"


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_a_process_may_die_at_every_append_of_many_worlds(theme: str) -> None:
    """The same with a death before and behind every append, in twenty worlds of each theme."""
    for seed in range(1_000, 1_020):
        for death, story in play_with_deaths(seed, theme=theme):
            assert list(broken(story)) == [], f"after {death} in the world {seed} about {theme}"

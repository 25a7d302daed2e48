"""What worlds are about: a little of everything meets too rarely, so each world dwells on something."""

from dataclasses import dataclass, field
from random import Random
from typing import Final

from agentcli.gate.autonomy import Level
from agentcli.session.allowance import RunLimits
from tests.simulation.tools import RISKS

KINDS: Final = {
    "calls": 60,
    "words": 14,
    "paused": 5,
    "cut": 3,
    "refused": 2,
    "unknown": 1,
    "empty": 3,
    "malformed": 3,
    "fails": 6,
    "silent": 1,
}
MOODS: Final = {"fine": 14, "slow": 2, "late": 1, "never": 1, "fails": 1, "breaks": 2, "lies": 1}
LEVELS: Final = (0, 1, 2, 2, 2, 3, 3, 3, 4, 4)
LIMITS: Final = ("steps", "tokens", "cost", "seconds", "asks", "irreversible", "per_minute", "", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Which tools a model knows, what it likes to say, and what limits and persons do about it.

    `reuse` is the share of calls that repeat an earlier one, `deaths` that of moments at which the process dies,
    `undoes` that of ends after which a person takes something back, `book_changes` that of waits in which others
    write into the book, `says_more` that of ends after which a person says something else, and `trouble` is by how
    much more often the store fails.
    """

    tools: tuple[str, ...] = (*RISKS, "erase", "send", "conjure")
    kinds: dict[str, int] = field(default_factory=lambda: KINDS)
    moods: dict[str, int] = field(default_factory=lambda: MOODS)
    levels: tuple[int, ...] = LEVELS
    tight: tuple[str, ...] = LIMITS
    reuse: float = 0.2
    deaths: float = 0.0
    undoes: float = 0.2
    book_changes: float = 0.1
    says_more: float = 0.8
    trouble: float = 1.0


THEMES: Final = {
    "everything": Theme(),
    "questions": Theme(tools=("note", "erase", "send", "post", "plan", "pry"), levels=(2, 2, 2, 3, 4), reuse=0.5),
    "facts": Theme(tools=("check", "check", "pay"), levels=(3, 4, 4), tight=("",), book_changes=0.4),
    "lateness": Theme(
        tools=("send", "post", "order", "mail"),
        moods={"fine": 2, "slow": 2, "late": 3, "never": 3},
        levels=(3, 4, 4),
        tight=("seconds", "seconds", ""),
    ),
    "waiting": Theme(
        tools=("fill", "plan", "mail", "send", "send"),
        moods={"fine": 1, "slow": 3},
        levels=(2, 3, 4),
        tight=("seconds",),
    ),
    "reads": Theme(tools=("peek", "peek", "peek", "look", "send"), levels=(2, 3, 4), tight=("per_minute", "")),
    "limits": Theme(
        tools=("erase", "send", "mail", "look", "note"),
        levels=(2, 3, 4, 4, 4),
        tight=("irreversible", "irreversible", "asks", "steps"),
    ),
    "asking": Theme(
        tools=("note", "erase", "send", "pry", "plan"),
        levels=(2, 2, 2, 3, 4),
        tight=("asks",),
        book_changes=0.4,
        says_more=0.2,
    ),
    "spending": Theme(tight=("tokens", "cost")),
    "undoing": Theme(tools=("note", "fill", "post", "pin"), levels=(3, 4), undoes=0.8),
    "deaths": Theme(deaths=0.3),
    "trouble": Theme(trouble=15.0),
    "paused": Theme(kinds={"paused": 10, "calls": 1}),
    "unusable": Theme(kinds={"cut": 1, "refused": 2, "words": 1, "calls": 2}, tight=("steps", "")),
    "malformed": Theme(kinds=KINDS | {"malformed": 90}),
    "fails": Theme(kinds=KINDS | {"fails": 90}),
}


def draw_limits(dice: Random, theme: Theme) -> RunLimits:
    """Draw the limits of runs: at most one is tight."""
    tight = dice.choice(theme.tight)
    return RunLimits(
        steps=dice.randint(1, 3) if tight == "steps" else 8,
        tokens=dice.randint(40, 120) if tight == "tokens" else 200_000,
        cost_usd="0.08" if tight == "cost" else "100",
        seconds=dice.randint(3, 10) if tight == "seconds" else 600,
        asks=1 if tight == "asks" else 20,
        irreversible=1 if tight == "irreversible" else 50,
        per_minute=dice.randint(1, 2) if tight == "per_minute" else 0,
    )


def draw_level(dice: Random, theme: Theme) -> Level:
    """Draw a level; now and then one that the theme does not dwell on."""
    return Level(dice.choice(theme.levels if dice.random() < 0.85 else LEVELS))


def one_of(dice: Random, weights: dict[str, int]) -> str:
    """Draw a name by its weight."""
    return dice.choices(list(weights), list(weights.values()))[0]

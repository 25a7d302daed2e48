"""What a conversation is told of where it is held, and what can be typed there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field


class LevelSources(Struct, frozen=True):
    """What gave the session's level and, of the tools that have one of their own, each tool's."""

    session: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)


class Surroundings(Struct, frozen=True):
    """What a conversation is told of what it was opened with: where its levels come from, and the other agents.

    `is_read_out` is whether lines may be read out, so that bars and rules would be noise; `log` is the path of
    the log, empty where there is none.
    """

    levels: LevelSources = field(default_factory=LevelSources)
    agents: tuple[str, ...] = ()
    is_read_out: bool = False
    log: str = ""


ALONE: Final = Surroundings()


def _none() -> dict[str, str]:
    return {}


class Vocabulary(Struct, frozen=True):
    """The names that can be typed here; `sessions`, by id what is told of each, are looked up when asked for."""

    tools: Sequence[str] = ()
    agents: Sequence[str] = ()
    sessions: Callable[[], Mapping[str, str]] = _none

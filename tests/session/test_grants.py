"""Which grant a tool's level comes from: who gave it, how, and since when."""

import msgspec
import pytest

from agentcli.gate.autonomy import Level
from agentcli.session.grants import AS_IT_BEGAN, AS_IT_WENT_ON, Grant, Grants
from tests.session import telling as t

BEGAN = Grant(Level.PROPOSE, None, "ana", AS_IT_BEGAN, 1)


def attached(level: Level, **tools: Level) -> t.Told:
    return msgspec.structs.replace(t.attached(2), level=level, tool_levels=dict(tools), by="bo")


def opened(**tools: Level) -> t.Told:
    return msgspec.structs.replace(t.opened(), tool_levels=dict(tools))


def standing(*told: t.Told, tool: str = "note") -> Grant | None:
    grants = Grants()
    for record in t.records_of(*told):
        grants.take(record)
    return grants.standing_for(tool)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ((t.opened(), t.attached()), BEGAN),
        ((t.opened(), t.attached(), t.said(1)), BEGAN),
        ((opened(note=Level.BOUNDED),), Grant(Level.BOUNDED, "note", "ana", AS_IT_BEGAN, 1)),
        ((t.opened(), t.level_set(Level.ALONE)), Grant(Level.ALONE, None, "ana", "/level", 2)),
        ((t.opened(), t.level_set(Level.BOUNDED, "note")), Grant(Level.BOUNDED, "note", "ana", "/level", 2)),
        ((t.opened(), t.level_set(Level.BOUNDED, "look")), BEGAN),
        ((t.opened(), t.level_set(Level.BOUNDED, "note"), t.level_set(None, "note")), BEGAN),
        ((t.opened(), t.level_set(Level.BOUNDED), attached(Level.BOUNDED)), Grant(Level.BOUNDED, None, "ana", "/level", 2)),
        ((t.opened(), t.level_set(Level.BOUNDED), attached(Level.LOOK)), Grant(Level.LOOK, None, "bo", AS_IT_WENT_ON, 3)),
        ((t.opened(), t.level_set(Level.BOUNDED, "note"), attached(Level.PROPOSE)), BEGAN),
        (
            (t.opened(), t.level_set(Level.BOUNDED, "note"), t.level_set(Level.TALK)),
            Grant(Level.TALK, None, "ana", "/level", 3),
        ),
        ((), None),
    ],
    ids=[
        "as it began", "other entries", "a tool's own from the start", "the session's", "a tool's", "another tool's",
        "taken back", "taken over by the next process", "lowered by the next process", "not taken over",
        "level 0 wins", "nothing",
    ],
)  # fmt: skip
def test_the_grant_that_holds_is_known(told: tuple[t.Told, ...], expected: Grant | None) -> None:
    """The newest one, for the tool if it has one of its own; a process that changes nothing gives nothing."""
    assert standing(*told) == expected

"""What the model is asked: the conversation so far, and the tools that a person lets it have."""

import pytest

from agentcli.engine.asking import request_for
from agentcli.engine.settings import Settings
from agentcli.gate.autonomy import Level
from agentcli.session.ports import Request, ToolOffer
from agentcli.session.state import State
from tests.fakes import NOON, call_block

OFFERS = [ToolOffer(name, f"Does {name}.", {"type": "object"}) for name in ("look", "note", "erase")]


def request(level: Level, tool_levels: dict[str, Level] | None = None, *, holds_calls: bool = False) -> Request:
    state = State("s1", model="claude", level=level, tool_levels=tool_levels or {})
    state.conversation.hear("hello")
    if holds_calls:
        state.conversation.add_reply([call_block("t1", "look")], holds_calls=True)
        state.conversation.add_result("t1", b"{}", is_error=False)
    return request_for(state, OFFERS, Settings(system="Be brief.", max_tokens=99), NOON.date())


def offered(asked: Request) -> list[str]:
    return [offer.name for offer in asked.tools]


@pytest.mark.parametrize("level", [one for one in Level if one is not Level.TALK], ids=str)
def test_from_level_1_on_all_tools_are_offered(level: Level) -> None:
    """The list does not change with the level: what may not run is denied, and the cache stays warm."""
    asked = request(level)
    assert (offered(asked), asked.may_call) == (["look", "note", "erase"], True)


@pytest.mark.parametrize("tool_levels", [{}, {"look": Level.ALONE}], ids=["plain", "one-released"])
def test_at_level_0_no_tools_are_offered(tool_levels: dict[str, Level]) -> None:
    """Session level 0 wins over a tool's own."""
    asked = request(Level.TALK, tool_levels)
    assert (offered(asked), asked.may_call) == ([], False)


def test_at_level_0_a_conversation_with_calls_keeps_its_tools() -> None:
    """The service refuses such a conversation without tools: they are sent, and none may be called."""
    asked = request(Level.TALK, holds_calls=True)
    assert (offered(asked), asked.may_call) == (["look", "note", "erase"], False)


@pytest.mark.parametrize("holds_calls", [False, True], ids=["fresh", "with-calls"])
def test_a_tool_at_level_0_is_not_offered(holds_calls: bool) -> None:
    """The others are, and may be called."""
    asked = request(Level.PROPOSE, {"note": Level.TALK, "erase": Level.LOOK}, holds_calls=holds_calls)
    assert (offered(asked), asked.may_call) == (["look", "erase"], True)


def test_all_tools_at_level_0_are_as_level_0() -> None:
    """Where no tool is left, none may be called."""
    off = dict.fromkeys(("look", "note", "erase"), Level.TALK)
    fresh, with_calls = request(Level.ALONE, off), request(Level.ALONE, off, holds_calls=True)
    assert (offered(fresh), fresh.may_call) == ([], False)
    assert (offered(with_calls), with_calls.may_call) == (["look", "note", "erase"], False)


def test_a_request_says_for_whom_by_what_and_when() -> None:
    """Session, model, size, prompt and day stand in it, and the messages as they were serialised."""
    asked = request(Level.PROPOSE)
    assert (asked.session, asked.model, asked.max_tokens, asked.today) == ("s1", "claude", 99, "2026-11-30")
    assert asked.system == "Be brief.\n\nToday is 2026-11-30."
    assert asked.messages == [b'{"role":"user","content":[{"type":"text","text":"hello"}]}']

"""The first line of a session."""

import pytest
from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.session.allowance import RunLimits
from agentcli.terminal.drawing.first_line import first_line, first_minute
from agentcli.wiring.opening import Circumstances

USUAL = Circumstances(
    agent="expenses", model="claude-sonnet-5", level=Level.PROPOSE, tool_levels={}, limits=RunLimits()
)


def test_usually_it_is_agent_model_level_and_where_that_came_from() -> None:
    """Nothing is said of what is as usual."""
    assert first_line(USUAL) == "expenses · claude-sonnet-5 · level 2 (default)"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"level_from": "/home/ana/config.toml"}, "level 2 (/home/ana/config.toml)"),
        ({"level_from": "saved"}, "level 2 (saved)"),
        ({"model_note": "no key is set"}, " · no key is set"),
        ({"tool_levels": {"add_expense": Level.BOUNDED}}, " · add_expense at level 3"),
        ({"require_approval": True}, " · every call is asked about"),
        ({"knows_price": False}, "is unknown: only the token limit holds (200,000)"),
        ({"foreign_host": "llm.example.test"}, " · conversations go to llm.example.test"),
        (
            {"level": Level.ALONE},
            " · runs alone, within 6 steps, 200,000 tokens, 1.00 USD, 600 s, 3 irreversible calls a run",
        ),
        ({"level": Level.ALONE, "limits": RunLimits(per_minute=5)}, ", 5 calls a minute"),
        (
            {"level": Level.ALONE, "limits": RunLimits(steps=1, tokens=1, irreversible=1, per_minute=1)},
            "within 1 step, 1 token, 1.00 USD, 600 s, 1 irreversible call, 1 call a minute a run",
        ),
        ({"agent": "a\x1b[2J"}, "a⟨U+001B⟩[2J"),
    ],
)
def test_what_is_unusual_is_said(changed: dict[str, object], said: str) -> None:
    """Where the level came from, who answers instead, what holds a run that nobody is asked about."""
    line = first_line(replace(USUAL, **changed))
    assert said in line
    assert "\n" not in line


@pytest.mark.parametrize("level", list(Level))
def test_the_first_minute_says_what_is_true_at_the_level(level: Level) -> None:
    """Each line fits on a row of 80; that one is asked before any change is only said where that is so."""
    lines = first_minute(replace(USUAL, level=level))
    assert f"at level {int(level)} " in lines[0]
    assert ("asked before any change" in lines[0]) == (level is Level.PROPOSE)
    assert max(map(len, lines)) <= 80

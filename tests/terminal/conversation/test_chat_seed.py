"""The seed case at a terminal: the level decides what is asked, run and denied, whoever the model is."""

import asyncio
import re

import pytest

from tests.cli.process import Home
from tests.loopback import Brain, Loopback
from tests.terminal.chatting import OFFLINE, chat
from tests.terminal.pty_screen import CTRL_D, PtyScreen

SEED = "Add 300 for groceries, then delete expense 1."
KEY = "sk-ant-canary-0123456789abcdef"

CASES = [
    # level asked                              decided                    added  deleted
    ("0",   [],                                [],                        False, False),
    ("1",   [],                                ["[deny]", "[deny]"],      False, False),
    ("2",   ["add_expense", "delete_expense"], ["[ask]", "[ask]"],        True,  True),
    ("3",   ["delete_expense"],                ["[allow]", "[ask]"],      True,  True),
    ("4",   [],                                ["[allow]", "[allow]"],    True,  True),
]  # fmt: skip
AT_EVERY_LEVEL = pytest.mark.parametrize(("level", "asked", "decided", "added", "deleted"), CASES)

SAID_AT_THE_END = {
    "0": re.compile("I have no tools|At this level I"),
    "1": re.compile("What came back: blocked, blocked|could not delete"),
    "2": re.compile("What came back: ok, ok|Deleted"),
    "3": re.compile("What came back: ok, ok|Deleted"),
    "4": re.compile("What came back: ok, ok|Deleted"),
}


def play(screen: PtyScreen, level: str, asked: list[str]) -> list[str]:
    """Say the sentence, say yes as often as asked, leave, and return the decisions that were shown."""
    with screen:
        screen.enter(SEED, gap_s=0.01)
        for tool in asked:
            screen.wait_for(f"Allow {tool}")
            screen.answer("y")
        screen.wait_for(SAID_AT_THE_END[level], timeout_s=20)
        screen.send(CTRL_D)
        assert screen.wait_exit() == 0
        assert screen.is_sane
        assert KEY not in screen.everything
        assert screen.everything.count("[approved]") == len(asked)
        tags = [line.split(" ")[0] for line in screen.everything.split("\n")]
        return [tag for tag in tags if tag in ("[allow]", "[ask]", "[deny]")]


def book(home: Home) -> tuple[bool, bool]:
    """Whether the groceries are in it, and the tea is not."""
    listed = home.run("run", *OFFLINE, "list").out
    return "groceries" in listed, "tea" not in listed


@AT_EVERY_LEVEL
def test_offline(home: Home, level: str, asked: list[str], decided: list[str], added: bool, deleted: bool) -> None:
    """Asked twice at 2, once at 3, never at 4, denied at 1, and only talk at 0."""
    assert play(chat(home, *OFFLINE, "--autonomy", level), level, asked) == decided
    assert book(home) == (added, deleted)


@AT_EVERY_LEVEL
async def test_with_claude(
    home: Home, level: str, asked: list[str], decided: list[str], added: bool, deleted: bool
) -> None:
    """The same over the Messages API."""
    async with Loopback(Brain()) as service:
        env = {"ANTHROPIC_BASE_URL": service.base_url, "ANTHROPIC_API_KEY": KEY}
        played = asyncio.to_thread(
            lambda: play(chat(home, "--autonomy", level, env=env), level, asked),
        )
        assert await played == decided
    assert bool(service.seen[0].json.get("tools")) is (level != "0")
    assert book(home) == (added, deleted)


def test_on_a_small_screen(home: Home) -> None:
    """At 30 × 10 the question is paged, and a yes counts after its last page."""
    with chat(home, *OFFLINE, "--autonomy", "2", columns=30, rows=10) as screen:
        screen.enter(SEED, gap_s=0.01)
        for tool in ("add_expense", "delete_expense"):
            screen.wait_for(f"Allow {tool}")
            while "y yes" not in screen.text and " n v e" not in screen.text:
                screen.answer("v")
            screen.answer("y")
            screen.wait_gone(f"Allow {tool}")
        screen.wait_for("Deleted #1")
    assert book(home) == (True, True)

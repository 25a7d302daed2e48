"""A run of three steps with words typed at each of its moments, in a real process at a real terminal."""

import asyncio
import re
from typing import Any

from agentcli.store.sqlite import SqliteStore
from tests.cli.process import Home
from tests.loopback import Loopback, Reply, text, tool_use
from tests.loopback.replies import error
from tests.talking.hearing import passed_over
from tests.terminal.chatting import Slow, chat, events, sessions
from tests.terminal.pty_screen import PtyScreen

KEY = "sk-ant-canary-0123456789abcdef"
OVERLOADED = error(529, "overloaded_error", "busy", retry_after="2")
FIRST = Reply(blocks=[text("word " * 40), tool_use("toolu_1", "look", {"name": "one"})], pause_s=0.05)
SECOND = Reply(blocks=[tool_use("toolu_2", "launch", {"name": "two"})])
THIRD = Reply(blocks=[text("done " * 40)], pause_s=0.05)
FOURTH = Reply(blocks=[text("All right.")])
HEARD = {1: 1, 2: 1, 3: 2, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4}
"""At which step each message is heard."""


def say(screen: PtyScreen, words: str, number: int) -> None:
    screen.enter(words, gap_s=0.002)
    screen.wait_for(f"queued #{number}")


def play(screen: PtyScreen, slow: Slow) -> None:
    """Speak during a retry wait, a reply, a tool, between two steps, at a question, behind it, and at the end."""
    say(screen, "go", 1)
    screen.wait_for(re.compile(r"Trying again in\s+2 s \(2 of 4\)\."))
    say(screen, "while waiting", 2)
    screen.wait_for("word word", timeout_s=20)
    say(screen, "while it streams", 3)
    slow.wait_started("one")
    say(screen, "while a tool runs", 4)
    slow.let_go("one")
    slow.wait_started("post_tool")
    say(screen, "between steps", 5)
    slow.let_go("post_tool")
    screen.wait_for("Allow launch")
    screen.answer("at a question")
    screen.wait_for("queued #6")
    assert "Allow launch" in screen.text
    screen.answer("y")
    slow.wait_started("two")
    say(screen, "behind the question", 7)
    slow.let_go("two")
    screen.wait_for("done done")
    say(screen, "at the end", 8)
    screen.wait_for("All right.")
    for number, step in HEARD.items():
        assert re.search(rf"heard [^\n]*#{number}\b[^\n]* at step {step}", screen.everything)


def user_turns(service: Loopback) -> list[list[dict[str, Any]]]:
    """What the model was told, turn by turn, as the last request holds it."""
    messages = service.seen[-1].json["messages"]
    return [message["content"] for message in messages if message["role"] == "user"]


async def test_words_at_every_moment_are_in_the_very_next_request(home: Home) -> None:
    """Each once, in order, as typed, a block of its own behind all results; nothing done before is done again."""
    slow = Slow(home, level=2)
    # Its result is there, and the next request has not gone out yet.
    slow.hold_hooks("post_tool")
    async with Loopback([OVERLOADED, FIRST, SECOND, THIRD, FOURTH]) as service:
        env = {"ANTHROPIC_BASE_URL": service.base_url, "ANTHROPIC_API_KEY": KEY}

        def at_terminal() -> None:
            with chat(home, "--model", "claude-sonnet-5", env=env) as screen:
                play(screen, slow)

        await asyncio.to_thread(at_terminal)
        service.assert_finished()
    turns = user_turns(service)
    words = [block["text"] for turn in turns for block in turn if block["type"] == "text"]
    assert words == [
        *("go", "while waiting", "while it streams", "while a tool runs", "between steps"),
        *("at a question", "behind the question", "at the end"),
    ]
    kinds = [[block["type"] for block in turn] for turn in turns]
    assert all(turn == sorted(turn, key=lambda kind: kind != "tool_result") for turn in kinds)
    assert [turn.count("tool_result") for turn in kinds] == [0, 1, 1, 0]
    finished = [event["call_id"] for event in events(home) if event["type"] == "tool_finished"]
    assert finished == ["toolu_1", "toolu_2"]
    heard = [event["message"] for event in events(home) if event["type"] == "heard"]
    assert heard == list(range(1, 9))
    with SqliteStore.open(home.store) as store:
        assert passed_over(store.records(sessions(home)[0]["id"])) == []

"""Words typed while it works: stored first, heard once, in the very next request behind all results."""

import asyncio
import re
import signal
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.cli.process import Home
from tests.loopback import Answer, Ending, Loopback, Reply, text, tool_use
from tests.loopback.replies import Scripted, error
from tests.terminal.chatting import OFFLINE, Slow, chat, events, sessions
from tests.terminal.pty_screen import CTRL_C, CTRL_D, CTRL_U, ESC, PtyScreen

KEY = "sk-ant-canary-0123456789abcdef"
WORDS = "and keep it short"
ADD = tool_use("toolu_1", "add_expense", {"item": "tea", "amount": 3})
LOOK = tool_use("toolu_1", "get_total", {})


def slowly(*blocks: Any, pause_s: float = 0.15) -> Reply:
    """A reply that takes its time."""
    return Reply(blocks=blocks, pause_s=pause_s)


async def talk(home: Home, answers: Iterable[Scripted], play: Callable[[PtyScreen], None]) -> Loopback:
    """Play a conversation with Claude on this machine, at level 2, and return the service that it was with."""
    async with Loopback(answers) as service:
        env = {"ANTHROPIC_BASE_URL": service.base_url, "ANTHROPIC_API_KEY": KEY}

        def at_terminal() -> None:
            with chat(home, env=env) as screen:
                play(screen)

        await asyncio.to_thread(at_terminal)
    return service


def last_turn(service: Loopback, request: int) -> list[tuple[str, str]]:
    """The blocks of the last message of a request: their types, and the texts."""
    [*_, last] = service.seen[request].json["messages"]
    return [(block["type"], block.get("text", "")) for block in last["content"]]


def test_words_while_a_tool_runs(home: Home) -> None:
    """What was done is not repeated, and what came next in the reply still runs."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter('call look {"name":"one"} & call look {"name":"two"}', gap_s=0.005)
        slow.wait_started("one")
        screen.enter("call ask {}", gap_s=0.005)
        screen.wait_for("queued #2")
        assert "heard #2" not in screen.text
        slow.let_go("one")
        slow.let_go("two")
        screen.wait_for("heard #2 at step 2")
        screen.wait_for("When and where?")
    kinds = [event["type"] for event in events(home)]
    first, second = (at for at, kind in enumerate(kinds) if kind == "heard")
    assert kinds[first:second].count("tool_finished") == 2


def test_several_words_are_heard_in_order_and_once(home: Home) -> None:
    """Each under its own number; those of one step are told in one line."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter('call look {"name":"one"}', gap_s=0.005)
        slow.wait_started("one")
        for number in range(2, 6):
            screen.enter(f"word {number}", gap_s=0.005)
            screen.wait_for(f"queued #{number}")
        slow.let_go("one")
        screen.wait_for("heard #2, #3, #4, #5 at step 2")
    heard = [(event["message"], event["step"]) for event in events(home) if event["type"] == "heard"]
    assert heard == [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2)]


@pytest.mark.parametrize("key", [CTRL_C, ESC], ids=["Ctrl-C", "Esc"])
def test_words_after_a_stop_are_kept_for_the_next_run(home: Home, key: str) -> None:
    """Nothing starts by itself after a stop, nor runs again; what is said next takes them along."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter('call look {"name":"one"}', gap_s=0.005)
        slow.wait_started("one")
        screen.enter("kept", gap_s=0.005)
        screen.wait_for("queued #2")
        screen.send(key)
        screen.wait_for("stopping")
        slow.let_go("one")
        screen.wait_for("not heard yet: #2; kept for the next run")
        screen.read(0.7)
        assert "heard #2" not in screen.text
        screen.enter("now", gap_s=0.005)
        screen.wait_for("heard #2, #3 at step 1")
    assert [event["type"] for event in events(home)].count("tool_finished") == 1


def say_and_die(screen: PtyScreen, slow: Slow, moment: str) -> None:
    """Say something at a moment of a run, and be killed as soon as it is queued."""
    if moment in HOOKS:
        slow.let_go("one")
        screen.enter('call look {"name":"one"}', gap_s=0.005)
        slow.wait_started(moment)
    elif moment == "tool":
        screen.enter('call look {"name":"one"}', gap_s=0.005)
        slow.wait_started("one")
    elif moment == "question":
        screen.enter('call launch {"name":"one"}', gap_s=0.005)
        screen.wait_for("Allow launch")
        screen.read(0.6)
    else:
        screen.enter("go", gap_s=0.005)
        screen.wait_for("word word" if moment == "stream" else re.compile(r"Trying again in\s+3 s"))
    screen.enter(WORDS, gap_s=0.005)
    screen.wait_for("queued #2")
    screen.kill(signal.SIGKILL)
    screen.wait_exit()


OVERLOADED = error(529, "overloaded_error", "busy", retry_after="3")
HOOKS = ("pre_tool", "post_tool")
"""What holds a run up between a reply and its calls, and between its last result and the next step."""
STREAMS: dict[str, Scripted] = {"stream": slowly(text("word " * 60)), "retry": OVERLOADED}


@pytest.mark.parametrize("moment", ["tool", "question", *HOOKS, *STREAMS])
async def test_words_outlive_a_kill_right_after_they_were_queued(home: Home, moment: str) -> None:
    """Resume names them, and the model hears them exactly once."""
    slow = Slow(home, level=2)
    if moment in HOOKS:
        slow.hold_hooks(moment)
    model = ("--model", "claude-sonnet-5") if moment in STREAMS else OFFLINE
    answers = [STREAMS[moment], Reply(blocks=[text("All right.")])] if moment in STREAMS else []
    async with Loopback(answers) as service:
        env = {"ANTHROPIC_BASE_URL": service.base_url, "ANTHROPIC_API_KEY": KEY}

        def at_terminal() -> None:
            with chat(home, *model, env=env) as screen:
                say_and_die(screen, slow, moment)
            for name in ("one", *HOOKS):
                slow.let_go(name)
            with chat(home, env=env, command="resume") as screen:
                screen.wait_for(f"not heard yet: #2 {WORDS}")
                if moment == "question":
                    screen.wait_for("Allow launch")
                    screen.answer("n")
                screen.wait_for(re.compile("All right|I am rules|declined this action"), timeout_s=20)

        await asyncio.to_thread(at_terminal)
    assert sorted(event["message"] for event in events(home) if event["type"] == "heard") == [1, 2]
    assert sessions(home)[0]["undelivered"] == []


def test_a_draft_that_was_cleared_is_never_sent(home: Home) -> None:
    """Only Enter sends, and what stands in the line then."""
    with chat(home, *OFFLINE) as screen:
        screen.type("delete all", gap_s=0.01)
        screen.send(CTRL_C)
        screen.wait_gone("delete all")
        screen.enter("list", gap_s=0.01)
        screen.wait_for("1 expense, 40.00 USD")
    assert [event["text"] for event in events(home) if event["type"] == "queued"] == ["list"]


def test_a_draft_survives_whatever_happens(home: Home) -> None:
    """The end of a step, a question and its answer elsewhere, the end of a run, a new size, and a stop."""
    slow = Slow(home, level=2)
    with chat(home) as screen:
        screen.enter('call look {"name":"one"} & call launch {"name":"two"}', gap_s=0.005)
        slow.wait_started("one")
        screen.type("my draft", gap_s=0.01)
        slow.let_go("one")
        screen.wait_for("Allow launch")
        assert "> my draft" in screen.text
        [call] = sessions(home)[0]["questions"]
        assert home.run("approvals", "decline", call).code == 0
        screen.wait_gone("Allow launch")
        screen.wait_for("> my draft")
        screen.resize(60, 20)
        screen.wait_for("> my draft")
        session = sessions(home)[0]["id"]
        assert home.run("say", session, 'call look {"name":"three"}').code == 0
        slow.wait_started("three")
        assert home.run("stop", session).code == 0
        slow.let_go("three")
        screen.wait_for("stopped")
        screen.wait_for("> my draft")
        screen.enter(gap_s=0.01)
        screen.wait_for("› my draft")


def test_a_draft_survives_an_answer_that_raises_a_level(home: Home) -> None:
    """Set aside for the answer, it comes back behind it."""
    two_calls = 'call add_expense {"item":"a","amount":1} & call add_expense {"item":"b","amount":2}'
    with chat(home, *OFFLINE) as screen:
        screen.send(f"{two_calls}\rmy draft")
        screen.wait_for("Allow add_expense")
        screen.wait_for("> my draft")
        screen.send(CTRL_U)
        screen.wait_gone("> my draft")
        screen.answer("a")
        screen.wait_for('[allow] add_expense {"item":"b","amount":2}')
        screen.wait_for("> my draft")


async def test_ctrl_c_while_the_model_streams(home: Home) -> None:
    """What was said stays on the screen; the run stops at once, and the terminal can be left."""

    def play(screen: PtyScreen) -> None:
        screen.enter("go", gap_s=0.01)
        screen.wait_for("word word")
        screen.send(CTRL_C)
        screen.wait_for("stopped")
        assert "word word" in screen.text
        screen.read(2.1)
        screen.send(CTRL_D)
        assert screen.wait_exit() == 0
        assert screen.is_sane

    await talk(home, [slowly(text("word " * 200))], play)


async def test_sigterm_while_the_model_streams(home: Home) -> None:
    """The reply is finished and kept, its call is left to whoever resumes, and words said meanwhile as well."""

    def play(screen: PtyScreen) -> None:
        screen.enter("go", gap_s=0.01)
        screen.wait_for("word word")
        screen.kill(signal.SIGTERM)
        screen.wait_for("asked to end: what is in hand is finished first")
        screen.enter(WORDS, gap_s=0.002)
        assert screen.wait_exit(20) == 143
        assert screen.is_sane
        assert "not heard yet: #2" in screen.everything
        assert "goes on with this session" in screen.everything

    await talk(home, [slowly(text("word " * 60), LOOK)], play)
    assert [event["type"] for event in events(home)][-3:] == ["queued", "replied", "decided"]


async def test_a_service_that_is_down_loses_nothing(home: Home) -> None:
    """Why is said, nothing is lost, and a yes tries once more."""

    def play(screen: PtyScreen) -> None:
        screen.enter("go", gap_s=0.01)
        screen.wait_for("Try once more? (y/n)", timeout_s=40)
        assert "Nothing is lost." in screen.everything
        screen.answer("y")
        screen.wait_for("Here I am.")

    down = [Answer(503, b"", {"retry-after": "0"})] * 4
    service = await talk(home, [*down, Reply(blocks=[text("Here I am.")])], play)
    assert last_turn(service, 4) == [("text", "go")]


async def test_a_reply_that_breaks_off_is_asked_for_again(home: Home) -> None:
    """What had come stays readable, and it is said that it is tried again."""

    def play(screen: PtyScreen) -> None:
        screen.enter("go", gap_s=0.01)
        screen.wait_for(re.compile(r"Trying\s+again\s+in"))
        screen.wait_for("Here I am.", timeout_s=20)

    cut = Reply(blocks=[text("Half of a ")], cut_after=4, ending=Ending.CUT)
    await talk(home, [cut, Reply(blocks=[text("Here I am.")])], play)


async def test_a_wrong_key_offers_nothing(home: Home) -> None:
    """Trying again would not help."""

    def play(screen: PtyScreen) -> None:
        screen.enter("go", gap_s=0.01)
        screen.wait_for("ANTHROPIC_API_KEY")
        screen.read(0.5)
        assert "Try once more" not in screen.text
        assert KEY not in screen.everything

    await talk(home, [error(401, "authentication_error", "invalid x-api-key")], play)


def test_offline_needs_no_model_of_a_service(home: Home) -> None:
    """A message given on the command line is said first."""
    with chat(home, *OFFLINE, "list") as screen:
        screen.wait_for("1 expense, 40.00 USD")
        screen.wait_for("queued #1")


def test_another_process_says_something_and_stops_the_run(home: Home) -> None:
    """Both are noticed within half a second, and mean what they mean here."""
    slow = Slow(home)
    with chat(home) as screen:
        screen.enter('call look {"name":"one"}', gap_s=0.005)
        slow.wait_started("one")
        session = sessions(home)[0]["id"]
        assert home.run("say", session, WORDS).code == 0
        screen.wait_for(f"› {WORDS}", timeout_s=2)
        screen.wait_for("queued #2")
        assert home.run("stop", session).code == 0
        slow.let_go("one")
        screen.wait_for("not heard yet: #2; kept for the next run")
        assert home.run("say", session, "go on").code == 0
        screen.wait_for("heard #2, #3 at step 1")

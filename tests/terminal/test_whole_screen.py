"""Whole screens, drawn by a real program on a virtual terminal."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.pty_screen import CTRL_C, CTRL_D, CTRL_U, ESC, PAGE_DOWN, PtyScreen, python_module

ROOT = Path(__file__).parents[2]
SIZES = [(80, 24), (30, 10), (20, 8)]


def echo_chat(columns: int = 80, rows: int = 24, **env: str) -> PtyScreen:
    """The conversation without an agent, in a terminal of the size."""
    return PtyScreen(python_module("tests.terminal.echo_chat"), columns=columns, rows=rows, env=env, cwd=ROOT)


@pytest.fixture
def chat() -> Iterator[PtyScreen]:
    """The conversation at 80 × 24, waiting for a line."""
    with echo_chat() as screen:
        screen.wait_for("echo chat")
        yield screen


def test_a_line_is_echoed_and_heard(chat: PtyScreen) -> None:
    """What is typed stands after the prompt; what happened above it."""
    chat.type("hello")
    chat.wait_for("> hello")
    assert chat.cursor == (1, 7)
    chat.enter()
    chat.wait_for("said 'hello': ANSWER")
    assert chat.lines[:3] == ["echo chat", "said 'hello': ANSWER", ">"]


def test_the_question_stands_above_the_line(chat: PtyScreen) -> None:
    """As promised, letter by letter, with the line to answer in below."""
    chat.enter("/ask")
    chat.wait_for("(y/n)")
    assert chat.lines[1:8] == [
        "│ irreversible · delete_expense · call 2 of 2 · code 3fa9c1",
        "│   id       1",
        "│ will remove: #1 tea, 40.00 USD, 2026-11-02      cannot be undone",
        "│ asked because: level 2 asks for irreversible calls",
        "│ y yes · n no, why · v all of it · e change it",
        'Allow delete_expense {"id":1}? (y/n)',
        ">",
    ]
    chat.answer("y")
    chat.wait_for("answered Approve()")
    assert "│" not in chat.text


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_long_input_is_paged_and_approved_after_its_last_page(columns: int, rows: int) -> None:
    """On every size the answer line is seen, a yes before the last page asks again, one after it counts."""
    with echo_chat(columns, rows) as chat:
        chat.wait_for("echo chat")
        chat.enter("/lines 60")
        chat.wait_for("(y/n)")
        chat.answer("y")
        chat.wait_for(lambda screen: "see it all" in screen.text or "last page was shown" in screen.text)
        while "y yes" not in chat.text and " n v e" not in chat.text:
            assert "(y/n)" in chat.text
            before = chat.text
            chat.send(PAGE_DOWN)
            chat.wait_gone(before)
        chat.answer("y")
        chat.wait_for("answered Approve()")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_question_can_be_declined_on_every_size(columns: int, rows: int) -> None:
    """The input line is there for the reason."""
    with echo_chat(columns, rows) as chat:
        chat.wait_for("echo chat")
        chat.enter("/ask")
        chat.wait_for("(y/n)")
        chat.answer("n keep")
        chat.wait_for(lambda screen: "Decline(reason='keep')" in screen.everything.replace("\n", ""))


def test_a_message_typed_across_the_question_stays_a_message(chat: PtyScreen) -> None:
    """Enter meant for it approves nothing, and one is told how to answer."""
    chat.enter("/later 0.4")
    chat.type("file it under car onl")
    chat.wait_for("(y/n)")
    chat.type("y")
    chat.wait_for("Ctrl-U sets it aside")
    chat.enter()
    chat.wait_for("said 'file it under car only': EARLIER")
    assert "(y/n)" in chat.text


def test_a_draft_is_set_aside_and_comes_back(chat: PtyScreen) -> None:
    """It stands in the line again after the answer."""
    chat.enter("/later 0.3")
    chat.type("my draft")
    chat.wait_for("(y/n)")
    chat.send(CTRL_U)
    chat.wait_gone("my draft")
    chat.answer("y")
    chat.wait_for("answered Approve()")
    chat.wait_for("> my draft")


def test_keys_that_waited_while_the_program_was_busy_do_not_count(chat: PtyScreen) -> None:
    """The loop stood still from right after painting until long after the quiet time."""
    chat.enter("/stall 1.5")
    chat.wait_for("(y/n)")
    chat.read(0.6)
    chat.send("y")
    chat.read(0.3)
    chat.send("\r")
    chat.wait_for("said 'y': EARLIER")
    assert "(y/n)" in chat.text


def test_nothing_of_the_agent_moves_while_a_question_is_open(chat: PtyScreen) -> None:
    """It comes after the answer, nothing of it lost."""
    chat.enter("/chatter")
    chat.wait_for("chatter 3")
    chat.enter("/ask")
    chat.wait_for("(y/n)")
    before = chat.text
    chat.read(0.5)
    assert chat.text == before
    chat.enter("/notice hello")
    chat.wait_for("notice: hello")
    chat.answer("y")
    chat.wait_for("chatter 199")
    said = [line for line in chat.everything.split("\n") if line.startswith("chatter ")]
    assert said == [f"chatter {number}" for number in range(200)]


def test_a_streamed_text_grows_above_the_line_and_is_printed_once(chat: PtyScreen) -> None:
    """While it grows one can type, and what is typed stays."""
    chat.send("/stream " + "word " * 40 + "end\r")
    chat.wait_for("word word")
    chat.type("typed meanwhile")
    chat.wait_for("end")
    chat.wait_for("> typed meanwhile")
    chat.read(0.3)
    assert chat.everything.count("word ") + chat.everything.count("word\n") == 40


def test_a_resized_window_shows_the_question_anew(chat: PtyScreen) -> None:
    """Folded to the new width, from its first page, and to be answered after a new quiet time."""
    chat.enter("/ask")
    chat.wait_for("(y/n)")
    chat.read(0.6)
    chat.resize(30, 10)
    chat.wait_for("1/2 · v more")
    chat.enter("y")
    chat.wait_for(lambda screen: "EARLIER" in screen.everything.replace("\n", ""))
    chat.resize(100, 30)
    chat.wait_for("y yes")
    chat.answer("y")
    chat.wait_for("answered Approve()")


def test_a_terminal_that_folds_keeps_no_piece_of_the_old_frame() -> None:
    """Where a narrower window folds the rows of the frame, all of them are taken away."""
    with echo_chat(TMUX="/tmp/tmux-0/default,1,0") as chat:
        chat.wait_for("echo chat")
        chat.enter("/ask")
        chat.wait_for("(y/n)")
        chat.resize(40, 24)
        chat.wait_for("│    2 of 2 · code 3fa9c1")
        assert chat.lines[0] == "echo chat"
        assert chat.everything.count("3fa9c1") == 1
        chat.resize(80, 24)
        chat.wait_for("call 2 of 2 · code 3fa9c1")
        assert chat.everything.count("3fa9c1") == 1


def test_a_row_that_was_longer_folds_as_what_it_shows() -> None:
    """A short line of a question that stands where the status stood is no longer than it looks."""
    with echo_chat(TMUX="/tmp/tmux-0/default,1,0") as chat:
        chat.wait_for("echo chat")
        chat.enter(f"/status {'x' * 70}")
        chat.wait_for("xxx")
        chat.enter("/ask")
        chat.wait_for("(y/n)")
        chat.resize(40, 24)
        chat.wait_for("│    2 of 2 · code 3fa9c1")
        assert chat.lines[:2] == ["echo chat", "│ irreversible · delete_expense · call"]


def test_a_terminal_that_cuts_loses_no_line_above_the_frame(chat: PtyScreen) -> None:
    """Where rows are cut, as many are erased as were drawn."""
    for number in range(5):
        chat.enter(f"/notice {number}")
    chat.enter("/ask")
    chat.wait_for("(y/n)")
    chat.resize(40, 24)
    chat.wait_for("│    2 of 2 · code 3fa9c1")
    assert chat.lines[:6] == ["echo chat", *(f"notice: {number}" for number in range(5))]


def test_the_status_shortens_with_the_window(chat: PtyScreen) -> None:
    """Its first part stays."""
    chat.enter("/status level 2|expenses|offline|step 2 of 6")
    chat.wait_for("level 2 · expenses · offline · step 2 of 6")
    chat.resize(20, 8)
    chat.wait_for("level 2 · expenses")
    chat.wait_gone("offline")


@pytest.mark.parametrize(
    ("line", "keys", "code"),
    [
        ("", CTRL_C * 2, 0),
        ("", CTRL_D, 0),
        ("/ask", CTRL_D, 3),
        ("/work", CTRL_D, 4),
        ("/work", CTRL_C * 2, 0),
        ("/crash", "", 1),
    ],
)
def test_the_terminal_is_sane_however_it_is_left(chat: PtyScreen, line: str, keys: str, code: int) -> None:
    """Echo and line mode on, paste mode off, the cursor to be seen, the input line gone."""
    if line:
        chat.enter(line)
        chat.read(0.3)
    chat.send(keys)
    assert chat.wait_exit() == code
    assert chat.is_sane
    assert chat.last_mode("2004") == "l"
    assert ">" not in chat.text
    assert "Traceback" not in chat.everything


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("line", ["", "/ask", "/chatter"])
def test_the_terminal_is_sane_after_a_signal(chat: PtyScreen, line: str, number: signal.Signals) -> None:
    """Also in the middle of a question and of output."""
    if line:
        chat.enter(line)
        chat.read(0.3)
    chat.kill(number)
    assert chat.wait_exit() == 128 + number
    assert chat.is_sane
    assert chat.last_mode("2004") == "l"


def test_a_closed_window_ends_the_program(chat: PtyScreen) -> None:
    """It does not go on unseen."""
    chat.enter("/ask")
    chat.wait_for("(y/n)")
    chat.hang_up()
    assert chat.wait_exit() == 128 + signal.SIGHUP


def test_colours_are_left_out_on_demand() -> None:
    """NO_COLOR is kept by the question too."""
    with echo_chat(NO_COLOR="1") as chat:
        chat.wait_for("echo chat")
        chat.enter("/ask")
        chat.wait_for("(y/n)")
        assert chat.colour_at("irreversible") == "default"


def test_esc_cancels_and_a_late_yes_is_only_words(chat: PtyScreen) -> None:
    """The question is gone; `y` answers nothing."""
    chat.enter("/ask")
    chat.wait_for("(y/n)")
    chat.send(ESC)
    chat.wait_for("answered Cancelled()")
    chat.enter("y")
    chat.wait_for("said 'y': ANSWER")

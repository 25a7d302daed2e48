"""The screen with keys from a pipe: what comes out of it, and what is written."""

import asyncio
import io
import json
import os
import signal
import termios
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput, PipeInput, create_input

from agentcli.terminal import happened as h
from agentcli.terminal.faces.incoming import PASTE_END, PASTE_START
from agentcli.terminal.faces.keyboard import PASTE_PATIENCE_S, sift_keys
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.keys import Effect
from agentcli.terminal.question.answer import Approve, Decline
from agentcli.terminal.question.arming import QUIET_S, Standing
from agentcli.terminal.question.prompted import PromptView
from tests.terminal.bench import GAP_S, Bench
from tests.terminal.views import view_of

UP, BACKSPACE, PAGE_UP, PAGE_DOWN = "\x1b[A", "\x7f", "\x1b[5~", "\x1b[6~"


def said(happened: h.Happened) -> h.Said:
    """What an answer says."""
    assert isinstance(happened, h.AnswerGiven)
    return happened.said


async def test_a_line_comes_out_as_a_message(bench: Bench) -> None:
    """And one that begins with `/` as a command."""
    bench.keys.send_text("hello\r/help\r \r")
    assert await bench.next() == h.WordsEntered("hello")
    assert await bench.next() == h.CommandEntered("/help")
    assert await bench.none()


async def test_alt_enter_makes_a_second_line(bench: Bench) -> None:
    """Enter sends them both."""
    bench.keys.send_text("one\x1b\rtwo\r")
    assert await bench.next() == h.WordsEntered("one\ntwo")


async def test_what_is_no_unicode_becomes_valid(bench: Bench) -> None:
    """A stray byte can be stored and sent."""
    bench.keys.send_bytes(b"a\xffb\r")
    assert await bench.next() == h.WordsEntered("a\ufffdb")


async def test_a_deliberate_yes_approves(bench: Bench) -> None:
    """Typed after the quiet time, with Enter after it."""
    await bench.ask()
    await bench.type("y\r")
    assert said(await bench.next()) == Approve()


async def test_a_no_takes_its_reason_along(bench: Bench) -> None:
    """As it was typed."""
    await bench.ask()
    await bench.type("n keep it\r")
    assert said(await bench.next()) == Decline("keep it")


async def test_a_key_right_after_the_question_makes_a_message(bench: Bench) -> None:
    """It was typed before anyone could read."""
    bench.screen.ask(view_of())
    await bench.type("y\r")
    assert await bench.next() == h.WordsEntered("y", Standing.EARLIER)


async def test_a_yes_in_one_burst_asks_again(bench: Bench) -> None:
    """No person types that fast."""
    await bench.ask()
    bench.keys.send_text("y\r")
    assert await bench.none()
    await bench.armed()
    await bench.type("y\r")
    assert said(await bench.next()) == Approve()


async def test_a_pasted_yes_is_a_message(bench: Bench) -> None:
    """And so is one recalled from the history."""
    bench.keys.send_text("y\r")
    assert await bench.next() == h.WordsEntered("y")
    await bench.ask()
    bench.keys.send_text(f"{PASTE_START}y{PASTE_END}")
    await bench.type("\r")
    assert await bench.next() == h.WordsEntered("y", Standing.PASTED)
    await bench.armed()
    bench.keys.send_text(UP)
    await asyncio.sleep(GAP_S)
    await bench.type("\r")
    assert await bench.next() == h.WordsEntered("y", Standing.PASTED)


async def test_an_answer_replaced_from_the_history_is_a_message(bench: Bench) -> None:
    """Also where it looks as if a letter had only been erased."""
    bench.keys.send_text("y\r")
    await bench.next()
    await bench.ask()
    await bench.type("yx")
    bench.keys.send_text(UP)
    await asyncio.sleep(GAP_S)
    await bench.type("\r")
    assert await bench.next() == h.WordsEntered("y", Standing.PASTED)


async def test_a_key_held_down_approves_nothing(bench: Bench) -> None:
    """Repeats come before the quiet time is over, and their line is no yes."""
    bench.screen.ask(view_of())
    for _ in range(20):
        bench.keys.send_text("y")
        await asyncio.sleep(0.03)
    await bench.type("\r")
    assert await bench.next() == h.WordsEntered("y" * 20, Standing.EARLIER)


async def test_replies_of_the_terminal_answer_nothing(bench: Bench) -> None:
    """They type nothing, and what follows them is not armed."""
    await bench.ask()
    bench.keys.send_text("\x1b]ly\x1b\\\x1b[59;1Ry")
    await asyncio.sleep(GAP_S)
    await bench.type("\r")
    assert await bench.next() == h.WordsEntered("y", Standing.EARLIER)


async def test_a_paste_whose_end_never_comes_is_ended(bench: Bench) -> None:
    """The keyboard is not lost for it."""
    bench.keys.send_text(f"{PASTE_START}lost\r\nin paste")
    await asyncio.sleep(PASTE_PATIENCE_S + 0.3)
    await bench.type("!\r")
    assert await bench.next() == h.WordsEntered("lost\nin paste!")


async def test_a_late_yes_does_nothing(bench: Bench) -> None:
    """The question was answered elsewhere while it was typed."""
    await bench.ask()
    await bench.type("y")
    bench.screen.close_question()
    await bench.type("\r")
    assert await bench.none()


async def test_page_keys_turn_the_pages_without_being_an_answer(bench: Bench) -> None:
    """They need no quiet time, but start it anew."""
    await bench.ask(input='{"text":"' + "row\\n" * 50 + '"}')
    assert "page 1 of 4" in bench.written.getvalue()
    for key, page in [(PAGE_DOWN, "page 2 of 4"), (PAGE_DOWN, "page 3 of 4"), (PAGE_UP, "page 2 of 4")]:
        bench.written.seek(0)
        bench.written.truncate()
        bench.keys.send_text(key)
        await bench.written_until(page[5])
    await bench.type("n\r")
    assert await bench.next() == h.WordsEntered("n", Standing.EARLIER)


async def test_status_and_unfinished_text_are_shown(bench: Bench) -> None:
    """Each in its place, and the width is that of the terminal."""
    bench.screen.status(["level 2", "expenses"])
    bench.screen.tail("half a sen")
    await bench.written_until("level 2 · expenses")
    await bench.written_until("half a sen")
    assert bench.screen.width == 80


async def test_what_fails_in_drawing_comes_out_and_the_terminal_is_given_back(keys: PipeInput) -> None:
    """Also when it is the drawing that gives it back."""
    written = io.StringIO()
    size = [Size(rows=24, columns=80)]
    output = SteadyOutput(written, lambda: size[-1], term="xterm", enable_cpr=False)

    async def draw_nowhere() -> None:
        async with Screen(keys, output, colour=False) as screen:
            size.clear()
            screen.status(["new"])
            await screen.next()

    with pytest.raises(IndexError):
        await draw_nowhere()
    assert written.getvalue().rindex("?2004l") > written.getvalue().rindex("?2004h")


def test_a_keyboard_that_is_no_terminal_is_left_as_it_is() -> None:
    """There is nothing to sift."""
    nothing = DummyInput()
    sift_keys(nothing, lambda: None)
    assert vars(nothing) == vars(DummyInput())


async def test_a_draft_set_aside_comes_back(bench: Bench) -> None:
    """After the answer it stands in the line again."""
    await bench.type("draft")
    await bench.ask()
    bench.keys.send_text("\x15")
    await bench.until(lambda arming: arming.is_armed and arming.line is Standing.EMPTY)
    await bench.type("y\r")
    assert said(await bench.next()) == Approve()
    await bench.type("!\r")
    assert await bench.next() == h.WordsEntered("draft!")


async def test_an_input_is_edited_in_the_line(bench: Bench) -> None:
    """It begins as it is."""
    await bench.ask()
    await bench.type("e\r")
    await bench.type(BACKSPACE * 2 + "2}\r")
    assert said(await bench.next()) == h.Edited('{"id":2}')


async def test_esc_cancels_a_question_within_a_moment(bench: Bench) -> None:
    """It need not be told from an arrow for long."""
    await bench.ask()
    bench.keys.send_text("\x1b")
    assert said(await asyncio.wait_for(bench.screen.next(), 60)) == h.Cancelled()


async def test_ctrl_c_clears_then_says_how_then_leaves(bench: Bench) -> None:
    """Text goes into the history, from which it can be had back."""
    await bench.type("text")
    bench.keys.send_text("\x03")
    bench.keys.send_text("\x03\x03")
    assert await bench.next() == h.KeyPressed(Effect.SAY_HOW)
    assert await bench.next() == h.KeyPressed(Effect.LEAVE)
    bench.keys.send_text(UP + "\r")
    assert await bench.next() == h.WordsEntered("text")


async def test_what_the_keys_do_depends_on_the_work(bench: Bench) -> None:
    """Ctrl-C and Ctrl-D while something runs."""
    bench.screen.is_at_work = True
    assert bench.screen.is_at_work
    bench.keys.send_text("\x04\x03")
    assert await bench.next() == h.KeyPressed(Effect.LEAVE_SAFELY)
    assert await bench.next() == h.KeyPressed(Effect.STOP)


async def test_ctrl_z_puts_nothing_into_the_line(bench: Bench) -> None:
    """No control character gets into a message by a slip."""
    bench.keys.send_text("a\x1ab\r")
    assert await bench.next() == h.WordsEntered("ab")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_is_told(bench: Bench, number: signal.Signals) -> None:
    """The conversation ends in its own order."""
    os.kill(os.getpid(), number)
    assert await bench.next() == h.Signalled(number)


async def test_an_interrupt_from_outside_is_a_ctrl_c(bench: Bench) -> None:
    """Whoever sends it."""
    os.kill(os.getpid(), signal.SIGINT)
    assert await bench.next() == h.KeyPressed(Effect.SAY_HOW)


async def test_a_closed_keyboard_is_a_hang_up(bench: Bench) -> None:
    """There is nobody left to ask."""
    bench.keys.close()
    assert await bench.next() == h.Signalled(signal.SIGHUP)


async def test_what_fails_in_a_key_comes_out(bench: Bench) -> None:
    """It is not swallowed, and no trace is printed over the screen."""
    loop = asyncio.get_running_loop()
    loop.call_soon(lambda: (_ for _ in ()).throw(ZeroDivisionError))
    with pytest.raises(ZeroDivisionError):
        await bench.next()


async def test_a_failure_elsewhere_goes_where_it_went_before(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """A task that nobody waited for is logged as ever."""
    asyncio.get_running_loop().call_exception_handler({"message": "a task was lost"})
    assert "a task was lost" in caplog.text
    assert await bench.none()


async def test_lines_are_held_while_a_question_is_open(bench: Bench) -> None:
    """Only our own notices are printed; the rest comes after the answer, line by line."""
    await bench.ask()
    bench.screen.write("agent one")
    bench.screen.write("agent two\n")
    bench.screen.tail("agent three")
    bench.screen.notice("queued #7")
    await bench.written_until("queued #7")
    assert "agent" not in bench.written.getvalue()
    await bench.type("y\r")
    await bench.next()
    await bench.written_until("agent one\r\nagent two\r\n")


async def test_paste_mode_is_on_all_the_time_and_off_at_the_end(keys: PipeInput) -> None:
    """Between two frames a paste would be taken for keys."""
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False) as screen:
        for number in range(20):
            screen.write(f"line {number}")
            await asyncio.sleep(0.005)
        assert written.getvalue().count("?2004h") == 1
        assert "?2004l" not in written.getvalue()
    assert written.getvalue().rindex("?2004l") > written.getvalue().rindex("?2004h")
    assert "\x1b[6n" not in written.getvalue()


class Pieces(io.StringIO):
    """Keeps what is written piece by piece."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def write(self, text: str) -> int:
        self.pieces.append(text)
        return super().write(text)


async def test_a_frame_is_written_in_one_piece(keys: PipeInput) -> None:
    """Between the line that goes and the line that comes there is nothing to see."""
    written = Pieces()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False) as screen:
        screen.write("a line of the agent")
        await Bench(keys, written, screen).written_until("a line of the agent")
        (frame,) = [piece for piece in written.pieces if "a line of the agent" in piece]
        before, after = frame.split("a line of the agent")
        assert "\x1b[J" in before
        assert ">" in after


async def test_what_was_written_last_is_printed_before_leaving(keys: PipeInput) -> None:
    """Nothing is lost because the program ends."""
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False) as screen:
        screen.ask(view_of())
        screen.write("the last words")
    assert "the last words" in written.getvalue()


@pytest.mark.parametrize(
    ("typed", "is_asked", "given_back"),
    [("half a thought", False, True), ("half a thought", True, True), ("y", True, False), (" ", False, False)],
    ids=["draft", "draft at a question", "answer", "blanks"],
)
async def test_a_draft_is_given_back_on_leaving(
    keys: PipeInput, typed: str, is_asked: bool, given_back: bool
) -> None:
    """Whoever was still typing when the process had to end finds the words on the screen."""
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False) as screen:
        bench = Bench(keys, written, screen)
        if is_asked and not given_back:
            await bench.ask()
        await bench.type(typed)
        if is_asked and given_back:
            await bench.ask()
    assert (f"not sent: {typed}" in written.getvalue()) is given_back


async def test_a_draft_that_was_set_aside_is_given_back_on_leaving(keys: PipeInput) -> None:
    """Before the one that was being typed after it."""
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False) as screen:
        bench = Bench(keys, written, screen)
        await bench.type("the first\r")
        await bench.next()
        await bench.type("half a thought")
        keys.send_text("\x12\r")
        await bench.until(lambda _: bool(screen._desk.aside))
    assert written.getvalue().index("not sent: half a thought") < written.getvalue().index("not sent: the first")


@pytest.mark.parametrize("kind", ["draft", "field", "answer", "edited"])
async def test_what_was_not_sent_is_found_the_next_time(keys: PipeInput, tmp_path: Path, kind: str) -> None:
    """Whole, with what was folded in it; answers, and what is for a form or an input, stay out of the history."""
    written, history = io.StringIO(), tmp_path / "history"
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False, history=history) as screen:
        bench = Bench(keys, written, screen)
        if kind == "field":
            screen.ask(PromptView(about="f", title="a form", keys="", asks="the code?"))
        elif kind in ("answer", "edited"):
            await bench.ask()
        if kind == "edited":
            await bench.type("e\r")
        before = screen._line.buffer.text
        keys.send_text("y" if kind == "answer" else f"see {PASTE_START}{'row' * 300}{PASTE_END}")
        await bench.until(lambda _: screen._line.buffer.text != before)
        await bench.until(lambda _: kind == "answer" or len(screen._line.text) > 900)
    if kind == "draft":
        assert "not sent, but Ctrl-R finds it: see [pasted 900 characters #1]" in written.getvalue()
        assert json.loads(history.read_text()) == f"see {'row' * 300}"
    else:
        assert "not sent" not in written.getvalue()
        assert not history.exists()


async def test_what_can_not_be_kept_is_not_said_to_be(keys: PipeInput, tmp_path: Path) -> None:
    """It is on the screen all the same."""
    (tmp_path / "file").touch()
    written = io.StringIO()
    output = SteadyOutput(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False, history=tmp_path / "file" / "history") as screen:
        await Bench(keys, written, screen).type("half a thought")
    assert "not sent: half a thought" in written.getvalue()


async def test_a_question_rings_unless_told_not_to(bench: Bench) -> None:
    """So that one who looks elsewhere learns of it."""
    await bench.ask()
    assert "\a" in bench.written.getvalue()


async def test_a_question_that_is_not_drawn_in_full_is_never_armed(keys: PipeInput) -> None:
    """On a screen that is too small nothing can be approved unseen."""
    output = SteadyOutput(io.StringIO(), lambda: Size(rows=3, columns=20), term="xterm", enable_cpr=False)
    async with Screen(keys, output, colour=False, bell=False) as screen:
        bench = Bench(keys, io.StringIO(), screen)
        screen.ask(view_of())
        await asyncio.sleep(QUIET_S + 0.15)
        await bench.type("y\r")
        assert await bench.next() == h.WordsEntered("y", Standing.EARLIER)


@pytest.mark.parametrize("turns", [1, 2, 3])
async def test_an_opening_that_is_cancelled_gives_the_terminal_back(turns: int) -> None:
    """Whoever stops the program before the first frame finds the terminal as it was, and nothing goes on."""
    master, slave = os.openpty()
    with os.fdopen(master), os.fdopen(slave) as keys:
        before = termios.tcgetattr(keys)
        output = SteadyOutput(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
        opening = asyncio.ensure_future(Screen(create_input(keys), output, colour=False).__aenter__())
        for _ in range(turns):
            await asyncio.sleep(0)
        assert opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(opening, 60)
        assert termios.tcgetattr(keys) == before
        assert asyncio.all_tasks() == {asyncio.current_task()}

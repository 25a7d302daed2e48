"""The input line: line breaks, pastes, completion, and what was entered before."""

import asyncio
from collections.abc import Callable

import pytest

from agentcli.terminal import happened as h
from agentcli.terminal.faces.hints import HIDDEN
from agentcli.terminal.faces.incoming import PASTE_END, PASTE_START
from agentcli.terminal.faces.input_line import DRAFT_KEPT
from agentcli.terminal.picking import Choice
from agentcli.terminal.question.arming import Standing
from agentcli.terminal.question.prompted import PromptView
from agentcli.terminal.surroundings import Vocabulary
from tests.terminal.bench import Bench
from tests.terminal.views import view_of

ALT_HASH, SHIFT_LEFT = "\x1b#", "\x1b[1;2D"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"
LEFT, RIGHT, DELETE, ALT_BACKSPACE, ALT_D = "\x1b[D", "\x1b[C", "\x1b[3~", "\x1b\x7f", "\x1bd"
CTRL_A, CTRL_K, CTRL_W, CTRL_Y = "\x01", "\x0b", "\x17", "\x19"
UP, DOWN, TAB, BACKSPACE = "\x1b[A", "\x1b[B", "\t", "\x7f"
CTRL_C, CTRL_G, CTRL_J, CTRL_O, CTRL_R, CTRL_U, ESC = "\x03", "\x07", "\n", "\x0f", "\x12", "\x15", "\x1b"
BIG = "".join(f"row {number}\n" for number in range(214))
KNOWN = Vocabulary(tools=("get_total", "add_expense", "add_note"), agents=("expenses",))


def paste(text: str) -> str:
    return f"{PASTE_START}{text}{PASTE_END}"


async def begun(bench: Bench) -> None:
    """Wait until what was typed ahead would have been read."""
    await bench.until(lambda _: bench.screen._line._has_begun)


async def on_screen(bench: Bench, holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.005)


def line_of(bench: Bench) -> str:
    return bench.screen._line.buffer.text


async def entered(bench: Bench, *lines: str) -> None:
    """Enter some messages."""
    for line in lines:
        bench.keys.send_text(f"{line}\r")
        assert await bench.next() == h.WordsEntered(line)


async def test_ctrl_j_makes_a_second_line(bench: Bench) -> None:
    """As Alt-Enter does."""
    await begun(bench)
    bench.keys.send_text(f"one{CTRL_J}two\r")
    assert await bench.next() == h.WordsEntered("one\ntwo")


async def test_an_enter_that_was_typed_ahead_is_an_enter(bench: Bench) -> None:
    """Before the line is there the terminal turns it into Ctrl-J."""
    bench.keys.send_text(f"hello{CTRL_J}")
    assert await bench.next() == h.WordsEntered("hello")


async def test_a_big_paste_is_folded_and_sent_whole(bench: Bench) -> None:
    """With what was typed around it."""
    bench.keys.send_text(f"see {paste(BIG)}, please")
    await on_screen(bench, lambda: line_of(bench) == "see [pasted 214 lines #1], please")
    bench.keys.send_text("\r")
    assert await bench.next() == h.WordsEntered(f"see {BIG}, please")


async def test_a_folded_paste_can_be_recalled_and_erased_as_one(bench: Bench) -> None:
    """It is still the same text."""
    bench.keys.send_text(f"{paste(BIG)}\r")
    assert await bench.next() == h.WordsEntered(BIG)
    bench.keys.send_text(UP)
    await on_screen(bench, lambda: line_of(bench) == "[pasted 214 lines #1]")
    bench.keys.send_text(f" x{BACKSPACE}{BACKSPACE}\r")
    assert await bench.next() == h.WordsEntered(BIG)
    bench.keys.send_text(f"a {paste(BIG)}{BACKSPACE}b\r")
    assert await bench.next() == h.WordsEntered("a b")


@pytest.mark.parametrize(
    "taking",
    [CTRL_W, ALT_BACKSPACE, f"{LEFT}{DELETE}", f"{LEFT}{RIGHT}{BACKSPACE}", f"{LEFT}{ALT_D}{CTRL_K}"],
    ids=["Ctrl-W", "Alt-Backspace", "Delete", "Backspace", "Alt-D"],
)
async def test_no_key_takes_a_part_of_a_folded_paste(bench: Bench, taking: str) -> None:
    """What looked like it would be sent as it stands there, and the paste would be lost."""
    bench.keys.send_text(f"see {paste(BIG)}{taking}b\r")
    assert await bench.next() == h.WordsEntered("see b")


@pytest.mark.parametrize(
    ("cutting", "back"),
    [
        (CTRL_W, f"see {BIG}"),
        (f" and{CTRL_W}{CTRL_W}", f"see {BIG} and"),
        (ALT_BACKSPACE, f"see {BIG}"),
        (f"{LEFT}{RIGHT}{CTRL_W}{CTRL_W}", f"see {BIG}"),
        (f"{LEFT}{ALT_D}", f"see {BIG}"),
        (f"{LEFT}{CTRL_K}", f"see {BIG}"),
        (f"{CTRL_A}{CTRL_K}", f"see {BIG}"),
        (f"then{CTRL_W}", f"see {BIG}then"),
        (f" then{CTRL_W}{BACKSPACE}{BACKSPACE}", "see then"),
    ],
    ids=[
        "Ctrl-W",
        "Ctrl-W twice",
        "Alt-Backspace",
        "two words",
        "Alt-D",
        "Ctrl-K",
        "all of it",
        "a word with it",
        "Backspace",
    ],
)
async def test_a_folded_paste_that_was_cut_comes_back_whole(bench: Bench, cutting: str, back: str) -> None:
    """Ctrl-Y puts back what was cut, and not the end of a mark that stands for nothing."""
    bench.keys.send_text(f"see {paste(BIG)}{cutting}{CTRL_Y}\r")
    assert await bench.next() == h.WordsEntered(back)


async def test_what_was_typed_like_a_mark_stays_what_was_typed(bench: Bench) -> None:
    """The paste that comes later has another."""
    bench.keys.send_text(f"is [pasted 214 lines #1] {paste(BIG)}\r")
    assert await bench.next() == h.WordsEntered(f"is [pasted 214 lines #1] {BIG}")


@pytest.mark.parametrize(
    ("leaving", "back"),
    [("\r", f"{UP}{UP}"), (f"{CTRL_A}{CTRL_K}", CTRL_Y)],
    ids=["sent and recalled", "cut and put back"],
)
async def test_what_was_typed_like_a_mark_comes_back_as_what_was_typed(
    bench: Bench, leaving: str, back: str
) -> None:
    """A paste that was made in between has another mark."""
    typed = "is [pasted 214 lines #1]"
    bench.keys.send_text(f"{typed}{leaving}")
    if leaving == "\r":
        assert await bench.next() == h.WordsEntered(typed)
    bench.keys.send_text(f"{paste(BIG)}\r")
    assert isinstance(await bench.next(), h.WordsEntered)
    bench.keys.send_text(f"{back}\r")
    assert await bench.next() == h.WordsEntered(typed)


async def test_what_is_recalled_is_not_taken_for_what_was_edited(bench: Bench) -> None:
    """Another line that begins like the mark of the one before stays whole."""
    await entered(bench, "[pasted of old]", "[pa")
    bench.keys.send_text(f"{paste(BIG)}{UP}")
    await on_screen(bench, lambda: line_of(bench) == "[pa")
    bench.keys.send_text(f"{DOWN}{CTRL_R}old\r")
    await on_screen(bench, lambda: line_of(bench) == "[pasted of old]")


async def test_a_paste_into_an_input_that_is_changed_is_not_folded(bench: Bench) -> None:
    """It is JSON that a person reads before they agree to it."""
    await bench.ask()
    await bench.type("e\r")
    await on_screen(bench, lambda: line_of(bench).startswith("{"))
    bench.keys.send_text(paste(BIG))
    await on_screen(bench, lambda: line_of(bench).endswith(BIG))


async def test_what_looks_like_a_mark_in_an_input_is_no_paste(bench: Bench) -> None:
    """The model wrote it there, and gets nothing of the person's for it."""
    await begun(bench)
    bench.keys.send_text(f"{paste(BIG)}\r")
    assert await bench.next() == h.WordsEntered(BIG)
    sent = '{"text":"[pasted 214 lines #1]"}'
    await bench.ask(input=sent)
    await bench.type("e\r")
    await on_screen(bench, lambda: line_of(bench) == sent)
    bench.keys.send_text("\r")
    given = await bench.next()
    assert isinstance(given, h.AnswerGiven)
    assert given.said == h.Edited(sent)


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("/le", "/level "),
        ("/q", "/qu"),
        ("call get", "call get_total "),
        ("please", "please"),
        ("/level add", "/level add_"),
    ],
)
async def test_tab_completes_what_is_clear(bench: Bench, typed: str, line: str) -> None:
    """As far as it is."""
    bench.screen.knows(KNOWN)
    bench.keys.send_text(typed + TAB)
    bench.keys.send_text("!\r")
    happened = await bench.next()
    assert isinstance(happened, h.WordsEntered | h.CommandEntered)
    assert happened.text == line + "!"


async def test_tab_offers_a_choice_where_there_is_one(bench: Bench) -> None:
    """Another Tab goes on to the next word, Enter takes it."""
    bench.screen.knows(KNOWN)
    bench.keys.send_text(f"/level add_{TAB}")
    await bench.written_until("completing (1 of 2): ")
    bench.keys.send_text(f"{TAB}\r3\r")
    assert await bench.next() == h.CommandEntered("/level add_note 3")


@pytest.mark.parametrize(
    ("typed", "filled"),
    [("Da", "Datum"), ("n", "no date at all"), (f"Be{TAB}", "Bemerkung"), ("2", "2")],
    ids=["one", "several words", "the second of two", "a number"],
)
async def test_tab_completes_what_a_form_offers(bench: Bench, typed: str, filled: str) -> None:
    """A choice is typed as it stands there, and counts as what was typed."""
    choices = ("Betrag", "Bemerkung", "Datum", "no date at all")
    bench.screen.ask(
        PromptView(about="a form", title="Which?", keys="one of them", asks="column?", choices=choices)
    )
    await bench.armed()
    await bench.type(typed + TAB)
    bench.keys.send_text("\r\r" if TAB in typed else "\r")
    assert await bench.next() == h.PromptAnswered("a form", filled)


async def test_what_begins_so_is_not_there_is_said(bench: Bench) -> None:
    """The line stays."""
    bench.keys.send_text(f"/zzz{TAB}")
    await bench.written_until("nothing here begins so")
    assert line_of(bench) == "/zzz"


async def test_ctrl_r_finds_what_was_entered_before(bench: Bench) -> None:
    """By any part of it; it comes into the line, to be changed or sent."""
    await entered(bench, "add 3 for tea", "what is my total", "add 5 for cake")
    bench.keys.send_text(f"{CTRL_R}ADD")
    await bench.written_until("history (1 of 2): ADD")
    bench.keys.send_text(f"{CTRL_R}\r")
    await on_screen(bench, lambda: line_of(bench) == "add 3 for tea")
    bench.keys.send_text("!\r")
    assert await bench.next() == h.WordsEntered("add 3 for tea!")


async def test_a_draft_comes_back_after_what_was_recalled_over_it(bench: Bench) -> None:
    """Whoever looks for what they said before has not given up what they were writing."""
    await entered(bench, "one", "two")
    bench.keys.send_text(f"half a thought{CTRL_R}one\r")
    await on_screen(bench, lambda: line_of(bench) == "one")
    assert bench.screen._desk.hint == DRAFT_KEPT
    bench.keys.send_text(f"{CTRL_R}two\r")
    await on_screen(bench, lambda: line_of(bench) == "two")
    bench.keys.send_text("\r")
    assert await bench.next() == h.WordsEntered("two")
    assert line_of(bench) == "half a thought"


async def test_an_answer_that_is_recalled_over_does_not_come_back(bench: Bench) -> None:
    """It was for this question alone."""
    await entered(bench, "one")
    await bench.ask()
    await bench.type("y")
    bench.keys.send_text(f"{CTRL_R}\r")
    await on_screen(bench, lambda: line_of(bench) == "one")
    assert bench.screen._desk.aside == []


async def test_page_keys_go_to_the_ends_of_a_short_list(bench: Bench) -> None:
    """By the room of the list, past no end."""
    await entered(bench, "one", "two", "three")
    bench.keys.send_text(CTRL_R)
    await bench.written_until("history (1 of 3)")
    bench.keys.send_text(f"{PAGE_DOWN}\r")
    await on_screen(bench, lambda: line_of(bench) == "one")
    bench.keys.send_text(CTRL_R)
    await on_screen(bench, lambda: bench.screen._line.is_picking)
    bench.keys.send_text(f"{DOWN}{PAGE_UP}\r")
    await on_screen(bench, lambda: line_of(bench) == "three")


async def test_every_character_narrows_a_list(bench: Bench) -> None:
    """None of them is a command there, and none changes the line under the list."""
    every = "".join(map(chr, range(ord("!"), ord("~") + 1)))
    await entered(bench, "one", f"x{every}", "none")
    bench.keys.send_text(f"draft{CTRL_R}{every}")
    await bench.written_until("history (1 of 1)")
    assert line_of(bench) == "draft"
    bench.keys.send_text("\r")
    await on_screen(bench, lambda: line_of(bench) == f"x{every}")


@pytest.mark.parametrize("key", [ESC, CTRL_C, CTRL_G, "\x04"], ids=["Esc", "Ctrl-C", "Ctrl-G", "Ctrl-D"])
async def test_who_leaves_a_list_has_the_line_as_it_was(bench: Bench, key: str) -> None:
    """Nothing else is stopped or left by the key."""
    await entered(bench, "one")
    bench.keys.send_text(f"draft{CTRL_R}zz{DOWN}{BACKSPACE}{BACKSPACE}")
    await bench.written_until("history (1 of 1)")
    bench.keys.send_text(key)
    await on_screen(bench, lambda: not bench.screen._line.is_picking)
    assert await bench.none()
    bench.keys.send_text("!\r")
    assert await bench.next() == h.WordsEntered("draft!")


async def test_nothing_found_is_nothing_taken(bench: Bench) -> None:
    """The line stays as it was; a search that has nothing to look in says so."""
    bench.keys.send_text(CTRL_R)
    await bench.written_until("nothing was entered yet")
    await entered(bench, "one")
    bench.keys.send_text(f"draft{CTRL_R}{paste('zzz' + chr(10) + 'y')}\r")
    bench.keys.send_text("!\r")
    assert await bench.next() == h.WordsEntered("draft!")


async def test_what_is_typed_in_a_list_never_answers_a_question(bench: Bench) -> None:
    """The question waits unseen, and has to be quiet once it is there."""
    await entered(bench, "one", "yes please")
    bench.keys.send_text(CTRL_R)
    await bench.written_until("history")
    bench.screen.ask(view_of())
    assert bench.screen._desk.hint == HIDDEN
    await asyncio.sleep(0.6)
    assert not bench.screen._desk.arming.is_armed
    bench.keys.send_text("yes\r\r")
    assert await bench.next() == h.WordsEntered("yes please", Standing.PASTED)
    assert await bench.none()


async def test_a_question_that_a_list_has_hidden_is_armed_anew(bench: Bench) -> None:
    """A yes counts as ever after the quiet time."""
    await entered(bench, "one")
    await bench.ask()
    bench.keys.send_text(CTRL_R)
    await on_screen(bench, lambda: bench.screen._line.is_picking)
    assert not bench.screen._desk.arming.is_armed
    bench.keys.send_text(ESC)
    await bench.armed()
    await bench.type("y\r")
    assert isinstance(await bench.next(), h.AnswerGiven)


async def test_answers_and_forms_never_enter_the_history(bench: Bench) -> None:
    """Nor does a draft that was set aside, before it is sent."""
    bench.keys.send_text("draft")
    await on_screen(bench, lambda: line_of(bench))
    await bench.ask()
    bench.keys.send_text(CTRL_U)
    await on_screen(bench, lambda: not line_of(bench))
    await bench.armed()
    await bench.type("n keep it\r")
    assert isinstance(await bench.next(), h.AnswerGiven)
    bench.keys.send_text(CTRL_C)
    await on_screen(bench, lambda: not line_of(bench))
    bench.screen.ask(PromptView(about="a form", title="a form", keys="", asks="the code?"))
    await bench.armed()
    await bench.type("1234\r")
    assert await bench.next() == h.PromptAnswered("a form", "1234")
    assert bench.screen._line._remembered.newest_first == ["draft"]


async def test_a_list_of_the_conversation_gives_what_was_picked(bench: Bench) -> None:
    """Once."""
    bench.screen.pick("sessions", [Choice("s1", "one"), Choice("s2", "two")])
    await bench.written_until("sessions (1 of 2)")
    bench.keys.send_text("tw\r")
    assert await bench.next() == h.Picked("s2")
    assert await bench.none()


@pytest.mark.parametrize("put_in", ["new", paste("new")], ids=["typed", "pasted"])
async def test_what_was_selected_gives_way(bench: Bench, put_in: str) -> None:
    """As everywhere."""
    bench.keys.send_text(f"my old{SHIFT_LEFT * 3}{put_in}\r")
    assert await bench.next() == h.WordsEntered("my new")


@pytest.mark.parametrize("key", [CTRL_O, ALT_HASH], ids=["Ctrl-O", "Alt-#"])
async def test_no_key_takes_the_line_away_unsent(bench: Bench, key: str) -> None:
    """They do so elsewhere."""
    bench.keys.send_text(f"keep me{key}\r")
    assert await bench.next() == h.WordsEntered("keep me")

"""A terminal that is only written on: what comes out of it, in order."""

import asyncio
import io

import pytest
from msgspec.structs import replace
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput

from agentcli.terminal import happened as h
from agentcli.terminal.drawing.styled import Span
from agentcli.terminal.faces.linear import LinearOutput, open_linear
from agentcli.terminal.faces.picture import Seen
from agentcli.terminal.faces.screen import WAITS, Screen
from agentcli.terminal.question.answer import Approve
from agentcli.terminal.question.prompted import PromptView
from tests.terminal.bench import Bench


def linear(*, is_dumb: bool = True, notifies: bool = False) -> tuple[LinearOutput, io.StringIO]:
    written = io.StringIO()
    return LinearOutput(written, lambda: Size(rows=24, columns=80), is_dumb=is_dumb, notifies=notifies), written


def typed(text: str, line_no: int = 0) -> Seen:
    return Seen(prompt="> ", text=text, line_no=line_no, waits=True)


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        ([typed(""), typed("a"), typed("ab")], "> ab"),
        ([typed("ab"), typed("a"), typed("ac")], "> ab\b \bc"),
        ([typed("猫"), typed("")], "> 猫\b \b\b \b"),
        ([typed("ab"), typed("", 1), typed("c", 1)], "> ab\n> c"),
        ([typed("y"), typed("", 1)], "> y\n> "),
        ([typed("abc"), typed("")], "> abc\n> "),
        ([typed("abc"), typed("abXc")], "> abc\n> abXc"),
        ([typed("one\n"), typed("one\ntwo")], "> one\n  two"),
        ([typed("one\n"), typed("one")], "> one\n  \n> one"),
        ([typed("e\u0301"), typed("e")], "> e\u0301\n> e"),
        ([typed("a "), typed("a b")], "> a b"),
        ([typed("a\x1b[2J")], "> a⟨U+001B⟩[2J"),
        ([Seen(prompt="> ")], ""),
        ([Seen(prompt="> ", text="a")], "> a"),
    ],
    ids=range(14),
)
def test_what_is_typed_is_echoed(seen: list[Seen], written: str) -> None:
    """A character that goes is rubbed out; what can't be shown by that comes again on a line of its own."""
    output, stream = linear()
    for one in seen:
        output.show(one)
    assert stream.getvalue() == written


async def test_what_comes_in_one_piece_with_enter_is_echoed_too(keys: PipeInput) -> None:
    """As a program that takes dictation types: above what is said of it, and once."""
    output, written = linear()
    async with Screen(keys, output, colour=False) as screen:
        bench = Bench(keys, written, screen)
        await bench.written_until("> ")
        keys.send_text("one of many\rand ano")
        assert await bench.next() == h.WordsEntered("one of many")
        screen.notice("queued #1\n")
        await bench.written_until("> and ano")
        keys.send_text("ther\r")
        assert await bench.next() == h.WordsEntered("and another")
    assert written.getvalue().startswith("> one of many\n")
    assert "queued #1\n> and another\n" in written.getvalue().replace("> and ano\nqueued #1", "queued #1")


def test_a_panel_is_written_once_and_again_when_it_changes() -> None:
    """Above the line, which comes again below it; so is a hint."""
    output, stream = linear()
    page, hint = ((Span("page one"),),), ((Span("v first"),),)
    output.show(typed("dra"))
    output.show(Seen(panel=page, prompt="> ", text="draft", waits=True))
    output.show(Seen(panel=page, hint=hint, prompt="> ", text="draft", waits=True))
    output.show(Seen(panel=page, prompt="> ", text="draft", waits=True))
    output.show(Seen(panel=((Span("page two"),),), prompt="> ", text="draft", waits=True))
    output.show(typed("draft"))
    assert stream.getvalue() == "> dra\npage one\n> draft\nv first\n> draft\npage two\n> draft"


def test_what_is_asked_anew_is_written_anew() -> None:
    """Who answers wrongly twice hears twice what is asked."""
    output, stream = linear()
    for times_asked in (1, 1, 2):
        output.show(Seen(panel=((Span("which?"),),), prompt="> ", waits=True, times_asked=times_asked))
    assert stream.getvalue() == "which?\n> \nwhich?\n> "


async def test_a_form_says_once_what_its_fields_have_in_common(keys: PipeInput) -> None:
    """Who has it read out does not hear the whole file again for each field, or for a slip in one."""
    output, written = linear()
    shared = PromptView(about="f", title="import asks: how?", lines=("line 2: 03/04",), keys="a text", asks="day?")
    first = replace(shared, lines=(*shared.lines, "1 of 2 · day"))
    wrong = replace(first, follows=True, complaint="day: no such day")
    second = replace(shared, lines=(*shared.lines, "2 of 2 · month"), asks="month?", follows=True, seen=1)
    async with Screen(keys, output, colour=False) as screen:
        bench = Bench(keys, written, screen)
        for view in (first, wrong, second):
            screen.ask(view)
            await bench.written_until(view.complaint or view.lines[-1])
    told = [
        line
        for line in written.getvalue().replace("\a", "").split("\n")
        if line.startswith("│") or line.endswith("?")
    ]
    assert told == [
        *("│ import asks: how?", "│ line 2: 03/04", "│ 1 of 2 · day", "│ a text", "day?"),
        *("│ day: no such day", "│ a text", "day?"),
        *("│ 2 of 2 · month", "│ a text", "month?"),
    ]


def test_every_line_that_is_no_answer_is_told_why() -> None:
    """Also where the next one comes in one piece with Enter, so that nothing was to be said in between."""
    output, stream = linear()
    hint = ((Span("too fast"),),)
    for line_no in (1, 1, 2):
        output.show(Seen(hint=hint, prompt="> ", line_no=line_no, waits=True))
    assert stream.getvalue() == "too fast\n> \ntoo fast\n> "


def test_lines_come_between_and_what_was_typed_comes_again() -> None:
    """Nothing is lost by it."""
    output, stream = linear()
    output.show(typed("hel"))
    output.write_lines("queued #1\n")
    output.show(typed("hello"))
    output.leave()
    assert stream.getvalue() == "> hel\nqueued #1\n> hello\n"


def test_a_dumb_terminal_gets_no_sequence() -> None:
    """Another one is told to mark pastes, and no longer when it is left; a notification never names the call."""
    output, stream = linear(is_dumb=True, notifies=True)
    output.enable_bracketed_paste()
    output.notify(WAITS)
    output.leave()
    assert stream.getvalue() == ""
    output, stream = linear(is_dumb=False, notifies=True)
    output.enable_bracketed_paste()
    output.enable_bracketed_paste()
    output.notify(WAITS)
    output.leave()
    assert stream.getvalue() == "\x1b[?2004h\x1b]9;agentcli: a question waits\x07\x1b[?2004l"


def test_what_the_encoding_does_not_have_is_spelled_out() -> None:
    """And is no error."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    LinearOutput(stream, lambda: Size(24, 80), is_dumb=True).write_lines("│ é\n")
    stream.seek(0)
    assert stream.read() == "\\u2502 \\xe9\n"
    assert open_linear(stream, {"TERM": "dumb"}, notifies=False)._is_dumb


async def test_a_question_is_written_asked_and_answered(keys: PipeInput) -> None:
    """The same rules as on a screen, with a bell."""
    output, written = linear()
    async with Screen(keys, output, colour=False) as screen:
        screen.write("hello\n")
        bench = Bench(keys, written, screen)
        await bench.ask()
        await bench.type("y\r")
        answer = await bench.next()
        assert isinstance(answer, h.AnswerGiven)
        assert answer.said == Approve()
        await bench.written_until("> y\n")
    text = written.getvalue()
    assert (
        text.startswith("hello\n\a│ ") or text.startswith("\ahello\n│ ") or text.index("hello") < text.index("│ ")
    )
    assert "\a" in text
    assert "\x1b" not in text
    assert text.count("Allow ") == 1


async def test_who_has_left_writes_no_prompt_any_more(keys: PipeInput) -> None:
    """It would stand among what comes after that, such as the next question of a run."""
    output, written = linear()
    async with Screen(keys, output, colour=False) as screen:
        bench = Bench(keys, written, screen)
        await bench.ask()
        await bench.type("y\r")
        await bench.next()
    left = written.getvalue()
    # As long again as an empty prompt waits for quiet.
    await asyncio.sleep(0.3)
    assert written.getvalue() == left

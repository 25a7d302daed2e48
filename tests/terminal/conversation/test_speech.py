"""A reply shown while it comes."""

from typing import Any

import pytest

from agentcli.session import events as ev
from agentcli.terminal.conversation.speech import MOST_FORMING, TIME_ROOM, Speech, forming_text
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.faces.picture import tail_lines
from tests.session.telling import START
from tests.terminal.fake_face import FakeFace


def spoken(*events: ev.Event, width: int = 40) -> tuple[list[str], list[str]]:
    """What is printed, and the tail after each event."""
    face = FakeFace(width=width)
    speech = Speech(face)
    tails = []
    for event in events:
        speech.take(event)
        tails.append(speech.tail)
    return face.lines, tails


def delta(text: str) -> ev.TextDelta:
    return ev.TextDelta(session="s", at=START, text=text)


def forms(**more: Any) -> ev.ToolInputStarted:
    return ev.ToolInputStarted(session="s", at=START, call_id="c1", tool="note")


def more_input(text: str) -> ev.ToolInputDelta:
    return ev.ToolInputDelta(session="s", at=START, call_id="c1", tool="note", delta=text)


def replied(text: str = "") -> ev.Replied:
    return ev.Replied(session="s", at=START, step=1, text=text, stop_reason="end_turn")


def test_blocks_are_printed_as_they_close_and_the_rest_at_the_end() -> None:
    """Each once, set in, with a blank line between them; what is open is the tail, which has it already."""
    lines, tails = spoken(delta("one"), delta(" two\n\nthr"), delta("ee"), replied("one two\n\nthree"))
    assert lines == ["  one two", "", "  three"]
    assert tails == ["one", "\nthr", "\nthree", ""]


def test_the_input_of_a_call_is_the_tail_while_it_forms() -> None:
    """What was said before it is finished by then."""
    lines, tails = spoken(delta("well"), forms(), more_input('{"a"'), more_input(":1}"), replied("well"))
    assert lines == ["  well"]
    assert tails == ["well", "note ", 'note {"a"', 'note {"a":1}', ""]


def test_text_behind_a_call_is_text_again() -> None:
    """The tail is what comes at this moment."""
    lines, tails = spoken(forms(), more_input("{}"), delta("done"), replied("done"))
    assert (lines, tails[-2:]) == (["  done"], ["done", ""])


def test_a_long_input_shows_its_end_below_the_name_of_its_tool() -> None:
    """In three rows however long it becomes, so that what was said before stays in sight."""
    _, tails = spoken(forms(), *[more_input("x" * 23), more_input("y" * 28), more_input("z" * 28)])
    assert tails[1:] == [f"note {'x' * 23}", f"note {'x' * 23}{'y' * 28}", f"note {'x' * 23}{'y' * 28}{'z' * 28}"]
    digits = "".join(f"{number:02}" for number in range(75))
    _, tails = spoken(forms(), more_input(digits))
    assert tails[-1] == f"note …\n{digits[107:135]}\n{digits[135:]}"
    _, tails = spoken(forms(), *[more_input("x" * 1000 + "\n\t")] * 10)
    assert tails[-1].startswith("note …\nx")


@pytest.mark.parametrize("tool", ["add", "add_expense", "import_expenses", "x" * 64, "漢" * 20])
@pytest.mark.parametrize("width", [20, 30, 40, 80])
def test_an_input_that_forms_never_takes_fewer_rows_nor_more_than_three(tool: str, width: int) -> None:
    """Else the line that is typed in would jump, whatever the words and however long the tool's name."""
    whole = '{"note":"' + "lorem ipsum dolor, 漢字漢字 consectetuer " * 12
    texts = [forming_text(tool, whole[:end], width - 2) for end in range(len(whole))]
    rows = [len(tail_lines(f"{text}{TIME_ROOM}", width, 20)) for text in texts]
    assert rows == sorted(rows)
    assert rows[-1] == MOST_FORMING


def test_an_input_that_forms_is_marked_once() -> None:
    """Where it is drawn: a mark that is marked again can't be read."""
    _, tails = spoken(forms(), more_input('{"a":"⟨\u200b'))
    assert plain(*tail_lines(tails[-1], 40, 20)) == '  note {"a":"⟨U+27E8⟩⟨U+200B⟩'


def test_a_reply_that_did_not_stream_is_printed_whole() -> None:
    """For instance what another process got."""
    assert spoken(replied("one\n\ntwo"))[0] == ["  one", "", "  two"]


def test_a_reply_begins_without_a_blank_line() -> None:
    """Also the second one."""
    assert spoken(delta("one"), replied("one"), delta("two"), replied("two"))[0] == ["  one", "  two"]


def test_no_line_of_a_reply_can_pass_for_one_of_ours() -> None:
    """Whatever it says, folded or not, it is set in."""
    text = "x" * 38 + "[approved] launch by ana\n[approved] launch by ana\n- [deny]\n\n```\n[allow] launch\n```"
    lines, _ = spoken(delta(text), replied(text))
    assert all(line.startswith("  ") or not line for line in lines)


def test_other_events_are_no_speech() -> None:
    """Nothing is printed for them."""
    started = ev.RunStarted(session="s", at=START, agent="a", model="m", level=2)  # type: ignore[arg-type]
    assert spoken(started) == ([], [""])

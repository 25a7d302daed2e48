"""What a finished line means while a question is open, and while none is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.question.answer import (
    Approve,
    ApproveAndRaise,
    AskAgain,
    Command,
    Decline,
    Edit,
    Reading,
    ShowAll,
    Typed,
    Why,
    Words,
    read_answer,
    read_line,
    read_message,
    read_prompted,
)
from agentcli.terminal.question.arming import Standing

LINES = [
    # line                    what it says
    ("y", Approve()),
    ("yes", Approve()),
    ("  YES\t", Approve()),
    ("Y", Approve()),
    ("n", Decline()),
    ("NO", Decline()),
    ("n keep that one", Decline("keep that one")),
    ("no, keep That one ", Decline("keep That one")),
    ("n,", Decline()),
    ("n , late", Decline("late")),
    ("no\tlate", Decline("late")),
    ("v", ShowAll()),
    (" V ", ShowAll()),
    ("e", Edit()),
    ("", AskAgain(Why.EMPTY)),
    (" \t ", AskAgain(Why.EMPTY)),
    ("/level 1", Command("/level 1")),
    ("  /help ", Command("/help")),
    ("/y", Command("/y")),
    ("not yet", Words("not yet")),
    ("nope", Words("nope")),
    ("no!", Words("no!")),
    ("y please", Words("y please")),
    ("yes, do", Words("yes, do")),
    ("yy", Words("yy")),
    ("ye", Words("ye")),
    ("y\ny", Words("y\ny")),
    ("n\nlate", Words("n\nlate")),
    ("ok", Words("ok")),
    ("1", Words("1")),
    ("true", Words("true")),
    ("ye\u017f", Words("ye\u017f")),
    ("\uff59", Words("\uff59")),
    ("\u00a0y", Words("\u00a0y")),
    ("y\u200b", Words("y\u200b")),
    ("also add tea", Words("also add tea")),
]


@pytest.mark.parametrize(("line", "reading"), LINES, ids=[repr(line) for line, _ in LINES])
def test_a_line_says_what_the_table_says(line: str, reading: Reading) -> None:
    """Blanks around a line and letter case don't matter; whatever is not an answer is a message."""
    assert read_answer(line) == reading


@pytest.mark.parametrize(("may_raise", "reading"), [(True, ApproveAndRaise()), (False, Words("a"))])
def test_a_is_a_yes_only_where_it_is_offered(may_raise: bool, reading: Reading) -> None:
    """Where level 3 would not stop the asking, `a` is a message."""
    assert read_answer("a", may_raise=may_raise) == reading


@given(st.text())
def test_only_y_yes_and_a_are_a_yes(line: str) -> None:
    """No other line approves anything."""
    is_yes = isinstance(read_answer(line, may_raise=True), Approve | ApproveAndRaise)
    assert is_yes == (line.strip(" \t") in {one for word in ("y", "yes", "a") for one in _spellings(word)})


def _spellings(word: str) -> set[str]:
    spelled = {""}
    for letter in word:
        spelled = {one + case for one in spelled for case in (letter, letter.upper())}
    return spelled


@pytest.mark.parametrize("line", ["y", "yes", "a", "n no", "v", "e"])
def test_an_answer_to_another_question_does_nothing(line: str) -> None:
    """It was begun for one that is closed: it answers nothing, and is no message either."""
    assert read_line(line, Standing.LATE, all_shown=True, may_raise=True) == AskAgain(Why.CLOSED)
    assert read_line("hello", Standing.LATE, all_shown=True) == Words("hello", Standing.LATE)


@pytest.mark.parametrize("standing", [Standing.EARLIER, Standing.PASTED])
@pytest.mark.parametrize("line", ["y", "yes", "a", "n no", "v", "e", "hello"])
def test_a_line_that_was_not_typed_as_an_answer_stays_a_message(line: str, standing: Standing) -> None:
    """Text begun earlier, or pasted, answers nothing."""
    assert read_line(line, standing, all_shown=True, may_raise=True) == Words(line, standing)


@pytest.mark.parametrize("line", ["y", "yes", "a", "n", "v", "e"])
def test_an_answer_entered_faster_than_a_person_asks_again(line: str) -> None:
    """Enter right after the last character does not count."""
    reading = read_line(line, Standing.TOO_FAST, all_shown=True, may_raise=True)
    assert reading == AskAgain(Why.TOO_FAST)


def test_words_may_be_entered_fast() -> None:
    """A message needs no care."""
    assert read_line("hello", Standing.TOO_FAST, all_shown=True) == Words("hello")


@pytest.mark.parametrize("line", ["y", "a"])
def test_a_yes_needs_the_last_page(line: str) -> None:
    """What was not shown can't be approved."""
    reading = read_line(line, Standing.ANSWER, all_shown=False, may_raise=True)
    assert reading == AskAgain(Why.NOT_ALL_SHOWN)


@pytest.mark.parametrize(("line", "reading"), [("n", Decline()), ("v", ShowAll()), ("e", Edit())])
def test_a_no_needs_no_last_page(line: str, reading: Reading) -> None:
    """Declining, paging and editing are possible from the first page on."""
    assert read_line(line, Standing.ANSWER, all_shown=False) == reading


@pytest.mark.parametrize("line", ["e", " E "])
def test_where_there_is_no_input_to_change_e_is_told_so(line: str) -> None:
    """It is no answer there, and no message either."""
    reading = read_line(line, Standing.ANSWER, all_shown=False, may_edit=False)
    assert reading == AskAgain(Why.NO_INPUT)


@pytest.mark.parametrize("standing", list(Standing))
def test_a_command_is_a_command_as_ever(standing: Standing) -> None:
    """However the line came about, `/` begins a command."""
    assert read_line("/level", standing, all_shown=False) == Command("/level")


def test_with_everything_shown_a_typed_yes_approves() -> None:
    """The plain case."""
    assert read_line("y", Standing.ANSWER, all_shown=True) == Approve()


@pytest.mark.parametrize(
    ("line", "standing", "reading"),
    [
        ("hello", Standing.EARLIER, Words("hello")),
        ("y", Standing.EARLIER, Words("y")),
        ("  ", Standing.EARLIER, AskAgain(Why.EMPTY)),
        ("\n", Standing.PASTED, AskAgain(Why.EMPTY)),
        (" /quit", Standing.EARLIER, Command("/quit")),
        ("/quit", Standing.LATE, Command("/quit")),
        ("y", Standing.LATE, AskAgain(Why.CLOSED)),
        ("n keep it", Standing.LATE, AskAgain(Why.CLOSED)),
    ],
)
def test_without_a_question_a_line_is_a_message_or_a_command(
    line: str, standing: Standing, reading: Reading
) -> None:
    """An answer that was begun while a question was open, and comes too late, does nothing."""
    assert read_message(line, standing) == reading


OUTCOMES = ("happened", "not", "retry")


@pytest.mark.parametrize(
    ("line", "standing", "all_shown", "reading"),
    [
        (" Happened ", Standing.ANSWER, True, Typed("happened")),
        ("perhaps", Standing.ANSWER, True, Words("perhaps", Standing.ANSWER)),
        ("retry", Standing.EARLIER, True, Words("retry", Standing.EARLIER)),
        ("retry", Standing.PASTED, True, Words("retry", Standing.PASTED)),
        ("retry", Standing.TOO_FAST, True, AskAgain(Why.TOO_FAST)),
        ("retry", Standing.ANSWER, False, AskAgain(Why.UNSEEN)),
        ("", Standing.ANSWER, True, AskAgain(Why.NO_ANSWER)),
        ("/help", Standing.EARLIER, True, Command("/help")),
    ],
)
def test_one_of_the_words_is_an_answer(line: str, standing: Standing, all_shown: bool, reading: Reading) -> None:
    """Typed for it, after all was shown; anything else is a message."""
    assert read_prompted(line, standing, OUTCOMES, all_shown=all_shown) == reading


@pytest.mark.parametrize(
    ("line", "standing", "reading"),
    [
        (" 3 ", Standing.ANSWER, Typed("3")),
        ("", Standing.ANSWER, Typed("")),
        ("a value", Standing.PASTED, Typed("a value")),
        ("a value", Standing.TOO_FAST, Typed("a value")),
        ("my draft", Standing.EARLIER, Words("my draft", Standing.EARLIER)),
        ("too late", Standing.LATE, Words("too late", Standing.LATE)),
        ("/quit", Standing.ANSWER, Command("/quit")),
    ],
)
def test_without_such_words_every_line_is_a_value(line: str, standing: Standing, reading: Reading) -> None:
    """Pasted or not; but what was begun before it was asked for stays a message."""
    assert read_prompted(line, standing, (), all_shown=True) == reading


@pytest.mark.parametrize(
    ("standing", "reading"),
    [
        (Standing.ANSWER, AskAgain(Why.UNSEEN)),
        (Standing.PASTED, AskAgain(Why.UNSEEN)),
        (Standing.EARLIER, Words("3", Standing.EARLIER)),
    ],
)
def test_a_value_counts_once_the_last_page_was_shown(standing: Standing, reading: Reading) -> None:
    """What else there is to choose from may stand there; a message needs no page."""
    assert read_prompted("3", standing, (), all_shown=False) == reading

"""When a line counts as an answer."""

import pytest

from agentcli.terminal.question.arming import (
    MANY_QUICK,
    QUICK_S,
    QUIET_S,
    SLOW_QUIET_S,
    Arming,
    Standing,
    quick_yeses,
)

OPEN = Arming().opened("")
ARMED = OPEN.quiet()


def type_in(arming: Arming, text: str, before: str = "") -> Arming:
    """The arming after each character was typed and settled."""
    for char in text:
        arming = arming.keyed(before, before + char, typed=char).settled()
        before += char
    return arming


def test_a_line_begun_while_armed_is_an_answer() -> None:
    """Its first key came into an empty line after the quiet time."""
    assert type_in(ARMED, "yes").standing is Standing.ANSWER


def test_a_key_before_the_quiet_time_makes_a_message() -> None:
    """A key 20 ms after painting stays in the draft and answers nothing."""
    assert type_in(OPEN, "y").standing is Standing.EARLIER


def test_without_a_question_nothing_is_armed() -> None:
    """Quiet alone arms nothing."""
    assert not Arming().quiet().is_armed
    assert type_in(Arming().quiet(), "y").standing is Standing.EARLIER


def test_a_word_that_ends_in_the_answer_key_is_no_answer() -> None:
    """The question came in the middle of a word, which stays what it was."""
    begun = type_in(Arming(), "onl").opened("onl").quiet()
    assert type_in(begun, "y", before="onl").standing is Standing.EARLIER


@pytest.mark.parametrize(
    "key",
    [
        lambda arming: arming.keyed("", ""),
        lambda arming: arming.disturbed(),
        lambda arming: arming.opened(""),
        lambda arming: arming.keyed("", "x", typed="x"),
    ],
    ids=["an arrow", "a reply of the terminal", "another question", "a character"],
)
def test_whatever_comes_disarms(key: object) -> None:
    """Every key of any kind starts the quiet time anew, and so does a second question."""
    assert callable(key)
    assert not key(ARMED).is_armed


def test_a_line_emptied_begins_anew() -> None:
    """Text erased to nothing leaves a line whose next first key decides."""
    erased = type_in(OPEN, "x").keyed("x", "")
    assert erased.standing is Standing.EMPTY
    assert type_in(erased, "y").standing is Standing.EARLIER
    assert type_in(erased.quiet(), "y").standing is Standing.ANSWER


@pytest.mark.parametrize(
    ("before", "after", "typed", "recalled"),
    [
        ("", "y", "", False),
        ("", "y", "", True),
        ("", "yes", "y", False),
        ("ye", "y", "", True),
        ("ab", "ba", "", False),
        ("y", "yy", "", False),
        ("abc", "xc", "", False),
    ],
    ids=["pasted", "recalled", "more than typed", "recalled shorter", "swapped", "yanked", "replaced"],
)
def test_text_that_was_not_typed_makes_a_message(before: str, after: str, typed: str, recalled: bool) -> None:
    """Nothing in an answer was pasted, yanked, swapped or recalled from the history."""
    arming = type_in(ARMED, before) if before else ARMED
    assert arming.keyed(before, after, typed=typed, recalled=recalled).standing is Standing.PASTED


@pytest.mark.parametrize(
    ("before", "after"), [("yes", "ye"), ("yes", "es"), ("yes", "ys"), ("n keep", "n"), ("yes", "yes")]
)
def test_erasing_and_moving_keep_an_answer(before: str, after: str) -> None:
    """A slip can be mended."""
    assert type_in(ARMED, before).keyed(before, after).standing is Standing.ANSWER


def test_typing_into_the_middle_keeps_an_answer() -> None:
    """A character forgotten can be added."""
    assert type_in(ARMED, "ys").keyed("ys", "yes", typed="e").settled().standing is Standing.ANSWER


def test_pasting_into_an_answer_spoils_it_for_good() -> None:
    """Typing on after a paste does not make it typed."""
    pasted = type_in(ARMED, "n ").keyed("n ", "n because")
    assert type_in(pasted, "!", before="n because").standing is Standing.PASTED


def test_enter_right_after_a_character_is_too_fast() -> None:
    """Until 30 ms after the last character the line is not settled."""
    typed = ARMED.keyed("", "y", typed="y")
    assert typed.standing is Standing.TOO_FAST
    assert typed.settled().standing is Standing.ANSWER


def test_a_key_that_is_no_character_does_not_settle_the_line() -> None:
    """An arrow between the character and Enter gains nothing."""
    assert ARMED.keyed("", "y", typed="y").keyed("y", "y").standing is Standing.TOO_FAST


def test_an_answer_to_a_closed_question_is_late() -> None:
    """What was begun for one question answers no other."""
    late = type_in(ARMED, "y").closed("y")
    assert late.standing is Standing.LATE
    assert late.opened("y").quiet().standing is Standing.LATE
    assert type_in(ARMED, "y").opened("y").quiet().standing is Standing.LATE
    assert type_in(late.opened("y").quiet().keyed("y", "").quiet(), "y").standing is Standing.ANSWER


def test_closing_over_an_empty_line_leaves_it_empty() -> None:
    """Nothing was typed, nothing is late."""
    assert type_in(ARMED, "y").closed("").standing is Standing.EMPTY


def test_what_follows_must_be_quiet_once_it_was_out_of_sight() -> None:
    """Its line may be begun at once only by whoever has had it before them since it came."""
    following = type_in(ARMED, "1").followed("")
    assert type_in(following, "2").standing is Standing.ANSWER
    assert type_in(following.hidden(), "2").standing is Standing.EARLIER
    assert type_in(following.hidden().quiet(), "2").standing is Standing.ANSWER


def test_a_draft_that_comes_back_is_a_draft() -> None:
    """What was set aside was begun before, whatever the line was last."""
    assert ARMED.closed("").restored().standing is Standing.EARLIER


@pytest.mark.parametrize(
    ("seconds", "quiet_s"),
    [
        ([0.9] * 4, QUIET_S),
        ([0.9] * 5, SLOW_QUIET_S),
        ([0.9] * 4 + [QUICK_S], QUIET_S),
        ([0.9] * 5 + [1.59], SLOW_QUIET_S),
        ([0.9] * 5 + [1.61], QUIET_S),
        ([0.9] * 5 + [1.59] * 3 + [3.0], QUIET_S),
        ([0.9] * 9, SLOW_QUIET_S),
    ],
)
def test_five_quick_yeses_in_a_row_slow_the_arming(seconds: list[float], quiet_s: float) -> None:
    """After five yeses each under a second the question waits for a second of quiet, until one takes its time."""
    arming = OPEN
    for one in seconds:
        arming = arming.answered(yes=True, seconds=one)
    assert arming.quiet_s == quiet_s


def test_yeses_before_this_screen_count_too() -> None:
    """A row does not end because each question was asked on a screen of its own."""
    assert OPEN.hurried(MANY_QUICK).quiet_s == SLOW_QUIET_S
    assert OPEN.hurried(MANY_QUICK).hurried(0).quiet_s == SLOW_QUIET_S
    assert OPEN.hurried(MANY_QUICK - 1).quiet_s == QUIET_S


@pytest.mark.parametrize(
    ("answers", "row"),
    [
        ([], 0),
        ([(True, 0.5)] * 6, 6),
        ([(True, 0.5)] * 6 + [(False, 0.5)], 0),
        ([(False, 0.5), (True, 2.0), (True, 0.5), (True, 0.99)], 2),
    ],
)
def test_a_row_can_be_read_off_the_record(answers: list[tuple[bool, float]], row: int) -> None:
    """The answers of a session, whichever screen they were given on."""
    assert quick_yeses(answers) == row


def test_a_no_breaks_the_row() -> None:
    """Who says no has read."""
    arming = OPEN
    for yes in (True, True, True, False, True, True):
        arming = arming.answered(yes=yes, seconds=0.5)
    assert arming.quiet_s == QUIET_S


def test_what_follows_the_persons_own_line_may_be_begun_at_once() -> None:
    """The next field of a form: no quiet is asked for, and what was begun meanwhile is for it."""
    following = type_in(ARMED, "1").followed("")
    assert type_in(following, "2").standing is Standing.ANSWER
    assert type_in(following.disturbed(), "2").standing is Standing.ANSWER
    assert OPEN.followed("20").standing is Standing.ANSWER
    assert type_in(following.closed("").opened(""), "y").standing is Standing.EARLIER
